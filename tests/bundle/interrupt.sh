#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A packet that a network interface refuses, or whose stream breaks off: counted, kept in STATUS, an interrupt where MASK says so, at its router alone.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" "$@"
generate ring2 topology.dims=[2] packet.flit_bits=32 packet.max_flits=2 router.checks=true
bench() {  # what the bench says of the bundle, with its arguments
  local out
  out=$(cd ring2 && verilator --cc --exe --build --timing --timescale 1ns/1ps -Wno-fatal -Wno-WIDTH -j 2 --prefix Vsmoke_tb -CFLAGS -std=c++20 \
    -MAKEFLAGS OPT_FAST=-O0 -MAKEFLAGS OPT_SLOW=-O0 --top-module interrupt_tb -f ring2.f "$here/interrupt_tb.sv" tb/smoke_main.cpp 2>&1) ||
    { tail -n 20 <<< "$out"; return; }
  ./ring2/obj_dir/Vsmoke_tb "$@" 2>&1
}
out=$(bench)
grep -q '^INTERRUPT PASS' <<< "$out" || fail "the interrupt" "$(tail -n 20 <<< "$out")"
out=$(bench +aborted)
grep -q '^INTERRUPT PASS' <<< "$out" || fail "sources that are reset" "$(tail -n 20 <<< "$out")"

# A tile whose network interface is not heard.
grep -q 'refused_i .*(ni_error_o)' ring2/rtl/ring2_tile.sv || fail "the fault has no place"
sed -i "s/\(refused_i .*\)(ni_error_o)/\1('0)/" ring2/rtl/ring2_tile.sv
out=$(bench)
grep -q '^INTERRUPT FAIL' <<< "$out" || fail "the bench does not see a tile without its event" "$(tail -n 20 <<< "$out")"
sed -i "s/\(refused_i .*\)('0)/\1(ni_error_o)/; s/\(refused_user_i .*\)(refused_user)/\1(~refused_user)/" ring2/rtl/ring2_tile.sv
out=$(bench)
grep -q '^register 100a4 ' <<< "$out" || fail "the bench does not see a tuser that is not the packet's" "$(tail -n 20 <<< "$out")"

# Streams that break off have a counter of their own.
rm -rf ring2
generate ring2 topology.dims=[2] packet.flit_bits=32 packet.max_flits=2 router.checks=true terminal.injection=cut_through
out=$(bench +broken)
grep -q '^INTERRUPT PASS' <<< "$out" || fail "streams that break off" "$(tail -n 20 <<< "$out")"
sed -i "s/\(Counted *\)(9'o721)/\1(9'o621)/" ring2/rtl/ring2_csr.sv
out=$(bench +broken)
grep -q 'a_drops_have_a_cause' <<< "$out" || fail "a cause that is not counted passes" "$(tail -n 20 <<< "$out")"
finish "refused, aborted and broken packets interrupt and are told of, and three seeded faults"
