#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh HOPWISE SCRATCH [NAME...]: the whole network of every configuration, or of these, is accepted by Verilator with
# -Wall, without a warning and without a waiver: with assertions; and its tile as for synthesis.
. "$(dirname "$0")/common.sh" "$@"
shift 2

accepted() {  # define, top
  local out
  # shellcheck disable=SC2086
  out=$(cd "$name" && verilator --lint-only -Wall $1 --top-module "$2" -f "$name.f" 2>&1) && [ -z "$out" ] ||
    fail "verilator -Wall $1 $2: $keys" "$(head -n 12 <<< "$out")"
}

lint() {  # name, keys
  local name=$1 keys=$2
  accepted "" "${name}_top"
  accepted +define+SYNTHESIS "${name}_tile"
}

each lint configurations "$@"
finish "$checked networks without a warning"
