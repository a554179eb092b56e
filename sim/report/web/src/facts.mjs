// SPDX-License-Identifier: Apache-2.0
// The sizes of the network.
import { h } from './dom.mjs';
import { show } from './model.mjs';

export function factsList(model) {
  const { network } = model;
  const keys = Object.entries(network.topology ?? {}).filter(([, value]) => typeof value !== 'object');
  const facts = [
    ['routers', show(model.routerCount)],
    ['terminals', show(network.terminals)],
    ['channels', show(model.channels.length)],
    ['bits per flit', show(network.flit_bits)],
    ['flits per packet, at most', show(network.max_flits)],
    [
      'core cycles per flit',
      typeof network.cycles_per_flit === 'number'
        ? show(network.cycles_per_flit, network.cycles_per_flit % 1 ? 2 : 0)
        : (network.cycles_per_flit ?? '–'),
    ],
    ['terminals per router', show(network.terminals_per_router)],
    ...keys.map(([key, value]) => [key.replaceAll('_', ' '), typeof value === 'number' ? show(value) : String(value)]),
  ];
  return h(
    'dl',
    { class: 'facts' },
    facts.filter(([, v]) => v !== '–').map(([k, v]) => h('div', null, h('dt', null, k), h('dd', null, v))),
  );
}
