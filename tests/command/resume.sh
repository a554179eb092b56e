#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --resume keeps the points that are there and runs those that are missing; results that are damaged, or of another run, are
# refused and stay as they are. Without it nothing is overwritten, unless --force says so.
. "$(dirname "$0")/lib.sh"
run() { simulate out --routing dor --pattern uniform --threads 1 "$@"; }
change() {  # JavaScript that changes the results r
  node -e 'const fs = require("fs"); const r = JSON.parse(fs.readFileSync("out/results.json"));
           eval(process.argv[1]); fs.writeFileSync("out/results.json", JSON.stringify(r));' "$1"
}
mark() { change 'r.points[0].hops_mean = 42'; }
kept='r.points[0].hops_mean === 42' redone='r.points[0].hops_mean < 10'

expect 0 run --loads 0.1:0.2:0.1
expect 0 run --resume --loads 0.1:0.3:0.1
expect_said '^resume: 2 of 3 points kept, 1 to run$'
cp out/results.json resumed.json
expect 0 run --force --loads 0.1:0.3:0.1
expect_same resumed.json out/results.json
expect_nothing_at out/points.jsonl

mark; expect 0 run --resume --loads 0.1:0.3:0.1; json out/results.json "r.points.length === 3 && $kept"
mark; expect 0 run --resume --load 0.1; json out/results.json "r.points.length === 3 && $kept"
expect_said '^resume: 1 of 1 points kept, 0 to run; 2 others stay$'
json out/speed.json 'r.points.map((p) => p.offered_load.toFixed(1)).join() === "0.1,0.2,0.3"'
mark; expect 0 run --force --load 0.1; json out/results.json "r.points.length === 1 && $redone"

# Routings that are asked for one after the other make the results of both.
expect 0 simulate both --pattern uniform --load 0.1
expect 0 run --force --load 0.1
expect 0 simulate out --resume --routing star_channel --pattern uniform --load 0.1
expect_said '^resume: 0 of 1 points kept, 1 to run; 1 others stay$'
expect_same both/results.json out/results.json
expect_same both/points.csv out/points.csv

# A search for saturation is kept.
search=(--loads 0.2:0.8:0.3 --set experiment.find_saturation=true)
expect 0 run --force "${search[@]}"
cp out/results.json before.json
expect 0 run --resume "${search[@]}"
expect_said '^resume: 3 of 3 points kept, 0 to run$'
expect_said '^resume: 1 of 1 searches for saturation kept, 0 to run$'
expect_same before.json out/results.json

# What is there is not overwritten, and nothing is compiled.
expect 2 "$hopwise" simulate "$net" -o out --cache empty --quiet
expect_said 'app.results-there.*results.json'
expect_said '--resume.*--force'
expect_nothing_at empty
expect_same before.json out/results.json
for command in run "compare $net"; do
  sed 's/min: 1/min: 2/' "$net" > other.yaml
  # shellcheck disable=SC2086
  expect 2 "$hopwise" $command other.yaml -o out --cache empty --quiet
  expect_said 'app.results-there'
done
for file in report.html points.csv speed.json points.jsonl; do
  mkdir lone && echo mine > "lone/$file"
  expect 2 simulate lone --load 0.1
  expect_said "app.results-there.*$file"
  expect 2 simulate lone --resume --load 0.1
  expect_said "lone/$file.*app.bad-results"
  [ "$(cat "lone/$file")" = mine ] || fail "$file was changed"
  rm -r lone
done
expect 2 run --resume --force --load 0.1
expect 2 run --resume --load 0.1 --wave 0

# The results of another run, and what differs.
refused() {  # CODE OPTION...: and nothing is written
  local code=$1
  shift
  cp out/results.json before.json
  expect 2 run --resume --load 0.1 "$@"
  expect_said "out/.*$code"
  expect_same before.json out/results.json
}
expect 0 run --force --loads 0.1:0.2:0.1
cp -r out good
refused app.other-results --seed 9
expect_said 'overrides: found nothing, allowed: simulation.seed=9'
refused app.other-results --set link.latency_cycles=7
refused app.other-results --check-learning
sed 's/dims: \[4, 4\]/dims: [4, 5]/' "$net" > other.yaml
expect 2 "$hopwise" simulate other.yaml -o out --cache "$cache" --quiet --resume
expect_said 'app.other-results.*config_yaml: found line 3: ".*dims: \[4, 4\]'
for changed in 'hopwise: r.hopwise = "0.0.1"' 'seed: r.points[1].seed = 3' 'proofs: dor: rtl_hash: r.proofs[0].rtl_hash = "0"'; do
  change "${changed##*: }"
  refused app.other-results
  expect_said "${changed%: *}: found"
  cp good/results.json out
done

# Damaged ones, in any place.
for damage in 'delete r.points' 'r.points = 3' 'r.points[1] = null' 'r.points[0].routing = 7' 'delete r.points[0].latency_cycles' \
              'r.points[1].offered_load = "0.2"' 'r.overrides = [1]' 'r.proofs = {}' 'r.config_yaml = null' 'r.saturation = [{}]'; do
  change "$damage"
  refused 'results.json.*app.bad-results'
  cp good/results.json out
done
size=$(stat -c %s good/results.json)
for part in 0 1 $((size / 3)) $((size / 2)) $((size - 3)); do
  head -c "$part" good/results.json > out/results.json
  refused 'results.json.*app.bad-results'
done
cp good/results.json out
head -c 100 good/speed.json > out/speed.json
refused 'speed.json.*app.bad-results'

# The journal of a run that was killed: a line without an end was in progress, any other damage is named.
journal() {
  rm -rf out && mkdir out
  node -e 'const fs = require("fs");
           const {points, saturation, ...head} = JSON.parse(fs.readFileSync("good/results.json"));
           const speeds = JSON.parse(fs.readFileSync("good/speed.json")).points;
           const lines = [head, ...points.map((point, i) => ({point, speed: speeds[i]}))];
           fs.writeFileSync("out/points.jsonl", lines.map((line) => JSON.stringify(line) + "\n").join(""));'
}
same_values() {  # of what JavaScript has written: 1 for 1.0
  node -e 'const [a, b] = process.argv.slice(1).map((file) => JSON.parse(require("fs").readFileSync(file)));
           require("assert").deepStrictEqual(a, b);' "good/$1" "out/$1" || fail "$1"
}
journal
expect 0 run --resume --loads 0.1:0.2:0.1
expect_said '^resume: 2 of 2 points kept, 0 to run$'
same_values results.json
same_values speed.json
expect_nothing_at out/points.jsonl
journal
truncate -s -20 out/points.jsonl
expect 2 run --loads 0.1:0.2:0.1
expect_said 'app.results-there.*points.jsonl'
expect 0 run --resume --loads 0.1:0.2:0.1
expect_said '^resume: 1 of 2 points kept, 1 to run$'
same_values results.json
for line in 1 2; do
  journal
  sed -i "${line}s/\"routing\"/\"rooting\"/" out/points.jsonl
  cp out/points.jsonl damaged.jsonl
  expect 2 run --resume --loads 0.1:0.2:0.1
  expect_said "points.jsonl:$line:.*app.bad-results"
  expect_same damaged.jsonl out/points.jsonl
done
