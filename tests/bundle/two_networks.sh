#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two bundles in one design: the library is listed once, and Verilator, Yosys and Icarus read both networks; a packet of each
# terminal arrives in both.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" "$@"
generate east packet.flit_bits=40 router.vcs=2 router.vc_depth_flits=4 router.counters=false
generate dragonfly_west routing.algorithm=min packet.flit_bits=48 router.vc_depth_flits=4 router.counters=false
[ $bad -eq 0 ] || finish

# What they share is the same.
out=$(cmp east/library.f dragonfly_west/library.f 2>&1) || fail "two libraries" "$out"
while read -r file; do
  cmp -s "east/$file" "dragonfly_west/$file" || fail "$file differs"
done < <(cd east && find rtl/*/ -type f)
out=$(comm -12 <(sort east/east_network.f) <(sort dragonfly_west/dragonfly_west_network.f))
[ -z "$out" ] || fail "two networks have files of the same name" "$out"
for name in east dragonfly_west; do
  out=$(grep '^rtl/' $name/$name.f | sort | comm -23 - <(sort $name/library.f $name/${name}_network.f))
  [ -z "$out" ] || fail "$name.f has files that library.f and ${name}_network.f lack" "$out"
done

{ sed 's|rtl/|east/rtl/|' east/library.f east/east_network.f
  sed 's|rtl/|dragonfly_west/rtl/|' dragonfly_west/dragonfly_west_network.f; } > both.f
out=$(verilator --lint-only -Wall --top-module two_networks -f both.f "$here/two_networks.sv" 2>&1) && [ -z "$out" ] ||
  fail "verilator -Wall" "$(head -n 20 <<< "$out")"

# Addresses as the bench takes them: 16 bits each, terminal 0 in the low ones.
addresses() { awk -F, 'NR > 1 { all = sprintf("%04x", $4) all } END { print 4 * length(all) "'\''h" all }' "$1/terminals.csv"; }
defines=("EAST_ADDRESS=$(addresses east)" "WEST_ADDRESS=$(addresses dragonfly_west)")
bench=("$here/two_networks.sv" "$here/two_networks_tb.sv")
for name in east dragonfly_west; do printf 'hier_block -module "%s_tile"\n' $name; done | sed '1i `verilator_config' > both.vlt
out=$(verilator --cc --exe --build --prefix Vsmoke_tb --hierarchical --timing --timescale 1ns/1ps -Wno-fatal -Wno-WIDTH -Wno-UNOPTFLAT -O3 -j 2 \
  -CFLAGS -std=c++20 -MAKEFLAGS OPT_FAST=-O1 -MAKEFLAGS OPT_SLOW=-O0 --top-module two_networks_tb "${defines[@]/#/+define+}" \
  both.vlt -f both.f "${bench[@]}" east/tb/smoke_main.cpp 2>&1) || fail "verilator" "$(tail -n 20 <<< "$out")"
out=$(./obj_dir/Vsmoke_tb 2>&1)
grep -q '^BOTH PASS: 4 and 6 packets' <<< "$out" || fail "the simulation of both" "$out"

out=$(yosys -q -p "read_verilog -sv -defer -Ieast/rtl/common $(grep -v '^[+/]' both.f | tr '\n' ' ') $here/two_networks.sv
  hierarchy -check -top two_networks; proc; opt; check -assert; write_verilog -noattr both.v" 2>&1 | grep -v 'Replacing memory .* with list of registers')
[ -z "$out" ] || fail "yosys" "$(head -n 20 <<< "$out")"
sed 's/int unsigned/integer/' east/rtl/east_pkg.sv dragonfly_west/rtl/dragonfly_west_pkg.sv > packages.v
out=$(iverilog -g2012 -s two_networks_tb -o both.vvp "${defines[@]/#/-D}" packages.v \
  both.v "$here/two_networks_tb.sv" 2>&1) || fail "iverilog" "$(head -n 20 <<< "$out")"
out=$(vvp -n both.vvp 2>&1)
grep -q '^BOTH PASS: 4 and 6 packets' <<< "$out" || fail "the simulation of both under Icarus" "$out"
finish "two networks in one design"
