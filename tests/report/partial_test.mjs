// SPDX-License-Identifier: Apache-2.0
// A point that was interrupted, or that failed, is a line of the table without numbers, and on no curve.
import assert from 'node:assert';
import { join } from 'node:path';

const { readResults } = await import(join(process.argv[2], 'sim/report/web/src/model.mjs'));
const measured = { routing: 'dor', pattern: 'uniform', accepted_load: 0.1, hops_mean: 2, latency_cycles: { mean: 40 } };
const model = readResults({
  network: {},
  points: [
    { ...measured, offered_load: 0.1, stopped: 'converged' },
    { ...measured, offered_load: 0.2, stopped: 'interrupted', partial: true },
    { ...measured, offered_load: 0.3, accepted_load: 0, latency_cycles: { mean: 0 }, stopped: 'failed' },
  ],
});
assert.deepEqual(model.points.map((p) => p.offered_load), [0.1]);
assert.deepEqual(model.partial.map((p) => p.offered_load), [0.2, 0.3]);
const [partial] = model.partial;
assert.deepEqual([partial.accepted_load, partial.latency.mean, partial.hops_mean, partial.stopped], [null, undefined, undefined, 'interrupted']);
