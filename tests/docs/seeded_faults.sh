#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# seeded_faults.sh HOPWISE SOURCE_DIR CACHE_DIR: run_page.sh passes a page whose commands work, and fails on those that do not.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
page=$(mktemp)
trap 'rm -f "$page"' EXIT
good='<!-- file: a.yaml -->\n```yaml\ntopology: {kind: torus, dims: [4]}\n```\n<!-- run -->\n```sh\nbuild/hopwise check a.yaml\n```\n'
passes() { "$here/run_page.sh" "$page" "$@" > /dev/null; }
fault() {  # what is wrong, page
  printf '%b' "$2" > "$page"
  ! passes "${arguments[@]}" || { echo "FAIL not seen: $1"; exit 1; }
}
arguments=("$@")
printf '%b' "$good" > "$page"
passes "$@" || { echo "FAIL a good page is rejected"; exit 1; }
fault 'a command that fails' "${good/check a.yaml/check b.yaml}"
fault 'a first line that fails' "${good/build/false\\nbuild}"
fault 'a status that is not the expected one' "${good/run -->/run: 2 -->}"
fault 'an option that does not exist' "${good/check a/check --frob a}"
fault 'a page without marked blocks' '```sh\ntrue\n```\n'
echo "5 seeded faults caught"
