#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tidy.sh [FILE.cpp...]: clang-tidy, as .clang-tidy says, over these files, or over all of gen, sim, app and synth/src. It reads
# how they are compiled from build/. A file is not looked at again while it, the headers that its object was made from, the list
# of checks and clang-tidy are as they were when it passed: tests/stamps.sh.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. tests/stamps.sh

if [ "${1:-}" = --one ]; then
  file=$2
  headers=$( { ninja -C build -t deps 2> /dev/null || true; } | awk -v file="$file" '
    /: #deps/ { first = 1; next }
    first { first = 0; mine = $1 == "../" file || $1 ~ "/" file "$" }
    mine && NF { print $1 }' | sed -nE "s,^(\.\./|$PWD/),,p" | sort -u)
  # shellcheck disable=SC2086
  passed_before "tidy.${file//\//.}" "${headers:+known}" clang-tidy .clang-tidy "$file" $headers && exit 0
  if ! found=$(clang-tidy -p build --quiet "$file" 2>&1); then
    grep -v ' generated\.$' <<< "$found"
    exit 1
  fi
  [ -z "$headers" ] || keep_stamp
  exit 0
fi

[ -f build/compile_commands.json ] || { echo 'tidy.sh: no build/compile_commands.json: run cmake -B build -G Ninja' >&2; exit 1; }
[ $# -gt 0 ] || mapfile -t files < <(git ls-files 'gen/*.cpp' 'sim/*.cpp' 'app/*.cpp' 'synth/src/*.cpp')
[ $# -eq 0 ] || files=("$@")
export HOPWISE_STAMPS=${HOPWISE_STAMPS:-$PWD/build/tests/stamps}
printf '%s\n' "${files[@]}" | xargs -d '\n' -n 1 -P "$(nproc)" scripts/tidy.sh --one
printf '%d files in order\n' "${#files[@]}"
