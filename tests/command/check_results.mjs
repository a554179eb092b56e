// SPDX-License-Identifier: Apache-2.0
// check_results.mjs RESULTS SPEED: the fields that scripts rely on, their types, and what must hold among them.
import { readFileSync } from 'node:fs';

const [results, speed] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const wrong = [];
const must = (holds, what) => holds || wrong.push(what);
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

const keys = (results.points ?? []).map((p) => `${p.routing}/${p.pattern}/${p.offered_load}`);
must(keys.length > 0, 'no points');
must(new Set(keys).size === keys.length, 'a point occurs twice');
for (const p of results.points ?? []) {
  const at = `${p.routing} ${p.pattern} ${p.offered_load}: `;
  must(typeof p.routing === 'string' && typeof p.pattern === 'string', at + 'routing, pattern');
  for (const key of ['offered_load', 'accepted_load', 'hops_mean', 'cycles', 'seed']) must(isNumber(p[key]), at + key);
  must(typeof p.saturated === 'boolean', at + 'saturated');
  must(p.offered_load > 0 && p.offered_load <= 1, at + 'offered_load is a fraction');
  must(p.accepted_load > 0 && p.accepted_load < 1.2, at + 'accepted_load is a fraction');
  for (const name of ['latency_cycles', 'network_latency_cycles']) {
    const l = p[name] ?? {};
    for (const key of ['mean', 'p50', 'p95', 'p99', 'p999', 'max']) must(isNumber(l[key]), `${at}${name}.${key}`);
    must(l.ci95 === null || isNumber(l.ci95), `${at}${name}.ci95`);
    must(l.p50 <= l.p95 && l.p95 <= l.p99 && l.p99 <= l.p999 && l.p999 <= l.max, `${at}${name}: percentiles ascend`);
    must(l.mean > 0 && l.mean <= l.max, `${at}${name}.mean`);
  }
  must(p.network_latency_cycles.mean <= p.latency_cycles.mean, at + 'latency from injection is the shorter one');
  const { injected, delivered, in_flight, lost } = p.packets ?? {};
  must([injected, delivered, in_flight, lost].every(Number.isInteger), at + 'packets');
  must(injected === delivered + in_flight + lost, at + 'injected = delivered + in_flight + lost');
  must(delivered > 0 && lost === 0, at + 'packets arrive, none is lost');
}

const speeds = (speed.points ?? []).map((p) => `${p.routing}/${p.pattern}/${p.offered_load}`);
must(JSON.stringify(speeds) === JSON.stringify(keys), 'speed.json has other points, or another order');
for (const p of speed.points ?? []) {
  for (const key of ['network_cycles_per_cpu_s', 'router_cycles_per_cpu_s', 'wall_s']) {
    must(isNumber(p[key]) && p[key] > 0, `speed ${p.routing} ${p.offered_load}: ${key}`);
  }
  const ratio = p.router_cycles_per_cpu_s / p.network_cycles_per_cpu_s;
  must(Math.abs(ratio - results.network.routers) < 1e-6 * ratio, 'router_cycles_per_cpu_s counts every router');
}

wrong.forEach((what) => console.error(`FAIL ${what}`));
process.exit(wrong.length === 0 ? 0 : 1);
