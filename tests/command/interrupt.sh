#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C ends a run with status 130 and valid results so far, which --resume completes.
. "$(dirname "$0")/lib.sh"
interrupt() {  # COMMAND...: runs it, interrupts it after a while, keeps its status in `status`
  "$@" > said 2>&1 &
  local pid=$!
  sleep 3
  kill -INT $pid
  status=0
  wait $pid || status=$?
}
options=(--routing dor --pattern uniform --cache "$cache" --quiet --threads 1)
interrupt "$hopwise" simulate "$net" -o out "${options[@]}" --load 0.2 --cycles 1000000000
[ $status -eq 130 ] || fail "status $status" said
json out/results.json 'r.interrupted === true && r.points.length === 1 && r.points[0].partial === true'
json out/results.json '((p) => p.injected > 0 && p.injected === p.delivered + p.in_flight && p.lost === 0)(r.points[0].packets)'
json out/results.json 'r.points[0].stopped === "interrupted" && r.points[0].cycles < 1000000000'
json out/speed.json 'r.points.length === 1'

# The page can be written from what there is.
interrupt "$hopwise" run "$net" -o page "${options[@]}" --loads 0.2:0.4:0.1 --cycles 1000000000
[ $status -eq 130 ] || fail "status $status" said
[ -s page/report.html ] || fail "no report" said

# A partial point is run again.
expect 0 "$hopwise" simulate "$net" -o out "${options[@]}" --load 0.2 --cycles 1000 --resume
json out/results.json 'r.interrupted === undefined && r.points.length === 1 && r.points[0].partial === undefined'
