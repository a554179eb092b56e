#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the command line overrides, and that results say so.
. "$(dirname "$0")/lib.sh"
expect 0 simulate out --routing dor --pattern transpose --load 0.25 --cycles 1000 --seed 3
json out/results.json 'r.points.length === 1'
json out/results.json '((p) => p.routing === "dor" && p.pattern === "transpose" && Math.abs(p.offered_load - 0.25) < 1e-9 &&
                               p.seed === 3 && p.measured_cycles >= 1000 && p.measured_cycles < 2000)(r.points[0])'

expect 0 simulate out --force --routing dor --pattern uniform --loads 0.1:0.5:0.2
json out/results.json 'r.points.map((p) => p.offered_load.toFixed(2)).join() === "0.10,0.30,0.50"'

expect 0 simulate out --force --routing dor --pattern uniform,tornado --load 0.1
json out/results.json 'r.points.map((p) => p.pattern).join() === "uniform,tornado"'

# Sizes, and what the results say about them.
expect 0 simulate out --force --set topology.dims=[3,4] --set traffic.packet_flits=2 --routing dor --pattern uniform --load 0.1
json out/results.json 'r.network.dims.join() === "3,4" && r.network.routers === 12'
json out/results.json 'r.overrides.includes("topology.dims=[3,4]")'

# Later overrides win, and a mistake in one is reported by its own text.
expect 0 simulate out --force --set simulation.seed=5 --set simulation.seed=6 --routing dor --pattern uniform --load 0.1
json out/results.json 'r.points[0].seed === 6'
expect 2 simulate bad --set traffic.load=much
expect_said '--set traffic.load=much'
expect_nothing_at bad
