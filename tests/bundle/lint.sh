#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The whole network of every configuration is accepted by Verilator with -Wall, without a warning and without a waiver:
# with assertions, and as for synthesis.
. "$(dirname "$0")/common.sh" "$@"

checked=0
while read -r name keys; do
  # shellcheck disable=SC2086
  generate "$name" $keys
  [ -d "$name" ] || continue
  for define in "" +define+SYNTHESIS; do
    # shellcheck disable=SC2086
    out=$(cd "$name" && verilator --lint-only -Wall $define --top-module "${name}_top" -f "$name.f" 2>&1) && [ -z "$out" ] ||
      fail "verilator -Wall $define $name $keys" "$(head -n 12 <<< "$out")"
  done
  checked=$((checked + 1))
done < <(configurations)
finish "$checked networks without a warning"
