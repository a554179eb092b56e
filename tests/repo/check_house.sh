#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_house.sh ROOT: the tree of folders in docs/architecture.md is the one that is there: what it lists exists, and it lists
# every folder of gen/, rtl/ and sim/.
. "$(dirname "$0")/lib.sh"
listed=$(awk '/^```/ { open = !open && !seen; seen = 1; next }
              !open { next }
              /^[a-z]+\// { top = $1; print top }
              /^  [a-z]+\// { print top $1 }' docs/architecture.md 2> /dev/null || true)
looked=$(grep -c . <<< "$listed" || true)
for folder in $listed; do [ -d "$folder" ] || breach "docs/architecture.md lists $folder, which is not there"; done
while read -r folder; do
  grep -qxF "$folder/" <<< "$listed" || breach "docs/architecture.md does not list $folder/"
done < <(find gen rtl sim -mindepth 2 -type f ! -path '*/node_modules/*' 2> /dev/null | cut -d/ -f1-2 | sort -u)
done_with "folders"
