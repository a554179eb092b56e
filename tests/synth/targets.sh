#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each target gives what it has, and null for the rest.
. "$(dirname "$0")/lib.sh"

expect 0 synth osu035 osu035
expect 0 synth osu018 osu018
json osu035/synth.json "r.path_ns > $(number osu018/synth.json r.path_ns) && r.area > $(number osu018/synth.json r.area)"

expect 0 synth generic generic
json generic/synth.json 'r.area_unit === "NAND2" && r.area > 6 * r.flip_flops && r.levels > 3 && r.luts === null && r.path_ns === null'
json generic/synth.json "r.flip_flops === $(number osu018/synth.json r.flip_flops) && r.ram_bits === $(number osu018/synth.json r.ram_bits)"

# Of an FPGA: what it takes of a device, flattened as it is small, and a clock or why there is none.
for target in xcup ecp5 ice40; do
  expect 0 synth "$target" "$target"
  expect_said '^of an (xczu9eg|lfe5u-85f|hx8k): LUTs [0-9.]+ %, flip-flops [0-9.]+ %, block RAMs 0.0 %, DSPs (0.0 %|-)$'
  json "$target/synth.json" 'r.flattened === true && r.block_rams === 0 && r.device.luts > 0 && r.device.flip_flops > 0'
  json "$target/synth.json" '(r.fmax_mhz === null) === (typeof r.no_clock === "string")'
  json "$target/synth.json" 'r.luts > 100 && r.flip_flops > 50 && r.area === null && r.power_mw === null && r.path_from === null'
done
# The buffers are distributed memory where there is any; an iCE40 has none with an asynchronous read.
json xcup/synth.json 'r.ram_bits >= 3 * 10 * 27 && r.lut_ram_luts > 0'
json ecp5/synth.json 'r.ram_bits >= 3 * 10 * 27 && r.lut_ram_luts > 0'
json ice40/synth.json 'r.ram_bits === 0 && r.fmax_mhz > 1 && r.flip_flops > 3 * 10 * 27'

# What stands beside the router is in LUTs, too.
json ecp5/synth.json 'r.csr.luts > 100 && r.terminal.luts > 50 && r.csr.area === null'

# Another device has other shares of the same router.
expect 0 synth small ecp5 --device lfe5u-25f
json small/synth.json "r.cached === true && r.device.name === 'lfe5u-25f' &&
                       Math.abs(r.device.luts - (r.luts + r.lut_ram_luts) / 24288) < 1e-4"

expect 0 synth flops ecp5 --memories flops
json flops/synth.json 'r.ram_bits === 0 && r.lut_ram_luts === 0 && r.flip_flops > 3 * 10 * 27'
