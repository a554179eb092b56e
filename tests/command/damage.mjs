// SPDX-License-Identifier: Apache-2.0
// damage.mjs HOPWISE NETWORK CACHE COUNT SEED: damages packets.trace and results/ COUNT times each and runs the command on them.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const [hopwise, network, cache, count, seed] = process.argv.slice(2);

let state = Number(seed);
/// 0 to n - 1 (mulberry32).
function below(n) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
}
const one = (list) => list[below(list.length)];

const fragments = ['0', '-1', '99999999999999999999', '1e400', 'null', '"', '{', ']', ',', '#', '#:', '\n', '\t', '\0', 'ü', 'nan', '0.5', ' '];

/// One to four damages: a byte, a line gone, doubled or moved, a fragment put in, a piece or the end gone.
function damaged(text) {
  let bytes = Buffer.from(text);
  for (let i = 0; i <= below(4); ++i) {
    const at = below(bytes.length + 1);
    const lines = bytes.toString('latin1').split('\n');
    switch (below(6)) {
      case 0:
        if (at < bytes.length) bytes[at] = below(256);
        break;
      case 1:
        lines.splice(below(lines.length), 1);
        bytes = Buffer.from(lines.join('\n'), 'latin1');
        break;
      case 2:
        lines.splice(below(lines.length), 0, one(lines));
        bytes = Buffer.from(lines.join('\n'), 'latin1');
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(one(fragments)), bytes.subarray(at)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(40))]);
        break;
      default:
        bytes = bytes.subarray(0, at);
    }
  }
  return bytes;
}

const tally = {};
function run(kind, options, input) {
  const { status, signal, stdout, stderr, error } = spawnSync(
    hopwise,
    ['simulate', network, '--cache', cache, '--quiet', '--threads', '1', '--routing', 'dor', ...options],
    { encoding: 'utf8', timeout: 60000 },
  );
  const outcome = error?.code === 'ETIMEDOUT' ? 'timeout' : (signal ?? status);
  tally[`${kind} ${outcome}`] = (tally[`${kind} ${outcome}`] ?? 0) + 1;
  const said = status !== 2 || /error\[[a-z]+\.[a-z-]+\]/.test(stderr);
  if ([0, 1, 2].includes(outcome) && said) return;
  writeFileSync('/dev/stderr', `${kind}: ${outcome}\n${stdout}${stderr}\n--- input\n${input}\n`);
  process.exit(1);
}

const asked = ['--pattern', 'uniform', '--loads', '0.1:0.2:0.1', '--cycles', '500'];
const trace = readFileSync('packets.trace');
const files = ['results.json', 'speed.json'].map((name) => [name, readFileSync(`results/${name}`)]);
/// What a killed run leaves.
const { points, ...head } = JSON.parse(files[0][1]);
const { points: speeds } = JSON.parse(files[1][1]);
const journal = [head, ...points.map((point, n) => ({ point, speed: speeds[n] }))].map((line) => `${JSON.stringify(line)}\n`).join('');

// Undamaged, a journal is what it says it is.
cpSync('results', 'again', { recursive: true });
writeFileSync('again/points.jsonl', journal);
rmSync('again/results.json');
run('journal', ['-o', 'again', '--resume', ...asked], journal);
const values = (text) => JSON.stringify(JSON.parse(text));
if (tally['journal 0'] !== 1 || values(readFileSync('again/results.json')) !== values(files[0][1])) throw new Error('the journal is not that of a run');

for (let i = 0; i < Number(count); ++i) {
  const text = damaged(trace);
  // As long as its cycles say: a late one is no hang.
  const late = text.toString('latin1').split('\n').some((line) => Number(line.trim().split(/\s+/)[0]) > 1e6);
  if (!late) {
    writeFileSync('damaged.trace', text);
    run('trace', ['-o', 'out', '--force', '--pattern', 'trace', '--set', 'traffic.trace=damaged.trace'], text);
  }

  rmSync('again', { recursive: true, force: true });
  cpSync('results', 'again', { recursive: true });
  const [name, content] = i % 3 === 2 ? ['points.jsonl', journal] : one(files);
  const bad = damaged(content);
  writeFileSync(`again/${name}`, bad);
  run(name, ['-o', 'again', '--resume', ...asked], bad);
}
console.log(JSON.stringify(tally));
