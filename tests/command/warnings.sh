#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Warnings are said by check and by simulate, stand in results.json whatever the threads and however the run was resumed, and
# leave the exit status alone.
. "$(dirname "$0")/lib.sh"

expect 0 "$hopwise" check "$net" --all
expect_said 'net.yaml: warning\[traffic.pattern\]: dor, star_channel, tornado: with at most 4 routers'
expect 0 "$hopwise" check "$net" --all --set 'experiment.patterns=[uniform]'
! grep -q warning said || fail "check warns of a sane network" said
expect 0 "$hopwise" check "$net" --set link.latency_cycles=100 --set 'experiment.patterns=[uniform]'
expect_said 'warning\[network.credit-loop\]: .*: a VC of 16 flits can fill 0.077 of a link'

expect 0 simulate one --threads 1
expect_said '^warning\[run.no-difference\]: dor, star_channel, uniform, at 0.1, 0.2, 0.3: no load is high enough'
json one/results.json 'r.warnings.map((w) => w.code).join() === "traffic.pattern,run.no-difference,run.no-difference"'
json one/results.json 'r.warnings[0].routings.join() === "dor,star_channel" && r.warnings[0].pattern === "tornado"'
json one/results.json 'r.warnings[1].pattern === "uniform" && r.warnings[1].loads.join() === "0.1,0.2,0.3"'
expect 0 simulate two --threads 2
expect_same one/results.json two/results.json

# In parts: what is not asked for again keeps its warnings, and those of points are of all points.
expect 0 simulate parts --routing star_channel --pattern tornado
expect 0 simulate parts --resume --routing dor --load 0.1
json parts/results.json 'r.warnings.length === 1 && r.warnings[0].routings.join() === "dor,star_channel"'
expect 0 simulate parts --resume
expect_same one/results.json parts/results.json

# A search, or loads that tell routings apart, leave nothing to say.
expect 0 simulate sane --pattern uniform --loads 0.5:1:0.25
json sane/results.json 'r.warnings.length === 0'
! grep -q warning said || fail "simulate warns of a sane run" said
