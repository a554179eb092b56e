#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --resume keeps the points that are there, runs those that are missing, and trusts none of another network.
. "$(dirname "$0")/lib.sh"
run() { simulate out --routing dor --pattern uniform --threads 1 "$@"; }
mark() {  # leaves a trace in the first point of the results
  node -e 'const fs = require("fs"); const r = JSON.parse(fs.readFileSync("out/results.json"));
           r.points[0].hops_mean = 42; fs.writeFileSync("out/results.json", JSON.stringify(r));'
}
kept='r.points[0].hops_mean === 42' redone='r.points[0].hops_mean < 10'

expect 0 run --loads 0.1:0.2:0.1
expect 0 run --resume --loads 0.1:0.3:0.1
cp out/results.json resumed.json
expect 0 run --loads 0.1:0.3:0.1
expect_same resumed.json out/results.json

mark; expect 0 run --resume --loads 0.1:0.3:0.1; json out/results.json "r.points.length === 3 && $kept"
mark; expect 0 run --resume --load 0.1; json out/results.json "r.points.length === 1 && $kept"
mark; expect 0 run --load 0.1; json out/results.json "$redone"
mark; expect 0 run --resume --load 0.1 --seed 9; json out/results.json "$redone"
mark; expect 0 run --resume --load 0.1; json out/results.json "$redone"
mark; expect 0 run --resume --load 0.1 --set link.latency_cycles=7; json out/results.json "$redone"
mark; expect 0 run --resume --load 0.1 --set traffic.packet_flits=1; json out/results.json "$redone"
echo '{"points": [' > out/results.json
expect 0 run --resume --load 0.1; json out/results.json "$redone"
