// SPDX-License-Identifier: Apache-2.0
// What adaptive routers decide, and on what grounds, over time: figure 17 of Chaulagain & Yuan (ICS 2024), and a map of
// the contention that UGAL-LE sees.
import { chart, quantity, shown } from './charts.mjs';
import { switchRule, timeChart } from './detail.mjs';
import { heatStops } from './network.mjs';

const fields = [
  ['minimal_estimate', 'Estimate of the minimal path', 'flits × hops'],
  ['minimal_queue', 'Queue of the minimal path', 'flits'],
  ['path_queue', 'All queues of the minimal path', 'flits'],
  ['nonminimal', 'Non-minimal share', 'share of the decisions'],
  ['contention', 'Contention factor', 'mean of the decisions'],
  ['bias', 'Learned bias', 'flits'],
];
const heatColours = ['#cdd6dc', '#e9b754', '#d05628', '#701220']; // of style.css, light: a canvas takes no variables
const before = 300; // link cycles shown before and after a change of traffic
const after = 2000;

export const hasDecisions = (model) =>
  model.points.some((p) => p.contentionMap || p.timeSeries.some((row) => typeof row.minimal_estimate === 'number'));

/// Time in link cycles, counted from the change of traffic if there is one; `near`: only around it.
export function decisionTime(model, near) {
  const perFlit = model.network.cycles_per_flit;
  const link = typeof perFlit === 'number' && perFlit !== 1 ? perFlit : 1;
  const unit = link === 1 ? 'core cycles' : 'link cycles';
  const start = model.switchCycle ?? 0;
  return {
    title: model.switchCycle === null ? `time (${unit})` : `time after the change of traffic (${unit})`,
    of: (cycle) => (cycle - start) / link,
    domain: near && model.switchCycle !== null ? [-Math.min(before, start / link), after] : null,
  };
}

/// [title, plot] of everything that was recorded.
export const decisionCharts = (model, points, time) =>
  fields
    .map(([field, title, unit]) => [title, timeChart(model, points, field, unit, time)])
    .filter(([, plot]) => plot);

/// The mean of `width` by `height` neighbouring values of rows[time][router]; null where none was recorded.
function pooled(rows, width, height) {
  const cells = [];
  const across = Math.max(...rows.map((row) => row.length));
  for (let t = 0; t < rows.length; t += width) {
    for (let r = 0; r < across; r += height) {
      const values = rows
        .slice(t, t + width)
        .flatMap((row) => row.slice(r, r + height))
        .filter((v) => typeof v === 'number');
      if (values.length) cells.push({ t, r, value: values.reduce((a, b) => a + b, 0) / values.length });
    }
  }
  return cells;
}

// Without a spread: the map of a large network has more values than a call has arguments.
const highest = (values, least) => values.reduce((a, b) => Math.max(a, b), least);

export const contentionEnd = (points) =>
  points.reduce((end, p) => highest(p.contentionMap?.rows.flat().map(Number) ?? [], end), 0);

/// Time to the right, routers (or groups) upward, the mean contention factor as colour; null where none was recorded.
export function contentionChart(model, point, byGroup, end, time) {
  const map = point.contentionMap;
  if (!map) return null;
  const perGroup = model.grouped ? model.dims[0] : 1;
  const tall = byGroup ? perGroup : 1;
  const [first, last] = time.domain ?? [-Infinity, Infinity];
  const inside = (i) => time.of((i + 1) * map.window) > first && time.of(i * map.window) < last;
  const skipped = map.rows.findIndex((_, i) => inside(i));
  const rows = map.rows.filter((_, i) => inside(i));
  if (rows.length === 0) return null;
  const wide = Math.max(1, Math.ceil(rows.length / 160));
  const values = pooled(rows, wide, tall).map(({ t, r, value }) => ({
    from: time.of((skipped + t) * map.window),
    to: time.of((skipped + Math.min(rows.length, t + wide)) * map.window),
    low: r / tall,
    high: r / tall + 1,
    name: byGroup ? `group ${r / tall}` : `router ${r}`,
    value,
  }));
  const x = quantity('from', time.title, {
    axis: { format: ',.0f', tickCount: 8 },
    scale: { domain: [values[0].from, values[values.length - 1].to], nice: false },
  });
  const top = highest(values.map((row) => row.high), 0);
  const title = byGroup ? 'group' : perGroup > 1 ? `router (group × ${perGroup} + number)` : 'router';
  return chart(
    {
      data: { values },
      width: 430,
      height: byGroup ? Math.max(150, Math.min(330, top * 12)) : Math.max(150, Math.min(420, top * 3)),
      layer: [
        {
          mark: { type: 'rect', clip: true },
          encoding: {
            x,
            x2: { field: 'to' },
            y: quantity('low', title, { scale: { domain: [0, top], nice: false }, axis: { grid: false } }),
            y2: { field: 'high' },
            color: quantity('value', 'contention factor', {
              scale: { domain: heatStops.map((stop) => stop * (end || 1)), range: heatColours, interpolate: 'rgb' },
              legend: { orient: 'top', direction: 'horizontal', gradientLength: 200, title: null },
            }),
            tooltip: [
              { field: 'name', title: 'of' },
              shown('from', 'from', ',.0f'),
              shown('to', 'to', ',.0f'),
              shown('value', 'contention factor'),
            ],
          },
        },
        ...switchRule(model, time, quantity('cycle', time.title)),
      ],
    },
    'canvas',
  );
}
