// SPDX-License-Identifier: Apache-2.0
// The page: a section per question, in the order in which a reader asks them.
import { completionLead, completionPart } from './completion.mjs';
import { acceptedChart, fairnessChart, hasLatencies, jainChart, latencyChart, pathChart, statistics } from './curves.mjs';
import { contentionChart, contentionEnd, decisionCharts, decisionTime, hasDecisions } from './decisions.mjs';
import { cumulativeChart, histogramChart, latencyBoxes, timeCharts } from './detail.mjs';
import { figure, grid, h, note, select } from './dom.mjs';
import { factsList } from './facts.mjs';
import { glossaryList, term } from './glossary.mjs';
import { jobsLead, jobsPart } from './jobs.mjs';
import { hasLearning, learningPart } from './learning.mjs';
import { directionPart, largestDrawing, networkPart, pageWidth } from './loads.mjs';
import { defaultLoad, loadName, loadsOf, onNetworkOf, pointsAt, readResults, show, unique } from './model.mjs';
import { drawable, drawingCaption, drawNetwork } from './network.mjs';
import {
  accountingTable,
  orderTable,
  pointTable,
  proofTable,
  publishedTable,
  routerTable,
  saturationTable,
} from './tables.mjs';
import { costsLead, costsPart } from './costs.mjs';
import { trainingLead, trainingPart } from './training.mjs';
import { commandPart, verdictPart, warningsPart } from './verdict.mjs';

const data = (id) => JSON.parse(document.getElementById(id).textContent);
const model = readResults(data('hopwise-results'));
const verdict = data('hopwise-verdict');
const swept = model.patterns.filter((pattern) => !model.closed.includes(pattern));
const report = document.getElementById('report');
const contents = h('nav', { 'aria-label': 'Contents' });

let place = report; // where the next section goes

function section(id, title, lead, ...body) {
  contents.append(h('a', { href: `#${id}` }, title));
  place.append(h('section', { id }, h('h2', null, title), lead && h('p', { class: 'lead' }, lead), body));
}

// ---- what was run

function headline() {
  const { network } = model;
  const kind =
    model.drawing === 'slices'
      ? `${model.dims.join(' × ')} ${network.kind ?? 'network'}`
      : `${network.kind ?? 'network'} of ${model.grouped ? `${model.dims[1]} groups of ${model.dims[0]}` : show(model.routerCount)} routers`;
  const others = unique(model.others.map((other) => other.network.network.name ?? '?')).join(', ');
  document.title = `${network.name ?? 'network'} – Hopwise report`;
  report.append(
    h(
      'header',
      null,
      h('p', { class: 'brand' }, `Hopwise ${model.version}`),
      h('h1', null, network.name ?? 'Network'),
      h(
        'p',
        { class: 'lead' },
        `${kind}, routed by ${model.routings.join(', ') || 'no routing'}`,
        others && `; compared with ${others}, whose sizes are not the ones below`,
        network.hash ? h('span', { class: 'hash' }, ` configuration ${network.hash}`) : '',
      ),
    ),
  );
}

// ---- curves over the load

function curves() {
  if (model.points.length === 0) {
    section('latency', 'Results', null, note('No point was simulated.'));
    return;
  }
  if (model.closed.length) section('completion', 'Completion', completionLead(), completionPart(model));
  if (model.points.some((p) => p.jobs.length)) section('jobs', 'Application', jobsLead(), jobsPart(model));
  if (swept.length) sweeps();
  if (model.saturation.length) {
    section('saturation', 'Saturation', 'Fractions of the capacity of a terminal link.', saturationTable(model));
  }
  if (model.costs.length) section('cost', 'Cost', costsLead, costsPart(model));
  verdict.published.forEach(publishedPart);
}

