#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# verify holds the RTL of every built-in family to its relation, exhaustively on these networks.
. "$(dirname "$0")/lib.sh"
verify() { "$hopwise" verify "$@" --cache "$cache" --quiet; }
cat > grid.yaml <<'Y'
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 64, max_flits: 4}
router: {vcs: 4, vc_depth_flits: 8}
experiment: {routings: [dor, valiant]}
Y
cat > dragonfly.yaml <<'Y'
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}
packet: {flit_bits: 128, max_flits: 4}
router: {vcs: 5, vc_depth_flits: 8}
Y

expect 0 verify grid.yaml
[ "$(grep -c 'agrees with the relation.*all 9 destinations' said)" -eq 2 ] || fail "not two networks" said
grep 'dor: ' said | grep -qE ' ([0-9]+) of \1 moves' || fail "a deterministic routing leaves out moves" said
expect 0 verify grid.yaml --set topology.kind=mesh --set routing.algorithm=star_channel
expect_said 'star_channel: .* ([0-9]+) of \1 moves offered'
for routing in min ugal_ln par q_adaptive; do
  expect 0 verify dragonfly.yaml --set routing.algorithm=$routing
  expect_said "$routing: the RTL agrees with the relation"
done
expect 0 verify grid.yaml --routing dor --most 50
expect_said 'of 9 destinations and a part of another'
expect 2 verify dragonfly.yaml --set routing.algorithm=ugal_global
expect_said 'app.simulation-only'
expect 2 verify grid.yaml --most 0
