#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# q_table_memory.sh ROOT: Yosys maps both copies of a Q-table of 132 rows and 11 columns of 18 bits to block RAM of an
# UltraScale+ device, 3 RAMB36E2 each, and leaves no memory to flip-flops. A copy that is read without a clock must not pass.
set -euo pipefail
. "$(dirname "$0")/../stamps.sh"
cd "$1"
passed_before rtl_learning.block_ram "" yosys rtl/common/*.sv* rtl/routing/q/*.sv && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

memories() {  # files, top, more parameters: the block RAMs and what other memories there are
  yosys -q -p "read_verilog -sv -defer -Irtl/common $1; hierarchy -check -top $2 -chparam NumRows 132 -chparam NumCols 11 $3;
               synth_xilinx -family xcup -flatten -run begin:map_ffram; tee -q -o $work/stat stat" > /dev/null
  awk '$1 ~ /^(RAM|\$mem)/ { printf "%s %d;", $1, $2 }' "$work/stat"
}

bad=0
expect() {  # what, found, wanted
  [ "$2" = "$3" ] && return
  printf 'FAIL %s: found %s, not %s\n' "$1" "${2:-no memory}" "$3"
  bad=1
}
expect hw_q_table "$(memories 'rtl/routing/q/hw_q_ram.sv rtl/routing/q/hw_q_mend.sv rtl/routing/q/hw_q_copies.sv rtl/routing/q/hw_q_feedback_fifos.sv rtl/routing/q/hw_q_update.sv rtl/routing/q/hw_q_table.sv' hw_q_table '')" 'RAMB36E2 6;'

sed 's/if (read_valid_i) read_q <= mem\[read_row_i\];/;/; s/words, read_q;/words;\n  wire logic [NumCols*WordBits-1:0] read_q = mem[read_row_i];/' \
  rtl/routing/q/hw_q_ram.sv > "$work/faulty.sv"
found=$(memories "$work/faulty.sv" hw_q_ram '-chparam ValueBits 18')
case "$found" in *RAMB*|'') echo "FAIL a read without a clock: ${found:-not synthesised}"; bad=1 ;; esac
[ $bad -eq 0 ] || exit 1
keep_stamp
echo "6 RAMB36E2; the seeded fault gives $found"
