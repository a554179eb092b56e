#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong with a campaign is said with file, line and key, all of it at once: the bad inputs of campaign_reject.txt, each behind
# a line `== MESSAGE...` for every message that it gives, and nothing else.
. "$(dirname "$0")/lib.sh"
cp "$net" net.yaml
awk '/^== / { if (!open) { n++; open = 1 }; print substr($0, 4) > (n ".expected"); next } { open = 0; print > (n ".yaml") }' \
  "$source/tests/command/campaign_reject.txt"
cases=0
for yaml in [0-9]*.yaml; do
  mv "$yaml" c.yaml
  expect 2 "$hopwise" campaign run c.yaml -o out --cache "$cache" --quiet
  grep 'error\[' said | sed "s|$PWD/|@/|g" | cmp - "${yaml%.yaml}.expected" || fail "case ${yaml%.yaml}" said
  expect_nothing_at out
  cases=$((cases + 1))
done
[ "$cases" -gt 10 ] || fail "only $cases cases"
expect 2 "$hopwise" campaign run nowhere.yaml -o out
expect_said 'nowhere.yaml: error\[app.cannot-read\]'
expect 2 "$hopwise" campaign run net.yaml -o out
expect_said 'net.yaml:[0-9]+:1: error\[app.campaign-key\]: topology'
