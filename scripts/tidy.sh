#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tidy.sh [FILE.cpp...]: clang-tidy, as .clang-tidy says, over these files, or over all of gen, sim, app and synth/src. It reads
# how they are compiled from build/, each by itself of those that are compiled together. A file is not looked at again while it, the headers that its object was made from, the list
# of checks and clang-tidy are as they were when it passed: tests/stamps.sh.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. tests/stamps.sh

if [ "${1:-}" = --one ]; then
  file=$2
  headers=$( { ninja -C build -t deps 2> /dev/null || true; } | awk -v file="$file" '
    /: #deps/ { mine = 0; read = "" }
    /^ / { read = read $1 "\n" }
    /^ / && ($1 == "../" file || substr($1, length($1) - length(file)) == "/" file) { mine = 1 }
    !NF && mine { printf "%s", read; mine = 0 }' | sed -nE "s,^(\.\./|$PWD/),,p" | sort -u)
  # shellcheck disable=SC2086
  passed_before "tidy.${file//\//.}" "${headers:+known}" clang-tidy .clang-tidy "$file" $headers && exit 0
  if ! found=$(clang-tidy -p build/tidy --quiet "$file" 2>&1); then
    grep -v ' generated\.$' <<< "$found"
    exit 1
  fi
  [ -z "$headers" ] || keep_stamp
  exit 0
fi

[ -f build/compile_commands.json ] || { echo 'tidy.sh: no build/compile_commands.json: run cmake -B build -G Ninja' >&2; exit 1; }
mkdir -p build/tidy
python3 - <<'END'
import json, re
commands = []
for one in json.load(open("build/compile_commands.json")):
    together = re.findall('^#include "(.*)"', open(one["file"]).read(), re.M) if "/Unity/" in one["file"] else [one["file"]]
    commands += [{**one, "file": f, "command": one["command"].replace(one["file"], f)} for f in together]
json.dump(commands, open("build/tidy/compile_commands.json", "w"))
END
[ $# -gt 0 ] || mapfile -t files < <(git ls-files 'gen/*.cpp' 'sim/*.cpp' 'app/*.cpp' 'synth/src/*.cpp')
[ $# -eq 0 ] || files=("$@")
export HOPWISE_STAMPS=${HOPWISE_STAMPS:-$PWD/build/tests/stamps}
printf '%s\n' "${files[@]}" | xargs -d '\n' -n 1 -P "$(nproc)" scripts/tidy.sh --one
printf '%d files in order\n' "${#files[@]}"
