#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Learned tables are saved and loaded whole or not at all, and a file that does not fit is refused.
. "$(dirname "$0")/lib.sh"
cat > learns.yaml <<'YAML'
topology: {kind: torus, dims: [4, 4]}
packet: {flit_bits: 64}
router: {vcs: 4, vc_depth_flits: 8}
routing: {algorithm: q_routing}
simulation: {cycles: 1000, warmup_cycles: 200}
experiment: {patterns: [permutation], loads: [0.3], find_saturation: false}
YAML
learns() { local out=$1; shift; "$hopwise" simulate learns.yaml -o "$out" --cache "$cache" --quiet "$@"; }

expect 0 learns first --save-tables tables.json --check-learning
json first/results.json 'r.points[0].learning_check.decisions > 1000 && r.points[0].learning_check.updates > 1000'
json tables.json 'r.format === "hopwise q-tables" && r.routers === 16 && r.rows === 16 && r.columns === 4 && r.tables.length === 16 && r.tables.every((t) => t.length === 64)'
expect 0 learns again --save-tables again.json --threads 3
expect_same tables.json again.json
expect 0 learns loaded --load-tables tables.json --save-tables more.json --check-learning
json loaded/results.json 'r.loaded_tables === "tables.json" && r.points[0].packets.lost === 0'
cmp -s tables.json more.json && fail "nothing was learned from loaded tables"

# Files that do not fit.
expect 2 learns refused --load-tables missing.json
expect_said 'missing.json.*app.cannot-read'
printf '{' > bad.json
expect 2 learns refused --load-tables bad.json
expect_said 'bad.json.*app.bad-tables.*format: found no JSON'
expect 2 learns refused --load-tables learns.yaml
expect_said 'app.bad-tables'
sed 's/"version": 1/"version": 7/' tables.json > bad.json
expect 2 learns refused --load-tables bad.json
expect_said 'app.bad-tables.*version: found 7, allowed: 1'
sed 's/"fraction_bits": 5/"fraction_bits": 6/; s/"columns": 4/"columns": 6/' tables.json > bad.json
expect 2 learns refused --load-tables bad.json
expect_said 'app.other-tables.*columns: found 6, allowed: 4'
expect_said 'app.other-tables.*fraction_bits: found 6, allowed: 5'
sed '0,/^  \[[0-9]*,/s//  [262144,/' tables.json > bad.json
expect 2 learns refused --load-tables bad.json
expect_said 'app.bad-tables.*tables\[0\]\[0\]: found 262144, allowed: an integer from 0 to 262143'
sed '0,/^  \[[0-9]*,/s//  [/' tables.json > bad.json
expect 2 learns refused --load-tables bad.json
expect_said 'app.bad-tables.*tables\[0\]: found 63 numbers, allowed: 64 numbers'
expect 2 learns refused --load-tables tables.json --set topology.dims=[4,3]
expect_said 'app.other-tables.*routers: found 16, allowed: 12'
expect 2 learns refused --loads 0.1:0.2:0.1 --save-tables x.json
expect_said 'app.one-point'
expect 2 simulate refused --routing dor --pattern uniform --load 0.1 --save-tables x.json
expect_said 'app.no-tables.*dor'
expect 2 learns elsewhere --save-tables /proc/x.json
expect_said 'app.cannot-write'
expect_nothing_at refused
expect_nothing_at x.json
