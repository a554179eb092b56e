#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One simulation over several processes of mpirun: ranks.sh HOPWISE SOURCE_DIR CACHE_DIR. Results are those of one process to the
# byte; a process that is killed ends all, and leaves nothing half-written.
. "$(dirname "$0")/../command/lib.sh"
if ! command -v mpirun > /dev/null || [ ! -e "$(dirname "$hopwise")/libhopwise_mpi.so" ]; then
  echo 'skipped: Open MPI is not installed (libopenmpi-dev, openmpi-bin), or the command was built without it'
  exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
ranks() { local n=$1; shift; mpirun --oversubscribe -n "$n" "$hopwise" "$@"; }
same() {  # NAME FILE OPTION...: by one process, and by 1, 2 and 4 ranks
  local name=$1 n
  shift
  expect 0 "$hopwise" simulate "$@" -o "$name" --cache "$cache" --quiet
  for n in 1 2 4; do
    expect 0 ranks "$n" simulate "$@" --mpi -o "$name-$n" --cache "$cache" --quiet
    expect_same "$name/results.json" "$name-$n/results.json"
    expect_same "$name/points.csv" "$name-$n/points.csv"
    [ "$(grep -c '^again:' said)" -eq 1 ] || fail 'other than one rank speaks' said
  done
  json "$name-4/speed.json" 'r.points.every((p) => p.ranks.length === 4 && p.ranks.every((k) => k.messages > 0 && k.peak_bytes > 1e6))'
}

# Loads, patterns, a search for saturation; in lanes; a dragonfly whose routers learn, and one whose routers ask for all queues.
same torus "$net" --set experiment.find_saturation=true --load 0.1,0.3
same lanes "$net" --engine lanes --routing dor --pattern tornado --load 0.3 --set simulation.lanes=64
cat > dragonfly.yaml <<'END'
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 4, global_ports: 1}
link: {latency_cycles: [5, 12]}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 32}
simulation: {cycles: 1500, warmup_cycles: 500}
experiment: {routings: [q_adaptive, ugal_global], patterns: [uniform, adv+1], loads: [0.2, 0.4], find_saturation: false}
END
same dragonfly dragonfly.yaml

# A trace that is recorded over ranks, and resuming.
expect 0 "$hopwise" simulate "$net" -o one --cache "$cache" --quiet --routing dor --pattern uniform --load 0.2 --record-trace one.trace
expect 0 ranks 2 simulate "$net" -o two --cache "$cache" --quiet --routing dor --pattern uniform --load 0.2 --record-trace two.trace --mpi
expect_same one.trace two.trace
expect 0 ranks 2 simulate "$net" --mpi -o again --cache "$cache" --quiet --load 0.1
expect 0 ranks 2 simulate "$net" --mpi -o again --cache "$cache" --quiet --load 0.1,0.2 --resume
expect 0 "$hopwise" simulate "$net" -o whole --cache "$cache" --quiet --load 0.1,0.2
expect_same whole/results.json again/results.json

# What one process alone simulates is refused, once.
refuse() {  # what is found, what changes the file
  local found=$1
  shift
  expect 2 ranks 2 simulate "$net" -o refused --mpi --routing dor "$@"
  [ "$(grep -c "error\[app.mpi\]: $found, allowed" said)" -eq 1 ] || fail "refused other than once: $found" said
}
refuse 'job.program: found barrier' --pattern idle --set job.program=barrier
refuse 'terminal.interface: found messages' --set terminal.interface=messages --set router.vcs=4 --set packet.flit_bits=128
refuse 'fault: found faults' --set fault.header_flips=0.001 --set router.checks=true
expect 2 ranks 20 simulate "$net" --mpi -o refused --cache "$cache" --quiet
expect_said 'at most one for each of 16 routers'
expect 2 ranks 2 simulate "$net" --mpi -o whole --cache "$cache" --quiet
expect_said 'app.results-there'
expect_nothing_at refused

# A rank is killed.
mpirun --oversubscribe -n 2 "$hopwise" simulate "$net" --mpi -o killed --cache "$cache" --quiet --routing dor --pattern uniform --load 0.2 --cycles 100000000 > said 2>&1 &
job=$!
for _ in $(seq 300); do
  [ ! -e killed/.lock ] || break
  sleep 0.1
done
sleep 1
kill -KILL "$(pgrep -P "$job" | tail -n 1)"
status=0
wait "$job" || status=$?
[ "$status" -ne 0 ] || fail 'mpirun does not tell that a process was killed' said
[ "$(find killed -type f ! -name .lock | wc -l)" -eq 0 ] || fail 'a run that was killed has written results' <(ls killed)
expect 0 ranks 2 simulate "$net" --mpi -o killed --cache "$cache" --quiet --routing dor --pattern uniform --load 0.2
