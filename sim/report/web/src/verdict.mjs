// SPDX-License-Identifier: Apache-2.0
// Which routing: what the command found (verdict.cpp), with the load of the latencies chosen by the reader. Nothing is computed here.
import { h, note, select } from './dom.mjs';
import { term } from './glossary.mjs';
import { loadName } from './model.mjs';

const outcomeTags = { win: ['good', 'clear'], tie: ['warn', 'tie'], unjudged: ['warn', 'not judged'] };

function outcomeTag(finding) {
  const [kind, label] = outcomeTags[finding.outcome] ?? [];
  return kind && h('span', { class: `tag ${kind}` }, label);
}

const sentence = (text) => text.replaceAll('+-', '±');

const row = (head, ...body) => h('div', null, h('dt', null, head), h('dd', null, body));

/// Where a pattern's list of latencies starts: the load that all routings sustain.
export const startOf = (pattern) =>
  Math.max(
    0,
    pattern.latency.findIndex(({ load }) => load === pattern.default_load),
  );

function latencyRow(pattern) {
  const loads = pattern.latency.map(({ load }) => loadName(load));
  const body = h('dd');
  const draw = (i) => body.replaceChildren(outcomeTag(pattern.latency[i]) ?? '', ' ', sentence(pattern.latency[i].text));
  draw(startOf(pattern));
  const head =
    loads.length > 1
      ? select('Latency at load', loads, startOf(pattern), draw)
      : pattern.latency[0].load === null
        ? 'Latency'
        : `Latency at load ${loads[0]}`;
  return h('div', null, h('dt', null, head), body);
}

function answer(model, pattern) {
  const { choice } = pattern;
  const swatch = (routing) =>
    h('span', { class: 'swatch', style: `background:${model.colours[model.routings.indexOf(routing)] ?? 'none'}` });
  return h(
    'div',
    { class: 'answer' },
    h('h3', null, pattern.pattern),
    choice &&
      h(
        'p',
        { class: 'choice' },
        choice.routings.map((routing, i) => [i > 0 && ' or ', swatch(routing), h('strong', null, routing)]),
        ` ${choice.why}.`,
      ),
    h(
      'dl',
      null,
      pattern.completion && row('Completion', outcomeTag(pattern.completion) ?? '', ' ', sentence(pattern.completion.text)),
      pattern.saturation && row(term('saturation throughput', 'Saturation'), outcomeTag(pattern.saturation) ?? '', ' ', sentence(pattern.saturation.text)),
      pattern.latency.length > 0 && latencyRow(pattern),
    ),
  );
}

/// The section's body.
export function verdictPart(model, verdict) {
  return h(
    'div',
    null,
    verdict.patterns.length ? verdict.patterns.map((pattern) => answer(model, pattern)) : note('No point was measured.'),
    verdict.cost.length > 0 &&
      h(
        'div',
        { class: 'answer' },
        h('h3', null, 'Cost of a router'),
        h('dl', null, verdict.cost.map((finding) => row(finding.of, outcomeTag(finding) ?? '', ' ', sentence(finding.text)))),
      ),
  );
}

/// What the results do not say: one paragraph each, with what it concerns.
export const warningsPart = (warnings) =>
  warnings.map(({ code, text, routings = [], pattern, loads = [] }) =>
    h(
      'div',
      { class: 'answer doubt' },
      h(
        'p',
        { class: 'about' },
        h('span', { class: 'tag warn' }, code),
        ' ',
        [routings.join(', '), pattern, loads.length > 0 && `load ${loads.map(loadName).join(', ')}`].filter(Boolean).join(' · '),
      ),
      h('p', null, text.charAt(0).toUpperCase() + text.slice(1), '.'),
    ),
  );

/// The command line, and where its files come from.
export const commandPart = ({ command }) =>
  h('div', null, h('pre', { class: 'yaml command' }, command.line), h('p', { class: 'note' }, command.note));
