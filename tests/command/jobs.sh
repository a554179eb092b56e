#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Jobs: the fields that scripts read, the examples, resuming, and what is refused before anything is compiled.
. "$(dirname "$0")/lib.sh"
job=(--set experiment.patterns=null --set traffic=null --set simulation=null)
expect 0 simulate alone "${job[@]}" --set job.program=alltoall --set job.bytes=100 --set job.iterations=6
expect_said '^dor +idle .* last-step$'
json alone/results.json 'r.points.length === 2 && r.points.every((p) => {
  const j = p.jobs[0], f = (k) => ["mean", "median", "q1", "q3", "min", "max"].every((n) => typeof j[k][n] === "number");
  return p.pattern === "idle" && p.jobs.length === 1 && j.name === "alltoall" && j.ranks === 16 && j.iterations === 6 &&
    f("iteration_us") && f("communication_us") && Math.abs(j.makespan_us - 6 * j.iteration_us.mean) < 1e-9 &&
    j.iteration_us.q1 <= j.iteration_us.median && j.iteration_us.median <= j.iteration_us.q3 &&
    Math.abs(j.qcd - (j.iteration_us.q3 - j.iteration_us.q1) / (j.iteration_us.q3 + j.iteration_us.q1)) < 1e-12 &&
    j.latency_cycles.mean === p.latency_cycles.mean && p.packets.lost === 0 && p.packets.injected === 16 * 15 * 5 * 7 &&
    p.completion_cycles >= j.makespan_cycles && p.saturation === undefined; })'
# Beside other traffic, and again.
beside=(--set job.program=halo3d --set job.ranks=8 --set job.placement=random --pattern uniform --load 0.2)
expect 0 simulate beside --set simulation=null "${beside[@]}"
json beside/results.json 'r.points.every((p) => p.offered_load === 0.2 && p.jobs[0].ranks === 8 && p.stopped === "last-step")'
cp -r beside again
expect 0 simulate again --set simulation=null "${beside[@]}" --resume
expect_said 'resume: 2 of 2 points kept, 0 to run'
expect_same beside/results.json again/results.json
expect 0 simulate loads --set simulation=null --set job.program=barrier --set job.ranks=8 --pattern uniform --loads 0.1,0.2
expect_said "^  completion       dor and star_channel|^  completion       (dor|star_channel) "
json loads/results.json "r.points.length === 4"

# One that takes too long.
expect 1 simulate slow "${job[@]}" --set job.program=alltoall --set job.max_cycles=300 --routing dor
expect_said 'job alltoall: 16 of 16 ranks are not done; rank 0 waits in iteration 0, operation [0-9]+: [0-9]+ of'
json slow/results.json 'r.points[0].stopped === "limit" && r.points[0].jobs[0].makespan_us === null && r.points[0].packets.lost === 0'

# What a program gets wrong.
cat > circle.yaml <<'END'
topology: {kind: torus, dims: [4, 4]}
packet: {max_flits: 4}
job:
  program: custom
  operations:
    - 0 recv 1
    - 1 recv 0
    - 0-1 wait
    - 0 send 1 8
    - 1 send 0 8
END
expect 2 "$hopwise" simulate circle.yaml -o refused --cache "$cache" --quiet
expect_said 'circle.yaml:6:7: error\[traffic.job-deadlock\]: job.operations\[0\]: found rank 0, operation 0 waits for rank 1; rank 1'
sed '/1 send 0/d' circle.yaml > missing.yaml
expect 2 "$hopwise" simulate missing.yaml -o refused --cache "$cache" --quiet
expect_said 'missing.yaml:6:7: error\[traffic.job-match\]: .* receives from rank 1, which sends nothing like it'
sed 's/0-1 wait/0-1 weight/' circle.yaml > line.yaml
expect 2 "$hopwise" simulate line.yaml -o refused --cache "$cache" --quiet
expect_said "line.yaml:8:7: error\[traffic.job-operation\]: job.operations\[2\]: found '0-1 weight'"
sed '/recv\|send/d; s/0-1 wait/1 get 0 8/' circle.yaml > get.yaml
expect 2 "$hopwise" simulate get.yaml -o refused --cache "$cache" --quiet
expect_said 'get.yaml:6:7: error\[traffic.job-get\]: job.operations\[0\]: found rank 1, operation 0 gets data with terminal.interface: streams'
expect 2 simulate refused "${job[@]}" --set job.program=barrier --set packet.max_flits=1
expect_said 'traffic.job-packets'
expect 2 simulate refused "${job[@]}" --set job.program=barrier --set experiment.find_saturation=true
expect_said 'config.job-with'
expect_nothing_at refused
expect 2 "$hopwise" bench circle.yaml --cache "$cache"
expect_said 'error\[app.job\]'

# The examples, shorter.
for example in allreduce_dragonfly_72 halo3d_torus_4x4x4; do
  expect 0 "$hopwise" simulate "$source/examples/$example.yaml" -o "$example" --cache "$cache" --quiet --set job.iterations=2 --set job.bytes=300
  json "$example/results.json" 'r.points.length >= 3 && r.points.every((p) => p.jobs[0].iterations === 2 && p.packets.lost === 0)'
done
