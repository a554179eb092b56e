#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a run does beside its results is the same in lanes: tables, agents, extensions, waveforms.
# engine_uses.sh HOPWISE SOURCE_DIR CACHE_DIR FST_TO_VCD
. "$(dirname "$0")/lib.sh"
fst_to_vcd=$4

# both COMMAND OUTPUT OPTION...: by either engine, into OUTPUT_verilator and OUTPUT_lanes; ENGINE in an option is the engine's name.
both() {
  local command=$1 out=$2 engine
  shift 2
  for engine in verilator lanes; do
    # shellcheck disable=SC2086
    expect 0 "$hopwise" $command "${@//ENGINE/$engine}" -o "${out}_$engine" --engine $engine --cache "$cache" --quiet
  done
}
same_results() {
  expect_same "$1_verilator/results.json" "$1_lanes/results.json"
  grep -q '"engine": "lanes"' "$1_lanes/speed.json" || fail "no lanes" "$1_lanes/speed.json"
}

# Tables that are saved, loaded, and checked against the model of the learner.
cat > learns.yaml <<'YAML'
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}
packet: {flit_bits: 64, max_flits: 2}
router: {vc_depth_flits: 8}
routing: {algorithm: q_adaptive}
traffic: {packet_flits: {min: 1, max: 2}}
simulation: {cycles: 1500, warmup_cycles: 300}
experiment: {patterns: [uniform], loads: [0.4], find_saturation: false}
YAML
both simulate first learns.yaml --save-tables first_ENGINE.json --check-learning --threads 2
same_results first
expect_same first_verilator.json first_lanes.json
json first_lanes/results.json 'r.points[0].learning_check.updates > 1000'
both simulate loaded learns.yaml --load-tables first_lanes.json --save-tables loaded_ENGINE.json --check-learning
same_results loaded
expect_same loaded_verilator.json loaded_lanes.json
cmp -s first_lanes.json loaded_lanes.json && fail "nothing was learned from loaded tables"

# Agents that are trained, and then used.
cat > agents.yaml <<'YAML'
topology: {kind: torus, dims: [2, 2]}
link: {latency_cycles: 10}
packet: {flit_bits: 128, max_flits: 16}
router: {vcs: 3, vc_depth_flits: 48}
routing: {algorithm: dqn, dqn_hidden: [8], dqn_macs: 16}
traffic: {pattern: uniform, packet_flits: {min: 8, max: 16}}
training: {decisions: 500, load: 0.3, start_samples: 100, epsilon_steps: [0, 300], epsilon: [1, 0.1]}
simulation: {cycles: 2000, warmup_cycles: 500}
experiment: {patterns: [uniform], loads: [0.2], find_saturation: false}
YAML
both 'agent train' agent agents.yaml --results trained_ENGINE --check-learning
expect_same agent_verilator agent_lanes
same_results trained
json trained_lanes/results.json 'r.points[0].learning_check.decisions >= 1000'
both simulate used agents.yaml --set routing.agent=agent_lanes --check-learning
same_results used

# Routers of two shapes, from outside the tree. Of two threads one has no router of one shape.
updown=$source/examples/extensions/updown
tree=(--with "$updown" "$updown/fat_tree.yaml" --set topology.leaves=3 --set topology.spines=2 --set simulation.cycles=600
  --set simulation.warmup_cycles=200 --pattern uniform)
both simulate tree "${tree[@]}" --load 0.4 --threads 2
same_results tree
both simulate trees "${tree[@]}" --loads 0.1:0.7:0.1 --threads 1
same_results trees

# Waveforms: the header has the date.
both simulate wave "$net" --routing dor --pattern uniform --load 0.1 --cycles 500 --wave 0,5
same_results wave
for router in 0 5; do
  for engine in verilator lanes; do
    "$fst_to_vcd" wave_$engine/router_$router.fst | sed '/^\$date/,/^\$end/d' > $engine.vcd || fail "no reader of the waveform"
  done
  [ "$(wc -l < lanes.vcd)" -gt 1000 ] || fail "the waveform is nearly empty"
  expect_same verilator.vcd lanes.vcd
done
