#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The wrapper of examples/fpga_node: no warning of Verilator, elaborated by Yosys, and four boards deliver every flit.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" "$@"
example=$here/../../examples/fpga_node
"$hopwise" generate "$example/network.yaml" -o board --set topology.dims=[2,2] > board.log 2>&1 || fail "generate" "$(cat board.log)"
sed 's|rtl/|board/rtl/|' board/fpga_torus.f > node.f
out=$(verilator --lint-only -Wall --top-module fpga_node -f node.f "$example/fpga_node.sv" 2>&1) && [ -z "$out" ] ||
  fail "verilator -Wall" "$(head -n 20 <<< "$out")"
out=$(yosys -q -p "read_verilog -sv -defer -Iboard/rtl/common $(grep ^board/rtl node.f | tr '\n' ' ') $example/fpga_node.sv
  hierarchy -check -top fpga_node; proc; check -assert" 2>&1 | grep -v 'Replacing memory .* with list of registers')
[ -z "$out" ] || fail "yosys" "$(head -n 20 <<< "$out")"
printf '`verilator_config\nhier_block -module "fpga_torus_tile"\n' > blocks.vlt
boards() {  # wrapper: what the bench says of four boards
  local out
  out=$(verilator --cc --exe --build --hierarchical --timing --timescale 1ns/1ps -O3 -Wno-fatal -Wno-WIDTH -Wno-UNOPTFLAT -j 2 --prefix Vsmoke_tb \
    -CFLAGS -std=c++20 -MAKEFLAGS OPT_FAST=-O1 -MAKEFLAGS OPT_SLOW=-O0 --top-module fpga_node_tb blocks.vlt -f node.f \
    "$1" "$here/fpga_node_tb.sv" board/tb/smoke_main.cpp 2>&1) || { fail "verilator $1" "$(tail -n 20 <<< "$out")"; return; }
  ./obj_dir/Vsmoke_tb 2>&1
}
out=$(boards "$example/fpga_node.sv")
grep -q '^BOARDS PASS' <<< "$out" || fail "four boards" "$(tail -n 20 <<< "$out")"

# Streams that are not held until every board is ready.
sed 's/ && enable_i//' "$example/fpga_node.sv" > fpga_node.sv
cmp -s fpga_node.sv "$example/fpga_node.sv" && fail "the fault changes nothing"
fault=$(boards fpga_node.sv)
grep -qE '^BOARDS FAIL|Assertion failed' <<< "$fault" || fail "the bench does not see a wrapper that starts too early" "$(tail -n 20 <<< "$fault")"
finish "a node on a board of its own: $(grep BOARDS <<< "$out")"
