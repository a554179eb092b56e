#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# results.json and speed.json hold what scripts read, points.csv has a line per point, and a checker that is given a lost
# packet or a missing field says so.
. "$(dirname "$0")/lib.sh"
check() { node "$source/tests/command/check_results.mjs" "$1" "$2"; }

expect 0 simulate out
check out/results.json out/speed.json
json out/results.json 'r.points.length === 12'
json out/results.json 'r.points.map((p) => p.routing).join() ===
                       [..."dddddd"].map(() => "dor").concat([..."ssssss"].map(() => "star_channel")).join()'
json out/results.json 'r.points.slice(0, 3).map((p) => p.offered_load).join() === "0.1,0.2,0.3"'
json out/results.json 'r.network.name === "torus_4x4" && r.network.routers === 16 && r.network.terminals === 16'
json out/results.json 'r.proofs.length === 2 && r.proofs.every((p) => p.result === "proved")'
[ "$(wc -l < out/points.csv)" -eq 13 ] || fail "points.csv" out/points.csv
expect_said '^dor +uniform +0.100'

spoil() {  # JavaScript that spoils r
  node -e 'const fs = require("fs"); const r = JSON.parse(fs.readFileSync("out/results.json"));
           eval(process.argv[1]); fs.writeFileSync("spoilt.json", JSON.stringify(r));' "$1"
  ! check spoilt.json out/speed.json 2> /dev/null || fail "the checker accepts: $1"
}
spoil 'r.points[3].packets.delivered -= 1'
spoil 'r.points[2].packets.lost = 1; r.points[2].packets.delivered -= 1'
spoil 'delete r.points[0].latency_cycles.p999'
spoil 'r.points[1].saturated = "no"'
spoil 'r.points.reverse()'
