#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dqn_memory.sh ROOT: Yosys maps both banks of the weights of a 13-32-16-4 engine with 16 multipliers to block RAM of an
# UltraScale+ device and of an ECP5, their biases to distributed or block RAM, and leaves no memory to flip-flops. An engine
# whose weights are read without a clock must not pass.
set -euo pipefail
. "$(dirname "$0")/../stamps.sh"
cd "$1"
passed_before rtl_dqn.block_ram "" yosys rtl/common/*.sv* rtl/routing/dqn/*.sv && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rtl=rtl/routing/dqn

shape="-chparam NumLayers 3 -chparam Sizes 32'h0410200d -chparam Lanes 1 -chparam Depth 16"

memories() {  # file of hw_dqn_weights, synthesis: the RAMs and what other memories there are
  local files="$rtl/hw_dqn_shape_pkg.sv $1 $rtl/hw_dqn_load.sv $rtl/hw_dqn_neuron.sv $rtl/hw_dqn_inputs.sv $rtl/hw_dqn_flaws.sv $rtl/hw_dqn_array.sv"
  yosys -q -p "read_verilog -sv -defer -Irtl/common $files $rtl/hw_dqn_engine_zero.sv $rtl/hw_dqn_engine.sv;
               hierarchy -check -top hw_dqn_engine $shape; $2; tee -q -o $work/stat stat" > /dev/null 2>&1
  awk '$1 ~ /^(RAM|DP16KD|TRELLIS_DPR|\$mem)/ { printf "%s %d;", $1, $2 }' "$work/stat"
}
xcup='synth_xilinx -family xcup -flatten -run begin:map_ffram'
ecp5='synth_ecp5 -run begin:map_gates'

bad=0
expect() {  # what, found, wanted
  [ "$2" = "$3" ] && return
  printf 'FAIL %s: found %s, not %s\n' "$1" "${2:-no memory}" "$3"
  bad=1
}
expect xcup "$(memories $rtl/hw_dqn_weights.sv "$xcup")" 'RAM64M8 8;RAMB36E2 2;'
expect ecp5 "$(memories $rtl/hw_dqn_weights.sv "$ecp5")" 'DP16KD 5;'

sed 's/if (read_valid_i) read_data_q <= .*/;/; s/logic \(\[.*\]\) read_data_q;/wire logic \1 read_data_q = mem[{read_bank_i, read_row_i}];/' \
  $rtl/hw_dqn_weights.sv > "$work/faulty.sv"
found=$(memories "$work/faulty.sv" "$xcup")
case "$found" in *RAMB*|'') echo "FAIL a read without a clock: ${found:-not synthesised}"; bad=1 ;; esac
[ $bad -eq 0 ] || exit 1
keep_stamp
echo "2 RAMB36E2 and 8 RAM64M8, 5 DP16KD; the seeded fault gives $found"
