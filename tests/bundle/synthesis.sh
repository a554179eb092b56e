#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# synthesis.sh HOPWISE SCRATCH LIST [NAME...]: Yosys reads the router of every network of a list, or of these, from the bundle's
# own file list, finds no undriven and no multiply driven net, and sizes the ports of the router and of all instances in it as
# the source does.
widths=$(cd "$(dirname "$0")/../netlist" && pwd)/port_widths.py
. "$(dirname "$0")/common.sh" "$@"
shift 2

synthesis() {  # name, keys
  local name=$1 keys=$2 sources out
  sources=$(grep '^rtl/' "$name/${name}_router.f" | tr '\n' ' ')
  # Registers in arrays that are reset become registers in Yosys: intended, and all that it may say.
  out=$(cd "$name" && yosys -q -p "read_verilog -sv -defer -Irtl/common $sources; hierarchy -check -top ${name}_router;
        proc; check -assert; write_json ../$name.json" 2>&1 | grep -v 'Replacing memory .* with list of registers')
  [ -z "$out" ] || fail "yosys $name $keys" "$(head -n 12 <<< "$out")"
  # shellcheck disable=SC2086
  out=$(cd "$name" && verilator --xml-only --xml-output "../$name.xml" -DSYNTHESIS -Irtl/common --top-module "${name}_router" $sources 2>&1 &&
        "$widths" "../$name.xml" "../$name.json" "${name}_router" 2>&1) || fail "yosys sizes the ports of $name differently" "$out"
}

each synthesis "$@"
finish "$checked routers"
