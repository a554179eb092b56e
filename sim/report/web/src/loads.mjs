// SPDX-License-Identifier: Apache-2.0
// Link loads of one point: every routing on the network that it runs on.
import { directionMatrix, groupMatrix, routerMap } from './aggregate.mjs';
import { figure, grid, h, note } from './dom.mjs';
import { onNetworkOf, routerName, show } from './model.mjs';
import { drawable, drawingCaption, drawNetwork, heatLegend } from './network.mjs';

export const pageWidth = 1112;
export const largestDrawing = 512; // routers; beyond, links are summed up

/// The networks drawn, one per routing.
export function networkPart(model, points) {
  const views = points.map((p) => [p, onNetworkOf(model, p.routing)]);
  if (!views.some(([, view]) => drawable(view))) {
    return note('The results hold no channels to draw.');
  }
  const measured = views.filter(([p, view]) => p.utilisation.length > 0 && drawable(view));
  const name = (point) => `${point.routing}${point.saturated ? ' (saturated)' : ''}`;
  const beside =
    measured.length > 1 &&
    measured.every(([, view]) => view.routerCount <= 144 && (view.drawing !== 'slices' || view.dims[0] <= 16));
  const width = beside ? pageWidth / 2 - 12 : pageWidth;
  const height = beside ? 620 : 900;
  const large = measured.some(([, view]) => view.routerCount > largestDrawing);
  const drawing = ([p, view]) =>
    view.routerCount > largestDrawing
      ? routerMap(view, p, measured.length > 1 ? 530 : pageWidth)
      : drawNetwork(view, p, width, height);
  const empty = !measured.length && model.routerCount <= largestDrawing;
  const drawn = empty ? [model] : measured.map(([, view]) => view).filter((view) => view.routerCount <= largestDrawing);
  const kinds = new Map(drawn.map((view) => [view.drawing, view])); // each kind of drawing is explained once
  return h(
    'div',
    null,
    measured.length ? heatLegend() : note('Link loads were not recorded.'),
    h(
      'div',
      { class: 'drawings' },
      empty
        ? figure(null, drawNetwork(model, null, width, height))
        : measured.map((entry) => figure(name(entry[0]), drawing(entry))),
    ),
    [...kinds.values()].map((view) => h('p', { class: 'lead' }, drawingCaption(view))),
    large &&
      h(
        'p',
        { class: 'lead' },
        `Each square is a router, in the colour of the busiest link that leaves it (more than ${largestDrawing} routers: links are not drawn one by one).`,
        model.grouped && ' A row is a group, group 0 at the bottom.',
      ),
  );
}

/// Their link loads summed up.
export function directionPart(model, points) {
  const measured = points
    .map((p) => [p, onNetworkOf(model, p.routing)])
    .filter(([p, view]) => p.utilisation.length > 0 && view.channels.length > 0);
  const extremes = ([p, view]) => {
    const busiest = p.utilisation.reduce((best, v, i) => (v > p.utilisation[best] ? i : best), 0);
    const channel = view.channels[busiest];
    return channel
      ? `busiest link: ${routerName(view, channel.src)} → ${routerName(view, channel.dst)}, ${show(p.utilisation[busiest], 3)}`
      : '';
  };
  if (measured.length === 0) return note('Link loads were not recorded.');
  const matrix = ([p, view]) => (view.grouped ? groupMatrix : directionMatrix)(view, p);
  return h(
    'div',
    null,
    measured.some(([, view]) => view.grouped) && heatLegend(),
    grid(measured.map((entry) => figure(entry[0].routing, h('div', { class: 'scroll' }, matrix(entry)), extremes(entry)))),
  );
}
