#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh BUNDLE OBJ [BENCH]: compiles a SystemC testbench of a bundle's network top to OBJ/BENCH: network_bench, which is the default,
# replays traces through streams; tlm_platform joins message interfaces with TLM-2.0 initiators and memories.
#
# The tile is verilated once as a library (hierarchical Verilation), whatever the number of routers. CXX, OPT and JOBS
# may be set; with ccache on the PATH a second build takes seconds.
set -eu
bundle=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
bench=${3:-network_bench}
mkdir -p "$2"
obj=$(cd "$2" && pwd)
network=$(basename "$(echo "$bundle"/rtl/*_pkg.sv)" _pkg.sv)
opt=${OPT:--O1}

{
  echo '#pragma once'
  echo "namespace hopwise::tb::network {"
  sed -n 's/^ *localparam int unsigned \([A-Za-z]*\) *= \([0-9]*\);.*/inline constexpr unsigned k\1 = \2;/p' "$bundle/rtl/${network}_pkg.sv"
  grep -q ' ModeBits ' "$bundle/rtl/${network}_pkg.sv" || echo 'inline constexpr unsigned kModeLsb = 0, kModeBits = 0, kLabelBits = 0;'
  echo "}"
} > "$obj/network_pkg.hpp"
printf '`verilator_config\nhier_block -module "%s_tile"\n' "$network" > "$obj/tile.vlt"

cd "$bundle"
verilator --sc --hierarchical -O3 --x-assign fast --x-initial fast --unroll-count 256 --unroll-stmts 100000 -Wno-fatal -Wno-UNOPTFLAT \
  --prefix Vtop --Mdir "$obj/verilated" --top-module "${network}_top" "$obj/tile.vlt" -f "$network.f" > "$obj/verilator.log" 2>&1 ||
  { cat "$obj/verilator.log"; exit 1; }
cxx=${CXX:-g++}
command -v ccache > /dev/null && cxx="ccache $cxx"
flags="-std=c++17 -DSC_CPLUSPLUS=201703L"
make -C "$obj/verilated" -f Vtop_hier.mk -j "${JOBS:-2}" hier_build CXX="$cxx" OPT_FAST="$opt" OPT_SLOW=-O0 OPT_GLOBAL="$opt" \
  USER_CPPFLAGS="$flags" > "$obj/make.log" 2>&1 || { tail -n 30 "$obj/make.log"; exit 1; }
include=$(verilator --getenv VERILATOR_ROOT)/include
compile() {  # source, object, further flags
  # shellcheck disable=SC2086
  $cxx $flags $opt "${@:3}" -I"$obj" -isystem "$obj/verilated" -isystem "$include" -isystem "$include/vltstd" -I"$here" \
    -DVM_SC=1 -DVM_TRACE=0 -DVM_COVERAGE=0 -c "$1" -o "$2"
}
compile "$here/$bench.cpp" "$obj/$bench.o" -Wall -Wextra -Werror
runtime=()
for part in verilated verilated_dpi verilated_threads; do
  compile "$include/$part.cpp" "$obj/$part.o" -w
  runtime+=("$obj/$part.o")
done
$cxx -o "$obj/$bench" "$obj/$bench.o" "$obj/verilated/Vtop__ALL.a" "${runtime[@]}" -lsystemc -pthread
