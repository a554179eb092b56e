#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# port_widths.sh ROOT SCRATCH LIST...: the modules of the lists, which are those of tests/repo/lint_rtl.sh, and all that they
# instantiate have the same ports in the source and after synthesis: see port_widths.py.
set -u
root=$1 scratch=$2
shift 2
mkdir -p "$scratch"
cd "$root" || exit 1

bad=0
check() {  # top, files, parameters
  local top=$1 files=$2 params=$3 source=() netlist=() p out
  for p in $params; do
    source+=("-G$p")
    netlist+=(-chparam "${p%%=*}" "${p#*=}")
  done
  rm -f "$scratch/source.xml" "$scratch/netlist.json"
  # shellcheck disable=SC2086
  out=$(verilator --xml-only --xml-output "$scratch/source.xml" -DSYNTHESIS -Irtl/common "${source[@]}" --top-module "$top" $files 2>&1 &&
        yosys -q -p "read_verilog -sv -defer -Irtl/common $files; hierarchy -check -top $top ${netlist[*]}; rename -top $top;
                     proc; write_json $scratch/netlist.json" 2>&1 | grep -v 'Replacing memory .* with list of registers'
        tests/netlist/port_widths.py "$scratch/source.xml" "$scratch/netlist.json" "$top" 2>&1) && return
  bad=1
  printf 'FAIL %s: %s\n%s\n' "$top" "$params" "$out"
}

top="" files="" checked=0
while IFS= read -r line; do
  case $line in
    ''|'#'*|'!'*) continue ;;
    '+'*) check "$top" "$files" "${line#+ }" ;;
    *)
      IFS='|' read -r top files params <<< "$line"
      top=${top// /}
      check "$top" "$files" "$params" ;;
  esac
  checked=$((checked + 1))
done < <(cat "$@")
[ $checked -gt 0 ] || { echo "FAIL no module in $*"; exit 1; }
[ $bad -eq 0 ] && echo "good: $checked configurations"
exit $bad
