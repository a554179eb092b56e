#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_format.sh ROOT: all C++ is as .clang-format says; `git ls-files '*.[ch]pp' | xargs clang-format -i` makes it so.
. "$(dirname "$0")/lib.sh"
files=$(tree | grep -E '\.[ch]pp$' || true)
looked=$(grep -c . <<< "$files" || true)
while read -r file; do breach "$file: not as .clang-format says"; done < <(
  xargs -r -d '\n' clang-format --style=file --dry-run <<< "$files" 2>&1 |
    sed -nE 's/^([^:]+):[0-9]+:[0-9]+: .*clang-formatted.*/\1/p' | sort -u)
done_with "C++ files"
