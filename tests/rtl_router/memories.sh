#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# memories.sh ROOT: Yosys maps the flits and the packets' notes of an input port of 4 VCs of 256 flits, and the queues of an output port
# of as many, to block RAM on UltraScale+, ECP5 and iCE40, and leaves no memory to flip-flops, whatever the cycles from pop to data. A
# memory that is read without a clock must not pass.
set -euo pipefail
. "$(dirname "$0")/../stamps.sh"
cd "$1"
rtl="rtl/common/hw_ram_1r1w.sv rtl/common/hw_class_turns.sv rtl/link/hw_link_pacer.sv"
for module in router_pkg packet_queue flit_store queue_meter reward queued_output_unit; do rtl+=" rtl/router/hw_$module.sv"; done
# shellcheck disable=SC2086
passed_before rtl_router.block_ram "" yosys rtl/common/*.sv* $rtl && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
depths="64'h0100010001000100"

memories() {  # target, module, its parameters: the block RAMs and what other memories there are
  yosys -q -p "read_verilog -sv -defer -DSYNTHESIS -Irtl/common $rtl;
               hierarchy -check -top $2 $3; synth_$1 -flatten -run begin:map_ffram; tee -q -o $work/stat stat" > /dev/null
  awk '$1 ~ /RAM|DP16KD|PDPW|DPR|\$mem/ { printf "%s %d;", $1, $2 }' "$work/stat"
}

bad=0
expect() {  # what, found, wanted
  [ "$2" = "$3" ] && return
  printf 'FAIL %s: found %s, not %s\n' "$1" "${2:-no memory}" "$3"
  bad=1
}
flits="-chparam NumVcs 4 -chparam FlitBits 128 -chparam VcDepths $depths -chparam ReadCycles"
for cycles in 0 1; do
  expect "flits $cycles, xcup" "$(memories 'xilinx -family xcup' hw_flit_store "$flits $cycles")" 'RAMB36E2 4;'
  expect "flits $cycles, ecp5" "$(memories ecp5 hw_flit_store "$flits $cycles")" 'DP16KD 8;'
  expect "flits $cycles, ice40" "$(memories ice40 hw_flit_store "$flits $cycles")" 'SB_RAM40_4K 32;'
done
notes="-chparam NumVcs 4 -chparam Width 40 -chparam Depths $depths"
expect 'notes, xcup' "$(memories 'xilinx -family xcup' hw_packet_queue "$notes")" 'RAMB18E2 3;'
expect 'notes, ecp5' "$(memories ecp5 hw_packet_queue "$notes")" 'DP16KD 3;'
expect 'notes, ice40' "$(memories ice40 hw_packet_queue "$notes")" 'SB_RAM40_4K 10;'
queues="-chparam NumVcs 4 -chparam FlitBits 128 -chparam MaxFlits 8 -chparam VcDepths $depths"
queues+=" -chparam QueueFlits 256 -chparam SpaceWidth 9 -chparam LenBits 4"
expect 'output queues, xcup' "$(memories 'xilinx -family xcup' hw_queued_output_unit "$queues")" 'RAMB36E2 4;'
expect 'output queues, ecp5' "$(memories ecp5 hw_queued_output_unit "$queues")" 'DP16KD 8;'
expect 'output queues, ice40' "$(memories ice40 hw_queued_output_unit "$queues")" 'SB_RAM40_4K 33;'
found=$(memories ecp5 hw_ram_1r1w "-chparam Words 1024 -chparam Width 128 -chparam ReadCycles 0")
[ "$found" != 'DP16KD 8;' ] || { echo 'FAIL a read without a clock passes'; bad=1; }
[ $bad -eq 0 ] || exit 1
keep_stamp
echo "block RAM on three devices; a read without a clock gives ${found:-no block RAM}"
