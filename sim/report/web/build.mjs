// SPDX-License-Identifier: Apache-2.0
// Joins the plot libraries, own scripts and a style into an HTML page that needs no network.
//   node build.mjs report|live OUTPUT.html
// report: a template. The results go in at the marker @@HOPWISE_RESULTS@@, the verdict on them at @@HOPWISE_VERDICT@@; each stands in
// the output exactly once, in this order. live: the page of a campaign that runs; it asks its server for state.json.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const here = dirname(fileURLToPath(import.meta.url));
const libraries = ['vega/build/vega.min.js', 'vega-lite/build/vega-lite.min.js', 'vega-embed/build/vega-embed.min.js'];
// A file stands after the files that it imports from.
const pages = {
  report: {
    template: 'template.html',
    markers: ['@@HOPWISE_RESULTS@@', '@@HOPWISE_VERDICT@@'],
    sources: [
      'model',
      'dom',
      'glossary',
      'facts',
      'layout',
      'circle',
      'network',
      'aggregate',
      'loads',
      'charts',
      'boxes',
      'curves',
      'completion',
      'jobs',
      'detail',
      'decisions',
      'learning',
      'training',
      'costs',
      'tables',
      'verdict',
      'main',
    ],
  },
  live: { template: 'live.html', markers: [], sources: ['model', 'dom', 'charts', 'curves', 'progress', 'live'] },
};

const read = (...path) => readFileSync(join(here, ...path), 'utf8');

function fail(message) {
  console.error(`build.mjs: ${message}`);
  process.exit(1);
}

/// Text that ends no <script> element, whatever it holds; the value of every string and regular expression stays.
const inScript = (text) => text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

/// The body of an ES module, for one scope shared with the others.
const body = (text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');

/// The licence texts of everything under node_modules that a browser build can hold.
function notices() {
  const byText = new Map();
  const root = join(here, 'node_modules');
  const names = readdirSync(root).filter((name) =>
    /^(vega|d3-|topojson|internmap|delaunator|robust-|fast-json|json-str|semver|tslib)/.test(name),
  );
  for (const name of names.sort()) {
    const file = readdirSync(join(root, name)).find((entry) => /^licen[cs]e/i.test(entry));
    const info = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
    const text = file ? readFileSync(join(root, name, file), 'utf8').trim() : `Licence: ${info.license}`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${info.version}`]);
  }
  return [...byText].map(([text, packages]) => `${packages.join(', ')}\n\n${text}`).join('\n\n----\n\n');
}

const [page, output] = [pages[process.argv[2]], process.argv[3]];
if (!page || !output) fail('usage: node build.mjs report|live OUTPUT.html');
const { template, markers, sources } = page;
for (const library of libraries) {
  if (!existsSync(join(here, 'node_modules', library))) {
    fail(`node_modules/${library} is missing: run ./quickstart, or npm ci in sim/report/web`);
  }
}

const scripts = libraries.map((library) =>
  inScript(read('node_modules', library).replace(/^\/\/# sourceMappingURL.*$/gm, '')),
);
const own = `(() => {\n'use strict';\n${sources.map((name) => body(read('src', `${name}.mjs`))).join('\n')}})();\n`;
sources.forEach((name, i) => {
  for (const [, wanted] of read('src', `${name}.mjs`).matchAll(/^import [^;]* from '\.\/(\w+)\.mjs';$/gm)) {
    if (!sources.slice(0, i).includes(wanted)) fail(`${name}.mjs imports from ${wanted}.mjs, which does not stand before it`);
  }
});
// A function declared twice is no error to the parser: the second would silently take the place of the first.
const functions = [...own.matchAll(/^function (\w+)/gm)].map(([, name]) => name);
const twice = functions.filter((name, i) => functions.indexOf(name) !== i);
if (twice.length) fail(`declared twice in the joined scripts: ${twice.join(', ')}`);
try {
  new Script(own);
} catch (error) {
  fail(`the joined scripts do not parse: ${error.message}`);
}

const parts = {
  '@@STYLE@@': read('src', 'style.css'),
  '@@NOTICES@@': inScript(notices()),
  '@@LIBRARIES@@': scripts.map((text) => `<script>${text}</script>`).join('\n'),
  '@@REPORT@@': `<script>${inScript(own)}</script>`,
};
const html = Object.entries(parts).reduce(
  (text, [key, value]) => text.replace(key, () => value),
  read('src', template),
);
for (const marker of markers) {
  if (html.split(marker).length !== 2) fail(`the marker ${marker} must stand exactly once`);
}
const places = markers.map((marker) => html.indexOf(marker));
if (places.some((place, i) => place < (places[i - 1] ?? 0))) fail(`the order of the markers must be ${markers.join(', ')}`);
writeFileSync(output, html);
