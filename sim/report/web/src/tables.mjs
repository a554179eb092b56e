// SPDX-License-Identifier: Apache-2.0
// The tables: points, saturation, accounting, proofs, routers.
import { h, table } from './dom.mjs';
import { term } from './glossary.mjs';
import { routerName, show } from './model.mjs';
import { outgoing } from './network.mjs';

const text = (head, field) => ({ head, text: true, value: (row) => row[field] });
const value = (head, get, decimals = 0) => ({ head, value: get, show: (v) => show(v, decimals) });
const tag = (kind, label) => h('span', { class: `tag ${kind}` }, label);

const outcome = {
  head: 'ended by',
  text: true,
  value: (p) => (p.saturated ? 'saturated' : (p.stopped ?? '–')),
  show: (v) => (['saturated', 'interrupted', 'failed'].includes(v) ? tag('warn', v) : v),
};

export function pointTable(model) {
  const linkCycles = model.points.some((p) => typeof p.linkLatency.mean === 'number');
  return table(
    [
      text('routing', 'routing'),
      text('pattern', 'pattern'),
      value(term('offered load', 'offered'), (p) => p.offered_load, 3),
      value(term('accepted load', 'accepted'), (p) => p.accepted_load, 3),
      value(term('latency'), (p) => p.latency.mean, 1),
      value(term('confidence interval', '± 95 %'), (p) => p.latency.ci95, 1),
      ...(linkCycles ? [value('link cycles', (p) => p.linkLatency.mean, 1)] : []),
      ...['p50', 'p95', 'p99', 'p999', 'max'].map((name) =>
        value(name === 'p99' ? term('p99') : name, (p) => p.latency[name]),
      ),
      value(term('network latency', 'network'), (p) => p.networkLatency.mean, 1),
      value(term('hop', 'hops'), (p) => p.hops_mean, 2),
      ...(model.closed.length ? [value('completion', (p) => p.completion)] : []),
      value(term('fairness', 'Jain'), (p) => p.fairness.jain, 4),
      outcome,
    ],
    [...model.points, ...model.partial],
    60,
  );
}

/// Whether what was injected is delivered, in flight, or was dropped or damaged by a fault that was asked for.
export function balance(n) {
  if (['injected', 'delivered', 'in_flight'].some((k) => typeof n[k] !== 'number')) return '–';
  const gone = Object.values(n.dropped ?? {}).reduce((a, b) => a + b, n.damaged ?? 0);
  return n.injected === n.delivered + n.in_flight + gone && !n.lost ? 'exact' : 'WRONG';
}

export function accountingTable(model) {
  const packets = (head, name) => value(head, (p) => p.packets[name]);
  return table(
    [
      text('routing', 'routing'),
      text('pattern', 'pattern'),
      value('offered', (p) => p.offered_load, 3),
      packets('injected', 'injected'),
      packets('delivered', 'delivered'),
      packets(term('in flight'), 'in_flight'),
      packets('lost', 'lost'),
      {
        head: 'balance',
        text: true,
        value: (p) => balance(p.packets),
        show: (v) => (v === '–' ? v : tag(v === 'exact' ? 'good' : 'bad', v)),
      },
      value(term('warm-up', 'warm-up cycles'), (p) => p.warmup_cycles),
      value('measured cycles', (p) => p.measuredCycles),
      { head: 'seed', value: (p) => p.seed, show: (v) => String(v ?? '–') },
      outcome,
    ],
    model.points,
    60,
  );
}

/// Saturation throughput, and how it compares with that of the first routing on the same pattern.
export function saturationTable(model) {
  const base = (row) =>
    model.saturation.find((entry) => entry.pattern === row.pattern && entry.routing === model.routings[0]);
  const gain = (row) => (base(row) && base(row) !== row ? 100 * (row.throughput / base(row).throughput - 1) : null);
  const place = (row) =>
    model.patterns.indexOf(row.pattern) * model.routings.length + model.routings.indexOf(row.routing);
  const colour = (row) => model.colours[model.routings.indexOf(row.routing)];
  return table(
    [
      text('pattern', 'pattern'),
      text('routing', 'routing'),
      value(term('saturation throughput'), (row) => row.throughput, 3),
      {
        head: '0 to 1',
        text: true,
        value: (row) => row.throughput,
        show: (v, row) =>
          h(
            'span',
            { class: 'bar' },
            h('span', { style: `width:${(100 * Math.min(1, v ?? 0)).toFixed(1)}%;background:${colour(row)}` }),
          ),
      },
      {
        head: `against ${model.routings[0]}`,
        value: gain,
        show: (v) => (typeof v === 'number' ? `${v < 0 ? '−' : '+'}${show(Math.abs(v), 1)} %` : '–'),
      },
      value('accepted at load 1.0', (row) => row.accepted_beyond, 3),
      value(term('worst terminal'), (row) => row.fairness_beyond?.min, 3),
    ],
    [...model.saturation].sort((a, b) => place(a) - place(b)),
  );
}

