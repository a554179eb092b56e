#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Agents are trained on the network's RTL, the same for every number of threads, loaded, exchanged, and refused where they do
# not fit.
. "$(dirname "$0")/lib.sh"
cat > dqn.yaml <<'YAML'
topology: {kind: torus, dims: [2, 2]}
link: {latency_cycles: 10}
packet: {flit_bits: 128, max_flits: 16}
router: {vcs: 3, vc_depth_flits: 48}
routing: {algorithm: dqn, dqn_hidden: [8], dqn_macs: 16}
traffic: {pattern: uniform, packet_flits: {min: 8, max: 16}}
training: {decisions: 1500, load: 0.3, start_samples: 100, epsilon_steps: [0, 1000], epsilon: [1, 0.1]}
simulation: {cycles: 2000, warmup_cycles: 500}
experiment: {patterns: [uniform], loads: [0.2], find_saturation: false}
YAML
agent() { "$hopwise" agent "$@"; }
train() { local out=$1; shift; agent train dqn.yaml -o "$out" --cache "$cache" --quiet "$@"; }

expect 0 train agent.json --results first --check-learning --threads 1
json agent.json 'r.format === "hopwise dqn-agent" && r.agents.length === 2 && r.sharing === "row" && r.decisions >= 1500'
json first/results.json 'r.training.cycle.length > 2 && r.points[0].learning_check.decisions >= 3000 && r.points[0].packets.lost === 0'
expect 0 train again.json --results again --check-learning --threads 3
expect_same agent.json again.json
expect_same first/results.json again/results.json
expect 2 train again.json --results first
expect_said 'app.results-there.*results.json'
expect 0 train late.json --set training.swap_delay_cycles=5000 --set training.share=all --check-learning
json late.json 'r.agents.length === 1'
! grep -q warning said || fail "an agent that has learned its share is doubted" said
json first/results.json 'r.warnings.length === 0'
expect 0 train early.json --results early --set training.decisions=300
expect_said '^warning\[agent.few-decisions\]: dqn: an agent has learned from [0-9]+ decisions, and still explores until 1000'
json early/results.json 'r.warnings.length === 1 && r.warnings[0].code === "agent.few-decisions"'

expect 0 "$hopwise" simulate dqn.yaml -o out --cache "$cache" --quiet --set routing.agent=agent.json --check-learning
json out/results.json 'r.points[0].learning_check.decisions > 100 && r.points[0].packets.lost === 0 && r.warnings.length === 0'
expect 0 "$hopwise" simulate dqn.yaml -o doubted --cache "$cache" --quiet --set routing.agent=early.json
json doubted/results.json 'r.warnings.length === 1 && r.warnings[0].code === "agent.few-decisions"'
expect 0 "$hopwise" simulate dqn.yaml -o none --cache "$cache" --quiet
json none/results.json 'r.warnings.length === 1 && r.warnings[0].code === "agent.none" && r.warnings[0].routings.join() === "dqn"'
mkdir other && sed 's/dqn_macs: 16/dqn_macs: 16, agent: ..\/agent.json/' dqn.yaml > other/dqn.yaml   # from the file's directory
expect 0 "$hopwise" simulate other/dqn.yaml -o beside --cache "$cache" --quiet
json beside/results.json 'r.proofs[0].agents_hash.length === 16'

# Exchange.
expect 0 agent export agent.json -o model.onnx --agent 1
expect 0 agent import model.onnx -o imported.json --for dqn.yaml
json imported.json 'r.sharing === "all" && JSON.stringify(r.agents[0].layers) === JSON.stringify(JSON.parse(require("fs").readFileSync("agent.json")).agents[1].layers)'
expect 2 agent export agent.json -o model.onnx --agent 2
expect_said 'app.no-such-agent.*found 2, allowed: 0 to 1'
expect 2 agent import agent.json -o imported.json --for dqn.yaml
expect_said 'agent.bad-model'
expect 2 agent import model.onnx -o imported.json --for dqn.yaml --set 'routing.dqn_hidden=[9]'
expect_said 'agent.other-network.*layers: found \[13, 8, 4\], allowed: \[13, 9, 4\]'

# What does not fit.
expect 2 "$hopwise" simulate dqn.yaml -o refused --cache "$cache" --quiet --set routing.agent=model.onnx
expect_said 'agent.bad-file.*format: found no JSON'
expect 2 "$hopwise" simulate dqn.yaml -o refused --cache "$cache" --quiet --set routing.agent=agent.json --set 'topology.dims=[2, 3]'
expect_said 'agent.other-network.*dims'
expect 2 agent train "$net" -o agent.json
expect_said 'app.no-agent'
