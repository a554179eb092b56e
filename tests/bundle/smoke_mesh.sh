#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A bundle stands on its own: `make lint`, `make sim` and `make synth` of a 3x3 mesh pass with nothing of hopwise in reach.
. "$(dirname "$0")/make_targets.sh"
. "$(dirname "$0")/common.sh" "$@"
generate grid topology.kind=mesh topology.dims=[3,3] packet.flit_bits=32 routing.algorithm=star_channel
make_targets grid
finish "make lint, sim and synth"
