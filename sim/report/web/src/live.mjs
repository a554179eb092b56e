// SPDX-License-Identifier: Apache-2.0
// The page of a campaign that runs: what state.json tells, asked for each second; what has not changed is not drawn again.
import { acceptedChart, latencyChart, statistics } from './curves.mjs';
import { figure, grid, h, note, select, table } from './dom.mjs';
import { readResults, show } from './model.mjs';
import { countsText, duration, hasEnded, leftText } from './progress.mjs';

const everySecond = 1000;
const patience = 15000; // of a question, in ms
const page = document.getElementById('campaign');
const parts = {
  head: h('header'),
  bar: h('progress', { max: 1, value: 0 }),
  left: h('p', { class: 'lead', role: 'status' }),
  link: h('p', { class: 'note' }),
  failed: h('div'),
  experiments: h('div'),
};
const drawn = new Map(); // by experiment: its section, and what it was made of
let statistic = statistics[0][0];
let [text, state, came, heard] = ['', null, 0, null];

function drawHead() {
  document.title = `${state.name || 'campaign'} – Hopwise`;
  parts.head.replaceChildren(
    h('p', { class: 'brand' }, `Hopwise ${state.hopwise}, campaign${state.quick ? ', quick: shorter and fewer runs' : ''}`),
    h('h1', null, state.name || 'Campaign'),
  );
  const { tasks } = state;
  const under = (state.experiments ?? []).flatMap((e) => e.running).reduce((sum, t) => sum + (t.loads ? Math.min(1, t.points / t.loads) : 0), 0);
  parts.bar.value = tasks?.all ? (tasks.done + tasks.failed + under) / tasks.all : 0;
}

function drawLeft() {
  if (!state) return;
  const since = (Date.now() - came) / 1000;
  parts.left.replaceChildren(`${state.tasks ? `${countsText(state.tasks)}; ` : ''}${leftText(state, since)}`);
}

function drawLink(error) {
  const ended = state?.tasks && hasEnded(state.tasks);
  parts.link.hidden = error === null;
  if (error === null) return;
  parts.link.replaceChildren(
    heard === null
      ? `No answer: ${error}.`
      : `No answer for ${duration((Date.now() - heard) / 1000)}: this is the last that was heard. ${
          ended ? 'The campaign has ended; index.html in its directory is its report.' : 'The campaign has been stopped, or its machine is busy.'
        }`,
  );
}

function drawFailures() {
  const failed = (state.experiments ?? []).flatMap((e) => e.failed);
  const key = JSON.stringify(failed);
  if (key === parts.failed.dataset.key) return;
  parts.failed.dataset.key = key;
  const one = ({ task, state: how, log, text: said }) =>
    h('details', { class: 'failure', open: true }, h('summary', null, h('span', { class: 'tag warn' }, how), ` ${task}; ${log}`), h('pre', null, said));
  parts.failed.replaceChildren(
    ...(failed.length ? [h('section', { id: 'failed' }, h('h2', null, 'Tasks that failed or were cut short'), failed.map(one))] : []),
  );
  parts.failed.querySelectorAll('pre').forEach((log) => log.scrollTo(0, log.scrollHeight)); // why it failed stands last
}

const numberColumn = (head, get, decimals) => ({ head, value: get, show: (value) => show(value, decimals) });
const wordColumn = (head, get) => ({ head, text: true, value: get });
const stateOf = (p) => (p.completion !== null ? `complete after ${show(p.completion)} cycles` : p.saturated ? 'saturated' : 'steady');

function pointsTable(model) {
  return table(
    [
      wordColumn('routing', (p) => p.routing),
      wordColumn('pattern', (p) => p.pattern),
      numberColumn('offered load', (p) => p.offered_load, 3),
      numberColumn('accepted load', (p) => p.accepted_load, 3),
      numberColumn('mean latency, cycles', (p) => p.latency.mean, 1),
      numberColumn('p99', (p) => p.latency.p99),
      numberColumn('seeds', (p) => p.seeds?.length),
      wordColumn('', stateOf),
    ],
    model.points,
    40,
  );
}

function curves(model) {
  const swept = model.patterns.filter((pattern) => !model.closed.includes(pattern));
  return grid(
    swept.flatMap((pattern) => [
      figure(`${pattern}, latency`, latencyChart(model, pattern, statistic, false, false)),
      figure(`${pattern}, accepted load`, acceptedChart(model, pattern)),
    ]),
  );
}

function newExperiment(name) {
  const of = { counts: h('p', { class: 'lead' }), running: h('ul'), curves: h('div'), points: h('div') };
  const details = h('details', null, h('summary', null, 'Points'), of.points);
  const section = h('section', { id: name }, h('h2', null, name), of.counts, of.running, of.curves, details);
  parts.experiments.append(section);
  return { ...of, section, made: '' };
}

function drawExperiment({ name, tasks, running, results }) {
  if (!drawn.has(name)) drawn.set(name, newExperiment(name));
  const here = drawn.get(name);
  const { network, points } = results;
  const sizes = network.name ? `; ${network.name}: ${network.routers} routers, ${network.terminals} terminals` : '';
  here.counts.replaceChildren(`${countsText(tasks)}; ${points.length} points${sizes}`);
  here.running.replaceChildren(
    ...running.map((t) => h('li', null, `${t.task}: ${t.points}${t.loads ? ` of ${t.loads}` : ''} points`)),
  );
  const made = statistic + JSON.stringify(results);
  if (made === here.made) return;
  here.made = made;
  const model = readResults(results);
  here.curves.style.minHeight = `${here.curves.offsetHeight}px`; // plots are drawn a moment later
  here.curves.replaceChildren(points.length ? curves(model) : note('No point yet.'));
  here.points.replaceChildren(pointsTable(model));
}

function drawExperiments() {
  const names = (state.experiments ?? []).map((e) => e.name);
  drawn.forEach(({ section }, name) => {
    if (names.includes(name)) return;
    section.remove();
    drawn.delete(name);
  });
  state.experiments.forEach(drawExperiment);
}

async function ask() {
  try {
    const answer = await fetch('state.json', { cache: 'no-cache', signal: AbortSignal.timeout(patience) });
    const said = await answer.text();
    if (!answer.ok) throw new Error(said.trim() || answer.statusText);
    heard = Date.now();
    if (said !== text) {
      [text, state, came] = [said, JSON.parse(said), Date.now()];
      drawHead();
      drawFailures();
      drawExperiments();
    }
    drawLink(null);
  } catch (error) {
    drawLink(error.message);
  }
  drawLeft();
  setTimeout(ask, everySecond);
}

page.append(
  parts.head,
  parts.bar,
  parts.left,
  parts.link,
  h(
    'div',
    { class: 'controls' },
    select('Latency', statistics.map(([, label]) => label), 0, (i) => {
      statistic = statistics[i][0];
      if (state) drawExperiments();
    }),
  ),
  parts.failed,
  parts.experiments,
);
ask();
