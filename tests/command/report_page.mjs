// SPDX-License-Identifier: Apache-2.0
// node report_page.mjs DIR: the page of the experiment torus of a collected campaign, beside its results.json.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Page } from './browser.mjs';

const directory = process.argv[2];
const rows = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8')).published.filter((row) => row.measured !== null);
assert.ok(rows.length > 0);
const page = await Page.open(`file://${resolve(directory, 'torus.html')}`);
await page.until("document.querySelectorAll('#latency .mark-symbol.role-mark path').length >= 3");
const shown = await page.value("[...document.querySelectorAll('#published table tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))");
const heads = await page.value("[...document.querySelectorAll('#published table')][0].querySelectorAll('th').length");
assert.equal(shown.filter((cells) => cells.length === heads).length, rows.length);
const { published, measured, verdict } = rows[0];
assert.ok(shown[0].includes(published.join(' to ')), `${shown[0]}`);
assert.ok(shown[0].includes(String(Number(measured.toPrecision(4)))), `${shown[0]}`);
assert.ok(shown[0].includes(verdict), `${shown[0]}`);
assert.deepEqual(page.errors, []);
// Seeded fault: a script that throws would be seen.
await page.value("void setTimeout(() => { throw new Error('seeded'); })");
for (let i = 0; i < 50 && page.errors.length === 0; i += 1) await page.value('1');
assert.match(page.errors.join(), /seeded/);
await page.close();
