#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where a file cannot grow any more, a run stops with the reason, and what was on disk before stays; --resume goes on from it.
. "$(dirname "$0")/lib.sh"
limited() { (trap '' XFSZ; ulimit -f "$1"; shift; "$@"); }  # KIB COMMAND...
points=(--routing dor --pattern uniform --threads 1)
expect 0 simulate whole "${points[@]}" --loads 0.1:0.6:0.1
# Room for the network and about three of the six points.
room=$(node -e 'const r = JSON.parse(require("fs").readFileSync("whole/results.json"));
                console.log(Math.floor(JSON.stringify({...r, points: r.points.slice(0, 3)}).length / 1024));')
expect 2 limited "$room" simulate out "${points[@]}" --loads 0.1:0.6:0.1
expect_said 'points.jsonl.*app.cannot-write.*File too large'
expect 0 simulate out "${points[@]}" --loads 0.1:0.6:0.1 --resume
expect_said '^resume: [1-5] of 6 points kept'
expect_same whole/results.json out/results.json

expect 2 limited 4 simulate out "${points[@]}" --loads 0.1:0.7:0.1 --resume
expect_said 'app.cannot-write.*File too large'
expect_same whole/results.json out/results.json
expect_nothing_at out/points.jsonl
