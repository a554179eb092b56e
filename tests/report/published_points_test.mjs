// SPDX-License-Identifier: Apache-2.0
// published_points_test.mjs SOURCE_DIR: what the report says about published points, and about latencies beyond saturation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const report = join(process.argv[2], 'sim/report');
const { comparePublished } = await import(join(report, 'web/src/published.mjs'));
const { comparePublishedPoints } = await import(join(report, 'web/src/published_points.mjs'));
const { readResults } = await import(join(report, 'web/src/model.mjs'));
const set = JSON.parse(readFileSync(join(report, 'published/kang_2021.json'), 'utf8'));

const network = {
  kind: 'dragonfly',
  dims: [8, 33],
  terminals_per_router: 4,
  cycles_per_flit: 10,
  max_flits: 1,
  topology: { routers_per_group: 8, groups: 33, global_ports: 4, links_per_group_pair: 1, group_rows: 1, arrangement: 'absolute' },
};
const point = (more) => ({ routing: 'q_adaptive', pattern: 'uniform', offered_load: 0.8, ...more });
const rows = (points, more = {}) =>
  comparePublishedPoints(readResults({ network, points, ...more }), [set]).flatMap((found) => found.rows);

// Every entry names a network and routings of the set; no routing has two values of one source.
for (const entry of set.points) {
  assert(set.networks[entry.network], entry.figure);
  assert(entry.text || entry.derived || entry.rerun, entry.figure);
  for (const source of ['text', 'derived', 'rerun']) {
    for (const [routing, value] of Object.entries(entry[source] ?? {})) {
      assert(set.names[routing] && value > 0, `${entry.figure} ${routing}`);
      assert(source !== 'derived' || entry.text?.[routing] === undefined, `${entry.figure} ${routing}`);
    }
  }
}
// A set of points has no saturation throughputs.
assert.deepEqual(comparePublished(readResults({ network, points: [point({})] }), [set]), []);

// 760 ns are 237.5 cycles of 3.2 ns.
const [mean] = rows([point({ latency_cycles: { mean: 240 } })]);
assert.deepEqual([mean.figure, mean.published, mean.rerun, mean.within, mean.derived], ['5(a)', 237.5, 770 / 3.2, true, false]);
const [derived] = rows([point({ routing: 'par', latency_cycles: { mean: 1000 } })]);
assert.deepEqual([derived.derived, derived.within], [true, false]);

// The highest accepted load is held against the paper's maximum, whatever the offered one; other loads have no latency to compare.
const accepted = { 0.9: 0.87, 0.95: 0.88, 1: 0.87 };
const loads = rows(
  [0.9, 0.95, 1].map((load) => point({ offered_load: load, accepted_load: accepted[load], latency_cycles: { mean: 500 } })),
);
assert.deepEqual(loads.map((row) => [row.figure, row.load, row.within]), [['5(b)', 0.95, true]]);

// An interval of 71 ns is a load of 0.4507.
assert.equal(rows([point({ pattern: 'adv+1', offered_load: 0.4507, hops_mean: 3.1 })])[0].rerun, 3.07);

// Settling: microseconds to cycles; an upper bound holds below it; a settled step belongs to runs with that step only.
const settling = [{ latency: { cycles: 60000, final: 240 }, accepted: { cycles: 100000 } }, { accepted: { cycles: 48000 } }];
const [settled, final] = rows([point({ settling })]);
assert.deepEqual([settled.published, settled.within, final.published], [62500, true, 750 / 3.2]);
const [bound] = rows([point({ pattern: 'adv+4', offered_load: 0.45, settling })]);
assert.deepEqual([bound.atMost, bound.published, bound.within], [true, 156250, true]);
const step = { traffic_switch_cycle: 500000, traffic_switch_load: 0.8 };
const stepped = rows([point({ offered_load: 0.4, settling })], step);
assert.deepEqual(stepped.map((row) => [row.figure, row.measured, row.published]), [['8(a)', 48000, 48750]]);
assert.equal(rows([point({ settling })], step).length, 0);

// The part of the packets within 2 us, where a bin ends there.
const histogram = [[400, 60], [625, 20], [1000, 20]];
assert.equal(rows([point({ pattern: 'adv+4', offered_load: 0.45, histogram })])[0].measured, 0.8);

// Another network has no published points; another set-up is told.
assert.equal(rows([point({ latency_cycles: { mean: 240 } })], { network: { ...network, terminals_per_router: 5 } }).length, 0);
const other = { ...network, cycles_per_flit: 8 };
const model = readResults({ network: other, points: [point({ latency_cycles: { mean: 240 } })] });
assert.deepEqual(comparePublishedPoints(model, [set])[0].differences, ['core cycles per flit: 8 (published: 10)']);

// Beyond saturation there is a latency where source queues are bounded, and only there.
const beyond = { saturated: true, latency_cycles: { mean: 240 } };
assert.equal(rows([point(beyond)]).length, 0);
assert.equal(rows([point({ ...beyond, source_queue_packets: 20 })]).length, 1);
assert.equal(readResults({ network, points: [point(beyond)] }).points[0].hasLatency, false);
