#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The campaigns of the tree, those of published studies and our own: every network is described and proved, full and quick, and none has a task twice.
. "$(dirname "$0")/lib.sh"
looked=0 published=0
for file in "$source"/campaigns/*.yaml; do
  for quick in '' --quick; do
    expect 0 "$hopwise" campaign run "$file" -o none --list $quick
    tasks=$(wc -l < said) distinct=$(cut -d' ' -f1 said | sort -u | wc -l)
    [ "$tasks" -gt 10 ] && [ "$tasks" -eq "$distinct" ] || fail "$file $quick: $tasks tasks, $distinct different ones" said
    # A task has a point for each of its loads, one at least.
    points=$(sed 's/.*; loads //' said | tr -cd ',\n' | awk '{ sum += 1 + length } END { print sum }')
    [ -z "$quick" ] || [ "$points" -lt "$full" ] || fail "$file: quick has $points points, the full one $full"
    full=$points
  done
  looked=$((looked + 1))
  name=$(basename "$file" .yaml)
  [ -e "$source/sim/report/published/$name.json" ] || continue
  published=$((published + 1))
  grep -q "^published: $name\$" "$file" || fail "$file is not held against the publication of its name"
done
[ "$published" -ge 4 ] && [ "$looked" -gt "$published" ] || fail "only $looked campaigns, $published of publications"
expect_nothing_at none
