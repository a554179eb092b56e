// SPDX-License-Identifier: Apache-2.0
// Measured saturation beside published figures (sim/report/published), for networks of the same parameters. Pure
// numbers: no elements.
import { onNetworkOf } from './model.mjs';

export const tolerance = 0.1; // of the published value
const apart = 0.02; // published values that are closer have no order

const parameters = ({ kind, dims, topology = {}, terminals_per_router }) =>
  topology.routers_per_group
    ? {
        p: terminals_per_router,
        a: topology.routers_per_group,
        h: topology.global_ports,
        g: topology.groups,
        links_per_group_pair: topology.links_per_group_pair,
      }
    : { kind, dims: (dims ?? []).join('x'), terminals_per_router };

export const fits = (network, wanted) => {
  const found = parameters(network);
  return Object.keys(wanted).every((key) => found[key] === wanted[key]);
};

/// What the tables call a published network.
export const networkName = ({ kind, dims, p, a, h, g }) => (kind ? `${kind} ${dims}` : `dfly(${p}, ${a}, ${h}, ${g})`);

/// In what a network differs from the published set-up, as far as the results tell.
export function differences(network, setup) {
  const perFlit = network.cycles_per_flit;
  const latency = setup.link_latency_link_cycles?.map((cycles) => Math.ceil(cycles * perFlit));
  const keys = network.topology ?? {};
  const pairs = [
    ...(keys.routers_per_group
      ? [
          ['global arrangement', keys.arrangement, setup.arrangement],
          ['rows of a group', keys.group_rows, setup.group_rows],
        ]
      : []),
    ['core cycles per flit', perFlit, setup.cycles_per_flit],
    ...(latency ? [['link latencies in core cycles', (network.link_latency_cycles ?? []).join(' and '), latency.join(' and ')]] : []),
    ['flits per packet, at most', network.max_flits, setup.max_flits],
    ...(setup.flit_bits ? [['bits of a flit', network.flit_bits, setup.flit_bits]] : []),
  ];
  return pairs.filter(([, a, b]) => a !== b).map(([what, a, b]) => `${what}: ${a} (published: ${b})`);
}

/// Whether the routings of one pattern stand in the published order: pairs whose published values are apart enough.
function order(rows) {
  const result = { pairs: 0, wrong: [] };
  rows.forEach((high) =>
    rows.forEach((low) => {
      if (high.published - low.published <= apart + 1e-9) return;
      result.pairs += 1;
      if (high.measured <= low.measured) result.wrong.push([high.routing, low.routing]);
    }),
  );
  return result;
}

/// One comparison per publication that has saturation throughputs for what was measured: {set, rows, orders, differences}.
export function comparePublished(model, sets) {
  return sets
    .filter((set) => set.entries)
    .map((set) => {
      const groups = set.entries.map((entry) => ({
        entry,
        rows: model.saturation
          .map((row) => {
            const { network } = onNetworkOf(model, row.routing);
            const algorithm = model.proofs.find((proof) => proof.routing === row.routing)?.algorithm ?? row.routing;
            const published = entry.values[algorithm];
            if (row.pattern !== entry.pattern || published === undefined || typeof row.throughput !== 'number') return null;
            if (!fits(network, entry.network)) return null;
            // Two numbers are a range: its middle stands for it, but for the judgement.
            const [low, high] = Array.isArray(published) ? published : [published, published];
            const middle = (low + high) / 2;
            return {
              network: networkName(entry.network),
              pattern: entry.pattern,
              figure: entry.figure,
              routing: row.routing,
              name: set.names[algorithm] ?? algorithm,
              measured: row.throughput,
              bound: row.at_highest === true,
              published: middle,
              range: high > low ? [low, high] : null,
              ratio: row.throughput / middle,
              within: row.throughput >= low * (1 - tolerance) - 1e-9 && row.throughput <= high * (1 + tolerance) + 1e-9,
              differences: differences(network, set.setup),
            };
          })
          .filter(Boolean),
      }));
      const found = groups.filter(({ rows }) => rows.length > 0);
      return {
        set,
        rows: found.flatMap(({ rows }) => rows),
        orders: found
          .map(({ rows }) => ({ network: rows[0].network, pattern: rows[0].pattern, ...order(rows) }))
          .filter(({ pairs }) => pairs > 0),
        differences: [...new Set(found.flatMap(({ rows }) => rows.flatMap((row) => row.differences)))],
      };
    })
    .filter(({ rows }) => rows.length > 0);
}
