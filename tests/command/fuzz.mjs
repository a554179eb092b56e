// SPDX-License-Identifier: Apache-2.0
// fuzz.mjs HOPWISE SOURCE_DIR FILES FIRST: see fuzz.sh.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const [hopwise, source, files, first] = process.argv.slice(2);
// Small networks, so without those at the limits of size: what is made of them may be a hundred times as large.
const examples = ["exanest_4x4", "router_compare_2d", "torus_3x5x2", "torus_8x8", "mesh_4x4", "dragonfly_72", "dqn_exanest_4x4",
                  "lonardo_2019_dpsnn", "qadaptive_72", "chaulagain_2024_dfly9"];
const good = `${source}/tests/reject/good`;
const bases = [...examples.map((name) => `${source}/examples/${name}.yaml`), ...readdirSync(good).filter((name) => !/^(too-many|flit-too-narrow)/.test(name)).sort()
  .map((name) => `${good}/${name}`)]
  .map((path) => readFileSync(path));

// mulberry32
let state = 0;
const random = (below) => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % below;
};
const pick = (list) => list[random(list.length)];

const numbers = ["0", "-1", "1", "2", "3", "7", "33", "1025", "65536", "1000001", "4294967296", "9007199254740992", "18446744073709551616",
                 "1e308", "-1e-308", "0.0000001", ".", "1/0", "0/1", "99999999999/7", "nan", "0x10", "1:0:1", "0:1:1e-9"];
const words = ["torus", "mesh", "dragonfly", "dor", "min", "q_routing", "dqn", "star_channel", "trace", "tornado", "wormhole", "saf", "apenet",
               "true", "null", "~", "''", "[]", "{}", "[[[]]]", "*a", "&a", "!!binary", "|", "adv+1", "stencil_3d:4x4x4"];
const letters = ["\u00e9", "\u6f22", "\u{1f600}", "\ufeff", "\u2028", "\u00a0", "\u0000", "\u0085"];

const lines = (bytes, change) => {
  const all = bytes.toString("latin1").split("\n");
  change(all);
  return Buffer.from(all.join("\n"), "latin1");
};
const replace = (bytes, pattern, text) => {
  const old = bytes.toString("latin1"), found = [...old.matchAll(pattern)];
  if (found.length === 0) return bytes;
  const at = pick(found);
  return Buffer.from(old.slice(0, at.index) + text + old.slice(at.index + at[0].length), "latin1");
};
const insert = (bytes, text) => {
  const at = random(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
};
const value = /[\w.+\/-]+/g, number = /-?\d+(\.\d+)?/g;
const damages = [
  (b) => { const out = Buffer.from(b); if (out.length > 0) out[random(out.length)] ^= 1 << random(8); return out; },
  (b) => lines(b, (all) => all.splice(random(all.length), 1)),
  (b) => lines(b, (all) => all.splice(random(all.length), 0, pick(all))),
  (b) => lines(b, (all) => { const i = random(all.length), j = random(all.length); [all[i], all[j]] = [all[j], all[i]]; }),
  (b) => lines(b, (all) => { const i = random(all.length); all[i] = pick(["\t", " ", "  ", "- "]) + all[i]; }),
  (b) => replace(b, value, pick([...b.toString("latin1").matchAll(value)].map((m) => m[0]).concat("x"))),
  (b) => replace(b, number, pick(numbers)),
  (b) => replace(b, number, pick(numbers)),
  (b) => replace(b, value, pick(words)),
  (b) => replace(b, /[[\]{},:'"#]/g, pick(["", "[", "]", "{", "}", ":", ",", "'", '"', "#"])),
  (b) => insert(b, pick(letters)),
  (b) => insert(b, pick(["\t", "[", "{", '"', "'", ": ", "&a ", "*a", "\n---\n", "\r", "x".repeat(10000), "[".repeat(5000), "{a: ".repeat(2000)])),
  (b) => b.subarray(0, random(b.length + 1)),
];

const answers = {};
let slowest = 0;
for (let i = Number(first); i < Number(first) + Number(files); ++i) {
  state = i;
  for (let k = 0; k < 4; ++k) random(2);
  let text = pick(bases);
  for (let k = random(3); k >= 0; --k) text = pick(damages)(text);
  writeFileSync("damaged.yaml", text);
  const start = Date.now();
  const done = spawnSync("bash", ["-c", 'ulimit -v 2097152 -c 0; exec "$1" check damaged.yaml', "bash", hopwise], { timeout: 60000, killSignal: "SIGKILL", maxBuffer: 1 << 26 });
  slowest = Math.max(slowest, Date.now() - start);
  const said = `${done.stdout}${done.stderr}`;
  if (![0, 1, 2].includes(done.status) || (done.status === 2) !== said.includes("error[")) {
    console.error(`file ${i}: status ${done.status}, signal ${done.signal}\n${said.slice(0, 2000)}\n${text.subarray(0, 3000)}`);
    process.exit(1);
  }
  answers[done.status] = (answers[done.status] ?? 0) + 1;
}
console.log(`${files} files: ${JSON.stringify(answers)} by status; the slowest took ${slowest} ms`);
