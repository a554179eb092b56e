#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --wave writes an FST file for each of its routers, and changes no result: wave.sh HOPWISE SOURCE_DIR CACHE_DIR FST_TO_VCD.
. "$(dirname "$0")/lib.sh"
fst_to_vcd=$4
point=(--routing dor --pattern uniform --load 0.1 --cycles 500)
expect 0 simulate with "${point[@]}" --wave 0,5
! grep -q Warning said || fail "the waveform has gaps" said
expect 0 simulate without "${point[@]}"
expect_same with/results.json without/results.json
[ "$(find with -name '*.fst' | sort | tr '\n' ' ')" = "with/router_0.fst with/router_5.fst " ] || fail "$(ls with)"
for wave in with/*.fst; do
  # A header block (type 0, 329 bytes) begins an FST file.
  [ "$(od -An -tx1 -N9 "$wave" | tr -d ' ')" = 000000000000000149 ] || fail "$wave is no FST file"
  [ "$(stat -c %s "$wave")" -gt 2000 ] || fail "$wave is nearly empty"
done

# Cycle c's input pins change at time 2c, before the edge that takes them; output pins at 2c + 1, with it. The first packet finds
# the router empty: pipeline_cycles (2) from the cycle of its head on the input pins to that on the output pins.
"$fst_to_vcd" with/router_0.fst > wave.vcd || fail "no reader of the waveform"
node - <<'SCRIPT' || fail "times of the pins"
const lines = require('fs').readFileSync('wave.vcd', 'utf8').split('\n');
const code = (name) => lines.find((l) => l.startsWith('$var') && l.split(' ')[4] === name).split(' ')[3];
const pins = {[code('in_valid_i')]: [], [code('out_valid_o')]: []};
let time = 0;
for (const line of lines) {
  if (line.startsWith('#')) time = Number(line.slice(1));
  const change = /^b([01]+) (.+)$/.exec(line);
  if (change && pins[change[2]]) pins[change[2]].push([time, /1/.test(change[1])]);
}
const [into, out] = Object.values(pins).map((changes) => changes.slice(1));  // without the values at the start
const taken = into.find((c) => c[1])[0], sent = out.find((c) => c[1])[0];
const right = into.length > 20 && into.every((c) => c[0] % 2 === 0) && out.every((c) => c[0] % 2 === 1) && sent === taken + 3;
if (!right) console.error(`input pins first at ${taken}, output pins at ${sent}; ${into.length} and ${out.length} changes`);
process.exit(right ? 0 : 1);
SCRIPT
