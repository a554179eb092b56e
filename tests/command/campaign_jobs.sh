#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Jobs of a campaign under several seeds: means, the values of each seed, and how the model of a message goes with the time.
. "$(dirname "$0")/lib.sh"
cat > net.yaml <<'Y'
topology: {kind: torus, dims: [2, 2, 2]}
packet: {flit_bits: 128, max_flits: 5}
router: {vcs: 4, vc_depth_flits: 16}
terminal: {interface: messages, outstanding: 64, windows: 64}
job: {program: ping_pong, bytes: 1000, iterations: 3, placement: random}
Y
cat > c.yaml <<'Y'
experiments:
  - {name: places, file: net.yaml, repetitions: 8}
Y
expect 0 "$hopwise" campaign run c.yaml -o out --cache "$cache" --quiet --workers 1
node - <<'JS' || fail "jobs are not merged as they should be"
const fs = require('fs'), read = (f) => JSON.parse(fs.readFileSync(f, 'utf8'));
const [point] = read('out/results.json').experiments[0].results.points;
const [merged] = point.jobs;
const own = point.tasks.map((t) => read(`out/tasks/${t}/run/results.json`).points[0].jobs[0]);
const near = (a, b) => Math.abs(a - b) < 1e-9 * Math.abs(b);
const mean = (f) => own.reduce((s, j) => s + f(j), 0) / own.length;
// A message of 1,000 bytes: 16 packets, 16 + 63 flits; L and s as measured.
const model = (i) => (1 / 2 + 15 / 64) * i.round_trip_cycles + 79 * (i.stalls_per_flit + 1);
const x = own.map((j) => j.iteration_cycles.mean), y = own.map(model);
const [mx, my] = [x, y].map((v) => v.reduce((s, a) => s + a, 0) / v.length);
const dot = (a, ma, b, mb) => a.reduce((s, v, i) => s + (v - ma) * (b[i] - mb), 0);
const r = dot(x, mx, y, my) / Math.sqrt(dot(x, mx, x, mx) * dot(y, my, y, my));
const good = own.length === 8 && own.every((j) => near(j.model_cycles, model(j))) &&
  near(merged.iteration_cycles.median, mean((j) => j.iteration_cycles.median)) &&
  near(merged.iteration_us.whiskers[1], mean((j) => j.iteration_us.whiskers[1])) &&
  near(merged.round_trip_cycles, mean((j) => j.round_trip_cycles)) &&
  merged.by_seed.iteration_cycles.join() === x.join() && merged.by_seed.model_cycles.every((v, i) => near(v, y[i])) &&
  new Set(x).size > 1 && Math.abs(merged.model_correlation - r) < 1e-6 && r > 0.5;
if (!good) { console.error(merged, own.map((j) => j.iteration_cycles), r); process.exit(1); }
JS
