#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_times.sh [WHICH...]: the processor time of building and running the quick tests (`quick`) and the slow ones of each
# label, from the tree that is in build/; of all without an argument. Stamps do not count. The build takes 0 s where it is done.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/labels.sh
[ $# -gt 0 ] || set -- quick "${labels[@]}"
jobs=$(nproc)
export HOPWISE_NO_STAMPS=1

# seconds COMMAND...: processor seconds of a command whose output goes to the file `log`.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
seconds() {
  local TIMEFORMAT='%U %S' took
  took=$( { time "$@" > "$log" 2>&1; } 2>&1) || { cat "$log" >&2; exit 1; }
  awk '{ printf "%d", $1 + $2 + 0.5 }' <<< "$took"
}

printf '%-12s %8s %10s %10s\n' label tests 'build, s' 'run, s'
for which in "$@"; do
  mapfile -t targets < <(test_targets "$which")
  mapfile -t selection < <(test_selection "$which")
  built=$(seconds ninja -C build -j "$jobs" "${targets[@]}")
  ran=$(seconds ctest --test-dir build -j "$jobs" --output-on-failure "${selection[@]}")
  tests=$(sed -nE 's/.* tests failed out of ([0-9]+)$/\1/p' "$log")
  printf '%-12s %8s %10s %10s\n' "$which" "$tests" "$built" "$ran"
done
