// SPDX-License-Identifier: Apache-2.0
// What the routers cost (`--target`): a table, and area or LUTs against saturation throughput.
import { chart, quantity, routingColour, routingShape, shown } from './charts.mjs';
import { figure, grid, h, note, table } from './dom.mjs';

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const digits = (places) => (value) =>
  isNumber(value) ? value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places }) : '–';

/// What stands beside a router and is in none of its figures, and the parts of a terminal: key and name.
const beside = [
  ['csr', 'CSRs and counters beside it'],
  ['guards', 'Guards of links beside it'],
  ['terminal', 'All of a terminal beside it'],
  ['message_interface', 'in the terminal: message interface'],
  ['nic_counters', 'in the terminal: NIC counters'],
  ['message_registers', 'in the terminal: message registers'],
  ['mode_selector', 'in the terminal: mode selector'],
];

/// What the size of a router is called on its target.
export const sizeOf = (cost) =>
  isNumber(cost.area) ? { value: cost.area, title: `area, ${cost.area_unit === 'um2' ? 'µm²' : cost.area_unit}` } : { value: cost.luts, title: 'LUTs' };

/// One point per routing and pattern with a saturation throughput: {routing, pattern, size, throughput, fmax}.
export const costPoints = (model) =>
  model.saturation.flatMap((row) => {
    const cost = model.costs.find((entry) => entry.routing === row.routing);
    if (!cost || !isNumber(row.throughput) || !isNumber(sizeOf(cost).value)) return [];
    return [{ routing: row.routing, pattern: row.pattern, size: sizeOf(cost).value, throughput: row.throughput, fmax: cost.fmax_mhz ?? null }];
  });

/// Those of them that a router of the model has.
export const besideParts = (model) => beside.filter(([key]) => model.costs.some((row) => row[key]));

/// The longest path of what stands beside a router, ns; undefined where nothing was timed.
export const besidePath = (row) => {
  const paths = beside.map(([key]) => row[key]?.path_ns).filter(isNumber);
  return paths.length > 0 ? Math.max(...paths) : undefined;
};

function costTable(model) {
  const first = sizeOf(model.costs[0]).value;
  const value = (head, field, places) => ({ head, value: (row) => row[field], show: digits(places) });
  const has = (field) => model.costs.some((row) => isNumber(row[field]));
  const carried = (head, field, places) =>
    model.costs.some((row) => isNumber(row.throughput?.[field])) && { head, value: (row) => row.throughput?.[field], show: digits(places) };
  return table(
    [
      { head: 'Routing', value: (row) => row.routing, text: true },
      { head: sizeOf(model.costs[0]).title, value: (row) => sizeOf(row).value, show: digits(0) },
      {
        head: `over ${model.costs[0].routing}`,
        value: (row) => sizeOf(row).value / first - 1,
        show: (part) => (isNumber(part) ? `${(100 * part).toFixed(1)} %` : '–'),
      },
      value('Flip-flops', 'flip_flops', 0),
      value('RAM bits', 'ram_bits', 0),
      ...besideParts(model).map(([key, name]) => ({
        head: name,
        value: (row) => row[key] && sizeOf(row[key]).value / sizeOf(row).value,
        show: (part) => (isNumber(part) ? `${(100 * part).toFixed(1)} %` : '–'),
      })),
      has('lut_ram_luts') && value('LUTs as memory', 'lut_ram_luts', 0),
      has('block_rams') && value('Block RAMs', 'block_rams', 1),
      has('dsps') && value('DSPs', 'dsps', 0),
      model.costs.some((row) => row.device) && {
        head: `LUTs of an ${model.costs.find((row) => row.device).device.name}`,
        value: (row) => row.device?.luts,
        show: (part) => (isNumber(part) ? `${(100 * part).toFixed(1)} %` : '–'),
      },
      has('levels') && value('Levels', 'levels', 0),
      has('path_ns') && value('Longest path, ns', 'path_ns', 2),
      model.costs.some((row) => isNumber(besidePath(row))) && {
        head: 'Longest path beside it, ns',
        value: besidePath,
        show: digits(2),
      },
      has('fmax_mhz') && value('Clock, MHz', 'fmax_mhz', 1),
      carried(`Saturation, ${model.costs.find((row) => row.throughput)?.throughput.pattern}`, 'saturation', 3),
      carried('accepted at 1.0', 'accepted_at_1', 3),
      carried('Flits per ns per port', 'flits_per_ns_per_port', 4),
      carried('per mm² of router', 'flits_per_ns_per_port_per_mm2', 4),
      has('zero_load_ns_per_hop') && value('ns per hop at zero load', 'zero_load_ns_per_hop', 1),
      has('power_mw') && value('Power, mW', 'power_mw', 2),
      has('power_mw') && value('at transitions per cycle', 'activity', 3),
      model.costs.some((row) => row.path_to) && { head: 'Path ends in', value: (row) => row.path_module, text: true, wrap: true },
    ].filter(Boolean),
    model.costs,
  );
}

function costChart(model, pattern, values) {
  const title = sizeOf(model.costs[0]).title;
  return figure(
    pattern,
    chart({
      data: { values: values.filter((row) => row.pattern === pattern) },
      width: 430,
      height: 240,
      mark: { type: 'point', filled: true, size: 110, opacity: 1 },
      encoding: {
        x: quantity('size', title, { axis: { format: '~s', tickCount: 6 }, scale: { zero: false, padding: 20 } }),
        y: quantity('throughput', 'saturation throughput', { scale: { zero: false, padding: 20 } }),
        color: routingColour(model),
        shape: routingShape(model),
        tooltip: [
          { field: 'routing', title: 'routing' },
          shown('size', title, ',.0f'),
          shown('throughput', 'saturation throughput'),
          shown('fmax', 'clock, MHz'),
        ],
      },
    }),
  );
}

export const costsLead =
  'One router of each routing, with Yosys and OpenSTA. Every figure is post-synthesis, pre-layout: no wires, no clock tree.';

export function costsPart(model) {
  const values = costPoints(model);
  const patterns = [...new Set(values.map((row) => row.pattern))];
  const { target, memories } = model.costs[0];
  return h(
    'div',
    null,
    note(`Target ${target}, memories as ${memories === 'macros' ? 'macros or RAM blocks' : 'flip-flops'}. Post-synthesis, pre-layout.`),
    costTable(model),
    model.costs[0].no_clock && note(`No clock: ${model.costs[0].no_clock}.`),
    grid(patterns.map((pattern) => costChart(model, pattern, values))),
  );
}