function sweeps() {
  const state = { statistic: 0, network: 0, logarithmic: 0 };
  const holder = h('div');
  const draw = () =>
    holder.replaceChildren(
      grid(
        swept.map((pattern) =>
          figure(
            pattern,
            hasLatencies(model, pattern)
              ? latencyChart(model, pattern, statistics[state.statistic][0], state.network === 1, state.logarithmic === 1)
              : note('No latency: every point that was measured is saturated, or was interrupted.'),
          ),
        ),
      ),
    );
  const set = (key) => (i) => {
    state[key] = i;
    draw();
  };
  draw();
  section(
    'latency',
    'Latency',
    [
      term('latency', 'Latency'),
      ' against ',
      term('offered load'),
      '; the band is the 95 % ',
      term('confidence interval'),
      ' of the mean. A × above the curves is a ',
      term('saturated'),
      ' point: it has no latency, unless source queues are bounded; then it is a × on the curve. Dashed: ',
      term('saturation throughput'),
      '.',
    ],
    h(
      'div',
      { class: 'controls' },
      select(
        'Show',
        statistics.map(([, label]) => label),
        0,
        set('statistic'),
      ),
      select('counted from', ['generation', 'injection (network latency)'], 0, set('network')),
      select('axis', ['linear', 'logarithmic'], 0, set('logarithmic')),
    ),
    holder,
  );
  section(
    'accepted',
    'Accepted load',
    [
      term('accepted load', 'Accepted'),
      ' against ',
      term('offered load'),
      '. On the dotted line the network delivers all that is offered; × marks ',
      term('saturated'),
      ' points.',
    ],
    grid(swept.map((pattern) => figure(pattern, acceptedChart(model, pattern)))),
  );
  if (model.grouped || model.points.some((p) => p.nonminimal_share > 0)) {
    const paths = swept.flatMap((pattern) => [
      [pattern, pathChart(model, pattern, 'hops_mean', 'hops per packet, mean')],
      [pattern, pathChart(model, pattern, 'nonminimal_share', 'share of the packets on non-minimal paths')],
    ]);
    section(
      'paths',
      'Paths',
      [term('hop', 'Hops'), ' of the delivered packets, counted, and the share of ', term('non-minimal'), ' paths; ×: ', term('saturated'), '.'],
      grid(paths.filter(([, c]) => c).map(([pattern, c]) => figure(pattern, c))),
    );
  }
}

function publishedPart({ citation, doi, what, rows, orders, differences }, i) {
  section(
    `published${i || ''}`,
    'Published numbers',
    [
      `${citation}${doi ? ` (doi:${doi})` : ''}: ${what}. `,
      orders.length > 0 && 'Pairs of routings whose published saturations differ by more than 0.02 have an order.',
    ],
    differences.length > 0 && h('p', { class: 'note' }, `The set-up differs. ${differences.join('; ')}.`),
    publishedTable(rows),
    orders.length > 0 && h('div', { class: 'below' }, orderTable(orders)),
  );
}

// ---- one point of load in detail: its parts are drawn again when another point is chosen

