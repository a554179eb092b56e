#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# engines.sh ... FAMILY [ROUTER_CYCLES]: routers of the family in lanes and by Verilator give the same pins in every cycle, the same results.json
# for any number of threads and any vectors. With ROUTER_CYCLES: the pins alone, for as many.
. "$(dirname "$0")/lib.sh"
family=$4
torus='topology: {kind: torus, dims: [3, 2, 2], terminals_per_router: 1}'
dragonfly='topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}'
extra='' more=()
case $family in
  dor | star_channel) topology=$torus vcs=4 ;;
  valiant) topology=$torus vcs=4 ;;
  mesh) topology='topology: {kind: mesh, dims: [3, 2], terminals_per_router: 2}' vcs=2 ;;
  q_routing) topology=$torus vcs=4 extra=', q_banks: 2' ;;
  dqn) topology='topology: {kind: torus, dims: [3, 3], terminals_per_router: 1}' vcs=3 ;;
  *) topology=$dragonfly vcs='' ;;
esac
algorithm=$family
[ "$family" = mesh ] && algorithm=dor
cat > net.yaml <<END
name: net
$topology
packet: {flit_bits: 64, max_flits: 2}
router: {vc_depth_flits: 8${vcs:+, vcs: $vcs}}
routing: {algorithm: $algorithm$extra}
traffic: {pattern: uniform, packet_flits: {min: 1, max: 2}}
experiment: {loads: [0.05, 0.5], find_saturation: true}
simulation: {cycles: 1500, warmup_cycles: 300}
END
expect 0 "$hopwise" verify net.yaml --engines --router-cycles "${5:-20000}" --cache "$cache" --quiet
expect_said 'agree on every pin in [0-9]{5,} router-cycles'
if [ $# -ge 5 ]; then cat said; exit 0; fi
expect 0 "$hopwise" simulate net.yaml -o verilator --engine verilator --cache "$cache" --quiet --threads 1
for threads in 1 2; do
  expect 0 "$hopwise" simulate net.yaml -o lanes$threads --engine lanes --cache "$cache" --quiet --threads $threads "${more[@]}"
  cmp verilator/results.json lanes$threads/results.json || fail "results differ" said
done
grep -q '"engine": "lanes"' lanes1/speed.json || fail "speed.json" lanes1/speed.json
[ "$family" = q_adaptive ] || exit 0
for kind in none:64 avx2:256 avx512:512; do
  out=lanes_${kind%:*}
  expect 0 "$hopwise" simulate net.yaml -o "$out" --engine lanes --vectors "${kind%:*}" --set simulation.lanes="${kind#*:}" --load 0.5 \
    --cache "$cache" --quiet
  expect 0 "$hopwise" simulate net.yaml -o "$out.verilator" --engine verilator --set simulation.lanes="${kind#*:}" --load 0.5 \
    --cache "$cache" --quiet
  expect_same "$out.verilator/results.json" "$out/results.json"
  grep -q "\"lanes\": ${kind#*:}" "$out/speed.json" || fail "lanes" "$out/speed.json"
done
