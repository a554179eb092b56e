#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The FuseSoC cores of a bundle, without FuseSoC: they are YAML, list the files of the file lists, depend on the library's name, and
# the options of `lint` and `sim`, in a file as Edalize writes it for Verilator, lint and pass the smoke test.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh" "$@"
generate core topology.dims=[2,2] packet.flit_bits=32
generate other topology.kind=mesh topology.dims=[3]
[ $bad -eq 0 ] || finish
python3 "$here/fusesoc.py" core > found.log 2>&1 || fail "the cores of a bundle" "$(cat found.log)"
cmp -s core/library.core other/library.core || fail "library.core differs between two networks"

sed '/hw_fifo.sv/d' core/library.core > short && mv short other/library.core
cp core/core.core other/
cp -r core/rtl core/core.vlt core/*.f core/tb other/
python3 "$here/fusesoc.py" other > /dev/null 2>&1 && fail "not seen: a file that library.core lacks"

for target in lint sim; do
  mkdir $target
  cp $target.vc $target/
  out=$(cd $target && verilator -f $target.vc 2>&1) || fail "verilator as Edalize calls it for $target" "$(tail -n 20 <<< "$out")"
  grep -q '%Warning' <<< "$out" && fail "$target warns" "$(grep -A3 '%Warning' <<< "$out" | head -n 20)"
done
out=$(cd sim && make -f Vsmoke_tb.mk 2>&1 && ./Vsmoke_tb) || fail "the smoke test" "$(tail -n 20 <<< "$out")"
grep -q '^SMOKE PASS' <<< "$out" || fail "the smoke test does not pass" "$(tail -n 20 <<< "$out")"
finish "FuseSoC cores"
