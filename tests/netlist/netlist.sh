#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# netlist.sh ROOT TOP NAME OUT FILE... [-- Parameter=value...]: module TOP of the files (relative to ROOT, as is OUT), synthesised by
# Yosys to generic gates and flip-flops, as module NAME in OUT/NAME.v. A reset array of registers becomes registers, which
# is all that Yosys may say. Nets are single bits, apart from the ports behind their pads: of vectors that are read back bit by
# bit Verilator would say that they loop.
set -u
root=$1 top=$2 name=$3 out=$4
shift 4
files=() parameters=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do files+=("$1"); shift; done
for p in "${@:2}"; do parameters+=(-chparam "${p%%=*}" "${p#*=}"); done
cd "$root" || exit 1
mkdir -p "$out"
said=$(yosys -q -p "read_verilog -sv -defer -Irtl/common ${files[*]}
  hierarchy -check -top $top ${parameters[*]}
  rename -top $name
  synth -flatten -top $name
  check -assert
  iopadmap -bits -outpad netlist_pad a:y
  splitnets
  write_verilog -noattr $out/$name.v" 2>&1 | sed '/Replacing memory .* with list of registers/d')
if [ -z "$said" ]; then
  echo 'module netlist_pad(input a, output y); assign y = a; endmodule' >> "$out/$name.v"
  exit
fi
printf '%s\n' "$said"
rm -f "$out/$name.v"
exit 1
