#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --wave writes an FST file for each of its routers, and changes no result.
. "$(dirname "$0")/lib.sh"
point=(--routing dor --pattern uniform --load 0.1 --cycles 500)
expect 0 simulate with "${point[@]}" --wave 0,5
! grep -q Warning said || fail "the waveform has gaps" said
expect 0 simulate without "${point[@]}"
expect_same with/results.json without/results.json
[ "$(find with -name '*.fst' | sort | tr '\n' ' ')" = "with/router_0.fst with/router_5.fst " ] || fail "$(ls with)"
for wave in with/*.fst; do
  # A header block (type 0, 329 bytes) begins an FST file.
  [ "$(od -An -tx1 -N9 "$wave" | tr -d ' ')" = 000000000000000149 ] || fail "$wave is no FST file"
  [ "$(stat -c %s "$wave")" -gt 2000 ] || fail "$wave is nearly empty"
done
