// SPDX-License-Identifier: Apache-2.0
// Plots of one point of load, all routings in them: distribution of the latency, course over time.
import { boxPlot } from './boxes.mjs';
import { chart, quantity, routingColour, shown } from './charts.mjs';

const half = { width: 430, height: 230 };
const latencyTitle = 'latency (core cycles)';
/// Name, part of the packets, and how far under its mark the label stands: the marks of the last three are at the same height.
const percentiles = [
  ['p50', 0.5, 15],
  ['p95', 0.95, 15],
  ['p99', 0.99, 36],
  ['p999', 0.999, 50],
];

/// Bins [low, high] with the part of the packets in each, and in all up to it. A bin without a bound ends at the maximum.
function bins(point) {
  const total = point.histogram.reduce((sum, [, count]) => sum + count, 0);
  let low = 0;
  let sum = 0;
  const rows = [];
  for (const [bound, count] of point.histogram) {
    const high = typeof bound === 'number' ? bound : Math.max(low, point.latency.max ?? low);
    sum += count;
    rows.push({
      routing: point.routing,
      low,
      high,
      count,
      density: high > low ? count / total / (high - low) : 0,
      below: sum / total,
      above: (total - sum) / total,
    });
    low = high;
  }
  return rows;
}

const withHistogram = (points) => points.filter((p) => p.histogram.some(([, count]) => count > 0));

/// Where the plots of a distribution end: past the 99.9th percentile of all routings, so that a few stragglers do not
/// squeeze the rest.
function rightEnd(points) {
  const tails = points.map((p) => bins(p).find((row) => row.below >= 0.9995)?.high ?? p.latency.max ?? 1);
  return Math.max(...tails) * 1.05;
}

const firstLatency = (points) => Math.min(...points.map((p) => bins(p).find((row) => row.count > 0)?.low ?? 0));

export function histogramChart(model, points) {
  const measured = withHistogram(points);
  if (measured.length === 0) return null;
  const end = rightEnd(measured);
  const x = quantity('low', latencyTitle, {
    scale: { domain: [Math.max(0, firstLatency(measured) * 0.9), end], nice: false },
  });
  const y = quantity('density', 'part of the packets per core cycle', { axis: { format: '.2~%', tickCount: 5 } });
  return chart({
    data: { values: measured.flatMap(bins).filter((row) => row.low < end) },
    ...half,
    layer: [
      {
        mark: { type: 'rect', opacity: 0.3, clip: true },
        encoding: {
          x,
          x2: { field: 'high' },
          y,
          y2: { datum: 0 },
          color: routingColour(model),
          tooltip: [{ field: 'routing' }, shown('low', 'above'), shown('high', 'to'), shown('count', 'packets', ',')],
        },
      },
      {
        mark: { type: 'line', interpolate: 'step-after', strokeWidth: 1.4, clip: true },
        encoding: { x, y, color: routingColour(model) },
      },
    ],
  });
}

/// The cumulative distribution, or (tail) the part of the packets that is later, on a logarithmic axis.
export function cumulativeChart(model, points, tail) {
  const measured = withHistogram(points);
  if (measured.length === 0) return null;
  const floor = 1e-5;
  const begin = Math.max(0, firstLatency(measured) * 0.9);
  const end = tail ? Math.max(...measured.map((p) => p.latency.max ?? rightEnd([p]))) : rightEnd(measured);
  const field = tail ? 'above' : 'below';
  const x = quantity('high', latencyTitle, { scale: { domain: [begin, end], nice: false } });
  const y = (name) =>
    quantity(
      name,
      tail ? 'part of the packets that is later' : 'part of the packets up to this latency',
      tail
        ? { scale: { type: 'log', domain: [floor, 1] }, axis: { format: '.0~e', tickCount: 6 } }
        : { scale: { domain: [0, 1] } },
    );
  const rows = measured.flatMap((p) => bins(p).filter((row) => !tail || row.above >= floor));
  const marks = measured.flatMap((p) =>
    percentiles
      .filter(([name]) => typeof p.latency[name] === 'number')
      .map(([name, part]) => ({ routing: p.routing, name, high: p.latency[name], part: tail ? 1 - part : part })),
  );
  return chart({
    data: { values: rows },
    ...half,
    layer: [
      { mark: { type: 'line', clip: true }, encoding: { x, y: y(field), color: routingColour(model) } },
      {
        data: { values: marks },
        mark: { type: 'point', size: 50, filled: false, strokeWidth: 1.6, opacity: 1, clip: true },
        encoding: {
          x,
          y: y('part'),
          color: routingColour(model),
          tooltip: [{ field: 'routing' }, { field: 'name', title: 'percentile' }, shown('high', latencyTitle)],
        },
      },
      ...percentiles.map(([name, , under]) => ({
        data: { values: marks.filter((row) => row.routing === measured[0].routing && row.name === name) },
        mark: {
          type: 'text',
          align: tail ? 'right' : 'center',
          dx: tail ? -8 : 0,
          dy: tail ? 6 : under,
          fontSize: 10,
          color: 'currentColor',
        },
        encoding: { x, y: y('part'), text: { field: 'name' } },
      })),
    ],
  });
}

