// SPDX-License-Identifier: Apache-2.0
// curves_test.mjs SOURCE_DIR: where axes end, what legends name, what fairness is held against, what a colour stands for.
import assert from 'node:assert/strict';
import { join } from 'node:path';

const src = join(process.argv[2], 'sim/report/web/src');
const { loadsOf, pointsAt, readResults, palette } = await import(join(src, 'model.mjs'));
const { completionRows } = await import(join(src, 'completion.mjs'));
const { axisEnd, fairnessRows, hasLatencies, loadDomain } = await import(join(src, 'curves.mjs'));
const { legendColumns, routingsIn, withShortLegend, routingColour } = await import(join(src, 'charts.mjs'));
const { latencyBox } = await import(join(src, 'detail.mjs'));
const { heat } = await import(join(src, 'network.mjs'));
const { startOf } = await import(join(src, 'verdict.mjs'));

const network = { kind: 'torus', dims: [4, 4] };
const points = [
  { routing: 'dor', pattern: 'uniform', offered_load: 0.5, cycles: 4500, warmup_cycles: 1500, fairness: { min: 0.8, mean: 1, max: 1.1, jain: 0.99 } },
  { routing: 'star', pattern: 'uniform', offered_load: 0.5, cycles: 9000, warmup_cycles: 1500, measured_cycles: 3000 },
  { routing: 'star', pattern: 'tornado', offered_load: 0.4 },
];

// The axis goes to 1.0 where saturation was searched, and to the highest load elsewhere.
const saturation = [{ routing: 'dor', pattern: 'uniform', throughput: 0.95 }];
const model = readResults({ network, points, saturation });
assert.equal(loadDomain(model, 'uniform')[1], 1.02);
assert.equal(loadDomain(model, 'tornado')[1], 0.4 * 1.02);
assert.equal(loadDomain(readResults({ network, points }), 'uniform')[1], 0.5 * 1.02);

// The room above the curves is as many pixels as the crosses need, on both kinds of axis.
assert(Math.abs((1 - 40 / axisEnd(40, 70, 280)) * 280 - 70) < 1e-9);
const share = Math.log(40 / 10) / Math.log(axisEnd(40, 70, 280, 10) / 10);
assert(Math.abs((1 - share) * 280 - 70) < 1e-9);

// Where every point is saturated there is no latency to plot.
const beyond = readResults({ network, points: [{ ...points[0], saturated: true }, { ...points[2], latency_cycles: { mean: 40 } }] });
assert.equal(hasLatencies(beyond, 'uniform'), false);
assert.equal(hasLatencies(beyond, 'tornado'), true);

// Fairness is a part of what was offered; at no load there is none.
assert.deepEqual(fairnessRows(model, 'uniform'), [
  { routing: 'dor', offered: 0.5, min: 0.8, mean: 1, max: 1.1, jain: 0.99 },
]);
const idle = readResults({ network, points: [{ ...points[0], offered_load: 0 }] });
assert.deepEqual(fairnessRows(idle, 'uniform'), []);

// Workloads that end by themselves are not swept: one choice of load, rows of completion, latencies even where saturated.
const closed = readResults({
  network,
  points: [
    { routing: 'dor', pattern: 'trace', offered_load: 0.3, saturated: true, completion_cycles: 1500, latency_cycles: { mean: 40 } },
    { routing: 'star', pattern: 'trace', offered_load: 0.4, completion_cycles: 1000 },
    { routing: 'star', pattern: 'uniform', offered_load: 0.4 },
  ],
});
assert.deepEqual(closed.closed, ['trace']);
assert.deepEqual(completionRows(closed, 'trace'), [
  { routing: 'dor', cycles: 1500, more: 0.5 },
  { routing: 'star', cycles: 1000, more: 0 },
]);
assert.deepEqual(loadsOf(closed, 'trace'), [null]);
assert.deepEqual(pointsAt(closed, 'trace', null).map((p) => p.routing), ['dor', 'star']);
assert.equal(pointsAt(closed, 'trace', null)[0].latency.mean, 40);
assert.deepEqual(loadsOf(closed, 'uniform'), [0.4]);

// A legend names what has data, in the order of the page; colour and shape are those of all plots.
const spec = { data: { values: [{ routing: 'star' }] }, layer: [{ data: { values: [] }, encoding: { color: routingColour(model) } }] };
assert.deepEqual(routingsIn(spec, model.routings), ['star']);
// As many entries side by side as the plot is wide.
assert.equal(legendColumns(['dor', 'star'], 430), 7);
assert.equal(legendColumns(['interface chooses, bytes 8192'], 430), 1);
assert.equal(legendColumns(Array(12).fill('x'.repeat(60)), 780), 3);
const { legend, scale } = withShortLegend(spec).layer[0].encoding.color;
assert.deepEqual([legend.values, scale.domain], [['star'], ['dor', 'star']]);

// Measured cycles are without the warm-up; older results do not hold them.
assert.deepEqual(model.points.map((p) => p.measuredCycles), [3000, 3000, null]);

// Colours of links: the same for the same utilisation, whatever else was measured.
assert.equal(heat(0), heat(-1));
assert.equal(heat(1), heat(2));
assert.match(heat(0.35), /--heat-1\) 100\.0%/);
assert.match(heat(0.7), /--heat-2\) 100\.0%/);

// The verdict shows the load of its own first, else the first of the list.
const latency = [{ load: 0.2 }, { load: 0.4 }];
assert.equal(startOf({ latency, default_load: 0.4 }), 1);
assert.equal(startOf({ latency, default_load: null }), 0);
assert.equal(startOf({ latency: [{ load: null }], default_load: null }), 0);

// Every routing's colour has a contrast of 3 on the light page and on the dark one.
const luminance = (hex) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
};
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
for (const colour of palette) {
  for (const paper of ['#ffffff', '#14191d']) assert(contrast(luminance(colour), luminance(paper)) >= 3, `${colour} on ${paper}`);
}

// A box of latencies ends at the bins that hold the quartiles, its whiskers at the last ones within 1.5 of its height.
const latencies = { mean: 30, p95: 40, p99: 90 };
const spread = [[10, 1], [20, 24], [30, 50], [40, 23], [50, 0], [60, 1], [null, 1]];
const boxed = (histogram) => latencyBox({ routing: 'dor', latency: { ...latencies, max: 95 }, histogram });
assert.deepEqual(boxed(spread), { routing: 'dor', q1: 20, median: 30, q3: 30, low: 10, high: 40, ...latencies });
assert.deepEqual([boxed([[10, 0], [20, 7]]).low, boxed([[10, 0], [20, 7]]).high], [20, 20]);
assert.equal(boxed([[10, 0]]), null);
assert.equal(boxed([]), null);
