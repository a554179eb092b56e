#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of all routings: rows, increments by block, the choice of rows; and the cost in the report of a run.
. "$(dirname "$0")/lib.sh"
cat > grid.yaml <<'Y'
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 64, max_flits: 4}
router: {vcs: 3, vc_depth_flits: 4}
simulation: {warmup_cycles: 500, cycles: 1500}
experiment: {routings: [dor, star_channel]}
Y
campaign() { "$hopwise" campaign cost grid.yaml --target generic --cache "$cache" --quiet "$@"; }

expect 0 campaign -o both
json both/cost.json 'r.rows.length === 2 && r.rows.map((row) => row.routing).join() === "dor,star_channel"'
json both/cost.json 'r.rows[1].area > r.rows[0].area && r.rows.every((row) => row.example === "grid" && row.target === "generic")'
grep -qE '^\| `star_channel` \| [0-9]+ \| \+[0-9.]+ % \|' both/cost.md || fail "no increment" both/cost.md
grep -qE '^\| `hw_dimension_order` \| -[0-9]+ \|$' both/cost.md || fail "no increment by block" both/cost.md

# What is costed is measured: as `simulate` measures it, with the clock that was found.
json both/grid/results.json 'r.saturation.length === 2 && r.points.map((p) => p.offered_load).join() === "0.01,1,0.01,1"'
node - both <<'JS' || fail "throughput is not what was measured"
const read = (name) => JSON.parse(require('fs').readFileSync(`${process.argv[2]}/${name}`, 'utf8'));
const results = read('grid/results.json');
for (const row of read('cost.json').rows) {
  const t = row.throughput, of = (list) => list.filter((p) => p.routing === row.routing);
  const [low, full] = of(results.points), [search] = of(results.saturation);
  const good = t.pattern === 'uniform' && t.saturation === search.throughput && t.accepted_at_1 === full.accepted_load &&
    t.worst_terminal_at_1 === full.fairness.min && t.low_load_latency_cycles === low.network_latency_cycles.mean &&
    row.zero_load_ns_per_hop === null && t.flits_per_ns_per_port === null && row.questions_per_cycle === 5;
  if (!good) throw new Error(JSON.stringify(row.throughput));
}
JS
grep -qE '^\| `dor` \| uniform \| 0\.[0-9]{3} \| 0\.[0-9]{3} \| 0\.[0-9]{3} \|' both/cost.md || fail "no throughput" both/cost.md
grep -qE '^\| `dor` \| .* \| 5\.00 \|$' both/cost.md || fail "no questions per cycle" both/cost.md
grep -q 'Post-synthesis, pre-layout' both/cost.md || fail "no word about what the figures are" both/cost.md
grep -qE '^\| `dor` .*\| [0-9]+ \| [0-9.]+ % \| [0-9]+ \| [0-9]+ \|$' both/cost.md || fail "no CSRs" both/cost.md
json both/cost.json 'r.rows.every((row) => row.csr.area > 0 && row.csr.flip_flops > 0)'

# A second run has its rows from the cache; a choice of rows has those alone, for standard cells unless told otherwise.
expect 0 campaign -o again
json again/cost.json 'r.rows.every((row) => row.cached === true)'
expect_same both/cost.md again/cost.md
expect 0 "$hopwise" campaign cost grid.yaml --cache "$cache" --quiet -o one --only grid/star_channel
json one/cost.json 'r.rows.length === 1 && r.rows[0].routing === "star_channel" && r.rows[0].target === "osu018"'
# 2 cycles in the router and 1 on the link; a flit per cycle.
json one/cost.json '((row) => Math.abs(row.zero_load_ns_per_hop - 3 * row.path_ns) < 1e-9 && Math.abs(row.throughput.flits_per_ns_per_port * row.path_ns - row.throughput.saturation) < 1e-9 && Math.abs(row.throughput.flits_per_ns_per_port_per_mm2 * row.area / 1e6 - row.throughput.flits_per_ns_per_port) < 1e-9)(r.rows[0])'
expect 2 campaign -o none --only valiant
expect_said 'app.no-such-routing.*valiant'

# In the report, at the activity that was measured.
expect 0 "$hopwise" run "$net" -o run --cache "$cache" --quiet --target osu018 --load 0.3 --cycles 500 --set simulation.warmup_cycles=100
expect_said 'post-synthesis, pre-layout'
json run/results.json 'r.costs.length === 1 && r.costs[0].area > 0 && r.costs[0].activity_source.includes("measured") && !("wall_s" in r.costs[0])'
json run/results.json 'r.costs[0].zero_load_ns_per_hop > 0 && r.costs[0].throughput.low_load === 0.3 && r.costs[0].throughput.saturation === null'
json run/results.json 'r.costs[0].csr.area > 0'
grep -q '"costs"' run/report.html || fail "the report has no costs"
