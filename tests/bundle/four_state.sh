#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A third opinion on reset and unknown values: Icarus, four-state, runs what Yosys writes back of a whole network, under
# the bundle's smoke test. Every flit arrives as it does from the RTL under Verilator, and no control pin is unknown.
. "$(dirname "$0")/common.sh" "$@"

four_state() {  # name, keys
  local name=$1 out log
  generate "$@"
  [ -d "$name" ] || return
  (cd "$name" && make sim) > "$name.verilator.log" 2>&1 || fail "$name: make sim" "$(tail -n 20 "$name.verilator.log")"
  (cd "$name" && make icarus) > "$name.icarus.log" 2> "$name.icarus.err" || fail "$name: make icarus" "$(tail -n 20 "$name.icarus.err")"
  out=$(grep -v 'Replacing memory .* with list of registers' "$name.icarus.err")
  [ -z "$out" ] || fail "$name: yosys or iverilog" "$(head -n 20 <<< "$out")"
  for log in "$name.verilator" "$name.icarus"; do
    grep -q '^SMOKE PASS' "$log.log" || fail "$log: the smoke test does not pass" "$(grep SMOKE "$log.log" | tail -n 10)"
    grep '^SMOKE: cycle' "$log.log" > "$log.flits"
  done
  [ -s "$name.icarus.flits" ] || fail "$name: no flits are printed"
  out=$(diff "$name.verilator.flits" "$name.icarus.flits") || fail "$name: Icarus and Verilator differ" "$(head -n 10 <<< "$out")"
}

four_state net packet.flit_bits=40 packet.max_flits=3 router.vcs=2 router.vc_depth_flits=6 router.counters=false
four_state dragonfly routing.algorithm=ugal_le packet.flit_bits=64 router.vc_depth_flits=4 router.counters=false
finish "$(cat ./*.icarus.flits | wc -l) flits equal"
