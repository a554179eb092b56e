#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Yosys reads the router of every configuration from the bundle's own file list, finds no undriven and no multiply driven
# net, and sizes its ports as the header of the SystemVerilog module does.
. "$(dirname "$0")/common.sh" "$@"

# Ports of an emitted module as "direction name width"; the generator writes literal ranges.
source_ports() {
  sed -n '/^module /,/^);/p' "$1" | sed -n 's/^ *\(input\|output\) .*/&/p' | sed 's/,$//; s/ *\/\/.*//' | awk '{
    width = 1
    if (match($0, /\[[0-9]+:0\]/)) { r = substr($0, RSTART + 1, RLENGTH - 4); width = r + 1 }
    name = $NF; sub(/,$/, "", name)
    print $1, name, width }' | sort
}
netlist_ports() {
  python3 - "$1" "$2" <<'P' | sort
import json, sys
for name, port in json.load(open(sys.argv[1]))["modules"][sys.argv[2]]["ports"].items():
    print(port["direction"], name, len(port["bits"]))
P
}

checked=0
while read -r name keys; do
  # shellcheck disable=SC2086
  generate "$name" $keys
  [ -d "$name" ] || continue
  sources=$(grep '^rtl/' "$name/${name}_router.f" | tr '\n' ' ')
  # Registers in arrays that are reset become registers in Yosys: intended, and all that it may say.
  out=$(cd "$name" && yosys -q -p "read_verilog -sv -defer -Irtl/common $sources; hierarchy -check -top ${name}_router;
        proc; check -assert; write_json ../$name.json" 2>&1 | grep -v 'Replacing memory .* with list of registers')
  [ -z "$out" ] || fail "yosys $name $keys" "$(head -n 12 <<< "$out")"
  source_ports "$name/rtl/${name}_router.sv" > "$name.source"
  netlist_ports "$name.json" "${name}_router" > "$name.netlist"
  [ "$(wc -l < "$name.source")" -ge 18 ] || fail "$name: the module header is not understood" "$(cat "$name.source")"
  out=$(diff "$name.source" "$name.netlist") || fail "yosys sizes the ports of $name differently" "$out"
  checked=$((checked + 1))
done < <(configurations)
finish "$checked routers"
