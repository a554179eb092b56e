#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The report in a browser: its scripts run, its plots are drawn, and published numbers have the verdict that the campaign's table has.
. "$(dirname "$0")/lib.sh"
command -v chromium > /dev/null || { echo "SKIP: chromium is not installed"; exit 77; }
cat > c.yaml <<'Y'
published: lonardo_2019
experiments:
  - {name: torus, file: net.yaml, routings: [dor], set: {experiment.patterns: [uniform], simulation.cycles: 4000}}
Y
sed 's/find_saturation: false/find_saturation: true/' "$net" > net.yaml
expect 0 "$hopwise" campaign run c.yaml -o out --cache "$cache" --quiet
expect 0 node "$source/tests/command/report_page.mjs" out
