// SPDX-License-Identifier: Apache-2.0
// Where the routers and links of a dragonfly stand: groups around a circle, each an arc of routers; global links inside
// the circle, local links outside. Pure geometry: no elements.
import { coordinates } from './model.mjs';

const labelRoom = 28; // beyond the local links, for the names of the groups

/// `dims` are [routers per group, groups]; the drawing is a square that fits `width` and `height`.
export function circle([perGroup, groups], width, height) {
  const size = Math.min(width, height);
  const slot = (2 * Math.PI) / groups;
  const step = slot / (perGroup + Math.max(1, perGroup / 4)); // angle from router to router
  const bulge = 0.42; // height of a local link's arc, by the distance that it spans
  const halfOf = (cell) => Math.min(9, 0.3 * cell);
  const grow = 1 + bulge * (perGroup - 1) * step; // from the circle of routers to that around the local links
  const radius = (size / 2 - labelRoom - halfOf((size / 2) * step)) / grow;
  const cell = radius * step;
  const half = halfOf(cell);
  const gap = Math.min(2, 0.11 * cell); // between the middle of a link and each of its two directions

  const groupOf = (router) => Math.floor(router / perGroup);
  const angle = (router) => {
    const [i, group] = coordinates([perGroup, groups], router);
    return group * slot + (i - (perGroup - 1) / 2) * step - Math.PI / 2;
  };
  const polar = (r, at) => [size / 2 + r * Math.cos(at), size / 2 + r * Math.sin(at)];
  /// The point at radius `r`, moved `aside` clockwise along the tangent.
  const beside = (r, at, aside) => {
    const [x, y] = polar(r, at);
    return [x - aside * Math.sin(at), y + aside * Math.cos(at)];
  };
  const curve = (...points) => {
    const [from, c1, c2, to] = points.map((p) => p.map((v) => v.toFixed(1)).join(','));
    return `M ${from} C ${c1} ${c2} ${to}`;
  };

  function local(a, b) {
    const turn = b > a ? 1 : -1; // clockwise, on the inner side of its pair, or back
    const apex = bulge * cell * (Math.abs(b - a) / step) - turn * gap;
    const r = radius + half;
    const top = r + (4 / 3) * Math.max(0.25 * cell, apex);
    const lean = 0.12 * (b - a);
    return curve(beside(r, a, turn * gap), polar(top, a + lean), polar(top, b - lean), beside(r, b, -turn * gap));
  }

  function global(a, b) {
    const apart = Math.abs(Math.atan2(Math.sin(b - a), Math.cos(b - a))) / Math.PI;
    const r = radius - half;
    const deep = r * (0.8 - 0.6 * apart);
    return curve(beside(r, a, -gap), beside(deep, a, -gap), beside(deep, b, gap), beside(r, b, gap));
  }

  return {
    cell,
    half,
    width: size,
    height: size,
    stroke: Math.min(1.8, Math.max(0.7, 0.09 * cell)),
    place: (router) => polar(radius, angle(router)),
    path: ({ src, dst }) => (groupOf(src) === groupOf(dst) ? local : global)(angle(src), angle(dst)),
    label: (group) => polar(radius * grow + half + 16, group * slot - Math.PI / 2),
  };
}
