#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lint_rtl.sh ROOT [LIST [MODULE.N...]]: every module of the list (default: tests/repo/lint_rtl.list), or its N-th line alone, is
# accepted without a warning by `verilator --lint-only -Wall` with assertions, without them and as for synthesis, and by
# Yosys as for synthesis and for formal proofs, with no undriven or multiply driven net. With its default parameters, which are
# not meant to be usable, and with those of its `!` lines, a module must be rejected by both tools.
set -euo pipefail
. "$(dirname "$0")/../stamps.sh"
. "$(dirname "$0")/rtl_list.sh"
cd "$1"
list=${2:-tests/repo/lint_rtl.list}
shift $(($# < 2 ? $# : 2))

bad=0
report() {  # sentence, tool's output
  bad=1
  printf 'FAIL %s\n%s\n' "$1" "$2"
}

set_parameters() {  # NAME=VALUE...: for both tools
  local p
  verilator_params=() yosys_params=""
  for p in "$@"; do
    verilator_params+=("-G$p")
    yosys_params+=" -chparam ${p%%=*} ${p#*=}"
  done
}

# Registers in arrays that are reset become registers in Yosys: intended, and all that it may say.
check() {  # top, files, parameters
  local top=$1 files=$2 params=$3 define mode out
  # shellcheck disable=SC2086
  set_parameters $params
  for define in "" +define+HW_ASSERT_OFF +define+SYNTHESIS; do
    # shellcheck disable=SC2086
    out=$(verilator --lint-only -Wall -Irtl/common $define "${verilator_params[@]}" --top-module "$top" $files 2>&1) &&
      [ -z "$out" ] || report "verilator $define $top: $params" "$out"
  done
  for mode in "" -formal; do
    out=$(yosys -q -p "read_verilog $mode -sv -defer -Irtl/common $files; hierarchy -check -top $top $yosys_params;
                       proc; check -assert" 2>&1) || out+=" (status $?)"
    out=$(sed '/Replacing memory .* with list of registers/d' <<< "$out")
    [ -z "$out" ] || report "yosys $mode $top: $params" "$out"
  done
}

check_rejected() {  # top, files, parameters
  local top=$1 files=$2 params=$3
  # shellcheck disable=SC2086
  set_parameters $params
  # shellcheck disable=SC2086
  ! verilator --lint-only -Wall -Irtl/common "${verilator_params[@]}" --top-module "$top" $files > /dev/null 2>&1 ||
    report "verilator accepts $top: $params" ""
  ! yosys -q -p "read_verilog -sv -defer -Irtl/common $files; hierarchy -check -top $top $yosys_params" > /dev/null 2>&1 ||
    report "yosys accepts $top: $params" ""
}

lines=$(configurations "$list" "$@") || { report "no module in $list: $*" ""; exit 1; }
# shellcheck disable=SC2046,SC2154
passed_before "lint.$(basename "$list").$*" "$lines" "verilator verilator_bin yosys" tests/repo/rtl_list.sh \
  rtl/common/*.sv* $(cut -d'|' -f3 <<< "$lines") && exit 0
while IFS='|' read -r name kind files params; do
  case $kind in
    first)
      check_rejected "${name%.*}" "$files" ""
      check "${name%.*}" "$files" "$params" ;;
    more) check "${name%.*}" "$files" "$params" ;;
    rejected) check_rejected "${name%.*}" "$files" "$params" ;;
  esac
done <<< "$lines"
[ $bad -eq 0 ] || exit 1
keep_stamp
echo "$(wc -l <<< "$lines") configurations clean"
