// SPDX-License-Identifier: Apache-2.0
// How far a campaign is, in words.
import assert from 'node:assert';
import { join } from 'node:path';

const { countsText, duration, hasEnded, leftText } = await import(join(process.argv[2], 'sim/report/web/src/progress.mjs'));
const said = [0, 59.4, 59.6, 3569, 3570, 5400, 86400 - 31, 86400 - 29, 100000].map(duration);
assert.deepEqual(said, ['0 s', '59 s', '1 min', '59 min', '1 h 0 min', '1 h 30 min', '23 h 59 min', '1 d 0 h', '1 d 4 h']);

const counts = (given) => ({ all: 9, done: 0, running: 0, waiting: 9, 'cut short': 0, failed: 0, ...given });
assert.equal(countsText(counts({ done: 3, running: 2, failed: 1 })), '3 of 9 tasks done, 2 running, 1 failed');
assert.equal(countsText(counts({ 'cut short': 2 })), '0 of 9 tasks done, 2 cut short');
assert.equal(hasEnded(counts({ done: 8, failed: 1 })), true);
assert.equal(hasEnded(counts({ done: 8, 'cut short': 1 })), false);

const left = (tasks, seconds, since = 0) => leftText({ tasks: counts(tasks), seconds_left: seconds }, since);
assert.equal(left({ running: 1 }, 100, 40), 'about 1 min left');
assert.equal(left({ running: 1 }, 100, 140), 'longer than estimated');
assert.equal(left({ running: 1 }, null), 'the time left is known when a task has ended');
assert.equal(left({ done: 2 }, null), 'no task is running');
assert.equal(left({ done: 9 }, null), 'all tasks have ended');
assert.equal(leftText({}, 0), 'no tasks yet');
