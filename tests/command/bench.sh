#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `bench` prints a line for each network and engine, with assertions off and on, and for each number of threads.
. "$(dirname "$0")/lib.sh"
expect 0 "$hopwise" bench "$net" --cache "$cache" --cycles 500 --threads 2 --engine verilator
[ "$(grep -cE '^net +verilator +1 +1 +(on|off) +[12] +[1-9][0-9]* +[1-9]' said)" -eq 4 ] || fail "lines" said
expect 2 "$hopwise" bench missing.yaml --cache "$cache"
