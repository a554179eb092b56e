// SPDX-License-Identifier: Apache-2.0
// The page: a section per question, in the order in which a reader asks them.
import { directionMatrix, routerMap } from './aggregate.mjs';
import { acceptedChart, fairnessChart, jainChart, latencyChart, statistics } from './curves.mjs';
import { cumulativeChart, histogramChart, timeCharts } from './detail.mjs';
import { figure, h, select } from './dom.mjs';
import { glossaryList, term } from './glossary.mjs';
import { defaultLoad, loadsOf, pointsAt, readResults, routerName, show } from './model.mjs';
import { drawingCaption, drawNetwork, heatLegend, scaleEnd } from './network.mjs';
import { accountingTable, pointTable, proofTable, routerTable, saturationTable } from './tables.mjs';

const model = readResults(JSON.parse(document.getElementById('hopwise-results').textContent));
const pageWidth = 1112;
const largestDrawing = 512; // routers; beyond, links are summed up
const report = document.getElementById('report');
const contents = h('nav', { 'aria-label': 'Contents' });

let place = report; // where the next section goes

function section(id, title, lead, ...body) {
  contents.append(h('a', { href: `#${id}` }, title));
  place.append(h('section', { id }, h('h2', null, title), lead && h('p', { class: 'lead' }, lead), body));
}

const note = (text) => h('p', { class: 'note' }, text);
const grid = (...children) => h('div', { class: 'grid' }, children);

// ---- what was run, and the answer in a line per pattern

function headline() {
  const { network } = model;
  const ring = model.dims.length === 1 && network.kind === 'torus';
  const kind = ring ? `ring of ${model.dims[0]} routers` : `${model.dims.join(' × ')} ${network.kind ?? 'network'}`;
  document.title = `${network.name ?? 'network'} – Hopwise report`;
  const facts = [
    ['routers', show(model.routerCount)],
    ['terminals', show(network.terminals)],
    ['channels', show(model.channels.length)],
    ['bits per flit', show(network.flit_bits)],
    ['flits per packet, at most', show(network.max_flits)],
    [
      'core cycles per flit',
      typeof network.cycles_per_flit === 'number'
        ? show(network.cycles_per_flit, network.cycles_per_flit % 1 ? 2 : 0)
        : (network.cycles_per_flit ?? '–'),
    ],
    ['terminals per router', show(network.terminals_per_router)],
  ];
  report.append(
    h(
      'header',
      null,
      h('p', { class: 'brand' }, `Hopwise ${model.version}`),
      h('h1', null, network.name ?? 'Network'),
      h(
        'p',
        { class: 'lead' },
        `${kind}, routed by ${model.routings.join(' and ') || 'no routing'}`,
        network.hash ? h('span', { class: 'hash' }, ` configuration ${network.hash}`) : '',
      ),
      h(
        'dl',
        { class: 'facts' },
        facts.filter(([, v]) => v !== '–').map(([k, v]) => h('div', null, h('dt', null, k), h('dd', null, v))),
      ),
      contents,
    ),
  );
}

// ---- curves over the load

function curves() {
  if (model.points.length === 0) {
    section('latency', 'Results', null, note('No point was simulated.'));
    return;
  }
  const state = { statistic: 0, network: 0, logarithmic: 0 };
  const holder = h('div');
  const draw = () =>
    holder.replaceChildren(
      grid(
        model.patterns.map((pattern) =>
          figure(
            pattern,
            latencyChart(model, pattern, statistics[state.statistic][0], state.network === 1, state.logarithmic === 1),
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
      ' of the mean. A × at the upper edge is a ',
      term('saturated'),
      ' point: it has no latency. Dashed: ',
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
    grid(model.patterns.map((pattern) => figure(pattern, acceptedChart(model, pattern)))),
  );
  if (model.saturation.length) {
    section('saturation', 'Saturation', 'Fractions of the capacity of a terminal link.', saturationTable(model));
  }
}

// ---- one point of load in detail: its parts are drawn again when another point is chosen

function pointDetail() {
  if (model.points.length === 0) {
    if (model.dims.length && model.channels.length && model.routerCount <= largestDrawing) {
      section(
        'network',
        'Network',
        null,
        figure(null, drawNetwork(model, null, 1, pageWidth, 900), drawingCaption(model)),
      );
    }
    return;
  }
  const state = { pattern: model.patterns[0], tail: 0, routing: 0 };
  state.load = defaultLoad(model, state.pattern);
  const parts = { network: h('div'), directions: h('div'), distribution: h('div'), time: h('div'), routers: h('div') };
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
          return `${show(load, 3)}${stuck.length ? ` (saturated: ${stuck.join(', ')})` : ''}`;
        }),
        loads.indexOf(state.load),
        (i) => {
          state.load = loads[i];
          draw();
        },
      ),
    );
    const points = pointsAt(model, state.pattern, state.load);
    onPaper.textContent = `Point of load: ${state.pattern}, offered load ${show(state.load, 3)}`;
    parts.network.replaceChildren(networkPart(points));
    parts.directions.replaceChildren(directionPart(points));
    drawDistribution(points);
    const times = timeCharts(model, points);
    parts.time.replaceChildren(
      times.length ? grid(times.map((c) => figure(null, c))) : note('No time series was recorded at this point.'),
    );
    drawRouters(points);
  }

  function drawDistribution(points) {
    const charts = [histogramChart(model, points), cumulativeChart(model, points, state.tail === 1)].filter(Boolean);
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
      chosen ? routerTable(model, chosen) : note('No point.'),
    );
  }

  place = h('div', null, bar, onPaper); // the bar stays in view as far as the sections that it governs
  report.append(place);
  section(
    'network',
    'Network and link loads',
    [term('link utilisation', 'Link utilisation'), ' at the chosen point; all routings on one colour scale.'],
    parts.network,
  );
  section(
    'links',
    'Link loads by direction',
    'Mean utilisation of the links of a direction, by the coordinate that they leave along it.',
    parts.directions,
  );
  section(
    'distribution',
    'Latency distribution',
    [
      'All measured packets of the chosen point, from generation. The plots end past the 99.95th percentile; circles are p50, p95, ',
      term('p99'),
      ' and p999.',
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
    ['The chosen point over time; dashed: end of the ', term('warm-up'), '. Saturated points have no latency curve.'],
    parts.time,
  );
  section('routers', 'Routers', 'The chosen point router by router; a click on a head sorts.', parts.routers);
  place = report;
  draw();
}

