#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mutants.sh SOURCE_DIR places: each fault of mutants.txt has one place in its file of sim/model/lanes.
# mutants.sh SOURCE_DIR BUILD_DIR [FILE...]: each fault (of these files only), in a copy of its file, makes test_lanes fail, which
# passes without. Names the faults that are not caught.
set -euo pipefail
source=$1 build=$2
shift 2
only=" $* "
mapfile -t faults < <(grep -v '^#' "$source/tests/lanes/mutants.txt")
[ ${#faults[@]} -gt 0 ]

# read_fault FAULT: sets `file`, and what stands there, `from` and `to`.
read_fault() {
  file=${1%% @ *}
  from=${1#* @ }
  to=${from##* @ } from=${from%% @ *}
}

# seeded: the file `file` with the fault.
seeded() {
  awk -v from="${from//\\/\\\\}" -v to="${to//\\/\\\\}" \
    '{ at = index($0, from); if (at) { $0 = substr($0, 1, at - 1) to substr($0, at + length(from)); n++ } print } END { exit n != 1 }' \
    "$source/sim/model/lanes/$file"
}

for fault in "${faults[@]}"; do
  read_fault "$fault"
  seeded > /dev/null || { echo "no place, or several, for the fault: $fault"; exit 1; }
done
[ "$build" != places ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$build"
mapfile -t commands < <(ninja -t commands test_lanes)
link=$(printf '%s\n' "${commands[@]}" | grep -- ' -o test_lanes ')
link=${link#: && }
link=${link%% && *}
mkdir -p "$work/references"
export HOPWISE_REFERENCES=$work/references

# caught PROGRAM: some test of it fails. The quick ones first.
caught() {
  ! "$1" --gtest_fail_fast --gtest_filter='-Compiler.*' || ! "$1" --gtest_fail_fast --gtest_filter='Compiler.*'
}
if caught ./test_lanes > "$work/log" 2>&1; then
  tail -20 "$work/log"
  echo "test_lanes fails without a fault"
  exit 1
fi
number=0 missed=0
for fault in "${faults[@]}"; do
  read_fault "$fault"
  [[ $only == '  ' || $only == *" $file "* ]] || continue
  number=$((number + 1))
  unset HOPWISE_LANE_HEADERS
  program=./test_lanes
  mkdir -p "$work/model/lanes"
  mutant=$work/model/lanes/$file
  seeded > "$mutant"
  if [[ $file == *.hpp ]]; then
    export HOPWISE_LANE_HEADERS=$work
  else
    # What is compiled together with the file is part of the mutant.
    unit=$source/sim/model/lanes/$file
    for together in $(printf '%s\n' "${commands[@]}" | sed -n 's,.* -c \(.*/Unity/.*\)$,\1,p'); do
      grep -q "lanes/$file\"" "$together" || continue
      unit=$together
      sed "s,\".*/lanes/$file\",\"$mutant\"," "$together" > "$work/unity.cxx"
      mutant=$work/unity.cxx
    done
    compile=$(printf '%s\n' "${commands[@]}" | grep -- " -c $unit\$")
    compile=${compile%% -MD *}
    eval "$compile -O0 -w -Wno-error -c -o '$work/mutant.o' '$mutant'"
    eval "${link/ -o test_lanes / \'$work/mutant.o\' -o \'$work/test_lanes\' }"
    program=$work/test_lanes
  fi
  if ! caught "$program" > "$work/log" 2>&1; then
    echo "not caught: $fault"
    missed=$((missed + 1))
  fi
  rm -rf "$work/model"
done
echo "$number faults, $missed not caught"
[ "$number" -gt 0 ] && [ "$missed" -eq 0 ]
