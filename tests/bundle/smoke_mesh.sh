#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A bundle stands on its own: `make lint`, `make sim` and `make synth` of a 3x3 mesh pass with nothing of hopwise in reach,
# and a bench that fails ends with a status.
. "$(dirname "$0")/make_targets.sh"
. "$(dirname "$0")/common.sh" "$@"
generate grid topology.kind=mesh topology.dims=[3,3] packet.flit_bits=32 routing.algorithm=star_channel
make_targets grid
# A bench that counts a failure ends with a status, by either simulator.
sed -i 's/failures = 0;/failures = 1;/' moved/tb/smoke_tb.sv
grep -q 'failures = 1;' moved/tb/smoke_tb.sv || fail "the fault is not seeded" "$(grep failures moved/tb/smoke_tb.sv)"
for target in sim icarus; do
  (cd moved && make "$target" > ../failing.log 2>&1) && fail "make $target passes a failing bench" "$(tail -n 5 failing.log)"
  grep -q 'SMOKE FAIL: 1 failures' failing.log || fail "make $target" "$(tail -n 5 failing.log)"
done
finish "make lint, sim and synth"
