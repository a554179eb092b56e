#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A second process on an output directory is told and stops; the directory is free again when the first was killed.
. "$(dirname "$0")/lib.sh"
point=(--routing dor --pattern uniform --load 0.1 --threads 1)
"$hopwise" simulate "$net" -o out --cache "$cache" --quiet "${point[@]}" --cycles 1000000000 > first 2>&1 &
first=$!
for ((tries = 0; tries < 100; tries++)); do
  [ ! -e out/.lock ] || break
  sleep 0.1
done
sleep 1
for option in '' --resume --force; do
  expect 2 simulate out "${point[@]}" ${option:+"$option"}
  expect_said '^out: error\[app.in-use\]'
done
kill -KILL $first
wait $first || true
expect 0 simulate out "${point[@]}"
json out/results.json 'r.points.length === 1 && !r.interrupted'
