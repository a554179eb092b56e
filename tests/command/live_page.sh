#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The live page of a campaign in a browser: its curves grow as tasks end, failures have their logs, and it says when nobody answers.
. "$(dirname "$0")/lib.sh"
command -v chromium > /dev/null || { echo "SKIP: chromium is not installed"; exit 77; }
cp "$net" net.yaml
cat > c.yaml <<'Y'
name: small
experiments:
  - name: curves
    file: net.yaml
    set: {experiment.loads: [0.1, 0.2], simulation.cycles: 1000}
    seeds: [1, 2]
  - name: depths
    file: net.yaml
    routings: [dor]
    set: {experiment.patterns: [uniform], experiment.loads: [0.1, 0.3], simulation.cycles: 1000}
    axes: {router.vc_depth_flits: [8, 16]}
Y
expect 0 "$hopwise" campaign run c.yaml -o whole --cache "$cache" --quiet
mkdir live whole/failed
cp whole/campaign.json live
echo '<img src=x onerror=alert(1)>' > whole/failed/log
echo '{"status":1,"loads":[],"search":false}' > whole/failed/state.json
expect 0 node "$source/tests/command/live_page.mjs" "$hopwise" live whole
