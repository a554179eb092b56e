// SPDX-License-Identifier: Apache-2.0
// The balance of packets, and the scale of maps that have more values than a call has arguments.
import assert from 'node:assert';
import { join } from 'node:path';

const src = join(process.argv[2], 'sim/report/web/src');
const { balance } = await import(join(src, 'tables.mjs'));
const packets = { injected: 10, delivered: 8, in_flight: 1, lost: 0 };
assert.equal(balance({ ...packets, dropped: { parity: 1, reset: 0 } }), 'exact');
assert.equal(balance({ ...packets, dropped: { parity: 0 }, damaged: 1 }), 'exact');
assert.equal(balance(packets), 'WRONG');
assert.equal(balance({ ...packets, delivered: 9, lost: 1 }), 'WRONG');
assert.equal(balance({ injected: 10 }), '–');

const { contentionEnd } = await import(join(src, 'decisions.mjs'));
const row = Array.from({ length: 4000 }, (_, router) => (router === 7 ? 5.5 : 1));
assert.equal(contentionEnd([{ contentionMap: { rows: Array(64).fill(row) } }, {}]), 5.5);
assert.equal(contentionEnd([{}]), 0);
