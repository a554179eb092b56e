// SPDX-License-Identifier: Apache-2.0
// published_test.mjs SOURCE_DIR: what the report says about published figures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const report = join(process.argv[2], 'sim/report');
const { comparePublished } = await import(join(report, 'web/src/published.mjs'));
const { readResults } = await import(join(report, 'web/src/model.mjs'));
const set = JSON.parse(readFileSync(join(report, 'published/chaulagain_2024.json'), 'utf8'));

const network = {
  kind: 'dragonfly',
  dims: [8, 33],
  terminals_per_router: 4,
  cycles_per_flit: 2.5,
  link_latency_cycles: [25, 38],
  max_flits: 1,
  topology: { routers_per_group: 8, groups: 33, global_ports: 4, links_per_group_pair: 1, group_rows: 1, arrangement: 'absolute' },
};
const measured = (values, pattern = 'shift') =>
  Object.entries(values).map(([routing, throughput]) => ({ routing, pattern, throughput }));
const compare = (raw) => comparePublished(readResults({ network, ...raw }), [set]);

// Every entry is a saturation throughput of six routings.
for (const { figure, values } of set.entries) {
  assert.deepEqual(Object.keys(values).sort(), Object.keys(set.names).sort(), `figure ${figure}`);
  assert(Object.values(values).every((v) => v > 0.3 && v < 0.9), `figure ${figure}`);
}

// 10 % of the published value, the limit included.
const [shift] = compare({ saturation: measured({ ugal_ln: 0.333, ugal_le: 0.51, par: 0.37 }) });
assert.deepEqual(shift.rows.map((row) => [row.routing, row.within]), [['ugal_ln', true], ['ugal_le', true], ['par', false]]);
assert.deepEqual(shift.differences, []);

// Published: ugal_ln 0.37 < par 0.42 < ugal_global 0.47 < dgb 0.48 < ugal_le 0.51. 0.47 and 0.48 are too close for an order.
assert.deepEqual(shift.orders, [{ network: 'dfly(4, 8, 4, 33)', pattern: 'shift', pairs: 3, wrong: [] }]);
assert.equal(compare({ saturation: measured({ dgb: 0.4, ugal_global: 0.5 }) })[0].orders.length, 0);
const [wrong] = compare({ saturation: measured({ ugal_ln: 0.5, ugal_le: 0.45 }) });
assert.deepEqual(wrong.orders[0].wrong, [['ugal_le', 'ugal_ln']]);

// Exactly 0.02 apart is not more than 0.02 apart: figure 7, ugal_ln 0.50 and dgb 0.52.
assert.equal(compare({ saturation: measured({ ugal_ln: 0.5, dgb: 0.4 }, 'permutation') })[0].orders.length, 0);

// A label of the user's own is known by its algorithm.
const proofs = [{ routing: 'mine/le', algorithm: 'ugal_le' }];
assert.equal(compare({ proofs, saturation: measured({ 'mine/le': 0.5 }) })[0].rows[0].name, 'UGAL-LE');

// Other networks, patterns and routings have no published figure; another set-up is told.
const saturation = measured({ ugal_le: 0.5 });
assert.equal(compare({ saturation: measured({ min: 0.1 }) }).length, 0);
assert.equal(compare({ saturation: measured({ ugal_le: 0.5 }, 'tornado') }).length, 0);
assert.equal(compare({ network: { ...network, terminals_per_router: 2 }, saturation }).length, 0);
assert.equal(compare({ network: { kind: 'torus', dims: [8, 33] }, saturation }).length, 0);
const other = compare({ network: { ...network, cycles_per_flit: 1, link_latency_cycles: [10, 10] }, saturation });
assert.deepEqual(other[0].differences, [
  'core cycles per flit: 1 (published: 2.5)',
  'link latencies in core cycles: 10 and 10 (published: 10 and 15)',
]);

// `compare` puts several networks on one page; each curve is held against the figures of its own.
const small = { ...network, dims: [8, 9], topology: { ...network.topology, groups: 9, links_per_group_pair: 4 } };
const [both] = compare({
  networks: [{ routings: ['b/le'], network: small, channels: [] }],
  proofs: [...proofs, { routing: 'b/le', algorithm: 'ugal_le' }],
  saturation: measured({ 'mine/le': 0.5, 'b/le': 0.54 }),
});
assert.deepEqual(both.rows.map((row) => [row.routing, row.published]), [['mine/le', 0.51], ['b/le', 0.54]]);
