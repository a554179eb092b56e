#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# campaign.sh HOPWISE SOURCE_DIR CACHE_DIR [TASKS]: a campaign on a Slurm of this machine. The submitter is killed twice, and so are two
# tasks: the results have the bytes of a local run, and no finished point is run twice.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../command/lib.sh"
. "$here/one_machine.sh"
tasks=${4:-200}
slurm_is_there || { echo "SKIP: Slurm is not installed (packages slurm-wlm and munge)"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "SKIP: a Slurm of one machine needs root"; exit 77; }
chmod 755 "$scratch"
trap 'stop_slurm; rm -rf "$scratch"' EXIT
start_slurm "$scratch/slurm" 2 $((20000 + $$ % 10000)) || fail "Slurm does not start"
cp "$net" net.yaml
cat > c.yaml <<Y
name: many
experiments:
  - name: many
    file: net.yaml
    routings: [dor]
    set: {experiment.patterns: [uniform, tornado], experiment.loads: [0.1, 0.2], simulation.cycles: 10000}
    repetitions: $((tasks / 2))
Y
run() { local out=$1; shift; "$hopwise" campaign run c.yaml -o "$out" --cache "$cache" --quiet "$@"; }
slurm=("$hopwise" campaign run c.yaml -o out --cache "$cache" --quiet --slurm "--slurm-args=--time=10 --comment='two words'")
done_tasks() { find out/tasks -name state.json 2> /dev/null | wc -l; }
wait_for() {  # tasks that are done
  for _ in $(seq 3000); do [ "$(done_tasks)" -lt "$1" ] || return 0; sleep 0.1; done
  fail "only $(done_tasks) tasks are done" said
}

expect 0 run local
for part in 4 2; do
  "${slurm[@]}" > said 2>&1 &
  submitter=$!
  wait_for $((tasks / part))
  kill -KILL $submitter
  wait $submitter || true
done
# What is in the queue is followed, not submitted again; the live page tells what the cluster's tasks have done.
"${slurm[@]}" --serve 0 > followed 2>&1 &
submitter=$!
while ! url=$(sed -n 's/^live page: \(http.*\)/\1/p' followed | grep .); do
  kill -0 $submitter 2> /dev/null || fail "it has ended" followed
  sleep 0.05
done
node "$source/tests/command/live.mjs" follow "$url" > state.json 2> done.txt &
follower=$!
for _ in 1 2; do
  for _ in $(seq 300); do
    victim=$(pgrep -f "campaign task $PWD/out " | head -n 1 || true)
    [ -z "$victim" ] || break
    sleep 0.1
  done
  [ -z "$victim" ] || kill -KILL "$victim"
  sleep 1
done
status=0
wait $submitter || status=$?
[ "$status" -eq 0 ] || fail "status $status" followed
wait $follower
[ "$(wc -l < done.txt)" -gt 2 ] || fail "the page does not change as tasks end" done.txt
sort -k2n done.txt | cmp - done.txt || fail "tasks are done less and less" done.txt
node "$source/tests/command/live.mjs" same state.json out/results.json
json state.json "r.tasks.done === $tasks && r.tasks.all === $tasks && r.experiments.every((e) => e.failed.length === 0)"
grep -qE '^slurm: [0-9]+ tasks of an earlier call are followed$' followed || fail "nothing was followed" followed
[ "$(ls out/slurm/*.list | wc -l)" -ge 2 ] || fail "the killed tasks were not submitted again" followed
[ "$(cat out/slurm/*.list | wc -l)" -le $((tasks + 4)) ] || fail "tasks were submitted again" followed
for file in results.json index.html points.csv; do expect_same local/$file out/$file; done
for task in local/tasks/*; do expect_same "$task/run/results.json" "out/tasks/$(basename "$task")/run/results.json"; done
# A task's log has what it kept and what it ran: never more points than there are, all begun runs together.
for log in out/tasks/*/log; do
  awk '/^resume: / { kept = $2; left = $(NF - 2) } END { exit !(kept + left == 2) }' "$log" || fail "points were run again" "$log"
done
[ "$(grep -ch '^== ' out/tasks/*/log | awk '{ n += $1 } END { print n }')" -le $((tasks + 2)) ] || fail "finished tasks were begun again"
# The arguments of sbatch reach it, and what it refuses is said.
expect 2 "$hopwise" campaign run c.yaml -o refused --cache "$cache" --quiet --slurm --slurm-args=--partition=nowhere
expect_said 'error\[app.slurm\]: sbatch: .*partition'
mkdir bin
printf '#!/bin/sh\necho "no controller" >&2\nexit 1\n' > bin/sbatch
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH expect 2 "$hopwise" campaign run c.yaml -o without --cache "$cache" --quiet --slurm
expect_said 'error\[app.slurm\]: sbatch: found no controller'
echo "$tasks tasks, $(cat out/slurm/*.list | wc -l) submitted"
