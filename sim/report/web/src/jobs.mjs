// SPDX-License-Identifier: Apache-2.0
// What jobs took: box plots of iterations and of the ranks' communication, and what the ranks did when.
import { boxPlot } from './boxes.mjs';
import { chart, quantity, routingColour, shown } from './charts.mjs';
import { figure, grid, h, select, table } from './dom.mjs';
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
/// nothing was measured. Times are in units of `unit` microseconds.
export function box(point, field, count, unit = 1) {
  const [job] = point.jobs;
  if (!job[field]) return null;
  const { whiskers, ...times } = job[field];
  const q = Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time / unit]));
  const half = (1.57 * (q.q3 - q.q1)) / Math.sqrt(Math.max(1, job[count]));
  return {
    routing: point.routing,
    ...q,
    low: whiskers[0] / unit,
    high: whiskers[1] / unit,
    notchLow: q.median - half,
    notchHigh: q.median + half,
    wideLow: Math.max(q.q1, q.median - half), // of few values the notch is wider than the box
    wideHigh: Math.min(q.q3, q.median + half),
  };
}

/// The median of a routing's job among `points`, which all are compared with; 1 where it has none, or `routing` is null.
export const unitOf = (points, field, routing) =>
  points.find((p) => p.routing === routing)?.jobs[0][field]?.median || 1;

function boxChart(model, points, field, count, what, reference) {
  const unit = unitOf(points, field, reference);
  const rows = points.map((p) => box(p, field, count, unit)).filter(Boolean);
  if (rows.length === 0) return null;
  const of = unit === 1 ? 'us' : `median of ${reference} = 1`;
  return boxPlot(model, rows, `${what} (${of})`, {
    marks: [
      { field: 'min', filter: 'datum.min < datum.low' },
      { field: 'max', filter: 'datum.max > datum.high' },
    ],
    named: ['median', 'mean', 'q1', 'q3', 'min', 'max'],
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
  'the extremes beyond. The narrow part holds the median with 95 %, and of few values is wider than the box: boxes whose narrow ',
  'parts do not overlap differ.',
];

/// What interfaces measured of points' jobs: {routing, group, latency, stalls, model, measured, correlation}, cycles. Equation 2 of De
/// Sensi et al. makes the model of latency and stalls; its correlation with the time is over seeds, each with its own places of ranks.
/// Where packets had several routing modes, each has a row behind it: {…, mode, share, latency, stalls}.
export const interfaceRows = (groups) =>
  groups.flatMap(({ name, points }) =>
    points
      .filter((p) => p.jobs[0].requests)
      .flatMap((p) => [
        {
          routing: p.routing,
          group: name,
          latency: p.jobs[0].round_trip_cycles,
          stalls: p.jobs[0].stalls_per_flit,
          model: p.jobs[0].model_cycles ?? null,
          measured: p.jobs[0].iteration_cycles?.mean ?? null,
          correlation: p.jobs[0].model_correlation ?? null,
        },
        ...modeRows(p, name),
      ]),
  );

function modeRows(point, group) {
  const [{ modes = {}, mode_share: shares = {} }] = point.jobs;
  const rows = Object.entries(modes).map(([mode, seen]) => ({
    routing: point.routing,
    group,
    mode,
    share: shares[mode] ?? null,
    latency: seen.round_trip_cycles,
    stalls: seen.stalls_per_flit,
  }));
  return rows.length > 1 ? rows : [];
}

function interfacesTable(groups) {
  const rows = interfaceRows(groups);
  if (rows.length === 0) return null;
  const figures = (digits) => (value) => (typeof value === 'number' ? value.toFixed(digits) : '–');
  const column = (head, field, digits) => ({ head, value: (row) => row[field], show: figures(digits) });
  const columns = [
    { head: 'routing', value: (row) => row.routing, text: true },
    { head: 'traffic', value: (row) => row.group, text: true },
    ...(rows.some((row) => row.mode) ? [{ head: 'routing mode', value: (row) => row.mode ?? 'all', text: true }] : []),
    column('share of the bytes', 'share', 3),
    column('L: round trip of a packet (cycles)', 'latency', 1),
    column('s: stalls of a flit (cycles)', 'stalls', 3),
    column('message by the model (cycles)', 'model', 0),
    column('iteration (cycles)', 'measured', 0),
    column('correlation', 'correlation', 3),
  ];
  return table(columns.filter((c) => c.text || rows.some((row) => typeof c.value(row) === 'number')), rows);
}

/// Pairs of the model's time of a message and the time of an iteration: {routing, model, measured}, one for each seed.
export const modelPairs = (points) =>
  points.flatMap((p) => {
    const { by_seed: of } = p.jobs[0];
    return of?.model_cycles && of.iteration_cycles
      ? of.model_cycles.map((model, i) => ({ routing: p.routing, model, measured: of.iteration_cycles[i] }))
      : [];
  });

function modelChart(model, points) {
  const rows = modelPairs(points);
  if (rows.length === 0) return null;
  const cycles = (field, title) => quantity(field, title, { scale: { zero: false }, axis: { format: '~s' } });
  return chart({
    data: { values: rows },
    width: 430,
    height: 230,
    mark: { type: 'point', size: 36 },
    encoding: {
      x: cycles('model', 'a message by the model (core cycles)'),
      y: cycles('measured', 'an iteration (core cycles)'),
      color: routingColour(model),
      tooltip: [{ field: 'routing' }, shown('model', 'model', ','), shown('measured', 'measured', ',')],
    },
  });
}

/// A place that `draw(i)` fills, behind a choice of `options`.
function chosen(label, options, draw) {
  const place = h('div');
  const fill = (i) => place.replaceChildren(draw(i) ?? '');
  fill(0);
  return [h('div', { class: 'controls' }, select(label, options, 0, fill)), place];
}

function boxes(model, groups, reference) {
  const figures = groups.flatMap(({ name, points }) => [
    [`${name}: iterations`, boxChart(model, points, 'iteration_us', 'iterations', 'time of an iteration', reference)],
    [`${name}: routing modes`, modesChart(model, points)],
    [`${name}: communication`, boxChart(model, points, 'communication_us', 'ranks', 'communication of a rank', reference)],
    [`${name}: the model of a message, over seeds`, modelChart(model, points)],
  ]);
  return grid(figures.filter(([, c]) => c).map(([title, c]) => figure(title, c)));
}

export function jobsPart(model) {
  const groups = jobGroups(model);
  const points = groups.flatMap((group) => group.points.map((p) => [`${p.routing}, ${group.name}`, p]));
  const routings = unique(points.map(([, p]) => p.routing));
  const interfaces = interfacesTable(groups);
  return [
    chosen('Times', ['in microseconds', ...routings.map((name) => `over the median of ${name}`)], (i) =>
      boxes(model, groups, i === 0 ? null : routings[i - 1]),
    ),
    interfaces && figure('What the message interfaces saw', interfaces),
    chosen('Ranks over time of', points.map(([name]) => name), (i) => {
      const drawn = ranksChart(points[i][1]);
      return drawn && figure(`${points[i][0]}: the first of what the ranks do`, drawn);
    }),
  ];
}
