# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the rules of the tree: check_RULE.sh ROOT. A rule prints a FAIL line for every breach and ends with status 1
# if there was one, or if it found nothing to look at.
set -euo pipefail
cd "$1"
bad=0 looked=0
breach() { printf 'FAIL %s\n' "$*"; bad=1; }
done_with() {  # what was looked at
  [ "$looked" -gt 0 ] || breach "nothing to look at: no $1"
  [ "$bad" -eq 0 ] && printf '%d %s in order\n' "$looked" "$1"
  exit "$bad"
}

# All files of the tree that are not fetched, built or results.
tree() {
  find . \( -path ./.git -o -name node_modules -o -path './build*' -o -path ./out -o -path ./.cache \) -prune -o -type f -print |
    sed 's|^\./||' | sort
}
sources() { tree | grep -E '\.(cpp|hpp|sv|svh|sh|mjs|cmake|css)$|(^|/)CMakeLists\.txt$|^(quickstart|test|\.ci/run)$' || true; }
