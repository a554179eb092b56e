// SPDX-License-Identifier: Apache-2.0
// A page in headless Chromium, over the pipe of its debugging protocol.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Page {
  errors = []; // what its scripts threw, and what it could not load

  static async open(url) {
    const page = new Page();
    const home = mkdtempSync(join(tmpdir(), 'chromium-'));
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${home}`, 'about:blank'];
    page.browser = spawn('chromium', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: home } });
    page.asked = new Map();
    let rest = '';
    page.browser.stdio[4].setEncoding('utf8').on('data', (part) => {
      const messages = (rest + part).split('\0');
      rest = messages.pop();
      messages.forEach((text) => page.hear(JSON.parse(text)));
    });
    const { targetId } = await page.send('Target.createTarget', { url: 'about:blank' });
    page.session = (await page.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    for (const domain of ['Runtime', 'Log', 'Page']) await page.send(`${domain}.enable`);
    await page.send('Page.navigate', { url });
    return page;
  }

  hear({ id, result, error, method, params }) {
    if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(params.entry.text);
    if (id === undefined) return;
    const [resolve, reject] = this.asked.get(id);
    this.asked.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  send(method, params = {}) {
    const id = (this.last = (this.last ?? 0) + 1);
    this.browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((resolve, reject) => this.asked.set(id, [resolve, reject]));
  }

  /// The value of an expression in the page.
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  }

  /// Waits until the expression is true; what throws, before the page is there, is not.
  async until(expression, seconds = 20) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(100)) {
      if (await this.value(`(() => { try { return ${expression}; } catch { return false; } })()`)) return;
    }
    throw new Error(`not within ${seconds} s: ${expression}\n${await this.value('document.body.innerText')}`);
  }

  async close() {
    const gone = new Promise((resolve) => this.browser.once('exit', resolve));
    await this.send('Browser.close');
    await gone;
  }
}
