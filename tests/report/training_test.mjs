// SPDX-License-Identifier: Apache-2.0
// training_test.mjs SOURCE_DIR: what the report reads of a training.
import assert from 'node:assert/strict';
import { join } from 'node:path';

const src = join(process.argv[2], 'sim/report/web/src');
const { readResults } = await import(join(src, 'model.mjs'));
const { trainingCourse } = await import(join(src, 'training.mjs'));

const network = { kind: 'torus', dims: [4, 4] };
const training = {
  decisions: [1000, 2000, 3000],
  cycle: [500, 1100, 1600],
  mean_value: [0.1, null, 0.4],
  mean_reward: [0.2, 0.3],
  loss: [null, 0.02, 0.01],
  epsilon: [1, 0.55, 0.1],
};
const { training: rows } = readResults({ network, training });
assert.equal(rows.length, 3);
assert.deepEqual(rows[1], {
  decisions: 2000, cycle: 1100, mean_value: null, mean_reward: 0.3, loss: 0.02, epsilon: 0.55, accepted: null, nonminimal: null });

// What was not recorded leaves a gap, in any quantity and at any place.
const byDecisions = (row) => row.decisions;
assert.deepEqual(trainingCourse(rows, 'mean_value', byDecisions), [{ at: 1000, value: 0.1 }, { at: 3000, value: 0.4 }]);
assert.deepEqual(trainingCourse(rows, 'mean_reward', (row) => row.cycle), [{ at: 500, value: 0.2 }, { at: 1100, value: 0.3 }]);
assert.deepEqual(trainingCourse(rows, 'accepted', byDecisions), []);

// Results of anything else have none.
for (const raw of [{ network }, { network, training: null }, { network, training: { decisions: 7 } }]) {
  assert.deepEqual(readResults(raw).training, []);
}
