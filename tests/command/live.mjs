// SPDX-License-Identifier: Apache-2.0
// What the live page of a campaign answers.
//   node live.mjs follow URL            prints how many tasks were done, each time that it changes, and at the end the last state
//   node live.mjs once URL              prints the state
//   node live.mjs requests URL KEY      asks what it must refuse, too
//   node live.mjs same STATE RESULTS    the points of a state are those that were collected
//   node live.mjs idle URL N            opens N connections that ask nothing, and waits to be ended
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';

const [command, ...given] = process.argv.slice(2);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/// {status, headers, body} of one request.
const ask = (url, path, { method = 'GET', headers = {}, body = '' } = {}) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = http.request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: text }));
    });
    request.on('error', reject);
    request.end(body);
  });

/// What comes back for these bytes.
const raw = (url, bytes) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(port, hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (part) => (text += part));
    socket.on('close', () => resolve(text)).on('error', () => {});
  });

async function follow(url) {
  let [last, done] = ['', -1];
  for (;;) {
    try {
      last = (await ask(url, '/state.json')).body;
    } catch {
      break; // the run has ended
    }
    const state = JSON.parse(last);
    if (state.tasks.done !== done) console.error(`done ${(done = state.tasks.done)}`);
    await pause(200);
  }
  console.log(last);
}

async function requests(url, key) {
  const page = await ask(url, '/');
  assert.equal(page.status, 200);
  assert.match(page.headers['content-type'], /^text\/html/);
  assert.match(page.headers['content-security-policy'], /default-src 'none'.*connect-src 'self'/);
  assert.match(page.body, /<main id="campaign">/);
  assert.doesNotMatch(page.body.slice(0, page.body.indexOf('third-party-notices')), /<(script|link|img)[^>]* (src|href)="(?!data:)/);
  const state = await ask(url, '/state.json?now');
  assert.equal(state.headers['content-type'], 'application/json');
  assert.equal(JSON.parse(state.body).name, 'small');
  const again = await ask(url, '/state.json', { headers: { 'If-None-Match': state.headers.etag } });
  assert.deepEqual([again.status, again.body], [304, '']);
  const head = await ask(url, '/', { method: 'HEAD' });
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', page.headers['content-length']]);

  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const refused = await ask(url, '/state.json', { method });
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, HEAD'], method);
  }
  const paths = ['/campaign.json', '/../campaign.json', '/./state.json', '//state.json', '/%2e%2e/campaign.json', `/tasks/${key}/log`, '/etc/passwd', '*'];
  for (const path of paths) assert.equal((await ask(url, path)).status, 404, path);
  assert.match(await raw(url, 'GET ../campaign.json HTTP/1.1\r\nHost: localhost\r\n\r\n'), /^HTTP\/1.1 404/);
  for (const name of ['evil.example', 'evil.example:80', '10.0.0.1', 'localhost.evil.example', '']) {
    assert.match(await raw(url, `GET /state.json HTTP/1.1\r\nHost: ${name}\r\n\r\n`), /^HTTP\/1.1 421/, name);
  }
  for (const name of ['localhost:1', '127.0.0.1', '[::1]:99']) {
    assert.match(await raw(url, `GET /state.json HTTP/1.1\r\nHost: ${name}\r\n\r\n`), /^HTTP\/1.1 200/, name);
  }
  const refused = ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20000)}\r\n\r\n`, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n123456789'];
  for (const bytes of refused) assert.doesNotMatch(await raw(url, bytes), /^HTTP\/1.1 200/, bytes.slice(0, 20));

  // Clients that ask and go away.
  const { hostname, port } = new URL(url);
  for (let i = 0; i < 100; i += 1) {
    const socket = net.connect(port, hostname, () => {
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      socket.resetAndDestroy();
    });
    socket.on('error', () => {});
  }
  assert.equal((await ask(url, '/')).body, page.body);
}

/// Points by experiment, without what a state leaves out.
const pointsOf = (all) =>
  all.experiments.map(({ name, tasks, results }) => ({
    name,
    done: tasks.done,
    points: (results?.points ?? []).map((p) => [p.routing, p.pattern, p.offered_load, p.accepted_load, p.latency_cycles, p.saturated, p.seeds]),
    saturation: (results?.saturation ?? []).map((s) => [s.routing, s.pattern, s.throughput]),
  }));

function same(state, results) {
  assert.ok(state.experiments.some(({ results: r }) => r.points.length > 0));
  assert.deepEqual(pointsOf(state), pointsOf(results));
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
if (command === 'follow') await follow(given[0]);
if (command === 'once') console.log((await ask(given[0], '/state.json')).body);
if (command === 'requests') await requests(...given);
if (command === 'same') {
  const [state, results] = given.map(read);
  same(state, results);
  results.experiments[0].results.points[0].accepted_load += 0.01; // it would be seen
  assert.throws(() => same(state, results));
}
if (command === 'idle') {
  const { hostname, port } = new URL(given[0]);
  for (let i = 0; i < Number(given[1]); i += 1) net.connect(port, hostname).on('error', () => {});
  setInterval(() => {}, 1000);
}
