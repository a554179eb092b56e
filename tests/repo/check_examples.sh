#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_examples.sh ROOT HOPWISE: every example is proved, and starts with a licence line and a sentence that says what it is.
. "$(dirname "$0")/lib.sh"
for file in examples/*.yaml; do
  [ -e "$file" ] || continue
  looked=$((looked + 1))
  "$2" check "$file" > /dev/null || breach "$file does not pass \`hopwise check\`"
  head -n 1 "$file" | grep -q SPDX || breach "$file: no SPDX line"
  sed -n 2p "$file" | grep -qE '^# [A-Z]' || breach "$file: no comment that says what it is"
done
done_with "examples"
