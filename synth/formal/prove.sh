#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prove.sh ROOT [NAME...]: the proofs and the seeded faults of synth/formal/proofs.txt; all of them without a name. A proof
# passes if all its assertions hold and all cover points of its harness are reached; a fault passes if the proof of the changed copy
# ends with a counterexample. One line each; status 1 if one did not pass.
set -euo pipefail
. "$(dirname "$0")/../../tests/stamps.sh"
root=$(cd "$1" && pwd)
shift
list=$root/synth/formal/proofs.txt
work=$(mktemp -d)
trap 'rm -rf "$work" "$work.times"' EXIT

fail() { printf 'FAIL %s: %s\n' "$name" "$1"; return 1; }

# read_entry NAME: sets the fields of an entry of the list; of a fault, those of the proof it is of as well.
read_entry() {
  local line key rest found="" word
  local -A lists=()
  while IFS= read -r line; do
    read -r key rest <<< "$line"
    [ "$key" != list ] || lists[${rest%% *}]=${rest#* }
    case $line in
      "proof $1 "*|"fault $1 "*) found=$key ;;
      proof\ *|fault\ *) [ -z "$found" ] || break ;;
    esac
    [ -n "$found" ] || continue
    case $key in
      proof) method=${rest#* } ;;
      fault) of=${rest#* } ;;
      top) read -r top parameters <<< "$rest" ;;
      rtl)
        rtl=""
        for word in $rest; do [ "${word#@}" = "$word" ] && rtl+=" $word" || rtl+=" ${lists[${word#@}]}"; done ;;
      closed) define=-DHW_CLOSED ;;
      large_rams) large_rams=yes ;;
      map) map="techmap -map $root/$rest;" ;;
      file) file=$rest ;;
      from) from=$rest ;;
      to) to=$rest ;;
    esac
  done < "$list"
  [ -n "$found" ] || fail "not in $list" || exit 1
  if [ "$found" = fault ] && [ -n "$of" ]; then
    local proof=$of
    of=""
    read_entry "$proof"
    of=$proof
  fi
}

# One model, for both solvers: flip-flops without reset start with any value, so do memories; what the RTL leaves undefined
# is any value in every cycle.
model() {
  local parameter chparams="" sources=""
  for parameter in $parameters; do chparams+=" -chparam ${parameter%%=*} ${parameter#*=}"; done
  for source in $rtl; do sources+=" $work/$(basename "$source")"; cp "$root/$source" "$work"; done
  [ -z "$large_rams" ] || sed -i 's/SmallWords = 64/SmallWords = 0/' "$work/hw_ram_1r1w.sv"
  if [ -n "$of" ]; then
    grep -qF -- "$from" "$work/$(basename "$file")" || { fail "$file has no place for the fault"; exit 1; }
    local text
    text=$(cat "$work/$(basename "$file")"; printf x)
    printf '%s' "${text//"$from"/"$to"}" | sed '$ s/x$//' > "$work/$(basename "$file")"
  fi
  yosys -q -p "
    read_verilog -formal -sv -defer $define -I$work -I$root/rtl/common $sources $root/synth/formal/$top.sv
    hierarchy -check -top $top $chparams
    proc; chformal -cover -remove * A:top %d; flatten; memory -nomap; memory_map
    async2sync; formalff -clk2ff -ff2anyinit; opt_clean
    opt -keepdc -full; $map techmap; opt -keepdc; dffunmap; setundef -undriven -anyseq
    write_rtlil $work/model.il
    write_smt2 -wires $work/model.smt2
    chformal -cover -remove; abc -g AND; opt_clean; write_aiger -I -B -zinit $work/model.aig
    design -reset; read_rtlil $work/model.il
    chformal -assert -remove; techmap -map $root/synth/formal/cover.v; opt -keepdc
    techmap; opt -keepdc; abc -g AND; opt_clean; write_aiger -I -B -zinit $work/cover.aig" > "$work/yosys.log" 2>&1 || { cat "$work/yosys.log"; fail "yosys"; exit 1; }
}

