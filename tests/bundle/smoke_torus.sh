#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A bundle stands on its own: `make lint`, `make sim` and `make synth` of a 4x4 torus pass with nothing of hopwise in reach.
. "$(dirname "$0")/make_targets.sh"
. "$(dirname "$0")/common.sh" "$@"
generate torus topology.dims=[4,4] packet.flit_bits=40 packet.max_flits=3 router.vcs=2 router.vc_depth_flits=6 router.checks=true router.header_parity=true
make_targets torus
finish "make lint, sim and synth"
