#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_rtl.sh ROOT: in rtl/ every name that is assigned with <= ends in _q, or is a memory and called mem or ..._mem; ports are
# `input wire logic` and `output logic`; no ~ stands before a cast NAME'(...), where Yosys 0.23 inverts NAME, and no '0 or '1 in a
# choice or a comparison at a pin .PIN(... ? ... : ...), where it fails; what a module's header
# guarantees has an assertion in it or a harness in synth/formal, or the header says what checks it.
. "$(dirname "$0")/lib.sh"
while read -r file; do
  looked=$((looked + 1))
  while IFS= read -r found; do breach "$file:$found"; done < <(
    awk '
      { sub(/\/\/.*/, "") }
      # A function has inputs, too, in one line or up to the one that ends its header.
      /function / { in_function = 1 }
      !in_function && /^ *(input|output|inout)( |$)/ && !/^ *(input +wire +logic|output +logic)( |$)/ {
        print NR ": a port that is neither input wire logic nor output logic"
      }
      /;/ { in_function = 0 }
      /\.[A-Za-z_][A-Za-z0-9_]*\(.*[?:=] *\047[01]/ { print NR ": \0470 or \0471 in a choice or a comparison at a pin" }
      /~[A-Za-z_][A-Za-z0-9_]*\047\(/ { print NR ": ~ before a cast" }
      {
        while (gsub(/\[[^][]*\]/, "")) { }
        line = $0
        while (match(line, /(^ *|\) |else |begin |^ *[A-Za-z0-9_\047]+: )(\{[^{}]*\}|[A-Za-z_][A-Za-z0-9_.]*) <= /)) {
          target = substr(line, RSTART, RLENGTH - 4)
          line = substr(line, RSTART + RLENGTH)
          match(target, /(\{[^{}]*\}|[A-Za-z_][A-Za-z0-9_.]*)$/)
          count = split(substr(target, RSTART), names, /[{}, ]+/)
          for (i = 1; i <= count; i++) {
            sub(/\..*/, "", names[i])
            if (names[i] != "" && names[i] !~ /(_q|^mem|_mem)$/) print NR ": register " names[i] " does not end in _q"
          }
        }
      }' "$file")
  module=$(basename "$file" .sv)
  if grep -q '^// Guarantees:' "$file" && ! grep -q '`HW_ASSERT(' "$file" && ! sed '/^module /q' "$file" | grep -qi 'checked by' \
      && ! grep -qsE "^ *$module( |$)" synth/formal/prove_*.sv; then
    breach "$file: it guarantees something, without an assertion, a proof, or a word about what checks it"
  fi
done < <(tree | grep -E '^rtl/.*\.svh?$')
done_with "files of RTL"
