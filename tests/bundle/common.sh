# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts of this folder as `. common.sh HOPWISE SCRATCH`: an empty scratch directory, and what all use.
set -u
lists=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$lists/../stamps.sh"
hopwise=$(realpath "$1")
scratch=$2
# What is removed is a directory that such a script has made, never one that was given by mistake.
if [ -n "$(ls -A "$scratch" 2>/dev/null)" ] && [ ! -e "$scratch/.scratch" ]; then
  printf 'FAIL %s is no scratch directory: it holds files, and no .scratch\n' "$scratch"
  exit 1
fi
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
touch .scratch

bad=0
fail() {  # sentence, tool's output
  bad=1
  printf 'FAIL %s\n%s\n' "$1" "${2:-}"
}
finish() { [ $bad -eq 0 ] && echo "good: $1"; exit $bad; }

# generate NAME KEY=VALUE...: the bundle of a network, in ./NAME. A torus of 2x2 routers unless the keys say else; a
# dragonfly of three groups of two routers where the name starts with dragonfly.
generate() {
  local name=$1 set=() s topology='kind: torus, dims: [2, 2]'
  shift
  [[ $name == dragonfly* ]] && topology='kind: dragonfly, routers_per_group: 2, global_ports: 1, groups: 3'
  printf 'name: %s\ntopology: {%s}\n' "$name" "$topology" > "$name.yaml"
  for s in "$@"; do set+=(--set "$s"); done
  "$hopwise" generate "$name.yaml" -o "$name" "${set[@]}" > "$name.log" 2>&1 || fail "generate $name $*" "$(cat "$name.log")"
}

# each CHECK LIST NAME...: generates the networks of a list of this folder, all or these alone, and calls CHECK with name and
# keys for each, unless it passed before with the same bundle.
each() {
  local check=$1 list=$lists/$2.list failed=0 name keys bundle
  shift 2
  checked=0
  while read -r name keys; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    checked=$((checked + 1))
    # shellcheck disable=SC2086
    generate "$name" $keys
    [ $bad -eq 0 ] || { failed=1 bad=0; continue; }
    mapfile -t bundle < <(find "$name" -type f | sort)
    passed_before "bundle.$check.$name" "$name" "verilator verilator_bin yosys python3" "${BASH_SOURCE[0]}" \
      "$lists/../netlist/port_widths.py" "$lists/compare_ports.py" "${bundle[@]}" && continue
    "$check" "$name" "$keys"
    if [ $bad -eq 0 ]; then keep_stamp; else failed=1 bad=0; fi
  done < <(grep -vE '^(#|$)' "$list")
  bad=$failed
  [ $checked -gt 0 ] || fail "$list has no $*"
}
