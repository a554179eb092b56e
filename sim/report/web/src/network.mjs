// SPDX-License-Identifier: Apache-2.0
// The network drawn: routers at their grid positions, every channel coloured by its utilisation.
import { s, h, tip } from './dom.mjs';
import { circle } from './circle.mjs';
import { channelPath, layout, places } from './layout.mjs';
import { coordinates, directionName, routerName, show } from './model.mjs';

export const heatStops = [0, 0.35, 0.7, 1];

/// The colour of a utilisation from 0 to 1, the same in every report; style.css has the colours at the stops, for light pages and
/// for dark ones.
export function heat(utilisation) {
  if (utilisation === null || utilisation === undefined) return 'var(--idle)';
  const x = Math.min(1, Math.max(0, utilisation));
  const i = Math.max(
    1,
    heatStops.findIndex((stop) => stop >= x),
  );
  const part = (x - heatStops[i - 1]) / (heatStops[i] - heatStops[i - 1]);
  return `color-mix(in srgb, var(--heat-${i}) ${(100 * part).toFixed(1)}%, var(--heat-${i - 1}))`;
}

export function heatLegend() {
  const steps = Array.from({ length: 24 }, (_, i) => i / 23);
  return s(
    'svg',
    { class: 'legend', width: 330, height: 34, role: 'img', 'aria-label': 'Colour scale of link utilisation' },
    s('text', { x: 0, y: 10 }, 'link utilisation (fraction of link capacity)'),
    steps.map((x, i) => s('rect', { x: 22 + i * 9, y: 18, width: 9.3, height: 10, fill: heat(x) })),
    s('text', { x: 0, y: 27 }, '0'),
    s('text', { x: 244, y: 27 }, '1'),
  );
}

function sliceLabels(model, plan) {
  const { cell, columns, rows, slices, d2, d3, origin } = plan;
  const every = cell >= 16 ? 1 : Math.ceil(16 / cell);
  const labels = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const [left, top] = origin(slice);
    const bottom = top + (rows + (rows > 1 ? 0.26 : 0.1)) * cell + 10;
    const middle = left + (1.15 + (columns - 1) / 2) * cell;
    if (slices > 1) {
      const name = d3 > 1 ? `d2 = ${slice % d2}, d3 = ${Math.floor(slice / d2)}` : `d2 = ${slice}`;
      labels.push(s('text', { x: middle, y: top - 4, class: 'slice' }, name));
    }
    for (let x = 0; x < columns; x += every) {
      labels.push(s('text', { x: left + (x + 1.15) * cell, y: bottom, class: 'axis' }, x));
    }
    for (let y = 0; y < rows && model.dims.length > 1; y += every) {
      labels.push(s('text', { x: left + 0.28 * cell, y: top + (rows - 1 - y + 0.8) * cell + 3, class: 'axis' }, y));
    }
  }
  return labels;
}

const groupLabels = (model, plan) =>
  Array.from({ length: model.dims[1] }, (_, group) => {
    const [x, y] = plan.label(group);
    return s('text', { x, y: y + 3.5, class: 'axis' }, `g${group}`);
  });

const load = (value) => (typeof value === 'number' ? show(value, 3) : '–');

function channelLines(model, point, id) {
  const channel = model.channels[id];
  return [
    `${routerName(model, channel.src)} → ${routerName(model, channel.dst)} [${directionName(model, channel)}]` +
      (channel.wraparound ? ' wraparound' : ''),
    `utilisation ${load(point?.utilisation[id])}`,
  ];
}

function routerLines(model, point, router, out) {
  const counters = point?.routers.find((entry) => entry.router === router);
  const lines = [`router ${routerName(model, router)}, number ${router}`];
  for (const id of out[router]) {
    const channel = model.channels[id];
    lines.push(`${directionName(model, channel)} to ${routerName(model, channel.dst)}: ${load(point?.utilisation[id])}`);
  }
  if (counters) lines.push(`flits in ${show(counters.flits_in)}, out ${show(counters.flits_out)}, terminals included`);
  return lines;
}

export function outgoing(model) {
  const out = Array.from({ length: model.routerCount }, () => []);
  model.channels.forEach((channel, id) => out[channel.src]?.push(id));
  return out;
}

/// A network whose results say where its routers stand.
export const drawable = (model) => model.drawing !== 'none' && model.channels.length > 0;

function planOf(model, width, height) {
  if (model.drawing === 'circle') return circle(model.dims, width, height);
  return model.drawing === 'slices' ? layout(model.dims, width, height) : places(model.places, width, height);
}

