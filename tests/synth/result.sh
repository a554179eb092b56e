#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# synth.json: its keys, the same bytes every time, the cache, and a router that is seen to grow.
. "$(dirname "$0")/lib.sh"

models=$cache
cache=$scratch/first
expect 0 synth one osu018
expect_said 'post-synthesis, pre-layout'
json one/synth.json 'r.target === "osu018" && r.area_unit === "um2" && r.note === "post-synthesis, pre-layout" && r.cached === false'
json one/synth.json '["area", "flip_flops", "ram_bits", "path_ns", "fmax_mhz", "levels", "power_mw", "leakage_mw", "dynamic_mw",
                      "logic_area", "activity", "wall_s", "peak_mib"].every((k) => typeof r[k] === "number" && r[k] > 0)'
json one/synth.json '["path_from", "path_to", "path_module", "routing", "network", "hash"].every((k) => typeof r[k] === "string" && r[k] !== "")'
json one/synth.json 'r.luts === null && Math.abs(r.fmax_mhz * r.path_ns / 1000 - 1) < 0.01'
json one/synth.json 'Math.abs(r.leakage_mw + r.dynamic_mw - r.power_mw) < 1e-5 && r.tools.yosys.startsWith("Yosys")'
# The path begins and ends in registers of the RTL, not in gates of the netlist.
json one/synth.json '[r.path_from, r.path_to].every((p) => p.startsWith("u_core."))'
# By module: the top comes first and holds all flip-flops; the parts of a module are in its area.
json one/synth.json 'r.modules[0].module === r.top && r.modules.every((m) => m.own_area <= m.area && m.instances > 0)'
json one/synth.json 'r.modules.reduce((sum, m) => sum + m.own_flip_flops * m.instances, 0) === r.modules[0].flip_flops'
json one/synth.json 'Math.abs(r.modules.reduce((sum, m) => sum + m.own_area * m.instances, 0) - r.modules[0].area) < 1'

# Modules have the longest path to their registers, but where these are known by a net outside; the longest of them is the router's.
json one/synth.json 'Math.abs(Math.max(...r.modules.map((m) => m.path_ns)) - r.path_ns) < 0.002'
json one/synth.json 'r.modules.every((m) => m.path_ns === null || (m.path_ns > 0.3 && m.path_ns <= r.path_ns + 0.002))'
json one/synth.json 'r.modules.find((m) => m.module === r.path_module).path_ns > r.path_ns - 0.002'
json one/synth.json 'r.modules.filter((m) => m.path_ns === null).reduce((sum, m) => sum + m.own_flip_flops * m.instances, 0) < 0.1 * r.flip_flops'
expect_said 'longest paths by module, ns: hw_[a-z_]+ [0-9.]+, hw_'

# CSRs and counters have figures of their own, beside those of the router: their words lie in memories.
json one/synth.json '["area", "flip_flops", "ram_bits"].every((k) => r.csr[k] > 0) && r.csr.flip_flops < r.flip_flops && r.csr.luts === null'
json one/synth.json 'r.modules.every((m) => !m.module.includes("csr") && !m.module.includes("counters"))'
expect_said 'CSRs and counters beside it: [0-9]+ um2, [0-9.]+ % of its logic; [0-9]+ flip-flops, [0-9]+ RAM bits'
# So has the terminal, and each its longest path.
json one/synth.json '[r.csr, r.terminal].every((part) => part.path_ns > 0.5 && part.path_ns < 20 && part.path_to !== "")'
json one/synth.json 'r.terminal.area > 0 && r.terminal.flip_flops > 0 && r.message_interface === undefined'
expect_said 'all of a terminal: longest path [0-9.]+ ns'

# The same input gives the same bytes, but for what was measured of the tools. A result that was cut short in the cache is none.
truncate -s 100 first/synth-*/result.json
expect 0 synth two osu018
json two/synth.json 'r.cached === false'
for run in one two; do grep -vE '"(wall_s|peak_mib)"' "$run/synth.json" > "$run.bytes"; done
expect_same one.bytes two.bytes

# From the cache: the same result at once, with the time that it took.
expect 0 synth three osu018
expect_said 'from the cache'
json three/synth.json "r.cached === true && r.wall_s === $(number two/synth.json r.wall_s)"
grep -v '"cached"' three/synth.json > three.bytes
grep -v '"cached"' two/synth.json > two.bytes
expect_same two.bytes three.bytes

# The router alone is the same, without what stands beside it.
expect 0 synth alone osu018 --router-only
json alone/synth.json "r.cached === true && r.area === $(number one/synth.json r.area) && r.csr === undefined && r.terminal === undefined"

# Several targets: a list of what each of them gives alone.
expect 0 synth both osu018,generic
expect_said '^osu018: longest path'
expect_said '^generic: .* s, .* MiB'
json both/synth.json 'r.map((one) => one.target).join() === "osu018,generic" && r[0].cached === true'
json both/synth.json "r[0].area === $(number two/synth.json r.area)"

# Without counters their cost goes, the router's stays.
expect 0 synth bare osu018 --set router.counters=false
json bare/synth.json "r.csr.area < $(number one/synth.json r.csr.area) && r.csr.ram_bits === 0 && r.area === $(number one/synth.json r.area)"

# Wider flits cost area, and are not taken from the cache.
expect 0 synth wide osu018 --router-only --set packet.flit_bits=40
json wide/synth.json "r.cached === false && r.area > $(number one/synth.json r.area) && r.ram_bits > $(number one/synth.json r.ram_bits)"

# Power follows the activity, given or measured, nothing else does.
expect 0 synth busy osu018 --activity 0.4
json busy/synth.json "r.dynamic_mw > $(number one/synth.json r.dynamic_mw) && r.path_ns === $(number one/synth.json r.path_ns) &&
                      r.area === $(number one/synth.json r.area) && r.activity_source === 'given'"
expect 0 "$hopwise" simulate "$net" -o sim --cache "$models" --quiet --load 0.3 --cycles 500 --set simulation.warmup_cycles=100
json sim/results.json '(r.costs ?? []).length === 0'  # nothing is synthesised where no target is named
expect 0 synth measured osu018 --router-only --activity sim/results.json
json measured/synth.json 'r.activity > 0.01 && r.activity < 0.3 && r.activity_source.includes("measured")'
