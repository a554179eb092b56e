// SPDX-License-Identifier: Apache-2.0
// What tables of delivery times learn at one point of load: latency from empty tables on, what the tables expect, where
// packets go, and how long all that takes to settle.
import { chart, quantity, shown } from './charts.mjs';
import { switchRule, timeChart } from './detail.mjs';
import { figure, grid, h, note, table } from './dom.mjs';
import { term } from './glossary.mjs';
import { show } from './model.mjs';

const courseSize = { width: 430, height: 170 };
const bestPort = 'best port';
const minimalPort = 'minimal port';

export const hasLearning = (model) => model.points.some((p) => p.learning);

/// Core cycles as the page shows times: microseconds where the clock is known.
export function learningTime(model) {
  const { clockGhz } = model;
  return clockGhz
    ? { title: 'time (µs)', unit: 'µs', of: (cycle) => cycle / clockGhz / 1000, domain: null }
    : { title: 'time (core cycles)', unit: 'core cycles', of: (cycle) => cycle, domain: null };
}

const axisOf = (time) => quantity('time', time.title, { axis: { format: '~s', tickCount: 8 }, scale: { nice: false, zero: true } });
const colourOf = (model, point) => model.colours[model.routings.indexOf(point.routing)];

/// Where quantity `name` of a point settled, as [time, label]: from the start, and from a change of traffic on.
const settledAt = (model, point, name, time) =>
  point.settling
    .map((entry, i) => ({ entry, start: i > 0 ? (model.switchCycle ?? 0) : 0 }))
    .filter(({ entry }) => typeof entry[name]?.cycles === 'number')
    .map(({ entry, start }) => ({
      time: time.of(start + entry[name].cycles),
      label: `settled after ${show(time.of(entry[name].cycles))} ${time.unit}`,
    }));

/// One quantity of one routing over time, with the time when it settled; null where it was not recorded.
function courseChart(model, point, field, name, title, time, top) {
  const rows = point.timeSeries
    .filter((row) => typeof row[field] === 'number')
    .map((row) => ({ time: time.of(row.cycle), value: row[field] }));
  if (rows.length === 0) return null;
  const x = axisOf(time);
  const y = quantity('value', title, { scale: { domain: [0, 1.2 * top || 1], nice: false } }); // room for the label
  const marks = settledAt(model, point, name, time);
  return chart({
    data: { values: rows },
    ...courseSize,
    layer: [
      ...switchRule(model, time, quantity('cycle', time.title)),
      { mark: { type: 'line', strokeWidth: 1.5, color: colourOf(model, point) }, encoding: { x, y } },
      {
        mark: { type: 'point', size: 30, opacity: 0 },
        encoding: { x, y, tooltip: [shown('time', time.title, ',.4~g'), shown('value', title)] },
      },
      {
        data: { values: marks },
        mark: { type: 'rule', strokeDash: [4, 3], strokeWidth: 1.3, color: 'currentColor' },
        encoding: { x, tooltip: [{ field: 'label' }] },
      },
      {
        data: { values: marks },
        mark: { type: 'text', align: 'left', baseline: 'top', dx: 5, dy: 4, fontSize: 11, color: 'currentColor' },
        encoding: { x, y: { value: 0 }, text: { field: 'label' } },
      },
    ],
  });
}

/// Mean values of the best port and of the minimal path's over time, of one routing; null where they were not recorded.
function valueChart(model, point, time, top) {
  const rows = point.timeSeries
    .filter((row) => typeof row.best_value === 'number')
    .flatMap((row) => [
      { time: time.of(row.cycle), value: row.best_value, of: bestPort },
      { time: time.of(row.cycle), value: row.minimal_value, of: minimalPort },
    ]);
  if (rows.length === 0) return null;
  const x = axisOf(time);
  const y = quantity('value', 'expected time, mean (core cycles)', { scale: { domain: [0, 1.05 * top || 1], nice: false } });
  const colour = colourOf(model, point);
  const ports = [bestPort, minimalPort];
  const byPort = (range) => ({ field: 'of', type: 'nominal', sort: ports, scale: { domain: ports, range } });
  return chart({
    data: { values: rows },
    ...courseSize,
    layer: [
      ...switchRule(model, time, quantity('cycle', time.title)),
      {
        mark: { type: 'line', strokeWidth: 1.5 },
        encoding: {
          x,
          y,
          color: byPort([colour, '#7d8891']),
          strokeDash: byPort([[1, 0], [5, 3]]),
        },
      },
      {
        mark: { type: 'point', size: 30, opacity: 0 },
        encoding: { x, y, tooltip: [{ field: 'of' }, shown('time', time.title, ',.4~g'), shown('value', 'core cycles')] },
      },
    ],
  });
}

