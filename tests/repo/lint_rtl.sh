#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lint_rtl.sh ROOT [LIST...]: every module of the lists (default: tests/repo/lint_rtl.list) is accepted without a
# warning by `verilator --lint-only -Wall` with assertions, without them and as for synthesis, and by Yosys as for
# synthesis and for formal proofs, with no undriven or multiply driven net. With its default parameters, which are not
# meant to be usable, and with those of its `!` lines, a module must be rejected by both tools.
set -u
root=$1
shift
cd "$root" || exit 1
[ $# -gt 0 ] || set -- tests/repo/lint_rtl.list

bad=0
report() {  # sentence, tool's output
  bad=1
  printf 'FAIL %s\n%s\n' "$1" "$2"
}

check() {  # top, files, parameters
  local top=$1 files=$2 params=$3 verilator_params="" yosys_params="" p out
  for p in $params; do
    verilator_params+=" -G$p"
    yosys_params+=" -chparam ${p%%=*} ${p#*=}"
  done
  for define in "" +define+HW_ASSERT_OFF +define+SYNTHESIS; do
    # shellcheck disable=SC2086
    out=$(verilator --lint-only -Wall -Irtl/common $define $verilator_params --top-module "$top" $files 2>&1) &&
      [ -z "$out" ] || report "verilator $define $top: $params" "$out"
  done
  for mode in "" -formal; do
    # Registers in arrays that are reset become registers in Yosys: intended, and all that it may say.
    out=$(yosys -q -p "read_verilog $mode -sv -defer -Irtl/common $files; hierarchy -check -top $top $yosys_params;
                       proc; check -assert" 2>&1 | grep -v 'Replacing memory .* with list of registers')
    [ -z "$out" ] || report "yosys $mode $top: $params" "$out"
  done
}

check_rejected() {  # top, files, parameters
  local top=$1 files=$2 params=$3 verilator_params="" yosys_params="" p
  for p in $params; do
    verilator_params+=" -G$p"
    yosys_params+=" -chparam ${p%%=*} ${p#*=}"
  done
  # shellcheck disable=SC2086
  verilator --lint-only -Wall -Irtl/common $verilator_params --top-module "$top" $files > /dev/null 2>&1 &&
    report "verilator accepts $top: $params" ""
  yosys -q -p "read_verilog -sv -defer -Irtl/common $files; hierarchy -check -top $top $yosys_params" \
    > /dev/null 2>&1 && report "yosys accepts $top: $params" ""
}

top="" files="" checked=0
while IFS= read -r line; do
  case $line in
    ''|'#'*) continue ;;
    '!'*) check_rejected "$top" "$files" "${line#! }" ;;
    '+'*) check "$top" "$files" "${line#+ }" ;;
    *)
      IFS='|' read -r top files params <<< "$line"
      top=${top// /}
      check_rejected "$top" "$files" ""
      check "$top" "$files" "$params" ;;
  esac
  checked=$((checked + 1))
done < <(cat "$@")
[ $checked -gt 0 ] || report "no module in $*" ""
[ $bad -eq 0 ] && echo "$checked configurations clean"
exit $bad
