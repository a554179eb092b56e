# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of the command: NAME.sh HOPWISE SOURCE_DIR CACHE_DIR. Each runs in a directory of its own.
set -euo pipefail
hopwise=$1 source=$2 cache=$3
net=$source/tests/command/net.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'FAIL %s\n' "$1" >&2
  [ $# -lt 2 ] || cat "$2" >&2
  exit 1
}

# expect STATUS COMMAND...: runs it, keeps what it says in `said`, and compares its exit status.
expect() {
  local want=$1 got=0
  shift
  "$@" > said 2>&1 || got=$?
  [ "$got" -eq "$want" ] || fail "status $got instead of $want: $*" said
}
expect_said() { grep -qE -- "$1" said || fail "no line like: $1" said; }
expect_same() { cmp "$1" "$2" >&2 || fail "$1 and $2 differ"; }
expect_nothing_at() { [ ! -e "$1" ] || fail "$1 was written"; }

# simulate OUTPUT OPTION...: of the small network; one thread unless an option says otherwise.
simulate() { local out=$1; shift; "$hopwise" simulate "$net" -o "$out" --cache "$cache" --quiet "$@"; }

# json FILE EXPRESSION: the expression, in which `r` is the file's value, must hold.
json() {
  node -e 'const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
           if (!eval(process.argv[2])) { console.error(`not true of ${process.argv[1]}: ${process.argv[2]}`); process.exit(1); }' \
    "$1" "$2" || fail "$1"
}