function pointDetail() {
  if (model.points.length === 0) {
    if (drawable(model) && model.routerCount <= largestDrawing) {
      section(
        'network',
        'Network',
        null,
        figure(null, drawNetwork(model, null, pageWidth, 900), drawingCaption(model)),
      );
    }
    return;
  }
  const state = { pattern: model.patterns[0], tail: 0, routing: 0, far: 0, single: 0 };
  state.load = defaultLoad(model, state.pattern);
  const parts = Object.fromEntries(
    ['network', 'directions', 'distribution', 'time', 'learning', 'decisions', 'routers'].map((name) => [name, h('div')]),
  );
  const loadBox = h('span');
  const onPaper = h('p', { class: 'on-paper' }); // the chosen point, where the bar is not printed
  const bar = h(
    'div',
    { class: 'controls sticky' },
    h('strong', null, 'Point of load'),
    select('pattern', model.patterns, 0, (i) => {
      state.pattern = model.patterns[i];
      state.load = defaultLoad(model, state.pattern);
      draw();
    }),
    loadBox,
  );

  function draw() {
    const loads = loadsOf(model, state.pattern);
    loadBox.replaceChildren(
      select(
        'offered load',
        loads.map((load) => {
          const stuck = pointsAt(model, state.pattern, load)
            .filter((p) => p.saturated)
            .map((p) => p.routing);
          return `${loadName(load)}${stuck.length ? ` (saturated: ${stuck.join(', ')})` : ''}`;
        }),
        loads.indexOf(state.load),
        (i) => {
          state.load = loads[i];
          draw();
        },
      ),
    );
    const points = pointsAt(model, state.pattern, state.load);
    onPaper.textContent = `Point of load: ${state.pattern}, offered load ${loadName(state.load)}`;
    parts.network.replaceChildren(networkPart(model, points));
    parts.directions.replaceChildren(directionPart(model, points));
    drawDistribution(points);
    const times = timeCharts(model, points);
    parts.time.replaceChildren(
      times.length ? grid(times.map((c) => figure(null, c))) : note('No time series was recorded at this point.'),
    );
    if (hasLearning(model)) parts.learning.replaceChildren(learningPart(model, points));
    drawDecisions(points);
    drawRouters(points);
  }

  function drawDecisions(points) {
    const time = decisionTime(model, state.far === 0);
    const end = contentionEnd(points);
    const maps = end > 0 ? points.filter((p) => p.contentionMap) : [];
    const charts = [
      ...decisionCharts(model, points, time),
      ...maps.map((p) => [
        `${p.routing}: contention factor`,
        contentionChart(onNetworkOf(model, p.routing), p, state.single === 0, end, time),
      ]),
    ].filter(([, c]) => c);
    parts.decisions.replaceChildren(
      charts.length
        ? grid(charts.map(([title, c]) => figure(title, c)))
        : note('No decision of an adaptive routing was recorded at this point.'),
    );
  }

  function drawDistribution(points) {
    const charts = [
      histogramChart(model, points),
      cumulativeChart(model, points, state.tail === 1),
      latencyBoxes(model, points),
    ].filter(Boolean);
    const without = points.filter((p) => p.histogram.length === 0);
    const absent = without.length
      ? note(
          `No distribution: ${without.map((p) => `${p.routing} (${p.saturated ? 'saturated' : 'not recorded'})`).join(', ')}.`,
        )
      : '';
    parts.distribution.replaceChildren(charts.length ? grid(charts.map((c) => figure(null, c))) : '', absent);
  }

  function drawRouters(points) {
    const chosen = points[Math.min(state.routing, points.length - 1)];
    parts.routers.replaceChildren(
      h(
        'div',
        { class: 'controls' },
        select(
          'Routing',
          points.map((p) => p.routing),
          points.indexOf(chosen),
          (i) => {
            state.routing = i;
            drawRouters(points);
          },
        ),
      ),
      chosen ? routerTable(onNetworkOf(model, chosen.routing), chosen) : note('No point.'),
    );
  }

  place = h('div', null, bar, onPaper); // the bar stays in view as far as the sections that it governs
  report.append(place);
  section(
    'network',
    'Network and link loads',
    [term('link utilisation', 'Link utilisation'), ' at the chosen point, on a colour scale from 0 to 1.'],
    parts.network,
  );
  section(
    'links',
    model.grouped ? 'Link loads by group' : 'Link loads by direction',
    model.grouped
      ? 'Mean utilisation of the links from the group of a row to the group of a column; on the diagonal, of the local links.'
      : model.drawing !== 'slices'
        ? 'Mean utilisation of the links of a class.'
        : 'Mean utilisation of the links of a direction, by the coordinate that they leave along it.',
    parts.directions,
  );
  section(
    'distribution',
    'Latency distribution',
    [
      'All measured packets of the chosen point, from generation. The plots end past the 99.95th percentile; circles are p50, p95, ',
      term('p99'),
      ' and p999. Boxes end at the quartiles, whiskers within 1.5 times the box; ◇ is the mean, ▷ p95, □ p99.',
    ],
    h(
      'div',
      { class: 'controls' },
      select('Second plot', ['cumulative', 'tail (logarithmic)'], 0, (i) => {
        state.tail = i;
        drawDistribution(pointsAt(model, state.pattern, state.load));
      }),
    ),
    parts.distribution,
  );
  section(
    'time',
    'Time series',
    ['The chosen point over time; dashed: end of the ', term('warm-up'), '. Saturated points have no latency curve, unless source queues are bounded.'],
    parts.time,
  );
  if (hasLearning(model)) {
    section(
      'learning',
      'Learning',
      [
        'The routings with tables of delivery times, at the chosen point, from empty tables on. Dashed: from there on means ',
        'stay within 5 % of where they end (',
        term('settling time'),
        ').',
      ],
      parts.learning,
    );
  }
  if (hasDecisions(model)) {
    const choose = (key) => (i) => {
      state[key] = i;
      drawDecisions(pointsAt(model, state.pattern, state.load));
    };
    section(
      'decisions',
      'Routing decisions',
      [
        'What the adaptive routers saw and chose at the chosen point, means over the decisions of an interval. ',
        'The map shows where routers find ',
        term('contention factor', 'contention'),
        '.',
      ],
      h(
        'div',
        { class: 'controls' },
        model.switchCycle !== null && select('Time', ['around the change of traffic', 'whole run'], 0, choose('far')),
        model.grouped && select('Map', ['group by group', 'router by router'], 0, choose('single')),
      ),
      parts.decisions,
    );
  }
  section('routers', 'Routers', 'The chosen point router by router; a click on a head sorts.', parts.routers);
  place = report;
  draw();
}