/// The box of a point's latencies, of its histogram: {routing, q1, median, q3, low, high, mean, p95, p99}, core cycles; whiskers end
/// within 1.5 (q3 - q1) of the box. Null where none was recorded.
export function latencyBox(point) {
  const filled = bins(point).filter((row) => row.count > 0);
  if (filled.length === 0) return null;
  const upTo = (part) => filled.find((row) => row.below >= part - 1e-12).high;
  const [q1, median, q3] = [0.25, 0.5, 0.75].map(upTo);
  const reach = 1.5 * (q3 - q1);
  const low = filled.find((row) => row.high >= q1 - reach).high;
  const high = filled.findLast((row) => row.high <= q3 + reach).high;
  const { mean, p95, p99 } = point.latency;
  return { routing: point.routing, q1, median, q3, low, high, mean, p95, p99 };
}

export function latencyBoxes(model, points) {
  const rows = withHistogram(points).map(latencyBox);
  if (rows.length === 0) return null;
  return boxPlot(model, rows, latencyTitle, {
    marks: [
      { field: 'mean', shape: 'diamond', inside: true },
      { field: 'p95', shape: 'triangle-right' },
      { field: 'p99', shape: 'square' },
    ],
    format: ',.0f',
    named: ['median', 'mean', 'q1', 'q3', 'low', 'high', 'p95', 'p99'],
  });
}

/// Time as it was recorded: core cycles from the start of the run.
const coreCycles = { title: 'time (core cycles)', of: (cycle) => cycle, domain: null };

/// Where the traffic changes, on the axis `time`; nothing where it does not.
export function switchRule(model, time, x) {
  if (model.switchCycle === null) return [];
  return [
    {
      data: { values: [{ cycle: time.of(model.switchCycle) }] },
      mark: { type: 'rule', color: 'currentColor', strokeWidth: 1.2 },
      encoding: { x, tooltip: [shown('cycle', 'change of traffic', ',')] },
    },
  ];
}

/// One quantity over time, the end of the warm-up and the change of traffic marked; null where it was not recorded.
export function timeChart(model, points, field, title, time = coreCycles) {
  const [first, last] = time.domain ?? [-Infinity, Infinity];
  const rows = points
    .flatMap((p) =>
      p.timeSeries
        .filter((row) => typeof row[field] === 'number')
        .map((row) => ({ routing: p.routing, cycle: time.of(row.cycle), value: row[field] })),
    )
    .filter((row) => row.cycle >= first && row.cycle <= last);
  if (rows.length === 0) return null;
  const x = quantity('cycle', time.title, {
    axis: { format: time.domain ? ',.0f' : '~s', tickCount: 8 },
    scale: time.domain ? { domain: time.domain, nice: false } : { nice: false, zero: true },
  });
  const y = quantity('value', title);
  const warm = points
    .filter((p) => p.warmup_cycles > 0)
    .map((p) => ({ routing: p.routing, cycle: time.of(p.warmup_cycles) }))
    .filter((row) => row.cycle >= first && row.cycle <= last);
  return chart({
    data: { values: rows },
    width: 430,
    height: 170,
    layer: [
      {
        data: { values: warm },
        mark: { type: 'rule', strokeDash: [4, 3] },
        encoding: {
          x,
          color: routingColour(model),
          tooltip: [{ field: 'routing' }, shown('cycle', 'end of warm-up', ',')],
        },
      },
      ...switchRule(model, time, x),
      { mark: { type: 'line', strokeWidth: 1.4 }, encoding: { x, y, color: routingColour(model) } },
      {
        mark: { type: 'point', size: 30, opacity: 0 },
        encoding: { x, y, tooltip: [{ field: 'routing' }, shown('cycle', time.title, ','), shown('value', title)] },
      },
    ],
  });
}

export const timeCharts = (model, points) =>
  [
    timeChart(
      model,
      points.filter((p) => p.hasLatency),
      'latency',
      'mean latency (core cycles)',
    ),
    timeChart(model, points, 'accepted', 'accepted load (fraction)'),
    timeChart(model, points, 'in_flight', 'flits in flight'),
  ].filter(Boolean);