function networkPart(points) {
  const drawable = model.dims.length > 0 && model.channels.length > 0;
  if (!drawable) return note('The results hold no channels to draw.');
  const measured = points.filter((p) => p.utilisation.length > 0);
  const end = scaleEnd(measured);
  const name = (point) => `${point.routing}${point.saturated ? ' (saturated)' : ''}`;
  if (model.routerCount > largestDrawing) {
    const maps = measured.map((p) => figure(name(p), routerMap(model, p, end, measured.length > 1 ? 530 : pageWidth)));
    return h(
      'div',
      null,
      maps.length ? heatLegend(end) : note('Link loads were not recorded.'),
      h('div', { class: 'drawings' }, maps),
      h(
        'p',
        { class: 'lead' },
        `Each square is a router, in the colour of the busiest link that leaves it (more than ${largestDrawing} routers: links are not drawn one by one).`,
      ),
    );
  }
  const beside = measured.length > 1 && model.routerCount <= 144 && model.dims[0] <= 16;
  const width = beside ? pageWidth / 2 - 12 : pageWidth;
  const height = beside ? 620 : 900;
  const drawings = measured.length
    ? measured.map((p) => figure(name(p), drawNetwork(model, p, end, width, height)))
    : [figure(null, drawNetwork(model, null, 1, width, height))];
  return h(
    'div',
    null,
    measured.length ? heatLegend(end) : note('Link loads were not recorded.'),
    h('div', { class: 'drawings' }, drawings),
    h('p', { class: 'lead' }, drawingCaption(model)),
  );
}

function directionPart(points) {
  const measured = points.filter((p) => p.utilisation.length > 0 && model.channels.length > 0);
  const end = scaleEnd(measured);
  const extremes = (p) => {
    const busiest = p.utilisation.reduce((best, v, i) => (v > p.utilisation[best] ? i : best), 0);
    const channel = model.channels[busiest];
    return channel
      ? `busiest link: ${routerName(model, channel.src)} → ${routerName(model, channel.dst)}, ${show(p.utilisation[busiest], 3)}`
      : '';
  };
  if (measured.length === 0) return note('Link loads were not recorded.');
  return grid(
    measured.map((p) => figure(p.routing, h('div', { class: 'scroll' }, directionMatrix(model, p, end)), extremes(p))),
  );
}

headline();
if (model.proofs.length) {
  section(
    'proof',
    'Proof',
    'The generator writes no hardware before the routing is proved free of deadlock.',
    proofTable(model),
  );
}
curves();
if (model.points.some((p) => typeof p.fairness.jain === 'number' || typeof p.fairness.mean === 'number')) {
  section(
    'fairness',
    'Fairness',
    [
      'Accepted load of the worst, the average and the best ',
      term('terminal'),
      ', and ',
      term('fairness', "Jain's index"),
      '.',
    ],
    grid(
      model.patterns.map((pattern) =>
        [fairnessChart(model, pattern), jainChart(model, pattern)].filter(Boolean).map((c) => figure(pattern, c)),
      ),
    ),
  );
}
pointDetail();
if (model.points.length) {
  section(
    'points',
    'All points',
    'Loads as fractions of the capacity of a terminal link, latencies in core cycles.',
    pointTable(model),
  );
  section(
    'accounting',
    'Accounting',
    'Packets of the whole run: what was injected is delivered or in flight, and nothing is lost.',
    accountingTable(model),
  );
}
if (model.yaml) section('configuration', 'Configuration', null, h('pre', { class: 'yaml' }, model.yaml));
section('glossary', 'Glossary', null, glossaryList());