/// Whole run and measuring interval of every routing.
function learningTable(points) {
  const rows = points.flatMap((p) =>
    [
      ['whole run', p.learning.whole_run],
      ['measured', p.learning.measured],
    ]
      .filter(([, values]) => values)
      .map(([interval, values]) => ({ routing: p.routing, interval, ...values })),
  );
  const count = (head, field) => ({ head, value: (row) => row[field], show: (v) => show(v) });
  const share = (head, field) => ({
    head,
    value: (row) => row[field],
    show: (v) => (typeof v === 'number' ? `${show(100 * v, 2)} %` : '–'),
  });
  const mean = (head, field) => ({ head, value: (row) => row[field], show: (v) => show(v, 1) });
  return table(
    [
      { head: 'routing', text: true, value: (row) => row.routing },
      { head: 'interval', text: true, value: (row) => row.interval },
      count('decisions', 'decisions'),
      share('not minimal', 'nonminimal'),
      share('explored', 'explored'),
      mean(bestPort, 'best_value'),
      mean(minimalPort, 'minimal_value'),
      count('updates', 'updates'),
      count('feedback dropped', 'dropped'),
      count('feedback saturated', 'saturated'),
    ],
    rows,
  );
}

/// When latency and accepted load settled, every routing: from the start, and after a change of traffic.
function settlingTable(model, points, time) {
  const rows = points.flatMap((p) =>
    p.settling.map((entry, i) => ({ ...entry, routing: p.routing, from: i > 0 ? 'change of traffic' : 'start' })),
  );
  if (rows.length === 0) return null;
  const after = (head, name) => ({
    head,
    value: (row) => row[name]?.cycles,
    show: (v) => (typeof v === 'number' ? `${show(v)}${model.clockGhz ? ` (${show(time.of(v), 1)} µs)` : ''}` : 'not settled'),
  });
  return table(
    [
      { head: 'routing', text: true, value: (row) => row.routing },
      { head: 'from', text: true, value: (row) => row.from },
      { head: 'mean over, core cycles', value: (row) => row.window_cycles, show: (v) => show(v) },
      after([term('settling time', 'latency settled'), ' after'], 'latency'),
      { head: 'at, core cycles', value: (row) => row.latency?.final, show: (v) => show(v, 1) },
      after('accepted load after', 'accepted'),
      { head: 'at', value: (row) => row.accepted?.final, show: (v) => show(v, 3) },
    ],
    rows,
  );
}

const largest = (points, fields) =>
  Math.max(0, ...points.flatMap((p) => p.timeSeries.flatMap((row) => fields.map((field) => row[field] ?? 0))));

/// Everything of the points that learn.
export function learningPart(model, points) {
  const learners = points.filter((p) => p.learning);
  const settling = points.filter((p) => p.settling.length);
  if (learners.length === 0) return note('No routing with a table was measured at this point.');
  const time = learningTime(model);
  const small = (title, draw, top) =>
    learners.map((p) => [p, draw(p, top)]).filter(([, c]) => c).map(([p, c]) => figure(`${p.routing}: ${title}`, c));
  const latencyTop = largest(learners.filter((p) => p.hasLatency), ['latency']);
  const latency = (p, top) =>
    p.hasLatency && courseChart(model, p, 'latency', 'latency', 'mean latency (core cycles)', time, top);
  const accepted = (p, top) => courseChart(model, p, 'accepted', 'accepted', 'accepted load (fraction)', time, top);
  const values = (p, top) => valueChart(model, p, time, top);
  const nonminimal = timeChart(model, learners, 'nonminimal', 'share of the decisions', time);
  const explored = timeChart(model, learners, 'explored', 'share of the decisions', time);
  const times = settlingTable(model, settling, time);
  return h(
    'div',
    null,
    grid([
      ...small('latency', latency, latencyTop),
      ...small('accepted load', accepted, largest(learners, ['accepted'])),
      ...small('what the tables expect', values, largest(learners, ['best_value', 'minimal_value'])),
      nonminimal && figure('Not over the minimal port', nonminimal),
      explored && figure('Explored', explored),
    ].filter(Boolean)),
    h('div', { class: 'below' }, learningTable(learners)),
    times && h('div', { class: 'below' }, times),
  );
}
