# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of `hopwise synth`: NAME.sh HOPWISE SOURCE_DIR CACHE_DIR, the cache being shared by the tests.
. "$(dirname "$0")/../command/lib.sh"
net=$source/tests/synth/net.yaml

# synth OUTPUT TARGET OPTION...: of the smallest router.
synth() { local out=$1 target=$2; shift 2; "$hopwise" synth "$net" --target "$target" -o "$out" --cache "$cache" --quiet "$@"; }

# number FILE EXPRESSION: its value, `r` being the file's.
number() {
  node -e 'const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); console.log(eval(process.argv[2]));' "$1" "$2"
}
