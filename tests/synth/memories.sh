#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A memory as a macro takes away as many flip-flops as it has bits.
. "$(dirname "$0")/lib.sh"

expect 0 synth macros osu018
expect 0 synth flops osu018 --memories flops
json flops/synth.json 'r.ram_bits === 0 && r.logic_area === null && r.memory_list.every((m) => !m.macro)'
json macros/synth.json 'r.ram_bits === r.memory_list.filter((m) => m.macro).reduce((sum, m) => sum + m.bits, 0)'
json macros/synth.json 'r.memory_list.every((m) => m.macro === (m.words * m.width >= 256))'
json macros/synth.json "r.ram_bits > 0 && r.flip_flops + r.ram_bits === $(number flops/synth.json r.flip_flops)"
json macros/synth.json "r.area < $(number flops/synth.json r.area)"
json macros/synth.json 'r.modules[0].ram_bits === r.ram_bits && Object.keys(r.cells).some((c) => c.startsWith("hopwise_memory_"))'
