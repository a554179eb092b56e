#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_constants.sh ROOT: no parameter of the RTL has the value '1, which Yosys 0.23 reads as 1 instead of all ones, without a
# word. {Width{1'b1}} is right, and '1 in an assignment is as well.
. "$(dirname "$0")/lib.sh"
while read -r file; do
  looked=$((looked + 1))
  while IFS= read -r found; do breach "$found: a parameter of the value '1"; done < <(awk '
    { sub(/\/\/.*/, ""); sub(/[ \t]+$/, "") }
    /(^|[ (])(localparam|parameter) / { declaration = 1 }
    (declaration && /\x271([^0-9A-Za-z]|$)/) || /\.[A-Z][A-Za-z]*\([^()]*\x271[^0-9A-Za-z]/ { print FILENAME ":" FNR }
    /[;,]$/ || /^ *\)/ { declaration = 0 }' "$file")
done < <(tree | grep -E '^rtl/.*\.svh?$' || true)
done_with "RTL files"
