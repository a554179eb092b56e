# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# make_targets BUNDLE: its make targets pass where `hopwise` is not on the PATH.
make_targets() {
  local bundle=$1 path="" d out
  local IFS=:
  for d in $PATH; do [ -x "$d/hopwise" ] || path+="${path:+:}$d"; done
  unset IFS
  # shellcheck disable=SC2154
  mv "$scratch/$bundle" "$scratch/moved"
  out=$(cd moved && env -i PATH="$path" HOME="$HOME" make lint 2>&1) || fail "make lint" "$out"
  grep -q '%Warning' <<< "$out" && fail "make lint warns" "$out"
  out=$(cd moved && env -i PATH="$path" HOME="$HOME" make sim 2>&1) || fail "make sim" "$(tail -n 20 <<< "$out")"
  grep -q '^SMOKE PASS' <<< "$out" || fail "make sim does not pass" "$(tail -n 20 <<< "$out")"
  grep -q '%Warning' <<< "$out" && fail "make sim warns" "$(grep -A3 '%Warning' <<< "$out" | head -n 20)"
  out=$(cd moved && env -i PATH="$path" HOME="$HOME" make synth 2>&1) || fail "make synth" "$(tail -n 20 <<< "$out")"
  grep -q 'Number of cells' <<< "$out" || fail "make synth prints no statistics" "$(tail -n 20 <<< "$out")"
}
