#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Damaged traces and results end in exit status 0, 1 or 2, never in an abort or without an end: damage.sh HOPWISE SOURCE_DIR CACHE_DIR
# [COUNT [SEED]], of each kind COUNT.
. "$(dirname "$0")/lib.sh"
count=${4:-12} seed=${5:-1}
expect 0 simulate results --routing dor --pattern uniform --loads 0.1:0.2:0.1 --cycles 500
expect 0 simulate recorded --routing dor --pattern uniform --load 0.2 --cycles 200 --record-trace packets.trace
node "$source/tests/command/damage.mjs" "$hopwise" "$net" "$cache" "$count" "$seed" || fail "damage $count $seed"
