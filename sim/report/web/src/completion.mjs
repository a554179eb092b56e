// SPDX-License-Identifier: Apache-2.0
// Workloads that end by themselves: how long they take, and the load over that time.
import { chart, quantity, routingColour, shown } from './charts.mjs';
import { figure, grid } from './dom.mjs';
import { term } from './glossary.mjs';

const frame = { width: 430, height: 230 };

/// Core cycles until all was delivered, one row per routing in the order of the page; `more` is how much more than the fastest.
export function completionRows(model, pattern) {
  const points = model.points.filter((p) => p.pattern === pattern && p.completion !== null);
  const least = Math.min(...points.map((p) => p.completion));
  return points.map((p) => ({
    routing: p.routing,
    cycles: p.completion,
    more: least > 0 ? p.completion / least - 1 : 0,
  }));
}

function completionChart(model, pattern) {
  const rows = completionRows(model, pattern);
  const color = { ...routingColour(model), legend: null };
  const y = { field: 'routing', type: 'nominal', sort: model.routings, title: null };
  return chart({
    data: { values: rows },
    width: frame.width,
    height: { step: 34 },
    encoding: { y },
    layer: [
      {
        mark: { type: 'bar', height: 20 },
        encoding: {
          x: quantity('cycles', 'core cycles until the last delivery', { scale: { zero: true }, axis: { format: '~s', tickCount: 6 } }),
          color,
          tooltip: [{ field: 'routing' }, shown('cycles', 'completion (core cycles)', ','), shown('more', 'more than the fastest', '.1%')],
        },
      },
    ],
  });
}

/// Offered (grey, dashed; the first routing's, which is all routings' where a trace is replayed) and accepted load over time.
function loadCourseChart(model, pattern) {
  const points = model.points.filter((p) => p.pattern === pattern && p.timeSeries.length > 0);
  if (points.length === 0) return null;
  const course = (p, field) =>
    p.timeSeries
      .filter((row) => typeof row[field] === 'number')
      .map((row) => ({ routing: p.routing, cycle: row.cycle, value: row[field] }));
  const x = quantity('cycle', 'time (core cycles)', { axis: { format: '~s', tickCount: 8 }, scale: { nice: false, zero: true } });
  const y = quantity('value', 'load (fraction of terminal link capacity)');
  const color = routingColour(model);
  const tooltip = (title) => [{ field: 'routing' }, shown('cycle', 'until cycle', ','), shown('value', title)];
  return chart({
    data: { values: points.flatMap((p) => course(p, 'accepted')) },
    ...frame,
    layer: [
      {
        data: { values: course(points[0], 'offered').map(({ cycle, value }) => ({ cycle, value })) },
        mark: { type: 'line', color: '#8d979f', strokeDash: [3, 3], strokeWidth: 1.2 },
        encoding: { x, y },
      },
      { mark: { type: 'line', strokeWidth: 1.5 }, encoding: { x, y, color } },
      { mark: { type: 'point', size: 30, opacity: 0 }, encoding: { x, y, tooltip: tooltip('accepted load') } },
    ],
  });
}

export const completionLead = () => [
  'Workloads that end by themselves, measured as a whole: core cycles until everything was delivered, and ',
  term('accepted load'),
  ' over that time; dashed: ',
  term('offered load', 'offered'),
  '.',
];

export const completionPart = (model) =>
  grid(
    model.closed.map((pattern) =>
      [completionChart(model, pattern), loadCourseChart(model, pattern)].filter(Boolean).map((c) => figure(pattern, c)),
    ),
  );