headline();
if (model.points.length || verdict.patterns.length) {
  section(
    'verdict',
    'Verdict',
    [
      'A difference counts beyond its ',
      term('confidence interval', 'interval'),
      ': for mean latencies the root of the sum of the squares of their 95 % half widths, for saturation the ',
      `tolerance of the search, ${verdict.saturation_tolerance}. What does not differ is a tie.`,
    ],
    verdictPart(model, verdict),
  );
}
const { warnings = [] } = data('hopwise-results');
if (warnings.length) section('warnings', 'Warnings', 'What may mislead in these results, and what would mend it.', warningsPart(warnings));
section('command', 'The same page again', null, commandPart(verdict));
report.append(h('div', { class: 'overview' }, factsList(model), contents));
if (model.training.length) section('training', 'Training', trainingLead, trainingPart(model));
if (model.points.length > 0 || model.training.length === 0) curves();
if (model.points.some((p) => swept.includes(p.pattern) && typeof p.fairness.jain === 'number')) {
  section(
    'fairness',
    'Fairness',
    [
      'Accepted flits of the worst, the average and the best ',
      term('terminal'),
      ' as a part of what it offered (dotted: all of it), and ',
      term('fairness', "Jain's index"),
      ' of these parts.',
    ],
    grid(
      swept.map((pattern) =>
        [fairnessChart(model, pattern), jainChart(model, pattern)].filter(Boolean).map((c) => figure(pattern, c)),
      ),
    ),
  );
}
pointDetail();
if (model.points.length || model.partial.length) {
  section(
    'points',
    'All points',
    'Loads as fractions of the capacity of a terminal link, latencies in core cycles.',
    pointTable(model),
  );
}
if (model.proofs.length) {
  section(
    'proof',
    'Proof',
    'The generator writes no hardware before the routing is proved free of deadlock.',
    proofTable(model),
  );
}
if (model.points.length) {
  section(
    'accounting',
    'Accounting',
    'Packets of the whole run: what was injected is delivered or in flight, or dropped by a check and counted, and nothing is lost.',
    accountingTable(model),
  );
}
if (model.yaml) section('configuration', 'Configuration', null, h('pre', { class: 'yaml' }, model.yaml));
section('glossary', 'Glossary', null, glossaryList());
