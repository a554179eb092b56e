#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `compare` puts the routings of several files under the traffic of the first, into one set of results and one report.
. "$(dirname "$0")/lib.sh"
sed -e 's/dims: \[4, 4\]/dims: [2, 8]/' -e 's/routings: .*/routings: [dor]/' -e 's/loads: .*/loads: [0.9]/' \
    -e 's/simulation: .*/simulation: {seed: 9, cycles: 700}/' "$net" > long.yaml
expect 0 "$hopwise" compare "$net" long.yaml -o out --cache "$cache" --quiet --pattern uniform --loads 0.1:0.2:0.1
[ "$(tail -n 1 said)" = "report: $scratch/out/report.html" ] || fail "last line" said
[ -s out/report.html ] && [ -s out/points.csv ] || fail "no report or no points"
expect_nothing_at out/bundles
node "$source/tests/command/check_results.mjs" out/results.json out/speed.json
json out/results.json 'r.points.map((p) => p.routing + " " + p.offered_load.toFixed(1)).join() ===
  "net/dor 0.1,net/dor 0.2,net/star_channel 0.1,net/star_channel 0.2,long/dor 0.1,long/dor 0.2"'

# Seed and cycles are the first file's, and all terminals send the same packets.
json out/results.json 'r.points.every((p) => p.seed === 1 && p.measured_cycles >= 2000)'
json out/results.json '[0.1, 0.2].every((load) => new Set(r.points.filter((p) => Math.abs(p.offered_load - load) < 1e-9)
  .map((p) => p.packets.injected)).size === 1)'

# A network that is not the first one has an entry of its own, with its channels.
json out/results.json 'r.network.dims.join() === "4,4" && r.networks.length === 1'
json out/results.json '((n) => n.network.dims.join() === "2,8" && n.routings.join() === "long/dor")(r.networks[0])'
json out/results.json 'r.points[5].link_utilisation.length === r.networks[0].channels.length'

# What cannot be compared.
sed 's/dims: \[4, 4\]/dims: [4, 3]/' "$net" > small.yaml
expect 2 "$hopwise" compare "$net" small.yaml -o bad --cache "$cache" --quiet
expect_said 'small.yaml.*app.terminals|app.terminals.*small.yaml'
sed -e 's/max_flits: 4/max_flits: 2/' -e 's/max: 4/max: 2/' "$net" > short.yaml
expect 2 "$hopwise" compare "$net" short.yaml -o bad --cache "$cache" --quiet
expect_said 'app.packets'
expect 2 "$hopwise" compare "$net" "$net" -o bad --cache "$cache" --quiet
expect_said 'app.same-file'
expect 2 "$hopwise" compare "$net" -o bad --cache "$cache" --quiet
expect_nothing_at bad
