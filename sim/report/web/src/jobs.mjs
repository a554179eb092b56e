// SPDX-License-Identifier: Apache-2.0
// What jobs took: box plots of iterations and of the ranks' communication, and what the ranks did when.
import { chart, quantity, routingColour, shown } from './charts.mjs';
import { figure, grid, h, select } from './dom.mjs';
import { term } from './glossary.mjs';
import { loadName, unique } from './model.mjs';

const doingColours = { compute: '#3f9150', wait: '#cf661c', send: '#9a62b3' };

/// Points with a job, those of a pattern and load together.
export function jobGroups(model) {
  const points = model.points.filter((p) => p.jobs.length > 0);
  return unique(points.map((p) => p.pattern)).flatMap((pattern) => {
    const own = points.filter((p) => p.pattern === pattern);
    if (model.closed.includes(pattern)) return [{ name: pattern, points: own }];
    return unique(own.map((p) => p.offered_load)).map((load) => ({
      name: `${pattern}, offered load ${loadName(load)}`,
      points: own.filter((p) => p.offered_load === load),
    }));
  });
}

/// The box of a point's job: quartiles, whiskers, and the notch that holds the median with 95 % (McGill et al. 1978). Null where
/// nothing was measured.
export function box(point, field, count) {
  const [job] = point.jobs;
  const q = job[field];
  if (!q) return null;
  const half = (1.57 * (q.q3 - q.q1)) / Math.sqrt(Math.max(1, job[count]));
  return {
    routing: point.routing,
    ...q,
    low: q.whiskers[0],
    high: q.whiskers[1],
    notchLow: Math.max(q.q1, q.median - half),
    notchHigh: Math.min(q.q3, q.median + half),
  };
}

function boxChart(model, points, field, count, title) {
  const rows = points.map((p) => box(p, field, count)).filter(Boolean);
  if (rows.length === 0) return null;
  const y = { field: 'routing', type: 'nominal', sort: model.routings, title: null };
  const color = { ...routingColour(model), legend: null };
  const x = (name) => quantity(name, title, { scale: { zero: false }, axis: { format: '~s', tickCount: 6 } });
  const tooltip = [
    { field: 'routing' },
    ...['median', 'mean', 'q1', 'q3', 'min', 'max'].map((name) => shown(name, `${name} (us)`)),
  ];
  const part = (from, to, height) => ({
    mark: { type: 'bar', height, opacity: 0.75 },
    encoding: { x: x(from), x2: { field: to }, y, color, tooltip },
  });
  const ends = ['min', 'max'].map((name) => ({
    transform: [{ filter: name === 'min' ? 'datum.min < datum.low' : 'datum.max > datum.high' }],
    mark: { type: 'point', size: 24, filled: false },
    encoding: { x: x(name), y, color, tooltip },
  }));
  return chart({
    data: { values: rows },
    width: 430,
    height: { step: 34 },
    layer: [
      { mark: { type: 'rule' }, encoding: { x: x('low'), x2: { field: 'high' }, y, color, tooltip } },
      part('q1', 'notchLow', 20),
      part('notchLow', 'notchHigh', 12),
      part('notchHigh', 'q3', 20),
      { mark: { type: 'tick', size: 20, thickness: 2, color: 'currentColor' }, encoding: { x: x('median'), y, tooltip } },
      ...ends,
    ],
  });
}

/// The bytes of jobs by routing mode: {routing, mode, share}; none where packets have no modes.
export const modeShares = (points) =>
  points.flatMap((p) =>
    Object.entries(p.jobs[0].mode_share ?? {}).map(([mode, share]) => ({ routing: p.routing, mode, share })),
  );

function modesChart(model, points) {
  const rows = modeShares(points);
  if (rows.length === 0) return null;
  return chart({
    data: { values: rows },
    width: 430,
    height: { step: 24 },
    mark: { type: 'bar', height: 14 },
    encoding: {
      x: quantity('share', 'share of the bytes', { scale: { domain: [0, 1] }, axis: { format: '%' } }),
      y: { field: 'routing', type: 'nominal', sort: model.routings, title: null },
      color: { field: 'mode', type: 'nominal', title: 'routing mode' },
      tooltip: [{ field: 'routing' }, { field: 'mode' }, shown('share', 'share of the bytes')],
    },
  });
}

/// Spans of a job's course: {rank, doing, from, to}.
export const spansOf = (job) =>
  (job.course?.ranks ?? []).flatMap((spans, rank) =>
    spans.map(([doing, from, to]) => ({ rank, doing: job.course.doing[doing], from, to })),
  );

function ranksChart(point) {
  const [job] = point.jobs;
  const spans = spansOf(job);
  if (spans.length === 0) return null;
  const doing = job.course.doing.filter((name) => spans.some((span) => span.doing === name));
  const axis = { format: '~s', tickCount: 8 };
  return chart(
    {
      data: { values: spans },
      width: 900,
      height: { step: Math.max(3, Math.min(14, 600 / job.ranks)) },
      params: [{ name: 'zoom', select: { type: 'interval', encodings: ['x'] }, bind: 'scales' }],
      mark: { type: 'bar', clip: true },
      encoding: {
        x: quantity('from', 'time (core cycles); the wheel zooms, dragging moves', { axis, scale: { nice: false } }),
        x2: { field: 'to' },
        y: {
          field: 'rank',
          type: 'ordinal',
          title: 'rank',
          axis: { values: spans.map(({ rank }) => rank).filter((rank) => rank % Math.ceil(job.ranks / 32) === 0) },
        },
        color: { field: 'doing', type: 'nominal', scale: { domain: doing, range: doing.map((name) => doingColours[name]) } },
        tooltip: [shown('rank', 'rank', 'd'), { field: 'doing' }, shown('from', 'from cycle', ','), shown('to', 'to cycle', ',')],
      },
    },
    'canvas',
  );
}

export const jobsLead = () => [
  'What each iteration took, and for how long each ',
  term('rank'),
  ' did not compute, in microseconds. Boxes end at the quartiles, whiskers at the last value within 1.5 times the box; circles are ',
  'the extremes beyond. The narrow part holds the median with 95 %: boxes whose narrow parts do not overlap differ.',
];

export function jobsPart(model) {
  const groups = jobGroups(model);
  const boxes = groups.flatMap(({ name, points }) => [
    [`${name}: iterations`, boxChart(model, points, 'iteration_us', 'iterations', 'time of an iteration (us)')],
    [`${name}: routing modes`, modesChart(model, points)],
    [`${name}: communication`, boxChart(model, points, 'communication_us', 'ranks', 'communication of a rank (us)')],
  ]);
  const points = groups.flatMap((group) => group.points.map((p) => [`${p.routing}, ${group.name}`, p]));
  const course = h('div');
  const draw = (i) => {
    const drawn = ranksChart(points[i][1]);
    course.replaceChildren(drawn ? figure(`${points[i][0]}: the first of what the ranks do`, drawn) : '');
  };
  draw(0);
  return [
    grid(boxes.filter(([, c]) => c).map(([title, c]) => figure(title, c))),
    h('div', { class: 'controls' }, select('Ranks over time of', points.map(([name]) => name), 0, draw)),
    course,
  ];
}
