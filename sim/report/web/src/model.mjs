// SPDX-License-Identifier: Apache-2.0
// The results as the sections want them: every optional field has a value or null, latencies of saturated points are
// null unless source queues are bounded, and routings have one colour throughout the page.

// With a contrast of 3 and more on a light page and on a dark one.
export const palette = ['#2f7dc4', '#cf661c', '#3f9150', '#9a62b3', '#a07c1e', '#71808d', '#cf4862', '#2b9494',
  '#5b6fd6', '#b0508f', '#6c8c1f', '#b05f3f', '#328fae', '#a36fd0', '#94785a', '#c4547c'];
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'triangle-down', 'cross'];

const list = (value) => (Array.isArray(value) ? value : []);
const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
/// The rest of a run; null where either is not known.
const difference = (whole, part) => (number(whole) === null || number(part) === null ? null : whole - part);
export const unique = (values) => [...new Set(values)];

function point(raw) {
  const saturated = raw.saturated === true;
  // Packets wait in bounded queues only: beyond saturation too, latency has a steady state.
  const bounded = raw.source_queue_packets > 0;
  // Of a workload that ended by itself; its latencies are of all its packets.
  const completion = number(raw.completion_cycles);
  const hidden = saturated && !bounded && completion === null;
  const latency = (value) => (hidden || !value || typeof value !== 'object' ? {} : value);
  return {
    ...raw,
    routing: String(raw.routing ?? '?'),
    pattern: String(raw.pattern ?? '?'),
    offered_load: number(raw.offered_load),
    accepted_load: number(raw.accepted_load),
    measuredCycles: number(raw.measured_cycles) ?? difference(raw.cycles, raw.warmup_cycles),
    saturated,
    completion,
    latency: latency(raw.latency_cycles),
    networkLatency: latency(raw.network_latency_cycles),
    linkLatency: latency(
      typeof raw.latency_link_cycles === 'number' ? { mean: raw.latency_link_cycles } : raw.latency_link_cycles,
    ),
    packets: raw.packets ?? {},
    fairness: raw.fairness ?? {},
    hasLatency: !hidden,
    histogram: hidden ? [] : list(raw.histogram),
    timeSeries: list(raw.time_series),
    settling: list(raw.settling),
    learning: raw.learning ?? null,
    utilisation: list(raw.link_utilisation),
    routers: list(raw.routers),
    jobs: list(raw.jobs),
    contentionMap: contentionMap(raw.contention_map),
  };
}

/// {window, rows[time][router]}, or null.
function contentionMap(raw) {
  const rows = list(raw?.rows).map(list);
  return rows.length && number(raw.window_cycles) ? { window: raw.window_cycles, rows } : null;
}

/// The course of a training, one row per entry of `decisions`; what was not recorded is null. Empty without a training.
function trainingRows(raw) {
  const fields = ['decisions', 'cycle', 'mean_value', 'mean_reward', 'loss', 'epsilon', 'accepted', 'nonminimal'];
  return list(raw?.decisions).map((_, i) => Object.fromEntries(fields.map((field) => [field, number(list(raw[field])[i])])));
}

/// What belongs to one network: its sizes and its channels.
function networkOf(raw) {
  const network = raw.network ?? {};
  const dims = list(network.dims);
  const layout = network.layout ?? {};
  return {
    network,
    dims,
    drawing: layout.drawing ?? 'none', // 'slices' of a grid, 'circle' of groups, 'places'
    grouped: layout.drawing === 'circle',
    places: list(layout.places),
    caption: layout.caption ?? '',
    routerNames: list(layout.routers),
    linkClasses: list(layout.link_classes),
    routerCount: number(network.routers) ?? dims.reduce((product, size) => product * size, 1),
    channels: list(raw.channels),
  };
}

export function readResults(raw) {
  const isPartial = (p) => p.partial === true || p.stopped === 'failed';
  const points = list(raw.points).filter((p) => !isPartial(p)).map(point);
  // What an interruption or a failure cut short: a line in the table of points, without numbers that look final.
  const partial = list(raw.points)
    .filter(isPartial)
    .map(({ routing, pattern, offered_load, stopped }) => point({ routing, pattern, offered_load, stopped }));
  const proofs = list(raw.proofs);
  const saturation = list(raw.saturation);
  const routings = unique([...points, ...proofs, ...saturation].map((entry) => String(entry.routing ?? '?')));
  const patterns = unique(points.map((p) => p.pattern));
  const others = list(raw.networks).map((entry) => ({ routings: list(entry.routings), network: networkOf(entry) }));
  return {
    ...networkOf(raw),
    others,
    switchCycle: number(raw.traffic_switch_cycle),
    switchLoad: number(raw.traffic_switch_load),
    clockGhz: number(raw.core_clock_ghz),
    version: raw.hopwise ?? '',
    training: trainingRows(raw.training),
    yaml: [
      typeof raw.config_yaml === 'string' ? raw.config_yaml : '',
      ...list(raw.overrides).map((override) => `# --set ${override}`),
    ].join('\n').trim(),
    proofs,
    saturation,
    costs: list(raw.costs),
    points,
    partial,
    routings,
    patterns,
    // Without loads to sweep: what counts is when they are done.
    closed: patterns.filter((name) => {
      const own = points.filter((p) => p.pattern === name);
      return own.every((p) => p.completion !== null) && unique(own.map((p) => p.routing)).length === own.length;
    }),
    colours: routings.map((_, i) => palette[i % palette.length]),
    shapes: routings.map((_, i) => shapes[i % shapes.length]),
  };
}

/// The model with the network that a routing runs on: `hopwise compare` puts several networks on one page.
export function onNetworkOf(model, routing) {
  const other = model.others.find((entry) => entry.routings.includes(routing));
  return other ? { ...model, ...other.network } : model;
}

/// The offered loads measured for a pattern, ascending; null alone where each routing has its own.
export const loadsOf = (model, pattern) =>
  model.closed.includes(pattern) ? [null] : unique(model.points.filter((p) => p.pattern === pattern).map((p) => p.offered_load)).sort((a, b) => a - b);

/// A load of that list.
export const loadName = (load) => (load === null ? 'its own' : String(Number(load.toFixed(4))));

/// One point per routing at a pattern and load of `loadsOf`; routings without one are left out.
export const pointsAt = (model, pattern, load) =>
  model.routings
    .map((routing) =>
      model.points.find((p) => p.routing === routing && p.pattern === pattern && (load === null || p.offered_load === load)),
    )
    .filter(Boolean);

/// The highest load at which every routing that was measured has a latency, else the lowest load.
export function defaultLoad(model, pattern) {
  const loads = loadsOf(model, pattern);
  const count = model.routings.filter((r) => model.points.some((p) => p.routing === r && p.pattern === pattern)).length;
  const steady = loads.filter((load) => {
    const here = pointsAt(model, pattern, load);
    return here.length === count && here.every((p) => !p.saturated);
  });
  return steady.length ? steady[steady.length - 1] : loads[0];
}

export const coordinates = (dims, router) => {
  let rest = router;
  return dims.map((size) => {
    const coordinate = rest % size;
    rest = Math.floor(rest / size);
    return coordinate;
  });
};

export const routerName = ({ routerNames }, router) => routerNames[router] ?? `router ${router}`;

/// "+d0" in a grid; elsewhere the class of the link.
export const directionName = ({ linkClasses }, channel) =>
  channel.plus === undefined
    ? (linkClasses[channel.class] ?? '?')
    : `${channel.plus ? '+' : '−'}d${channel.class}`;

/// "1,234.5"; an en dash for what was not measured.
export function show(value, decimals = 0) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '–';
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
