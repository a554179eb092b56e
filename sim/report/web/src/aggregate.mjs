// SPDX-License-Identifier: Apache-2.0
// Link loads summed up: by dimension, direction and coordinate; and, for networks too large to draw, a map of routers.
import { h, s, tip } from './dom.mjs';
import { coordinates, directionName, routerName, show } from './model.mjs';
import { heat } from './network.mjs';

/// Mean and maximum utilisation of the channels of each direction of a grid, by the coordinate that they leave; elsewhere of
/// each class of links.
export function byDirection(model, point) {
  const rows = new Map();
  model.channels.forEach((channel, id) => {
    const value = point.utilisation[id];
    if (typeof value !== 'number') return;
    const name = directionName(model, channel);
    const dim = channel.class ?? 0;
    if (!rows.has(name)) rows.set(name, { name, dim, cells: [], sum: 0, count: 0, max: 0 });
    const row = rows.get(name);
    const at = channel.plus === undefined ? 0 : coordinates(model.dims, channel.src)[dim];
    const cell = (row.cells[at] ??= { sum: 0, count: 0, max: 0 });
    for (const total of [row, cell]) {
      total.sum += value;
      total.count += 1;
      total.max = Math.max(total.max, value);
    }
  });
  return [...rows.values()].sort((a, b) => a.dim - b.dim || a.name.localeCompare(b.name));
}

/// A heat map, one row per direction and one column per coordinate along it; a column of means at the end.
export function directionMatrix(model, point) {
  const rows = byDirection(model, point);
  const columns = Math.max(1, ...rows.map((row) => row.cells.length));
  const size = Math.min(44, 390 / columns);
  const [left, top, tall] = [model.drawing === 'slices' ? 40 : 80, 18, 24];
  const right = left + columns * size;
  const small = size < 26;
  const cells = rows.flatMap((row, j) =>
    [...row.cells].map(
      (cell, i) =>
        cell &&
        s(
          'g',
          {
            onmousemove: (event) =>
              tip.show(
                [
                  model.drawing === 'slices' ? `${row.name} links that leave coordinate ${i}` : `${row.name} links`,
                  `mean ${show(cell.sum / cell.count, 3)}`,
                  `maximum ${show(cell.max, 3)}`,
                  `${cell.count} links`,
                ],
                event.clientX,
                event.clientY,
              ),
            onmouseleave: tip.hide,
          },
          s('rect', {
            x: left + i * size,
            y: top + j * tall,
            width: size - 1,
            height: tall - 1,
            fill: heat(cell.sum / cell.count),
          }),
          !small &&
            s(
              'text',
              {
                x: left + (i + 0.5) * size,
                y: top + j * tall + 15,
                class: cell.sum / cell.count > 0.55 ? 'value light' : 'value',
              },
              (cell.sum / cell.count).toFixed(2),
            ),
        ),
    ),
  );
  const every = size >= 16 ? 1 : Math.ceil(16 / size);
  return s(
    'svg',
    { class: 'matrix', width: right + 110, height: top + rows.length * tall + 4 },
    Array.from(
      { length: columns },
      (_, i) => model.drawing === 'slices' && i % every === 0 && s('text', { x: left + (i + 0.5) * size, y: 12, class: 'axis' }, i),
    ),
    s('text', { x: right + 30, y: 12, class: 'axis' }, 'mean'),
    s('text', { x: right + 80, y: 12, class: 'axis' }, 'max'),
    rows.map((row, j) => [
      s('text', { x: left - 10, y: top + j * tall + 15, class: 'direction' }, row.name),
      s('text', { x: right + 30, y: top + j * tall + 15, class: 'value' }, show(row.sum / row.count, 3)),
      s('text', { x: right + 80, y: top + j * tall + 15, class: 'value' }, show(row.max, 3)),
    ]),
    cells,
  );
}

