#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A third opinion on reset and unknown values: Icarus, four-state, runs what Yosys writes back of a whole network, under
# the bundle's smoke test. Every flit arrives as it does from the RTL under Verilator, and no control pin is unknown.
. "$(dirname "$0")/common.sh" "$@"

generate net packet.flit_bits=40 packet.max_flits=3 router.vcs=2 router.vc_depth_flits=6 router.counters=false
cd net || exit 1
make sim > ../verilator.log 2>&1 || fail "make sim" "$(tail -n 20 ../verilator.log)"
out=$(yosys -q -p "read_verilog -sv -defer -Irtl/common $(grep '^rtl/' net.f | tr '\n' ' '); hierarchy -check -top net_top;
      proc; opt; check -assert; write_verilog -noattr ../net_top.v" 2>&1 | grep -v 'Replacing memory .* with list of registers')
[ -z "$out" ] || fail "yosys" "$out"
cd ..
out=$(iverilog -g2012 -s smoke_tb -o net.vvp net_top.v net/tb/smoke_tb.sv 2>&1) || fail "iverilog" "$(head -n 20 <<< "$out")"
vvp -n net.vvp > icarus.log 2>&1 || fail "vvp" "$(tail -n 20 icarus.log)"
for log in verilator icarus; do
  grep -q '^SMOKE PASS' $log.log || fail "$log: the smoke test does not pass" "$(grep SMOKE $log.log | tail -n 10)"
  grep '^SMOKE: cycle' $log.log > $log.flits
done
[ -s icarus.flits ] || fail "no flits are printed"
out=$(diff verilator.flits icarus.flits) || fail "Icarus and Verilator differ" "$(head -n 10 <<< "$out")"
finish "$(wc -l < icarus.flits) flits equal"
