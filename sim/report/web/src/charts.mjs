// SPDX-License-Identifier: Apache-2.0
// What all plots share: style, the colours of the routings, and the element that a plot lives in.
import { h } from './dom.mjs';

const font = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const chartConfig = {
  font,
  background: null,
  view: { stroke: '#c3cad0' },
  axis: {
    labelFont: font,
    titleFont: font,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 500,
    titlePadding: 8,
    labelColor: '#414b53',
    titleColor: '#414b53',
    gridColor: '#e8ebee',
    domainColor: '#7d8891',
    tickColor: '#7d8891',
  },
  legend: {
    labelFont: font,
    labelFontSize: 11.5,
    titleFontSize: 11,
    orient: 'top',
    title: null,
    symbolSize: 70,
    offset: 6,
    labelColor: '#1d252b',
    labelLimit: 220,
  },
  line: { strokeWidth: 1.8 },
};

/// Colour (and, for points, shape) by routing, the same in every plot.
export const routingColour = (model) => ({
  field: 'routing',
  type: 'nominal',
  sort: model.routings,
  scale: { domain: model.routings, range: model.colours },
  legend: { symbolOpacity: 1, symbolDash: [1, 0] },
});
export const routingShape = (model) => ({
  field: 'routing',
  type: 'nominal',
  sort: model.routings,
  scale: { domain: model.routings, range: model.shapes },
  legend: {},
});

export const quantity = (field, title, extra = {}) => ({ field, type: 'quantitative', title, ...extra });
export const shown = (field, title, format = '.4~g') => ({ field, type: 'quantitative', title, format });

/// The routings that a specification has data of, in the order of the page.
export function routingsIn(spec, order) {
  const named = new Set(
    [spec, ...(spec.layer ?? [])].flatMap((part) => (part.data?.values ?? []).map((row) => row.routing)),
  );
  return order.filter((routing) => named.has(routing));
}

/// Of a legend's entries, how many stand side by side in `width` pixels: more would make the page scale the plot down.
export function legendColumns(names, width = 430) {
  const longest = Math.max(0, ...names.map((name) => name.length));
  const entry = Math.min(6.3 * longest, chartConfig.legend.labelLimit) + 34;
  return Math.max(1, Math.floor(width / entry));
}

/// Legends name only the routings that the plot shows, and are no wider than it.
export function withShortLegend(spec) {
  for (const { encoding } of [spec, ...(spec.layer ?? [])]) {
    for (const channel of [encoding?.color, encoding?.shape]) {
      if (channel?.field !== 'routing' || !channel.legend) continue;
      const values = routingsIn(spec, channel.scale.domain);
      channel.legend = { ...channel.legend, values, columns: legendColumns(values, spec.width) };
    }
  }
  return spec;
}

/// The plot's width, less on a narrow page, so that its text is not scaled down with it: margins and the axis' labels take 130.
const fitting = ({ width }) => (Number.isFinite(width) ? { width: Math.min(width, Math.max(200, innerWidth - 130)) } : {});

/// An element in which the specification is drawn, with the plot's own menu to save it as SVG or PNG. `renderer`: svg, or
/// canvas for thousands of marks.
export function chart(spec, renderer = 'svg') {
  const element = h('div', { class: 'chart' });
  vegaEmbed(
    element,
    { ...withShortLegend(spec), ...fitting(spec), config: chartConfig },
    {
      mode: 'vega-lite',
      renderer,
      actions: { export: true, source: false, compiled: false, editor: false },
    },
  ).catch((error) => element.replaceChildren(h('p', { class: 'note' }, `This plot cannot be drawn: ${error.message}`)));
  return element;
}
