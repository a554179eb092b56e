// SPDX-License-Identifier: Apache-2.0
// published_torus_test.mjs SOURCE_DIR: published figures of a torus: ranges of saturation, ratios of latencies, table 4.1.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const report = join(process.argv[2], 'sim/report');
const { comparePublished } = await import(join(report, 'web/src/published.mjs'));
const { comparePublishedPoints } = await import(join(report, 'web/src/published_points.mjs'));
const { readResults } = await import(join(report, 'web/src/model.mjs'));
const read = (name) => JSON.parse(readFileSync(join(report, 'published', name), 'utf8'));
const set = read('lonardo_2019.json');
const all = [set, read('kang_2021.json'), read('chaulagain_2024.json')];

const network = { kind: 'torus', dims: [4, 4], terminals_per_router: 1, cycles_per_flit: 1, max_flits: 258, flit_bits: 128 };
const proofs = [
  { routing: 'dor_2', algorithm: 'dor' },
  { routing: 'star', algorithm: 'star_channel' },
  { routing: 'dqn_0', algorithm: 'dqn' },
];

// Every entry has values of known routings on a known network, and table 4.1 is complete: six rates, three quantities.
for (const entry of set.points) {
  assert(set.networks[entry.network] && Object.keys(entry.text).every((routing) => set.names[routing]), entry.figure);
}
assert.equal(set.points.filter((entry) => entry.figure === 'Table 4.1').length, 18);
assert(set.entries.every(({ values }) => Object.entries(values).every(([routing, [a, b]]) => set.names[routing] && a < b)));

// Saturations are ranges: inside or within 10 % of an end is right; the order is that of the middles.
const saturation = [
  { routing: 'dor_2', pattern: 'uniform', throughput: 0.64 },
  { routing: 'star', pattern: 'uniform', throughput: 0.94 },
  { routing: 'dqn_0', pattern: 'uniform', throughput: 0.88 },
];
const [figure, ...others] = comparePublished(readResults({ network, proofs, saturation }), all);
assert.equal(others.length, 0);
assert.deepEqual(figure.rows.map((row) => [row.routing, row.published, row.within]), [
  ['dor_2', 0.75, true], ['star', 0.825, false], ['dqn_0', 0.875, true]]);
assert.deepEqual(figure.rows[0].range, [0.7, 0.8]);
assert.equal(figure.rows[0].network, 'torus 4x4');
assert.deepEqual(figure.orders[0].wrong, [['dqn_0', 'star']]);
assert.deepEqual(figure.differences, []);

const point = (routing, mean, more = {}) => ({
  routing, pattern: 'uniform', offered_load: 0.8, latency_cycles: { mean: 9999 }, network_latency_cycles: { mean }, ...more });
const rows = (points, on = network) =>
  comparePublishedPoints(readResults({ network: on, proofs, points }), all).flatMap((found) => found.rows);

// Ratios are those of network latencies at the same load, of saturated routings too.
const ratios = rows([point('dor_2', 2000, { saturated: true }), point('star', 1000), point('dqn_0', 520)]);
assert.deepEqual(ratios.map((row) => [row.quantity.split(' ').pop(), row.measured, row.published]), [
  ['STAR', 0.52, 0.52], ['DOR', 0.26, 0.26]]);
assert(ratios.every((row) => row.within && row.routing === 'dqn_0'));
assert.equal(rows([point('dor_2', 2000, { offered_load: 0.7 }), point('dqn_0', 520)]).length, 0);

// 1.010 us are 252.5 cycles of 4 ns, whatever the load of the pattern comes to.
const spikes = { pattern: 'dpsnn:21', offered_load: 0.0123, network_latency_cycles: { mean: 250, stdev: 127, max: 1500 } };
const found = rows([point('dor_2', 0, spikes)]);
assert.deepEqual(found.map((row) => [row.published, row.within]), [[252.5, true], [127, true], [950.25, false]]);
assert.equal(rows([point('dor_2', 0, { ...spikes, pattern: 'dpsnn:22' })]).length, 0);

// Other tori and dragonflies have no such figures.
assert.equal(rows([point('dor_2', 0, spikes)], { ...network, dims: [4, 8] }).length, 0);
assert.equal(rows([point('dor_2', 0, spikes)], { ...network, kind: 'mesh' }).length, 0);
const [other] = comparePublishedPoints(
  readResults({ network: { ...network, max_flits: 64 }, proofs, points: [point('dor_2', 0, spikes)] }), all);
assert.deepEqual(other.differences, ['flits per packet, at most: 64 (published: 258)']);
