// SPDX-License-Identifier: Apache-2.0
// Box plots (Tukey; notches of McGill, Tukey & Larsen, 1978): a box per routing, one under the other.
import { chart, quantity, routingColour, shown } from './charts.mjs';

/// `rows`: {routing, q1, median, q3, low, high, ...}, low and high being the ends of the whiskers; with notchLow and notchHigh the
/// box has a notch. `marks`: what else stands on a row, {field, shape, filter}, `inside`: in the box, in the colour of text; `named`:
/// fields that a box under the pointer tells.
export function boxPlot(model, rows, title, { marks = [], named, format = '~s' }) {
  const y = { field: 'routing', type: 'nominal', sort: model.routings, title: null };
  const color = { ...routingColour(model), legend: null };
  const x = (name) => quantity(name, title, { scale: { zero: false }, axis: { format, tickCount: 6 } });
  const tooltip = [{ field: 'routing' }, ...named.map((name) => shown(name, name))];
  const part = (from, to, height) => ({
    mark: { type: 'bar', height, opacity: 0.75 },
    encoding: { x: x(from), x2: { field: to }, y, color, tooltip },
  });
  const notched = rows.some((row) => typeof row.notchLow === 'number');
  return chart({
    data: { values: rows },
    width: 430,
    height: { step: 34 },
    layer: [
      { mark: { type: 'rule' }, encoding: { x: x('low'), x2: { field: 'high' }, y, color, tooltip } },
      ...(notched
        ? [part('q1', 'wideLow', 20), part('notchLow', 'notchHigh', 12), part('wideHigh', 'q3', 20)]
        : [part('q1', 'q3', 20)]),
      { mark: { type: 'tick', size: 20, thickness: 2, color: 'currentColor' }, encoding: { x: x('median'), y, tooltip } },
      ...marks.map(({ field, shape = 'circle', filter, inside }) => ({
        ...(filter && { transform: [{ filter }] }),
        mark: { type: 'point', size: 34, filled: false, shape, opacity: 1, ...(inside && { color: 'currentColor' }) },
        encoding: { x: x(field), y, ...(!inside && { color }), tooltip },
      })),
    ],
  });
}
