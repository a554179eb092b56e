// SPDX-License-Identifier: Apache-2.0
// Where routers and links stand on the page. Dimension 0 goes right, dimension 1 up; each further coordinate is a slice
// of its own. Pure geometry: no elements.
import { coordinates } from './model.mjs';

const margin = 1.5; // cells around a slice, for its labels and wraparound links

/// The largest cells with which all slices fit: slices per row and pixels per cell.
function fit(columns, rows, slices, perRowWanted, width, height) {
  let best = { cell: 0, perRow: 1 };
  for (let perRow = 1; perRow <= slices; perRow += 1) {
    const down = Math.ceil(slices / perRow);
    const across = width / (perRow * (columns + margin));
    const cell = Math.min(56, across, Math.max(18, height / (down * (rows + margin))));
    const wanted = (perRow === perRowWanted ? 1.25 : 1) * (slices % perRow === 0 ? 1.12 : 1);
    if (cell * wanted > best.cell + 0.01) best = { cell: cell * wanted, perRow };
  }
  const { perRow } = best;
  return { perRow, cell: Math.min(best.cell, 56, width / (perRow * (columns + margin))) };
}

export function layout(dims, width, height) {
  const [columns, rows = 1, d2 = 1, d3 = 1] = dims;
  const slices = d2 * d3;
  const { cell, perRow } = fit(columns, rows, slices, d3 > 1 ? d2 : 0, width, height);
  const pitchX = (columns + margin) * cell;
  const pitchY = (rows + margin) * cell + (slices > 1 ? 16 : 4);
  const head = slices > 1 ? 16 : rows > 1 ? 4 : 14; // a slice's name; room for the arc of a ring
  const origin = (slice) => [(slice % perRow) * pitchX, Math.floor(slice / perRow) * pitchY + head];
  const place = (router) => {
    const [x, y = 0, z = 0, w = 0] = coordinates(dims, router);
    const [left, top] = origin(z + w * d2);
    return [left + (x + 1.15) * cell, top + (rows - 1 - y + 0.8) * cell];
  };
  return {
    cell,
    columns,
    rows,
    slices,
    d2,
    d3,
    origin,
    place,
    width: perRow * pitchX,
    height: Math.ceil(slices / perRow) * pitchY + (rows > 1 ? 4 : 26),
    half: 0.2 * cell,
  };
}

/// Routers at the places that the network's layout names, and straight links between them.
export function places(at, width, height) {
  const [xs, ys] = [at.map(([x]) => x), at.map(([, y]) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const cell = Math.min(56, width / (right - left + 2), height / (high - low + 2));
  const place = (router) => [(at[router][0] - left + 1) * cell, (high - at[router][1] + 1) * cell];
  const half = 0.2 * cell;
  return { cell, place, half, straight: 0.4 * half, width: (right - left + 2) * cell, height: (high - low + 2) * cell };
}

const path = (points) =>
  points.map((p) => (typeof p === 'string' ? p : p.map((v) => v.toFixed(1)).join(','))).join(' ');

/// A link along dimension 0 or 1 beside the straight line, to the right of the direction of travel.
function straight([ax, ay], [bx, by], half, offset) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [ox, oy] = [-uy * offset, ux * offset];
  return path(['M', [ax + ux * half + ox, ay + uy * half + oy], 'L', [bx - ux * half + ox, by - uy * half + oy]]);
}

/// A wraparound link: out at one end, back beside the line of routers, in at the other end. Coordinates are (along,
/// aside); `swap` turns them for dimension 1.
function arc(from, to, half, cell, lift, swap) {
  const turn = ([x, y]) => (swap ? [y, x] : [x, y]);
  const [a, side] = turn(from);
  const [b] = turn(to);
  const out = a > b ? 1 : -1;
  const reach = 0.2 * cell + lift * 0.5;
  const p = (along, aside) => turn([along, aside]);
  const level = side - lift;
  const [a0, b0] = [a + out * half, b - out * half];
  return path([
    'M',
    p(a0, side),
    'C',
    p(a0 + out * reach, side),
    p(a0 + out * reach, level),
    p(a0, level),
    'L',
    p(b0, level),
    'C',
    p(b0 - out * reach, level),
    p(b0 - out * reach, side),
    p(b0, side),
  ]);
}

/// A link along dimension 2 or 3 leads to another slice: a stub at a corner of the router.
function stub([x, y], half, cell, dim, plus) {
  const [dx, dy] = dim === 2 ? [1, -1] : [-1, -1];
  const sign = plus ? 1 : -1;
  const end = 0.4 * cell;
  return path(['M', [x + sign * dx * half, y + sign * dy * half], 'L', [x + sign * dx * end, y + sign * dy * end]]);
}

/// The SVG path of a channel.
export function channelPath(plan, channel) {
  const { cell, half, place } = plan;
  const from = place(channel.src);
  const to = place(channel.dst);
  const plus = channel.plus !== false;
  if (plan.straight) return straight(from, to, half, plan.straight);
  if ((channel.class ?? 0) >= 2) return stub(from, half, cell, channel.class, plus);
  const gap = Math.max(1.2, 0.05 * cell);
  if (!channel.wraparound) return straight(from, to, half, gap);
  const lift = Math.max((plus ? 0.36 : 0.46) * cell, plan.rows > 1 ? 0 : plus ? 13 : 18);
  return arc(from, to, half, cell, lift, channel.class === 1);
}
