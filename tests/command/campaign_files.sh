#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The campaigns of published studies: every network is described and proved, full and quick, and none has a task twice.
. "$(dirname "$0")/lib.sh"
looked=0
for file in "$source"/campaigns/*.yaml; do
  for quick in '' --quick; do
    expect 0 "$hopwise" campaign run "$file" -o none --list $quick
    tasks=$(wc -l < said) distinct=$(cut -d' ' -f1 said | sort -u | wc -l)
    [ "$tasks" -gt 10 ] && [ "$tasks" -eq "$distinct" ] || fail "$file $quick: $tasks tasks, $distinct different ones" said
    [ -z "$quick" ] || [ "$tasks" -lt "$full" ] || fail "$file: quick has $tasks tasks, the full one $full"
    full=$tasks
  done
  grep -q "^published: $(basename "$file" .yaml)\$" "$file" || fail "$file is held against nothing"
  looked=$((looked + 1))
done
[ "$looked" -ge 3 ] || fail "only $looked campaigns"
expect_nothing_at none
