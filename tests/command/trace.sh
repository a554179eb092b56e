#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A recorded trace replays the same packets, and a bad one is refused line by line.
. "$(dirname "$0")/lib.sh"
expect 0 simulate recorded --routing dor --pattern uniform --load 0.3 --record-trace packets.trace
[ "$(grep -cv '^#' packets.trace)" -gt 500 ] || fail "few packets" packets.trace
expect 0 simulate replayed --routing dor --pattern trace --set traffic.trace=packets.trace --record-trace again.trace
expect_same packets.trace again.trace
json replayed/results.json 'r.points[0].stopped === "trace-end" && r.points[0].packets.lost === 0'
node -e 'const fs = require("fs");
         const lines = fs.readFileSync("packets.trace", "utf8").split("\n").filter((l) => l && !l.startsWith("#"));
         const r = JSON.parse(fs.readFileSync("replayed/results.json"));
         if (r.points[0].packets.injected !== lines.length || r.points[0].packets.delivered !== lines.length) {
           console.error(lines.length, r.points[0].packets); process.exit(1); }' || fail "not every packet was replayed"

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