smtbmc() { yosys-smtbmc -s z3 --unroll "$@" "$work/model.smt2" 2>&1 | tr '\b' '\n' | grep '##' || true; }
abc() { (cd "$work" && yosys-abc -q "read_aiger $1.aig; fold; strash; $2" 2>&1) || true; }

# Sets seconds: processor time of the tools so far. Not in a subshell, whose own would be counted.
cpu() {
  times > "$work.times"
  seconds=$(awk -F'[ms ]+' 'NR == 2 {printf "%d", ($1 + $3) * 60 + $2 + $4}' "$work.times")
}

# solve: sets verdict to proved, counterexample or unknown.
solve() {
  local how depth
  read -r how depth <<< "$method"
  verdict=unknown
  case $how in
    pdr | reduced-pdr)
      abc model "${how/reduced-pdr/scorr; dc2; pdr}" > "$work/solve.log"
      grep -q 'Property proved' "$work/solve.log" && verdict=proved ;;
    bounded)
      abc model "bmc3 -F $depth" > "$work/solve.log"
      grep -q 'No output asserted in' "$work/solve.log" && verdict=proved ;;
    abc-induction)
      abc model "bmc3 -F $depth; orpos; scorr; ind -F $depth" > "$work/solve.log"
      grep -q 'No output asserted in' "$work/solve.log" && grep -q 'Networks are equivalent' "$work/solve.log" && verdict=proved ;;
    induction)
      smtbmc -t "$depth" > "$work/solve.log"
      if grep -q 'Status: PASSED' "$work/solve.log"; then
        smtbmc -i -t "$depth" >> "$work/solve.log"
        [ "$(grep -c 'Status: PASSED' "$work/solve.log")" = 2 ] && verdict=proved
      elif grep -q 'Status: FAILED' "$work/solve.log"; then
        verdict=counterexample
      fi ;;
  esac
  grep -qE 'was asserted in frame' "$work/solve.log" && verdict=counterexample
  return 0
}

run() {
  local started points reached search
  cpu
  started=$seconds
  of="" top="" parameters="" rtl="" define="" map="" large_rams="" method="" file="" from="" to=""
  read_entry "$name"
  # shellcheck disable=SC2086
  passed_before "formal.$name" "$top $parameters|$rtl|$define|$map$large_rams|$method|$file|$from|$to" \
    "yosys yosys-abc yosys-smtbmc z3" "$root"/rtl/common/*.sv* "$root"/synth/formal/*.v "$root/synth/formal/$top.sv" \
    $(printf "$root/%s " $rtl) && return 0
  rm -rf "${work:?}"/*
  model
  solve
  if [ -n "$of" ]; then
    [ $verdict = counterexample ] || { cat "$work/solve.log"; fail "$verdict, though $file is wrong"; return 1; }
    cpu
    printf 'pass %s: %s by %s, %d s\n' "$name" "$verdict" "$method" $((seconds - started))
  else
    [ $verdict = proved ] || { cat "$work/solve.log"; fail "$verdict"; return 1; }
    # A short search reaches most states at once; pdr finds those that lie deeper.
    points=$(grep -c '^  cell \$cover ' "$work/model.il")
    for search in "bmc3 -a -F 16" "pdr -a"; do
      abc cover "$search" > "$work/cover.log"
      reached=$(grep -cE '^Output +[0-9]+ was asserted in frame' "$work/cover.log" || true)
      [ "$reached" -lt "$points" ] || break
    done
    [ "$reached" -eq "$points" ] || { cat "$work/cover.log"; fail "$reached of $points states to be covered are reached"; return 1; }
    cpu
    printf 'pass %s: %s by %s, %d points covered, %d s\n' "$name" "$verdict" "$method" \
      "$points" $((seconds - started))
  fi
  keep_stamp
}

[ $# -gt 0 ] || mapfile -t all < <(sed -nE 's/^(proof|fault) ([^ ]+) .*/\2/p' "$list")
bad=0
for name in "${@:-${all[@]}}"; do run || bad=1; done
exit $bad
