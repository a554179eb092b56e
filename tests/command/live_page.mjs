// SPDX-License-Identifier: Apache-2.0
// node live_page.mjs HOPWISE DIR WHOLE: the live page of DIR in a browser. DIR is a campaign without tasks that have begun; those of
// WHOLE, the same campaign when it has ended, are put there one by one.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from './browser.mjs';

const [hopwise, directory, whole] = process.argv.slice(2);
const { tasks } = JSON.parse(readFileSync(join(whole, 'campaign.json'), 'utf8'));

function serve() {
  const server = spawn(hopwise, ['campaign', 'status', directory, '--serve', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve) => {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (part) => {
      said += part;
      const url = said.match(/^live page: (http.*)$/m)?.[1];
      if (url) resolve([server, url]);
    });
  });
}

/// A task arrives whole, its state last, as one does that ends.
function arrive(task) {
  const [from, to] = [whole, directory].map((place) => join(place, 'tasks', task.key));
  cpSync(from, `${to}.part`, { recursive: true });
  renameSync(`${to}.part`, to);
}

const ofExperiment = (name) => tasks.filter((t) => t.experiment === name);
const marks = (name) => `document.querySelectorAll('#${name} .mark-symbol.role-mark path').length`;
const says = (text) => `document.body.innerText.includes(${JSON.stringify(text)})`;

const [server, url] = await serve();
const page = await Page.open(url);
await page.until(says(`0 of ${tasks.length} tasks done; no task is running`));
await page.until(says('No point yet.'));
assert.equal(await page.value(marks('curves')), 0);
const loaded = await page.value('performance.timeOrigin');

// Curves grow with the tasks: two loads of a task, a mark each, in a plot of latency and one of accepted load. The curves of the
// other experiment are not drawn again.
let drawn = 0;
const curves = ofExperiment('curves').filter((t) => t.seed === 1);
const [depth] = ofExperiment('depths');
arrive(depth);
await page.until(`${marks('depths')} === 4`);
await page.value("void (window.kept = document.querySelector('#depths svg'))");
for (const task of curves) {
  arrive(task);
  drawn += 4;
  await page.until(`${marks('curves')} === ${drawn}`);
}
assert.ok(await page.value("window.kept === document.querySelector('#depths svg')"), 'what has not changed is drawn again');
await page.until(says(`${1 + curves.length} of ${tasks.length} tasks done`));
// Another seed of the same curve is in the same marks.
arrive(ofExperiment('curves').find((t) => t.seed === 2));
await page.until(says(`${2 + curves.length} of ${tasks.length} tasks done`));
assert.equal(await page.value(marks('curves')), drawn);
assert.equal(await page.value("document.querySelector('progress').value"), (2 + curves.length) / tasks.length);
await page.value("void document.querySelectorAll('#curves details').forEach((e) => { e.open = true; })");
assert.ok(await page.value(`document.querySelectorAll('#curves table.data tbody tr').length === ${2 * curves.length}`));

// The latency that is shown is chosen.
await page.value("(() => { const box = document.querySelector('select'); box.selectedIndex = 3; box.dispatchEvent(new Event('change')); })()");
await page.until(`[...document.querySelectorAll('#curves .role-axis-title text')].some((e) => e.textContent.includes('latency, p99'))`);
assert.equal(await page.value('performance.timeOrigin'), loaded, 'the page was loaded again');

// A task that fails is there with its log, whatever that holds.
const failed = ofExperiment('depths')[1];
cpSync(join(whole, 'failed'), join(directory, 'tasks', failed.key), { recursive: true });
await page.until(`document.querySelector('#failed pre')?.textContent.includes('<img src=x onerror=alert(1)>')`);
assert.equal(await page.value("document.querySelector('#failed img')"), null);
await page.until(says(`tasks/${failed.key}/log`));
rmSync(join(directory, 'tasks', failed.key), { recursive: true });
await page.until("document.querySelector('#failed') === null");

// All that is left.
tasks.filter((t) => ![depth, ...curves].includes(t)).forEach((t) => {
  rmSync(join(directory, 'tasks', t.key), { recursive: true, force: true });
  arrive(t);
});
await page.until(says('all tasks have ended'));
assert.deepEqual(page.errors, []);

// Seeded faults: marks that are not there, and a script that throws, would be seen.
await assert.rejects(page.until(`${marks('curves')} > ${drawn}`, 2), /not within 2 s/);
await page.value("void setTimeout(() => { throw new Error('seeded'); })");
await page.until('true');
for (let i = 0; i < 50 && page.errors.length === 0; i += 1) await page.value('1');
assert.match(page.errors.join(), /seeded/);

// The server goes, and the page says so and keeps what it has.
server.kill('SIGTERM');
await page.until(says('No answer for'));
await page.until(says('index.html in its directory is its report'));
assert.equal(await page.value(marks('curves')), drawn);
await page.close();