/// Published numbers beside measured ones, as they have been judged, in the publication's units.
export function publishedTable(rows) {
  const digits = (v) => (typeof v === 'number' ? String(Number(v.toPrecision(4))) : '–');
  const bound = (row) => (row.at_most ? '≤ ' : '');
  return table(
    [
      ...(new Set(rows.map((row) => row.network)).size > 1 ? [text('network', 'network')] : []),
      { head: 'figure', text: true, value: (row) => row.figure, show: String },
      text('pattern', 'pattern'),
      { head: 'load', value: (row) => row.load, show: (v, row) => `${show(v, 2)}${row.load_assumed ? ' (not given)' : ''}` },
      text('routing', 'routing'),
      text('published as', 'name'),
      { ...text('quantity', 'quantity'), show: (v) => v.replaceAll('_', ' ') },
      {
        head: 'published',
        value: (row) => [row.published].flat()[0],
        show: (_, row) => bound(row) + [row.published].flat().map(digits).join(' to '),
      },
      text('source', 'source'),
      { head: 'measured', value: (row) => row.measured, show: (v, row) => `${row.at_least ? '≥ ' : ''}${digits(v)}` },
      { head: 'difference', value: (row) => row.difference, show: (v) => `${v < 0 ? '−' : '+'}${show(100 * Math.abs(v), 1)} %` },
      {
        head: 'verdict',
        text: true,
        value: (row) => row.verdict,
        show: (v) => tag(v === 'differs' ? 'warn' : 'good', v),
      },
    ],
    rows,
    60,
  );
}

/// Per pattern, whether the published order of the routings is kept.
export function orderTable(orders) {
  return table(
    [
      text('network', 'network'),
      text('pattern', 'pattern'),
      { head: 'pairs in order', value: (row) => row.pairs - row.wrong.length, show: (v, row) => `${v} of ${row.pairs}` },
      {
        head: 'order kept',
        text: true,
        value: (row) => (row.wrong.length ? 'no' : 'yes'),
        show: (v) => tag(v === 'yes' ? 'good' : 'warn', v),
      },
      {
        head: 'published higher, but not measured so',
        text: true,
        value: (row) => row.wrong.map(([high, low]) => `${high} over ${low}`).join(', '),
        show: (v) => v || '–',
      },
    ],
    orders,
  );
}

export function proofTable(model) {
  const classes = (proof) =>
    (proof.vc_classes ?? []).map(
      (c) => `${c.name}: VC ${c.first}${c.count > 1 ? `–${c.first + c.count - 1}` : ''}${c.escape ? ' (escape)' : ''}`,
    );
  return table(
    [
      text('routing', 'routing'),
      {
        head: 'result',
        text: true,
        value: (p) => p.result,
        show: (v) => tag(v === 'proved' ? 'good' : 'bad', v === 'proved' ? 'free of deadlock' : (v ?? '–')),
      },
      { ...text('method', 'method'), wrap: true },
      {
        head: [term('virtual channel', 'virtual channels'), ' (', term('escape channel', 'escape'), ')'],
        text: true,
        value: (p) => classes(p).join(', '),
        show: (_, p) => classes(p).map((line) => h('div', null, line)),
      },
      value('channels', (p) => p.channels),
      value('VCs', (p) => p.vcs),
      value(term('dependency', 'dependencies'), (p) => p.dependencies),
      {
        head: [term('hop'), ' bound'],
        value: (p) => p.hop_bound,
        show: (v) => (typeof v === 'number' ? show(v) : 'none'),
      },
      {
        head: term('in order'),
        text: true,
        value: (p) => (p.in_order === undefined ? '–' : p.in_order ? 'yes' : 'no'),
      },
    ],
    model.proofs,
  );
}

/// The routers at a point: flits in and out, counters, mean and busiest of the links that leave each.
export function routerTable(model, point) {
  const out = outgoing(model);
  const loads = (router) => out[router].map((id) => point.utilisation[id]).filter((v) => typeof v === 'number');
  const counters = new Map(point.routers.map((entry) => [entry.router, entry]));
  const rows = Array.from({ length: model.routerCount }, (_, router) => {
    const load = loads(router);
    return {
      ...counters.get(router),
      router,
      mean: load.length ? load.reduce((a, b) => a + b, 0) / load.length : null,
      busiest: load.length ? Math.max(...load) : null,
    };
  });
  const extra = [...new Set(point.routers.flatMap((entry) => Object.keys(entry)))].filter(
    (key) => key !== 'router' && point.routers.some((entry) => typeof entry[key] === 'number'),
  );
  return table(
    [
      value('router', (row) => row.router),
      {
        head: 'name',
        text: true,
        value: (row) => row.router,
        show: (_, row) => routerName(model, row.router),
      },
      value([term('link utilisation'), ', mean'], (row) => row.mean, 3),
      value('busiest link', (row) => row.busiest, 3),
      ...extra.map((key) => value(key.replaceAll('_', ' '), (row) => row[key])),
    ],
    rows,
    32,
  );
}
