#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_dependencies.sh ROOT: docs/dependencies.md lists the packages that scripts/setup.sh installs, no more and no fewer,
# with the same reasons.
. "$(dirname "$0")/lib.sh"
listed=$(sed -nE 's/^\| `([a-z0-9+.-]+)` \| (.*) \|$/\1 \2/p' docs/dependencies.md | sort)
installed=$(sed -nE "/^(LABEL_)?PACKAGES='/,/^'/p" scripts/setup.sh | grep -F '|' | awk -F'|' '
  {gsub(/^ +| +$/, "", $1); gsub(/^ +| +$/, "", $3); print $1 " " $3}' | sort)
looked=$(wc -l <<< "$installed")
[ -n "$installed" ] || looked=0
while IFS= read -r difference; do breach "docs/dependencies.md < > scripts/setup.sh: $difference"; done < <(
  diff <(echo "$listed") <(echo "$installed") | grep '^[<>]' || true)
done_with "packages"
