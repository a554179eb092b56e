// SPDX-License-Identifier: Apache-2.0
// The course of a training (`hopwise agent train`): figures 4.4 and 4.5 of Lonardo (2019), mean value and mean reward, and
// what they come from.
import { chart, quantity, shown } from './charts.mjs';
import { figure, grid, h, select } from './dom.mjs';
import { learningTime } from './learning.mjs';
import { palette } from './model.mjs';

const plots = [
  ['mean_value', 'Mean value', 'mean value of the best port', null],
  ['mean_reward', 'Mean reward', 'mean reward', null],
  ['loss', 'Loss', 'mean loss of the training steps', null],
  ['epsilon', 'Exploration', 'probability of a port at random', [0, 1]],
  ['accepted', 'Accepted proposals', 'share of the proposals', [0, 1]],
  ['nonminimal', 'Not minimal', 'share of the accepted proposals', null],
];

/// Points of one quantity: {at, value}, rows without it left out. `place`: the position of a row on the axis.
export const trainingCourse = (rows, field, place) =>
  rows.filter((row) => row[field] !== null && place(row) !== null).map((row) => ({ at: place(row), value: row[field] }));

/// [title, plot] of everything that was recorded, over decisions or, `byTime`, over time.
function trainingCharts(model, byTime) {
  const time = learningTime(model);
  const place = byTime ? (row) => (row.cycle === null ? null : time.of(row.cycle)) : (row) => row.decisions;
  const title = byTime ? time.title : 'decisions of all agents';
  const colour = model.colours[0] ?? palette[0];
  return plots
    .map(([field, name, unit, domain]) => [name, unit, domain, trainingCourse(model.training, field, place)])
    .filter(([, , , values]) => values.length > 0)
    .map(([name, unit, domain, values]) => {
      const x = quantity('at', title, { axis: { format: '~s', tickCount: 6 }, scale: { nice: false, zero: true } });
      const y = quantity('value', unit, { scale: domain ? { domain } : { zero: false } });
      const tooltip = [shown('at', title, ',.4~g'), shown('value', unit)];
      return [
        name,
        chart({
          data: { values },
          width: 430,
          height: 170,
          layer: [
            { mark: { type: 'line', strokeWidth: 1.4, color: colour }, encoding: { x, y } },
            { mark: { type: 'point', size: 30, opacity: 0 }, encoding: { x, y, tooltip } },
          ],
        }),
      ];
    });
}

export const trainingLead =
  'The agents while they learn, means since the entry before: what they expect of the port they choose, the reward that comes back, ' +
  'and what becomes of their proposals.';

/// All plots, over what the reader chooses.
export function trainingPart(model) {
  const holder = h('div');
  const draw = (byTime) =>
    holder.replaceChildren(grid(trainingCharts(model, byTime === 1).map(([title, plot]) => figure(title, plot))));
  draw(0);
  return h('div', null, h('div', { class: 'controls' }, select('over', ['decisions of all agents', 'time'], 0, draw)), holder);
}
