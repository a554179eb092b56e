// SPDX-License-Identifier: Apache-2.0
// Links between groups are drawn inside the circle of routers, links within a group outside.
import assert from 'node:assert';
import { join } from 'node:path';

const { circle } = await import(join(process.argv[2], 'sim/report/web/src/circle.mjs'));
const drawing = circle([4, 9], 600, 600);
const fromCentre = ([x, y]) => Math.hypot(x - 300, y - 300);
const radii = (channel) => drawing.path(channel).match(/-?[\d.]+,-?[\d.]+/g).map((point) => fromCentre(point.split(',').map(Number)));
const radius = fromCentre(drawing.place(0));
for (let src = 0; src < 36; ++src) {
  for (let dst = 0; dst < 36; ++dst) {
    if (src === dst) continue;
    const inside = radii({ src, dst, class: 'x' }).every((r) => r < radius);
    assert.equal(inside, Math.floor(src / 4) !== Math.floor(dst / 4), `${src} to ${dst}`);
  }
}
