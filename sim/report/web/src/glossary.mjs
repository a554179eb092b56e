// SPDX-License-Identifier: Apache-2.0
// What the terms of the report mean, in a sentence each.
import { h, tip } from './dom.mjs';

export const glossary = {
  'accepted load':
    'Flits that reach their destination terminals per cycle, as a fraction of the capacity of a terminal link.',
  'confidence interval':
    'The range that holds the true mean with 95 % probability, as estimated from the measured window.',
  'contention factor':
    'Routers of a group with an active flow to the destination group: what UGAL-LE adds to a minimal path for sharing its global links.',
  'core cycle': 'One clock cycle of the routers. A link sends one flit each cycles-per-flit core cycles.',
  credit: 'Permission to send one flit into a buffer of the next router.',
  'cycles per flit': 'Core cycles that a link needs for a flit: the speed-up of the router core over the link.',
  dateline: 'The place in a ring where packets change virtual channel, which cuts the cycle that the ring closes.',
  dependency: 'A packet that holds one channel may wait for another. Without a cycle of these there is no deadlock.',
  'escape channel':
    'A virtual channel whose routing alone is free of deadlock, and to which a waiting packet can always turn.',
  fairness:
    "Jain's index of the parts that the terminals get accepted of what they offer: 1 where all parts are the same, 1/n where one terminal gets everything.",
  flit: 'The unit of flow control: what a link carries in one link cycle.',
  hop: 'One link from router to router.',
  'in flight': 'Generated, but not yet delivered when the run ends, the queues at the sources included.',
  'in order': 'Packets from one terminal to another arrive in the order in which they were sent.',
  latency:
    'Core cycles from the generation of a packet to the arrival of its last flit, waiting at the source included.',
  'link utilisation': 'Part of the measured link cycles in which the link carries a flit.',
  'network latency': 'Core cycles from the entry of the first flit into the network to the arrival of the last one.',
  'non-minimal':
    'A path through a third group or router, longer than the shortest one, taken to avoid a busy link.',
  'offered load': 'Flits that each terminal generates per cycle, as a fraction of the capacity of its link.',
  p99: '99 % of the packets have at most this latency; p50, p95 and p999 (99.9 %) likewise.',
  rank: 'One of the processes of an application, at a terminal of its own.',
  saturated:
    'The network accepts less than 98 % of the offered load, or latency grows beyond its limit. Latency is shown only where source queues are bounded.',
  'saturation throughput':
    'The highest load at which the network accepts at least 98 % of what is offered and latency is bounded.',
  'settling time':
    'Core cycles until the means over a window of time stay within 5 % of the mean of the last quarter of the run.',
  terminal: 'A source and destination of packets, attached to a router.',
  'virtual channel': 'One of several buffers that share a link, each with its own flow control (VC).',
  'warm-up': 'The cycles before the network reaches its steady state. They are not measured.',
  'worst terminal': 'Of the terminal that is served worst, the part of its offered flits that was accepted.',
};

/// A term with its meaning on hover and on focus; `text` where the sentence needs another form of it.
export function term(name, text = name) {
  const show = (x, y) => tip.show([glossary[name]], x, y);
  return h(
    'span',
    {
      class: 'term',
      tabindex: 0,
      onmousemove: (event) => show(event.clientX, event.clientY),
      onmouseleave: tip.hide,
      onfocus: (event) => {
        const box = event.target.getBoundingClientRect();
        show(box.left, box.bottom - 12);
      },
      onblur: tip.hide,
    },
    text,
  );
}

export const glossaryList = () =>
  h(
    'dl',
    { class: 'glossary' },
    Object.keys(glossary)
      .sort()
      .map((name) => h('div', null, h('dt', null, name), h('dd', null, glossary[name]))),
  );
