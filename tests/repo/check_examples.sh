#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_examples.sh ROOT HOPWISE: every routing of every example is proved; an example starts with a licence line and a sentence
# that says what it is.
# Of cost_dragonfly_*.yaml the first routing is: they list all routings on large networks, and synthesis proves each again.
. "$(dirname "$0")/lib.sh"
for file in examples/*.yaml; do
  [ -e "$file" ] || continue
  looked=$((looked + 1))
  case $file in
    */cost_dragonfly_*) only=(--routing "$(sed -nE 's/^  routings: \[([a-z_]+).*/\1/p' "$file")") ;;
    *) only=(--all) ;;
  esac
  "$2" check "$file" "${only[@]}" > /dev/null || breach "$file does not pass \`hopwise check\`"
  head -n 1 "$file" | grep -q SPDX || breach "$file: no SPDX line"
  sed -n 2p "$file" | grep -qE '^# [A-Z]' || breach "$file: no comment that says what it is"
done
done_with "examples"
