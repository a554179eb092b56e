// SPDX-License-Identifier: Apache-2.0
// Plots over the offered load: latency, accepted load, fairness; one plot per traffic pattern, all routings in it.
import { chart, quantity, routingColour, routingShape, shown } from './charts.mjs';

const size = { width: 430, height: 280 };
/// A pattern on its own has the width of the page.
const sizeFor = (model) => (model.patterns.length - model.closed.length === 1 ? { width: 780, height: 320 } : size);
const offeredTitle = 'offered load (fraction of terminal link capacity)';
export const statistics = [
  ['mean', 'mean, with 95 % confidence interval'],
  ['p50', 'median (p50)'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
  ['max', 'maximum'],
];

const saturatedMark = { type: 'text', text: '×', fontSize: 16, fontWeight: 'bold' };

const ofPattern = (model, pattern) => model.points.filter((p) => p.pattern === pattern && p.offered_load !== null);
/// To the highest measured load; to 1.0 where saturation was searched, since the search goes there.
export function loadDomain(model, pattern) {
  const searched = model.saturation.some((entry) => entry.pattern === pattern && typeof entry.throughput === 'number');
  return [0, Math.max(searched ? 1 : 0.05, ...ofPattern(model, pattern).map((p) => p.offered_load)) * 1.02];
}
const offered = (model, pattern) =>
  quantity('offered', offeredTitle, { axis: { tickCount: 10 }, scale: { domain: loadDomain(model, pattern), nice: false } });

/// Where the vertical axis ends so that `room` of `height` pixels stay free above `top`; `bottom` is where a logarithmic one begins.
export function axisEnd(top, room, height, bottom = null) {
  const free = room / (height - room);
  return bottom === null ? top * (1 + free) : top * (top / bottom) ** free;
}

/// Whether there is a latency to plot.
export const hasLatencies = (model, pattern) => ofPattern(model, pattern).some((p) => p.hasLatency);

/// Latency against offered load. A saturated point is a cross: above the curves where it has no latency, a row for each routing, and
/// on the curve where bounded source queues give it one.
export function latencyChart(model, pattern, statistic, network, logarithmic) {
  const points = ofPattern(model, pattern);
  const rows = points
    .filter((p) => p.hasLatency)
    .map((p) => {
      const latency = network ? p.networkLatency : p.latency;
      const half = latency.ci95 ?? 0;
      return {
        routing: p.routing,
        offered: p.offered_load,
        accepted: p.accepted_load,
        latency: latency[statistic],
        low: Math.max(0.1, latency.mean - half),
        high: latency.mean + half,
        ci95: latency.ci95,
        stopped: p.stopped,
        state: p.saturated ? 'saturated' : 'steady',
      };
    })
    .filter((row) => typeof row.latency === 'number');
  const saturated = points
    .filter((p) => !p.hasLatency)
    .map((p) => ({
      routing: p.routing,
      offered: p.offered_load,
      accepted: p.accepted_load,
      text: 'saturated: no latency',
    }));
  const limits = model.saturation
    .filter((entry) => entry.pattern === pattern && typeof entry.throughput === 'number')
    .map((entry) => ({ routing: entry.routing, offered: entry.throughput }));
  const x = offered(model, pattern);
  const title = `${network ? 'network latency' : 'latency'}, ${statistic} (core cycles)`;
  const top = Math.max(1, ...rows.map((row) => Math.max(row.latency, statistic === 'mean' ? row.high || 0 : 0)));
  const bottom = 0.85 * Math.min(top, ...rows.map((row) => row.latency));
  const stuck = model.routings.filter((routing) => saturated.some((row) => row.routing === routing));
  const { height } = sizeFor(model);
  const room = 14 + 13 * stuck.length; // above the curves, where the crosses stand
  const y = (field) =>
    quantity(field, title, {
      scale: logarithmic
        ? { type: 'log', domainMin: bottom, domainMax: axisEnd(top, room, height, bottom) }
        : { zero: true, domainMax: axisEnd(top, room, height) },
    });
  const colour = routingColour(model);
  const crosses = stuck.map((routing, i) => ({
    data: { values: saturated.filter((row) => row.routing === routing) },
    mark: { ...saturatedMark, baseline: 'middle' },
    encoding: {
      x,
      y: { value: 10 + 13 * i },
      color: colour,
      tooltip: [
        { field: 'routing' },
        { field: 'text', title: 'state' },
        shown('offered', 'offered load'),
        shown('accepted', 'accepted load'),
      ],
    },
  }));
  const tooltip = [
    { field: 'routing' },
    shown('offered', 'offered load'),
    shown('accepted', 'accepted load'),
    shown('latency', title),
    shown('ci95', '95 % interval of the mean, ±'),
    { field: 'stopped', title: 'ended by' },
    { field: 'state' },
  ];
  const layers = [
    {
      data: { values: limits },
      mark: { type: 'rule', strokeDash: [4, 3], strokeWidth: 1.2 },
      encoding: { x, color: colour, tooltip: [{ field: 'routing' }, shown('offered', 'saturation throughput')] },
    },
    { mark: 'line', encoding: { x, y: y('latency'), color: colour } },
    {
      transform: [{ filter: "datum.state === 'saturated'" }],
      mark: saturatedMark,
      encoding: { x, y: y('latency'), color: routingColour(model), tooltip },
    },
    {
      transform: [{ filter: "datum.state === 'steady'" }],
      mark: { type: 'point', filled: true, size: 46, opacity: 1 },
      encoding: { x, y: y('latency'), color: routingColour(model), shape: routingShape(model), tooltip },
    },
    ...crosses,
  ];
  if (statistic === 'mean') {
    const band = { x, y: y('low'), y2: { field: 'high' }, color: colour };
    layers.unshift(
      { mark: { type: 'area', opacity: 0.25 }, encoding: band },
      { mark: { type: 'rule', strokeWidth: 9, opacity: 0.35 }, encoding: band },
    );
  }
  return chart({ data: { values: rows }, ...sizeFor(model), layer: layers });
}

/// Accepted against offered load; saturated points belong here, since what the network accepts is measured.
export function acceptedChart(model, pattern) {
  const points = ofPattern(model, pattern);
  const rows = points.map((p) => ({
    routing: p.routing,
    offered: p.offered_load,
    accepted: p.accepted_load,
    flits: p.accepted_flits_per_core_cycle,
    state: p.saturated ? 'saturated' : 'steady',
  }));
  const domain = loadDomain(model, pattern);
  const x = offered(model, pattern);
  const y = quantity('accepted', 'accepted load (fraction of terminal link capacity)', {
    scale: { domain, nice: false },
  });
  const tooltip = [
    { field: 'routing' },
    shown('offered', 'offered load'),
    shown('accepted', 'accepted load'),
    shown('flits', 'accepted flits per core cycle'),
    { field: 'state' },
  ];
  return chart({
    data: { values: rows },
    ...sizeFor(model),
    layer: [
      {
        data: { values: domain.map((v) => ({ offered: v, accepted: v })) },
        mark: { type: 'line', color: '#8d979f', strokeDash: [2, 3], strokeWidth: 1.2 },
        encoding: { x, y },
      },
      { mark: 'line', encoding: { x, y, color: routingColour(model) } },
      {
        transform: [{ filter: "datum.state === 'saturated'" }],
        mark: saturatedMark,
        encoding: { x, y, color: routingColour(model), tooltip },
      },
      {
        transform: [{ filter: "datum.state === 'steady'" }],
        mark: { type: 'point', filled: true, size: 46, opacity: 1 },
        encoding: { x, y, color: routingColour(model), shape: routingShape(model), tooltip },
      },
    ],
  });
}

/// Of the worst, the average and the best terminal, the part of its offered flits that was accepted.
export function fairnessRows(model, pattern) {
  return ofPattern(model, pattern)
    .filter((p) => typeof p.fairness.mean === 'number' && p.offered_load > 0)
    .map((p) => {
      const { min, mean, max, jain } = p.fairness;
      return { routing: p.routing, offered: p.offered_load, min, mean, max, jain };
    });
}

/// Their course over the offered load; the dotted line is a terminal that gets all that it offers.
export function fairnessChart(model, pattern) {
  const rows = fairnessRows(model, pattern);
  if (rows.length === 0) return null;
  const x = offered(model, pattern);
  const title = 'accepted / offered load of a terminal';
  const colour = routingColour(model);
  const tooltip = [
    { field: 'routing' },
    shown('offered', 'offered load'),
    shown('min', 'worst terminal, accepted / offered'),
    shown('mean', 'mean'),
    shown('max', 'best terminal'),
    shown('jain', "Jain's index"),
  ];
  return chart({
    data: { values: rows },
    ...size,
    layer: [
      {
        data: { values: loadDomain(model, pattern).map((v) => ({ offered: v, mean: 1 })) },
        mark: { type: 'line', color: '#8d979f', strokeDash: [2, 3], strokeWidth: 1.2 },
        encoding: { x, y: quantity('mean', title) },
      },
      {
        mark: { type: 'area', opacity: 0.16 },
        encoding: { x, y: quantity('min', title), y2: { field: 'max' }, color: colour },
      },
      {
        mark: { type: 'line', strokeWidth: 1, strokeDash: [3, 2] },
        encoding: { x, y: quantity('min', title), color: colour },
      },
      {
        mark: { type: 'line', strokeWidth: 1, strokeDash: [3, 2] },
        encoding: { x, y: quantity('max', title), color: colour },
      },
      { mark: 'line', encoding: { x, y: quantity('mean', title), color: colour } },
      {
        mark: { type: 'point', filled: true, size: 46, opacity: 1 },
        encoding: { x, y: quantity('mean', title), color: routingColour(model), shape: routingShape(model), tooltip },
      },
    ],
  });
}

/// Jain's index against offered load.
export function jainChart(model, pattern) {
  const rows = ofPattern(model, pattern)
    .filter((p) => typeof p.fairness.jain === 'number')
    .map((p) => ({ routing: p.routing, offered: p.offered_load, jain: p.fairness.jain }));
  if (rows.length === 0) return null;
  const x = offered(model, pattern);
  const low = Math.min(...rows.map((row) => row.jain));
  const y = quantity('jain', "Jain's fairness index (1 = all terminals equal)", {
    scale: { domain: [Math.max(0, Math.floor(low * 20 - 0.5) / 20), 1], nice: false },
  });
  return chart({
    data: { values: rows },
    ...size,
    layer: [
      { mark: 'line', encoding: { x, y, color: routingColour(model) } },
      {
        mark: { type: 'point', filled: true, size: 46, opacity: 1 },
        encoding: {
          x,
          y,
          color: routingColour(model),
          shape: routingShape(model),
          tooltip: [{ field: 'routing' }, shown('offered', 'offered load'), shown('jain', "Jain's index", '.5~g')],
        },
      },
    ],
  });
}

/// A mean over the delivered packets against offered load, saturated points as crosses; null where nothing was measured.
export function pathChart(model, pattern, field, title) {
  const points = ofPattern(model, pattern);
  const rows = points
    .filter((p) => typeof p[field] === 'number')
    .map((p) => ({
      routing: p.routing,
      offered: p.offered_load,
      value: p[field],
      state: p.saturated ? 'saturated' : 'steady',
    }));
  if (rows.length === 0) return null;
  const x = offered(model, pattern);
  const top = Math.max(...rows.map((row) => row.value));
  const y = quantity('value', title, { scale: { domain: [0, 1.08 * top || 1], nice: false } });
  const color = routingColour(model);
  const tooltip = [
    { field: 'routing' },
    shown('offered', 'offered load'),
    shown('value', title),
    { field: 'state' },
  ];
  return chart({
    data: { values: rows },
    ...size,
    layer: [
      { mark: 'line', encoding: { x, y, color } },
      {
        transform: [{ filter: "datum.state === 'saturated'" }],
        mark: saturatedMark,
        encoding: { x, y, color, tooltip },
      },
      {
        transform: [{ filter: "datum.state === 'steady'" }],
        mark: { type: 'point', filled: true, size: 46, opacity: 1 },
        encoding: { x, y, color: routingColour(model), shape: routingShape(model), tooltip },
      },
    ],
  });
}
