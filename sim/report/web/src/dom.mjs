// SPDX-License-Identifier: Apache-2.0
// Elements, tables that sort, tooltips and controls.

const svgNamespace = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(svgNamespace, tag), attributes, children);

export function figure(title, body, caption) {
  return h('figure', null, title && h('h3', null, title), body, caption && h('figcaption', null, caption));
}

export const note = (text) => h('p', { class: 'note' }, text);
export const grid = (...children) => h('div', { class: 'grid' }, children);

/// A labelled <select>; `options` are [value, label], `change` gets the value's index.
export function select(label, options, chosen, change) {
  const box = h(
    'select',
    { onchange: () => change(box.selectedIndex) },
    options.map((text, i) => h('option', { selected: i === chosen }, text)),
  );
  return h('label', { class: 'control' }, label, ' ', box);
}

const compare = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1; // what was not measured goes last
  if (typeof b === 'number') return 1;
  return String(a ?? '').localeCompare(String(b ?? ''));
};

/// A table that sorts by a click on a column's head. A column is {head, value(row) -> number or string, and optionally
/// show(value, row) -> node or text, text: flush left, wrap: in several lines}. Beyond `limit` rows the rest is shown on request.
export function table(columns, rows, limit = 128) {
  let order = rows;
  let shown = limit;
  let sorted = { column: -1, up: true };
  const body = h('tbody');
  const heads = columns.map((column, i) =>
    h(
      'th',
      {
        class: column.text ? 'text' : null,
        scope: 'col',
        tabindex: 0,
        onclick: () => sortBy(i),
        onkeydown: (event) => {
          if (event.key === 'Enter') sortBy(i);
        },
      },
      column.head,
    ),
  );
  const more = h(
    'button',
    {
      class: 'more',
      onclick: () => {
        shown = rows.length;
        draw();
      },
    },
    `Show all ${rows.length} rows`,
  );

  function draw() {
    body.replaceChildren(
      ...order.slice(0, shown).map((row) =>
        h(
          'tr',
          null,
          columns.map((column) => {
            const value = column.value(row);
            return h(
              'td',
              { class: column.text ? `text${column.wrap ? ' wrap' : ''}` : null },
              column.show ? column.show(value, row) : String(value ?? '–'),
            );
          }),
        ),
      ),
    );
    heads.forEach((head, i) =>
      head.setAttribute('aria-sort', i !== sorted.column ? 'none' : sorted.up ? 'ascending' : 'descending'),
    );
    more.hidden = shown >= rows.length;
  }

  function sortBy(i) {
    sorted = { column: i, up: sorted.column === i ? !sorted.up : true };
    const value = columns[i].value;
    order = [...rows].sort((a, b) => (sorted.up ? 1 : -1) * compare(value(a), value(b)));
    draw();
  }

  draw();
  return h(
    'div',
    { class: 'scroll' },
    h('table', { class: 'data' }, h('thead', null, h('tr', null, heads)), body),
    more,
  );
}

/// Shows `text` (lines) beside the pointer until it is hidden again.
export const tip = {
  element: () => document.getElementById('tip'),
  show(lines, x, y) {
    const box = tip.element();
    box.replaceChildren(...lines.map((line) => h('div', null, line)));
    box.hidden = false;
    const left = Math.min(x + 14, window.innerWidth - box.offsetWidth - 8);
    const below = y + 16 + box.offsetHeight < window.innerHeight;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${below ? y + 16 : Math.max(4, y - box.offsetHeight - 10)}px`;
  },
  hide() {
    tip.element().hidden = true;
  },
};
