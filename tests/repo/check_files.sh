#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_files.sh ROOT: every source file has its licence line, none has more than 450 lines, no SystemVerilog module of the library
# more than 300, none waives a lint warning or leaves work for later, and no file names a place of somebody's machine.
. "$(dirname "$0")/lib.sh"
limit_of() { if [[ $1 == rtl/*.sv ]]; then echo 300; else echo 450; fi; }  # file
while read -r file; do
  looked=$((looked + 1))
  head -n 4 "$file" | grep -qF 'SPDX-License-Identifier: Apache-2.0' || breach "$file: no SPDX line"
  lines=$(wc -l < "$file")
  [ "$lines" -le 300 ] || [ "$lines" -le "$(limit_of "$file")" ] || breach "$file: $lines lines, $(limit_of "$file") allowed"
done < <(sources)

# Written so that this file does not find itself.
for word in 'lint''_off' 'TO''DO' 'FIX''ME'; do
  while IFS= read -r found; do breach "$found"; done < <(tree | xargs -r -d '\n' grep -InwF -- "$word" /dev/null | cut -c1-160 || true)
done
while IFS= read -r found; do breach "$found: a path of one machine"; done < <(
  tree | grep -v 'package-lock\.json$' | xargs -r -d '\n' grep -InE '(^|[^A-Za-z0-9_.$}/-])/(home|root|work|Users)/[A-Za-z0-9]' /dev/null |
    cut -c1-160 || true)
done_with "source files"
