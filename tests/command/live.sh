#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The live page of a campaign: it tells what the directory holds while tasks run, answers nothing else, and whatever becomes of it or of
# its clients, the run is the same. The page in a browser: live_page.sh.
. "$(dirname "$0")/lib.sh"
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$scratch"' EXIT
cp "$net" net.yaml
cat > c.yaml <<'Y'
name: small
experiments:
  - name: curves
    file: net.yaml
    set: {experiment.loads: [0.1, 0.2], simulation.cycles: 20000}
    seeds: [1, 2]
  - name: depths
    file: net.yaml
    routings: [dor]
    set: {experiment.patterns: [uniform], experiment.loads: [0.1, 0.3], simulation.cycles: 20000}
    axes: {router.vc_depth_flits: [8, 16]}
Y
run() { local out=$1; shift; "$hopwise" campaign run c.yaml -o "$out" --cache "$cache" --quiet --workers 1 "$@"; }
live() { node "$source/tests/command/live.mjs" "$@"; }
# start COMMAND...: beside this script, with a page at `url`; what it says is in the file `here`.
start() { start_at 0 "$@"; }
start_at() {
  local where=$1
  shift
  rm -f here  # of the one before
  "$hopwise" "$@" --serve "$where" > here 2>&1 &
  pid=$!
  while ! url=$(sed -n 's/^live page: \(http.*\)/\1/p' here 2> /dev/null | grep .); do
    kill -0 $pid 2> /dev/null || fail "it has ended" here
    sleep 0.05
  done
}
place_of() { local place=${1#http://}; echo "${place%/}"; }
key_of() { node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).tasks[0].key' "$1/campaign.json"; }

# What cannot be served is said before anything is done.
for where in 70000 -1 '' x :80 nowhere:80 1.2.3.4.5:80 8080x '[::1]' 127.0.0.1:; do
  expect 2 run out "--serve=$where"
  expect_nothing_at out
done
expect 2 run out --serve host.example:80
expect_said 'error\[app.bad-address\]: --serve: found host.example:80'
expect 2 run out --serve 192.0.2.1:0  # of no machine
expect_said 'error\[app.cannot-serve\]: --serve: found 192.0.2.1:0: '
expect_nothing_at out

# Without a page, for comparison.
expect 0 run plain

# A page that is followed: more and more tasks are done, and the last state has all of them.
start campaign run c.yaml -o out --cache "$cache" --quiet --workers 1
live follow "$url" > state.json 2> done.txt &
follower=$!
expect 2 run other --serve "$(place_of "$url")"
expect_said 'error\[app.cannot-serve\]: --serve: found 127.0.0.1:[0-9]+: Address already in use'
expect_nothing_at other
node "$source/tests/command/live.mjs" idle "$url" 20 &
idle=$!
live requests "$url" "$(key_of out)"
status=0
wait $pid || status=$?
[ $status -eq 0 ] || fail "status $status" here
wait $follower
kill $idle
[ "$(wc -l < done.txt)" -gt 2 ] || fail "the state does not change as tasks end" done.txt
sort -k2n done.txt | cmp - done.txt || fail "tasks are done less and less" done.txt
live same state.json out/results.json
json state.json 'r.tasks.done === 10 && r.tasks.all === 10 && r.experiments.every((e) => e.running.length === 0 && e.failed.length === 0)'
for file in results.json points.csv index.html curves.html; do expect_same plain/$file out/$file; done

# The page's process is killed, and the run goes on; the run is killed, and the page goes with it.
start campaign run c.yaml -o half --cache "$cache" --quiet --workers 1
server=$(pgrep -o -P $pid)  # older than all tasks
kill -KILL "$server"
status=0
wait $pid || status=$?
[ $status -eq 0 ] || fail "status $status without its page" here
expect_same plain/results.json half/results.json
rm -r half
start campaign run c.yaml -o half --cache "$cache" --quiet --workers 1
server=$(pgrep -o -P $pid)  # older than all tasks
kill -KILL $pid
wait $pid || true
for ((i = 0; i < 100; i++)); do kill -0 "$server" 2> /dev/null || break; sleep 0.1; done
! kill -0 "$server" 2> /dev/null || fail "the page outlives its run"

# What is left: tasks took 100 s each, and one is at work, with none, one and both of its points.
cp -r out left
sed -i 's/"seconds":[0-9.e+-]*/"seconds":100/' left/tasks/*/state.json
key=$(key_of left)
rm left/tasks/"$key"/state.json
mv left/tasks/"$key"/run kept
flock --no-fork left/tasks/"$key"/.lock sleep 1000 &
holder=$!
expect_left() {  # seconds
  start campaign status left
  live once "$url" > state.json
  kill -TERM $pid
  wait $pid
  json state.json "r.seconds_left === $1 && r.tasks.running === 1 && r.tasks.done === 9 && r.experiments[0].running[0].loads === 2"
}
expect_left 100
mkdir left/tasks/"$key"/run
node - kept/results.json > left/tasks/"$key"/run/points.jsonl <<'JS'
const { points, ...head } = JSON.parse(require('fs').readFileSync(process.argv[2]));
console.log(JSON.stringify(head));
console.log(JSON.stringify({ point: points[0], speed: null }));
process.stdout.write('{"point":{"routing"');
JS
expect_left 50
json state.json 'r.experiments[0].running[0].points === 1'
rm -r left/tasks/"$key"/run
mv kept left/tasks/"$key"/run
expect_left 0
kill $holder

# A directory that nobody runs: what is there, and the end of a failed task's log; at the same place once it is free.
key=$(key_of out)
rm out/tasks/"$key"/state.json
sed -i 's/"pattern":/"nothing":/' out/tasks/"$key"/run/results.json
expect 1 run out
start campaign status out
place=$(place_of "$url")
live once "$url" > state.json
kill -TERM $pid
status=0
wait $pid || status=$?
[ $status -eq 1 ] || fail "status $status where a task has failed"
json state.json 'r.tasks.failed === 1 && r.tasks.done === 9 && r.seconds_left === null'
json state.json "((f) => f.length === 1 && f[0].state === 'failed' && f[0].log === 'tasks/$key/log' && /app.bad-results/.test(f[0].text))(r.experiments[0].failed)"
start_at "$place" campaign status out
[ "$url" = "http://$place/" ] || fail "the place is not free again" here
kill -INT $pid
wait $pid || [ $? -eq 1 ] || fail "status" here
expect 2 "$hopwise" campaign status nowhere --serve 0
expect_said 'app.no-campaign'
