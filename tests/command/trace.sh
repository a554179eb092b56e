#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A recorded trace replays the same packets, and a bad one is refused line by line.
. "$(dirname "$0")/lib.sh"
expect 0 simulate recorded --routing dor --pattern uniform --load 0.3 --record-trace packets.trace
[ "$(grep -cv '^#' packets.trace)" -gt 500 ] || fail "few packets" packets.trace
expect 0 simulate replayed --routing dor --pattern trace --set traffic.trace=packets.trace --record-trace again.trace
expect_same packets.trace again.trace
node -e 'const fs = require("fs");
         const point = (run) => JSON.parse(fs.readFileSync(`${run}/results.json`)).points[0];
         const [first, second] = [point("recorded"), point("replayed")];
         for (const key of ["pattern", "stopped"]) delete first[key], delete second[key];
         if (JSON.stringify(first) !== JSON.stringify(second)) process.exit(1);' || fail "the replay has other numbers"
json replayed/results.json 'r.points[0].stopped === "trace-end" && !("completion_cycles" in r.points[0])'

# Points of another trace are not kept.
cp packets.trace changed.trace
expect 0 simulate changed --routing dor --pattern trace --set traffic.trace=changed.trace
tail -n 1 changed.trace | awk '{print $1 + 100, $2, $3, $4}' >> changed.trace
expect 2 simulate changed --routing dor --pattern trace --set traffic.trace=changed.trace --resume
expect_said 'app.other-results.*trace_hash'

# Without the line that says how it was measured, all of its packets are sent, and that is the result.
grep -v '^#:' packets.trace > whole.trace
expect 0 simulate whole --pattern trace --set traffic.trace=whole.trace
expect_said '^routing .* completion '
expect_said '^  completion '
node -e 'const fs = require("fs");
         const lines = fs.readFileSync("whole.trace", "utf8").split("\n").filter((l) => l && !l.startsWith("#"));
         for (const p of JSON.parse(fs.readFileSync("whole/results.json")).points) {
           if (p.packets.injected !== lines.length || p.packets.delivered !== lines.length || p.packets.lost !== 0 ||
               p.completion_cycles !== p.last_delivery_cycle + 1 || p.completion_cycles !== p.measured_cycles) {
             console.error(lines.length, p.packets, p.completion_cycles); process.exit(1); } }' || fail "not every packet was replayed"

# The path in a file is relative to the file.
mkdir folder
cp packets.trace folder/
sed 's/^traffic: {/traffic: {trace: packets.trace, /' "$net" > folder/net.yaml
expect 0 "$hopwise" simulate folder/net.yaml -o out --cache "$cache" --quiet --routing dor --pattern trace

printf '0 0 5 1\n3 0 0 1\n2 1 99 1\n' > bad.trace
expect 2 simulate refused --routing dor --pattern trace --set traffic.trace=bad.trace
expect_said 'bad.trace:2:.*traffic.trace-self'
expect_said 'bad.trace:3:.*traffic.trace-cycle-order'
expect_nothing_at refused
