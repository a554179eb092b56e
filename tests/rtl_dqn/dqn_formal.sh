#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# dqn_formal.sh ROOT: Yosys proves, for all inputs and all lengths of runs, that a neuron of 1, 2 and 4 products is its plain
# expression (by induction over the cycles), and that the tree of hw_dqn_argmax finds what a plain search finds. Seeded faults
# must not be proved.
set -euo pipefail
. "$(dirname "$0")/../stamps.sh"
cd "$1"
passed_before rtl_dqn.neuron_and_argmax "" yosys rtl/common/*.sv* rtl/routing/dqn/*.sv tests/rtl_dqn/*.sv && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

prove() {  # files, top, chparams, sat's options: "proved" or "not proved"
  if timeout 200 yosys -q -p "read_verilog -sv -defer -Irtl/common $1; hierarchy -check -top $2 $3; proc; flatten; async2sync;
                              opt -fast; sat -verify -timeout 180 $4" > "$work/log" 2>&1; then
    echo proved
  elif grep -q 'proof did fail' "$work/log"; then
    echo 'not proved'
  else
    tail -3 "$work/log"
  fi
}

bad=0
expect() {  # what, found, wanted
  [ "$2" = "$3" ] && return
  printf 'FAIL %s: %s\n' "$1" "$2"
  bad=1
}

# From equal registers on; the first step of the first neuron makes accumulators equal whatever they are.
neuron() {  # file, products
  prove "$1 tests/rtl_dqn/hw_dqn_neuron_bench.sv" hw_dqn_neuron_bench "-chparam Depth $2" \
    '-tempinduct -set-init-zero -maxsteps 5 -set rst_ni 1 -prove right_o 1 -prove u_neuron.value_q total_q'
}
argmax() {  # file, actions
  prove "$1 tests/rtl_dqn/hw_dqn_argmax_bench.sv" hw_dqn_argmax_bench "-chparam NumActions $2" '-prove right_o 1'
}

rtl=rtl/routing/dqn
for depth in 1 2 4; do expect "neuron of $depth" "$(neuron $rtl/hw_dqn_neuron.sv $depth)" proved; done
for actions in 1 3 4 6; do expect "argmax of $actions" "$(argmax $rtl/hw_dqn_argmax.sv $actions)" proved; done

faulty() {  # file, what is replaced, by what
  sed "s/$2/$3/" "$rtl/$1" > "$work/$1"
  ! cmp -s "$rtl/$1" "$work/$1" || { echo "FAIL $1 has no $2"; exit 1; }
}
faulty hw_dqn_neuron.sv "scaled\[24:8\] != '0" "scaled[24:9] != '0"
expect 'neuron that saturates too late' "$(neuron "$work/hw_dqn_neuron.sv" 2)" 'not proved'
faulty hw_dqn_neuron.sv 'value\[24\] == value\[23\]' "1'b1"
expect 'neuron whose value wraps' "$(neuron "$work/hw_dqn_neuron.sv" 2)" 'not proved'
faulty hw_dqn_neuron.sv '{1.b0, inputs_i' '{inputs_i[7], inputs_i'
expect 'neuron with signed inputs' "$(neuron "$work/hw_dqn_neuron.sv" 2)" 'not proved'
faulty hw_dqn_argmax.sv ') > \$signed' ') >= $signed'
expect 'argmax of the last of equal values' "$(argmax "$work/hw_dqn_argmax.sv" 4)" 'not proved'
faulty hw_dqn_argmax.sv 'valid\[Leaves-1+a\] = allowed_i\[a\]' "valid[Leaves-1+a] = 1'b1"
expect 'argmax of what is not allowed' "$(argmax "$work/hw_dqn_argmax.sv" 4)" 'not proved'
[ $bad -eq 0 ] || exit 1
keep_stamp
echo 'neurons of 1, 2, 4 and argmax of 1, 3, 4, 6 proved; five seeded faults not'
