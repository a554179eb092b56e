#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Which routing generate, synth and check take: --routing, then routing.algorithm, then those of the experiment.
. "$(dirname "$0")/lib.sh"
generate() { rm -rf bundle; "$hopwise" generate "$@" -o bundle; }
cat > both.yaml <<'Y'
topology: {kind: torus, dims: [4]}
router: {vcs: 3}
routing: {algorithm: star_channel}
experiment:
  routings: [dor, star_channel, {label: balanced, algorithm: dor, routing.dateline: balanced}]
Y
sed '/^routing:/d' both.yaml > several.yaml
sed 's/routings:.*/routings: [star_channel]/' several.yaml > single.yaml

# routing.algorithm says which network the file describes, wherever it comes from.
expect 0 generate both.yaml
expect_said 'routing star_channel'
expect_said 'compares 3 routings; this is star_channel'
cp -r bundle named
expect 0 generate several.yaml --set routing.algorithm=star_channel
[ -z "$(diff -r named bundle)" ] || fail "--set gives another bundle than the file"
expect 0 "$hopwise" check both.yaml
expect_said 'star_channel: free of deadlock'
[ "$(grep -c 'free of deadlock' said)" -eq 1 ] || fail "check proves more than routing.algorithm" said
expect_said 'All: --all'

# A label is explicit: it goes before routing.algorithm.
expect 0 generate both.yaml --routing dor
expect_said 'routing dor'
cp -r bundle dor
expect 0 generate several.yaml --routing dor
[ -z "$(diff -r dor bundle)" ] || fail "a label gives another bundle where the file has routing.algorithm"
expect 0 "$hopwise" check both.yaml --routing balanced
expect_said 'balanced: free of deadlock'
expect 2 generate both.yaml --routing valiant
expect_said 'app.no-such-routing.*dor, star_channel, balanced'

# Without either, one network is asked for, and check proves all.
expect 2 generate several.yaml
expect_said 'app.which-routing.*dor, star_channel, balanced'
expect_said '--routing LABEL'
expect_nothing_at bundle
expect 2 "$hopwise" synth several.yaml --target generic -o cost --cache "$cache" --quiet
expect_said 'app.which-routing'
expect_nothing_at cost
expect 0 generate single.yaml
expect_said 'routing star_channel'
for all in several.yaml 'both.yaml --all'; do
  # shellcheck disable=SC2086
  expect 0 "$hopwise" check $all
  [ "$(grep -c 'free of deadlock' said)" -eq 3 ] || fail "check $all does not prove all" said
done
expect 2 "$hopwise" check both.yaml --all --routing dor
