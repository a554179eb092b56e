#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# results.json is a function of configuration and seed: the same bytes with one thread and with two, whether the points run
# side by side or one network is divided; other bytes with another seed.
. "$(dirname "$0")/lib.sh"
expect 0 simulate one --threads 1 --pattern uniform
expect 0 simulate two --threads 2 --pattern uniform
expect_same one/results.json two/results.json
expect_same one/points.csv two/points.csv

point=(--routing star_channel --pattern uniform --load 0.8)
expect 0 simulate alone --threads 1 "${point[@]}"
expect 0 simulate divided --threads 2 "${point[@]}"
expect_same alone/results.json divided/results.json
expect 0 simulate seeded --threads 1 "${point[@]}" --seed 7
json seeded/results.json 'r.points[0].seed === 7'
! cmp -s alone/results.json seeded/results.json || fail "the seed changes nothing"

# The search for saturation does not depend on threads either.
search=(--routing dor --pattern uniform --loads 0.2:0.8:0.3 --set experiment.find_saturation=true)
expect 0 simulate search_one --threads 1 "${search[@]}"
expect 0 simulate search_two --threads 2 "${search[@]}"
expect_same search_one/results.json search_two/results.json
json search_one/results.json 'r.saturation.length === 1 && r.saturation[0].throughput > 0.2'
