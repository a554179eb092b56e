// SPDX-License-Identifier: Apache-2.0
// jobs_test.mjs SOURCE_DIR: the numbers behind the plots of applications.
import { deepStrictEqual as same, strictEqual as equal } from 'node:assert';

const source = process.argv[2];
const { readResults } = await import(`${source}/sim/report/web/src/model.mjs`);
const { box, interfaceRows, jobGroups, modelPairs, modeShares, spansOf, unitOf } = await import(`${source}/sim/report/web/src/jobs.mjs`);

const job = (median) => ({
  name: 'a', ranks: 4, iterations: 100,
  iteration_us: { mean: median, median, q1: median - 10, q3: median + 10, min: 1, max: 900, whiskers: [median - 30, median + 40] },
  communication_us: null,
  course: { doing: ['compute', 'wait', 'send'], ranks: [[[0, 0, 5], [1, 5, 9]], [], [[2, 1, 2]]] },
});
const point = (routing, pattern, offered_load, jobs) => ({ routing, pattern, offered_load, completion_cycles: 10, jobs });
const model = readResults({
  points: [
    point('x', 'idle', 0.31, [job(100)]),
    point('y', 'idle', 0.32, [job(200)]),
    point('x', 'uniform', 0.1, [job(100)]),
    point('x', 'uniform', 0.2, [job(100)]),
    { routing: 'x', pattern: 'tornado', offered_load: 0.5 },
  ],
});

// Alone each routing has a load of its own; beside other traffic every load is a group.
same(jobGroups(model).map((g) => [g.name, g.points.length]), [['idle', 2], ['uniform, offered load 0.1', 1], ['uniform, offered load 0.2', 1]]);
same(model.closed, ['idle']);

// 1.57 x 20 / sqrt(100) on both sides of the median.
const b = box(model.points[0], 'iteration_us', 'iterations');
equal(Math.round(b.notchLow * 100), 9686);
equal(Math.round(b.notchHigh * 100), 10314);
same([b.low, b.high], [70, 140]);
const few = box({ routing: 'x', jobs: [{ ...job(100), iterations: 2 }] }, 'iteration_us', 'iterations');
// Of two values it is wider than the box, and drawn so.
same([few.notchLow, few.notchHigh].map(Math.round), [78, 122]);
same([few.wideLow, few.wideHigh], [90, 110]);
equal(box(model.points[0], 'communication_us', 'ranks'), null);

same(spansOf(model.points[0].jobs[0]), [
  { rank: 0, doing: 'compute', from: 0, to: 5 },
  { rank: 0, doing: 'wait', from: 5, to: 9 },
  { rank: 2, doing: 'send', from: 1, to: 2 },
]);
same(spansOf({ ranks: 2 }), []);

// Packets without modes have no shares.
same(modeShares(model.points.slice(0, 2)), []);
same(modeShares([{ routing: 'x', jobs: [{ mode_share: { adaptive_0: 0.25, adaptive_3: 0.75 } }] }]), [
  { routing: 'x', mode: 'adaptive_0', share: 0.25 },
  { routing: 'x', mode: 'adaptive_3', share: 0.75 },
]);

// In medians of another routing: of the same field, among the same points.
equal(unitOf(model.points.slice(0, 2), 'iteration_us', 'y'), 200);
equal(unitOf(model.points.slice(0, 2), 'iteration_us', null), 1);
equal(unitOf(model.points.slice(0, 2), 'communication_us', 'y'), 1);
const half = box(model.points[0], 'iteration_us', 'iterations', 200);
same([half.median, half.q3, half.high, half.max], [0.5, 0.55, 0.7, 4.5]);

// What interfaces saw, and the model against the time, seed by seed.
const seen = {
  routing: 'x',
  jobs: [{
    requests: 100,
    round_trip_cycles: 90,
    stalls_per_flit: 0.5,
    model_cycles: 400,
    iteration_cycles: { mean: 1000 },
    model_correlation: 0.9,
    by_seed: { iteration_cycles: [900, 1100], model_cycles: [390, 410] },
  }],
};
same(interfaceRows([{ name: 'idle', points: [seen, model.points[0]] }]), [
  { routing: 'x', group: 'idle', latency: 90, stalls: 0.5, model: 400, measured: 1000, correlation: 0.9 },
]);
// Where requests had several routing modes, each has a row of its own.
const mode = (requests, round_trip_cycles, stalls_per_flit) => ({ requests, round_trip_cycles, stalls_per_flit });
const modes = (own) => [{ name: 'idle', points: [{ routing: 'x', jobs: [{ ...mode(100, 90, 0.5), ...own }] }] }];
const both = { mode_share: { adaptive_0: 0.9, adaptive_3: 0.1 }, modes: { adaptive_0: mode(60, 80, 0.2), adaptive_3: mode(40, 105, 0.9) } };
same(interfaceRows(modes(both)).slice(1), [
  { routing: 'x', group: 'idle', mode: 'adaptive_0', share: 0.9, latency: 80, stalls: 0.2 },
  { routing: 'x', group: 'idle', mode: 'adaptive_3', share: 0.1, latency: 105, stalls: 0.9 },
]);
equal(interfaceRows(modes({ modes: { adaptive_3: mode(100, 90, 0.5) } })).length, 1);
same(modelPairs([{ routing: 'x', jobs: [{ by_seed: { model_cycles: [1] } }] }]), []);
same(modelPairs([seen, model.points[0]]), [
  { routing: 'x', model: 390, measured: 900 },
  { routing: 'x', model: 410, measured: 1100 },
]);
