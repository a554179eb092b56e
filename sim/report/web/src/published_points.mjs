// SPDX-License-Identifier: Apache-2.0
// Measured points beside published ones, for publications that print latencies, loads, hops and times (sim/report/published,
// files with "points"). Pure numbers: no elements.
import { onNetworkOf, unique } from './model.mjs';
import { differences, fits, networkName, tolerance } from './published.mjs';

const loadStep = 0.0051; // loads that are closer are the same: an interval of whole nanoseconds is not quite 0.45
const fromStart = (point) => point.settling[0];

/// The part of the packets that has at most this latency; nothing where no bin ends there or there is no histogram.
function partBelow(point, cycles) {
  const total = point.histogram.reduce((sum, [, count]) => sum + count, 0);
  const below = point.histogram.filter(([bound]) => typeof bound === 'number' && bound <= cycles);
  return total > 0 ? below.reduce((sum, [, count]) => sum + count, 0) / total : undefined;
}

/// Beyond saturation too: packets under way are bounded by the buffers, and so is latency from injection.
const fromInjection = (p) => p.network_latency_cycles ?? {};

const algorithmOf = (model, routing) => model.proofs.find((proof) => proof.routing === routing)?.algorithm ?? routing;

/// The mean network latency as a part of that of another routing, under the same traffic on the same network.
function meanOf(point, entry, model) {
  const home = onNetworkOf(model, point.routing).network;
  const other = model.points.find(
    (p) =>
      algorithmOf(model, p.routing) === entry.of &&
      onNetworkOf(model, p.routing).network === home &&
      p.pattern === point.pattern &&
      p.offered_load === point.offered_load,
  );
  const [mine, theirs] = [fromInjection(point).mean, other && fromInjection(other).mean];
  return mine > 0 && theirs > 0 ? mine / theirs : undefined;
}

/// By quantity: what it is called, decimals, the measured value of a point, and the published value in the same unit.
const nanoseconds = (value, set) => value / set.core_cycle_ns;
const microseconds = (value, set) => (1000 * value) / set.core_cycle_ns;
const asItIs = (value) => value;
const quantities = {
  mean_ns: ['mean latency, core cycles', 0, (p) => p.latency.mean, nanoseconds],
  p99_ns: ['p99 latency, core cycles', 0, (p) => p.latency.p99, nanoseconds],
  accepted: ['accepted load', 3, (p) => p.accepted_load, asItIs],
  hops: ['hops', 2, (p) => p.hops_mean, asItIs],
  below_2us: ['part of the packets within 2 µs', 3, (p, set) => partBelow(p, nanoseconds(2000, set)), asItIs],
  settled_latency_us: ['latency settled after, core cycles', 0, (p) => fromStart(p)?.latency?.cycles, microseconds],
  settled_accepted_us: ['accepted load settled after, core cycles', 0, (p) => fromStart(p)?.accepted?.cycles, microseconds],
  final_latency_ns: ['latency when settled, core cycles', 0, (p) => fromStart(p)?.latency?.final, nanoseconds],
  network_mean_us: ['mean network latency, core cycles', 0, (p) => fromInjection(p).mean, microseconds],
  network_stdev_us: ['standard deviation of the network latency, core cycles', 0, (p) => fromInjection(p).stdev, microseconds],
  network_max_us: ['greatest network latency, core cycles', 0, (p) => fromInjection(p).max, microseconds],
  network_mean_of: ['mean network latency, part of that of', 2, (p, set, entry, model) => meanOf(p, entry, model), asItIs],
  step_accepted_us: ['accepted load settled after the step, core cycles', 0, (p) => p.settling[1]?.accepted?.cycles, microseconds],
};

/// The measured points that a published one is held against. A load of null stands for the highest accepted one.
function candidates(model, entry, routing) {
  const step = entry.switch_load !== undefined;
  if (step !== (model.switchCycle !== null)) return [];
  if (step && Math.abs((model.switchLoad ?? -1) - entry.switch_load) > loadStep) return [];
  const points = model.points.filter((p) => p.routing === routing && p.pattern === entry.pattern);
  if (entry.load === 'any' || entry.load === 'own') return points; // own: the pattern sets it
  if (entry.load !== null) return points.filter((p) => Math.abs(p.offered_load - entry.load) <= loadStep);
  const best = points.reduce((a, b) => ((b.accepted_load ?? 0) > (a?.accepted_load ?? 0) ? b : a), null);
  return best ? [best] : [];
}

function pointRow(model, set, entry, routing, point) {
  const here = onNetworkOf(model, routing).network;
  const algorithm = algorithmOf(model, routing);
  const value = ['text', 'derived'].map((source) => entry[source]?.[algorithm]).find((v) => v !== undefined);
  const rerun = entry.rerun?.[algorithm];
  const wanted = set.networks[entry.network];
  if ((value === undefined && rerun === undefined) || !fits(here, wanted)) return null;
  const [quantity, decimals, measure, convert] = quantities[entry.quantity];
  const measured = measure(point, set, entry, model);
  if (typeof measured !== 'number') return null;
  const published = value === undefined ? null : convert(value, set);
  const reference = published ?? convert(rerun, set);
  const ratio = reference > 0 ? measured / reference : null;
  return {
    network: networkName(wanted),
    figure: entry.figure,
    pattern: entry.pattern,
    load: point.offered_load,
    assumed: entry.load_assumed === true || entry.load === 'any',
    routing,
    name: set.names[algorithm] ?? algorithm,
    quantity: entry.of ? `${quantity} ${set.names[entry.of]}` : quantity,
    decimals,
    measured,
    published,
    derived: entry.text?.[algorithm] === undefined,
    atMost: entry.at_most === true,
    rerun: rerun === undefined ? null : convert(rerun, set),
    ratio,
    within: entry.at_most ? measured <= reference : ratio !== null && Math.abs(ratio - 1) <= tolerance + 1e-9,
    differences: differences(here, set.setup),
  };
}

/// One comparison per publication with points for what was measured: {set, rows, differences}. Labels that stand for the
/// same algorithm are all compared.
export function comparePublishedPoints(model, sets) {
  return sets
    .filter((set) => set.points)
    .map((set) => {
      const rows = set.points.flatMap((entry) =>
        model.routings
          .flatMap((routing) => candidates(model, entry, routing).map((point) => pointRow(model, set, entry, routing, point)))
          .filter(Boolean),
      );
      return { set, rows, differences: unique(rows.flatMap((r) => r.differences)) };
    })
    .filter(({ rows }) => rows.length > 0);
}