/// Links by the groups that they leave (rows) and lead to (columns): the mean of the global links of two
/// groups, and on the diagonal the mean of the local links of one.
export function groupMatrix(model, point) {
  const groups = model.dims[1];
  const cells = Array.from({ length: groups * groups }, () => ({ sum: 0, count: 0, max: 0 }));
  const groupOf = (router) => Math.floor(router / model.dims[0]);
  model.channels.forEach((channel, id) => {
    const value = point.utilisation[id];
    if (typeof value !== 'number') return;
    const cell = cells[groupOf(channel.src) * groups + groupOf(channel.dst)];
    cell.sum += value;
    cell.count += 1;
    cell.max = Math.max(cell.max, value);
  });
  const size = Math.max(4, Math.min(28, 470 / groups));
  const every = size >= 16 ? 1 : Math.ceil(20 / size);
  const [left, top] = [34, 18];
  const steps = Array.from({ length: groups }, (_, i) => i).filter((i) => i % every === 0);
  const svg = s(
    'svg',
    { class: 'matrix', width: left + groups * size + 4, height: top + groups * size + 4 },
    steps.map((i) => [
      s('text', { x: left + (i + 0.5) * size, y: 12, class: 'axis' }, `g${i}`),
      s('text', { x: left - 5, y: top + (i + 0.5) * size + 3.5, class: 'axis end' }, `g${i}`),
    ]),
    cells.map(
      ({ sum, count }, i) =>
        count > 0 &&
        s('rect', {
          x: (left + (i % groups) * size).toFixed(1),
          y: (top + Math.floor(i / groups) * size).toFixed(1),
          width: (size - 0.7).toFixed(1),
          height: (size - 0.7).toFixed(1),
          fill: heat(sum / count),
          'data-i': i,
        }),
    ),
  );
  svg.addEventListener('mousemove', (event) => {
    const i = event.target.dataset?.i;
    if (i === undefined) {
      tip.hide();
      return;
    }
    const [from, to] = [Math.floor(i / groups), i % groups];
    const { sum, count, max } = cells[i];
    tip.show(
      [
        from === to ? `local links of group ${from}` : `global links from group ${from} to group ${to}`,
        `mean ${show(sum / count, 3)}, maximum ${show(max, 3)}, links ${count}`,
      ],
      event.clientX,
      event.clientY,
    );
  });
  svg.addEventListener('mouseleave', tip.hide);
  return svg;
}

/// Every router (or block of neighbouring routers) a square, coloured by the busiest link that leaves it.
export function routerMap(model, point, width) {
  const [columns, rows = 1, d2 = 1, d3 = 1] = model.dims;
  const slices = d2 * d3;
  const block = Math.max(1, Math.ceil(Math.sqrt(model.routerCount / 16384)));
  const [across, down] = [Math.ceil(columns / block), Math.ceil(rows / block)];
  const perRow = slices === 1 ? 1 : Math.min(slices, Math.max(1, Math.floor(width / (across * 7 + 14))));
  const cell = Math.max(3, Math.min(14, (width / perRow - 14) / across));
  const [pitchX, pitchY] = [across * cell + 14, down * cell + 26];
  const busiest = new Map();
  model.channels.forEach((channel, id) => {
    const [x, y = 0, z = 0, w = 0] = coordinates(model.dims, channel.src);
    const key = `${Math.floor(x / block)},${Math.floor(y / block)},${z + w * d2}`;
    const value = point.utilisation[id] ?? 0;
    if (!busiest.has(key) || busiest.get(key).value < value) busiest.set(key, { value, id });
  });
  const squares = [...busiest].map(([key, { value, id }]) => {
    const [x, y, slice] = key.split(',').map(Number);
    return s('rect', {
      x: ((slice % perRow) * pitchX + x * cell + 4).toFixed(1),
      width: (cell - 0.6).toFixed(1),
      height: (cell - 0.6).toFixed(1),
      y: (Math.floor(slice / perRow) * pitchY + (down - 1 - y) * cell + 16).toFixed(1),
      fill: heat(value),
      'data-id': id,
    });
  });
  const names =
    slices === 1
      ? []
      : Array.from({ length: slices }, (_, i) =>
          s(
            'text',
            {
              x: (i % perRow) * pitchX + 4,
              y: Math.floor(i / perRow) * pitchY + 11,
              class: 'axis start',
            },
            d3 > 1 ? `d2 = ${i % d2}, d3 = ${Math.floor(i / d2)}` : `d2 = ${i}`,
          ),
        );
  const svg = s(
    'svg',
    { class: 'map', width: perRow * pitchX, height: Math.ceil(slices / perRow) * pitchY },
    squares,
    names,
  );
  svg.addEventListener('mousemove', (event) => {
    const id = event.target.dataset?.id;
    if (id === undefined) {
      tip.hide();
      return;
    }
    const channel = model.channels[id];
    tip.show(
      [
        block > 1 ? `block of ${block} × ${block} routers` : `router ${routerName(model, channel.src)}`,
        `busiest link ${routerName(model, channel.src)} → ${routerName(model, channel.dst)} [${directionName(model, channel)}]`,
        `utilisation ${show(point.utilisation[id], 3)}`,
      ],
      event.clientX,
      event.clientY,
    );
  });
  svg.addEventListener('mouseleave', tip.hide);
  return h('div', null, svg);
}
