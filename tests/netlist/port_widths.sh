#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# port_widths.sh ROOT LIST [MODULE.N...]: the modules of the list, which is one of tests/repo/lint_rtl.sh, or its N-th line
# alone, and all that they instantiate have the same ports in the source and after synthesis: see port_widths.py.
set -euo pipefail
. "$(dirname "$0")/../stamps.sh"
. "$(dirname "$0")/../repo/rtl_list.sh"
cd "$1"
list=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() {  # top, files, parameters
  local top=$1 files=$2 p source=() netlist=""
  for p in $3; do
    source+=("-G$p")
    netlist+=" -chparam ${p%%=*} ${p#*=}"
  done
  rm -f "$scratch"/*
  # shellcheck disable=SC2086
  verilator --xml-only --xml-output "$scratch/source.xml" -DSYNTHESIS -Irtl/common "${source[@]}" --top-module "$top" $files || return
  yosys -q -p "read_verilog -sv -defer -Irtl/common $files; hierarchy -check -top $top $netlist; rename -top $top;
               proc; write_json $scratch/netlist.json" > "$scratch/said" 2>&1 || { cat "$scratch/said"; return 1; }
  tests/netlist/port_widths.py "$scratch/source.xml" "$scratch/netlist.json" "$top"
}

lines=$(configurations "$list" "$@" | grep -v '|rejected|') || { echo "FAIL no module in $list: $*"; exit 1; }
# shellcheck disable=SC2046,SC2154
passed_before "widths.$(basename "$list").$*" "$lines" "verilator verilator_bin yosys python3" tests/repo/rtl_list.sh \
  tests/netlist/port_widths.py rtl/common/*.sv* $(cut -d'|' -f3 <<< "$lines") && exit 0
bad=0
while IFS='|' read -r name _ files params; do
  said=$(check "${name%.*}" "$files" "$params" 2>&1) && continue
  bad=1
  printf 'FAIL %s: %s\n%s\n' "${name%.*}" "$params" "$said"
done <<< "$lines"
[ $bad -eq 0 ] || exit 1
keep_stamp
echo "good: $(wc -l <<< "$lines") configurations"
