#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The whole network of every configuration is accepted by Verilator with -Wall, without a warning and without a waiver:
# with assertions; and its tile as for synthesis.
. "$(dirname "$0")/common.sh" "$@"

lint() {  # define, top
  local out
  # shellcheck disable=SC2086
  out=$(cd "$name" && verilator --lint-only -Wall $1 --top-module "$2" -f "$name.f" 2>&1) && [ -z "$out" ] ||
    fail "verilator -Wall $1 $2: $keys" "$(head -n 12 <<< "$out")"
}

checked=0
while read -r name keys; do
  # shellcheck disable=SC2086
  generate "$name" $keys
  [ -d "$name" ] || continue
  lint "" "${name}_top"
  lint +define+SYNTHESIS "${name}_tile"
  checked=$((checked + 1))
done < <(configurations)
finish "$checked networks without a warning"