function labels(model, plan) {
  if (model.drawing === 'circle') return groupLabels(model, plan);
  return model.drawing === 'slices' ? sliceLabels(model, plan) : [];
}

/// What stands in a router's square: its coordinates on the plane, its number in its group, or its name.
function mark(model, router) {
  if (model.drawing === 'places') return routerName(model, router);
  return coordinates(model.dims, router).slice(0, model.grouped ? 1 : 2).join(',');
}

/// One drawing; `point` may be null (no load: the topology alone).
export function drawNetwork(model, point, width, height) {
  const plan = planOf(model, width, height);
  const out = outgoing(model);
  const { cell, half } = plan;
  const stroke = plan.stroke ?? Math.min(3, Math.max(1.3, 0.062 * cell));
  const measured = point && point.utilisation.length > 0;
  // Busy links are drawn last, over the idle ones that they cross.
  const order = model.channels.map((_, id) => id);
  if (measured) order.sort((a, b) => (point.utilisation[a] ?? 0) - (point.utilisation[b] ?? 0));
  const links = order.map((id) =>
    s('path', {
      d: plan.path ? plan.path(model.channels[id]) : channelPath(plan, model.channels[id]),
      stroke: heat(measured ? (point.utilisation[id] ?? 0) : null),
      // Where lines are hair-thin, busy ones are drawn wider.
      'stroke-width': measured && stroke < 1 ? (stroke * (1 + (point.utilisation[id] ?? 0))).toFixed(2) : null,
      'data-c': id,
    }),
  );
  const dots = [];
  for (let router = 0; router < model.routerCount; router += 1) {
    const [x, y] = plan.place(router);
    dots.push(
      s('rect', { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: half / 4, 'data-r': router }),
    );
    if (cell >= (model.grouped ? 20 : 40)) dots.push(s('text', { x, y: y + 2.6, class: 'router' }, mark(model, router)));
  }
  const svg = s(
    'svg',
    {
      class: 'network',
      width: plan.width.toFixed(0),
      height: plan.height.toFixed(0),
      role: 'img',
      viewBox: `0 0 ${plan.width.toFixed(0)} ${plan.height.toFixed(0)}`,
      'aria-label': `The network ${model.network.name ?? ''}, links coloured by utilisation`,
    },
    s('g', { class: 'links', 'stroke-width': stroke.toFixed(2) }, links),
    s('g', { class: 'routers' }, dots),
    labels(model, plan),
  );

  const rects = new Map([...svg.querySelectorAll('rect[data-r]')].map((rect) => [Number(rect.dataset.r), rect]));
  let marked = [];
  const clear = () => {
    marked.forEach((element) => element.classList.remove('near'));
    marked = [];
  };
  svg.addEventListener('mousemove', (event) => {
    const { c, r } = event.target.dataset ?? {};
    clear();
    if (c === undefined && r === undefined) {
      tip.hide();
      return;
    }
    const near =
      c !== undefined
        ? [model.channels[c].src, model.channels[c].dst]
        : [Number(r), ...out[r].map((id) => model.channels[id].dst)];
    marked = near.map((router) => rects.get(router)).filter(Boolean);
    marked.forEach((element) => element.classList.add('near'));
    tip.show(
      c !== undefined ? channelLines(model, point, c) : routerLines(model, point, Number(r), out),
      event.clientX,
      event.clientY,
    );
  });
  svg.addEventListener('mouseleave', () => {
    clear();
    tip.hide();
  });
  return svg;
}

/// What the lines of a drawing mean, for these dimensions.
export function drawingCaption(model) {
  const point = 'Point at a router or a link to read its load.';
  if (model.drawing === 'places') {
    return h('span', null, model.caption, ' Each pair of lines is the two directions of a link, travel keeps to the right. ', point);
  }
  if (model.grouped) {
    return h(
      'span',
      null,
      'Each group of routers stands on the circle under its name, router 0 first, clockwise. Global links run inside the ',
      'circle, local links outside. Each pair of lines is the two directions of a link, travel keeps to the right. ',
      point,
    );
  }
  const dims = model.dims.length;
  return h(
    'span',
    null,
    'Dimension 0 goes right',
    dims > 1 ? ', dimension 1 up' : '',
    dims > 2
      ? `; each picture is one slice of the network, and the stubs at a router's corners are its links to other slices (${
          dims > 3
            ? '+d2 upper right, −d2 lower left, +d3 upper left, −d3 lower right'
            : '+d2 upper right, −d2 lower left'
        })`
      : '',
    '. Each pair of lines is the two directions of a link, travel keeps to the right; arcs are wraparound links. ',
    point,
  );
}
