// SPDX-License-Identifier: Apache-2.0
// costs_test.mjs SOURCE_DIR: what the report reads of the costs of routers.
import assert from 'node:assert/strict';
import { join } from 'node:path';

const src = join(process.argv[2], 'sim/report/web/src');
const { readResults } = await import(join(src, 'model.mjs'));
const { besideParts, besidePath, costPoints, sizeOf } = await import(join(src, 'costs.mjs'));

const network = { kind: 'torus', dims: [4, 4] };
const costs = [
  { routing: 'dor', area: 1300000, area_unit: 'um2', luts: null, fmax_mhz: 300 },
  { routing: 'valiant', area: 1500000, area_unit: 'um2', luts: null, fmax_mhz: 250 },
];
const saturation = [
  { routing: 'dor', pattern: 'uniform', throughput: 0.8 },
  { routing: 'valiant', pattern: 'uniform', throughput: 0.5 },
  { routing: 'valiant', pattern: 'tornado', throughput: null },
  { routing: 'ugal_global', pattern: 'uniform', throughput: 0.9 }, // no hardware, so no cost
];
assert.deepEqual(costPoints(readResults({ network, costs, saturation })), [
  { routing: 'dor', pattern: 'uniform', size: 1300000, throughput: 0.8, fmax: 300 },
  { routing: 'valiant', pattern: 'uniform', size: 1500000, throughput: 0.5, fmax: 250 },
]);

// An FPGA has LUTs, and may have no clock.
assert.deepEqual(sizeOf({ area: null, area_unit: null, luts: 2200 }), { value: 2200, title: 'LUTs' });
assert.equal(sizeOf(costs[0]).title, 'area, µm²');
const fpga = [{ routing: 'dor', area: null, luts: 2200, fmax_mhz: null }];
assert.deepEqual(costPoints(readResults({ network, costs: fpga, saturation })), [
  { routing: 'dor', pattern: 'uniform', size: 2200, throughput: 0.8, fmax: null },
]);

// What stands beside the routers has a column each, where any router has it.
const messages = [costs[0], { ...costs[1], csr: { area: 120000 }, nic_counters: { area: 290000 } }];
assert.deepEqual(
  besideParts(readResults({ network, costs: messages, saturation })).map(([key]) => key),
  ['csr', 'nic_counters'],
);
assert.deepEqual(besideParts(readResults({ network, costs, saturation })), []);
assert.equal(besidePath({ path_ns: 9, csr: { path_ns: 3.5 }, nic_counters: { path_ns: 4.5 }, guards: { path_ns: null } }), 4.5);
assert.equal(besidePath({ path_ns: 9, csr: { path_ns: null } }), undefined);

// Results without costs have none.
assert.deepEqual(readResults({ network, saturation }).costs, []);
assert.deepEqual(costPoints(readResults({ network, saturation })), []);
