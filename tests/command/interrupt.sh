#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C, SIGTERM and SIGHUP end a run with status 130 and valid results so far, which --resume completes.
. "$(dirname "$0")/lib.sh"
interrupt() {  # SIGNAL COMMAND...: runs it, interrupts it after a while, keeps its status in `status`
  local signal=$1
  shift
  "$@" > said 2>&1 &
  local pid=$!
  sleep 3
  kill "-$signal" $pid
  status=0
  wait $pid || status=$?
}
options=(--routing dor --pattern uniform --cache "$cache" --quiet --threads 1)
for signal in TERM HUP INT; do
  interrupt $signal "$hopwise" simulate "$net" -o out "${options[@]}" --load 0.2 --cycles 1000000000 --force
  [ $status -eq 130 ] || fail "status $status after SIG$signal" said
  json out/results.json 'r.interrupted === true && r.points.length === 1 && r.points[0].partial === true'
done
json out/results.json '((p) => p.injected > 0 && p.injected === p.delivered + p.in_flight && p.lost === 0)(r.points[0].packets)'
json out/results.json 'r.points[0].stopped === "interrupted" && r.points[0].cycles < 1000000000'
json out/speed.json 'r.points.length === 1'
expect_nothing_at out/points.jsonl

# It has no numbers that look final.
grep -qE '^dor +uniform +0.200( +-){7} +interrupted$' said || fail "the table" said
grep -qE '^dor,uniform,0.2,(-,){28}1,interrupted,-,,-,,-$' out/points.csv || fail "points.csv" out/points.csv

# The page can be written from what there is.
interrupt INT "$hopwise" run "$net" -o page "${options[@]}" --loads 0.2:0.4:0.1 --cycles 1000000000
[ $status -eq 130 ] || fail "status $status" said
[ -s page/report.html ] || fail "no report" said

# A partial point is run again; nothing says any more that there was an interruption.
sed -i 's/simulation.cycles=1000000000/simulation.cycles=1000/' out/results.json
expect 0 "$hopwise" simulate "$net" -o out "${options[@]}" --load 0.2 --cycles 1000 --resume
expect_said '^resume: 0 of 1 points kept, 1 to run$'
expect 0 "$hopwise" simulate "$net" -o whole "${options[@]}" --load 0.2 --cycles 1000
expect_same whole/results.json out/results.json
json out/results.json 'r.interrupted === undefined && r.points.length === 1 && r.points[0].partial === undefined'
