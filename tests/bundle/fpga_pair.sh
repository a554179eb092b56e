#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The example of examples/fpga_pair: no warning of Verilator; its lights tell of packets, and of a wire of a link that is stuck.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" "$@"
example=$here/../../examples/fpga_pair
"$hopwise" generate "$example/network.yaml" -o board > board.log 2>&1 || fail "generate" "$(cat board.log)"
sed 's|rtl/|board/rtl/|' board/fpga_pair.f > pair.f
printf '%s\n' board/rtl/common/hw_random.sv "$example/packet_station.sv" "$example/fpga_pair.sv" >> pair.f
out=$(verilator --lint-only -Wall --top-module fpga_pair -f pair.f 2>&1) && [ -z "$out" ] || fail "verilator -Wall" "$(head -n 20 <<< "$out")"
printf '`verilator_config\nhier_block -module "fpga_pair_tile"\n' > blocks.vlt
lights() {
  local out
  out=$(verilator --cc --exe --build --hierarchical --timing --timescale 1ns/1ps -O3 -Wno-fatal -Wno-WIDTH -Wno-UNOPTFLAT -j 2 --prefix Vsmoke_tb \
    -CFLAGS -std=c++20 -MAKEFLAGS OPT_FAST=-O1 -MAKEFLAGS OPT_SLOW=-O0 --top-module fpga_pair_tb blocks.vlt -f pair.f \
    "$here/fpga_pair_tb.sv" board/tb/smoke_main.cpp 2>&1) || { fail "verilator" "$(tail -n 20 <<< "$out")"; return; }
  ./obj_dir/Vsmoke_tb 2>&1
}
good=$(lights)
grep -qE '^LIGHTS change [1-9][0-9]+ [1-9][0-9]+ [1-9][0-9]+ times, error 0' <<< "$good" || fail "the lights" "$(tail -n 20 <<< "$good")"

# Bit 30 of the flits from router 0 to router 1 is stuck at 0.
link='\.in_data_i .*data_0\[0+:32\]'
[ "$(grep -c "$link" board/rtl/fpga_pair_top.sv)" -eq 1 ] || fail "the fault has no place"
sed -i "/$link/s/data_0\[0+:32\]/data_0[0+:32] \& 32'hbfffffff/" board/rtl/fpga_pair_top.sv
fault=$(lights)
grep -q '^LIGHTS .* error 1' <<< "$fault" || fail "a wire that is stuck lights nothing" "$(tail -n 20 <<< "$fault")"
finish "two routers on a board: $(grep LIGHTS <<< "$good"); a wire that is stuck: ${fault##*, }"
