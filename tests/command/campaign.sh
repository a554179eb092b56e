#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A campaign: its tasks, what they have in common with `simulate`, nothing run twice, merged directories, failures, kill -9.
. "$(dirname "$0")/lib.sh"
cp "$net" net.yaml
cat > c.yaml <<'Y'
name: small
experiments:
  - name: curves
    file: net.yaml
    set: {experiment.loads: [0.1, 0.2], simulation.cycles: 1000}
  - name: depths
    file: net.yaml
    routings: [dor]
    set: {experiment.patterns: [uniform], experiment.loads: [0.1, 0.3], router.message_classes: [request, reply]}
    axes: {router.vc_depth_flits: [8, 16]}
    seeds: [1, 2, 7]
    quick: {seeds: [1], axes: {router.vc_depth_flits: [16]}}
  - name: long
    file: net.yaml
    routings: [star_channel]
    set: {experiment.patterns: [uniform]}
    quick: {leave_out: true}
Y
campaign() { local what=$1; shift; "$hopwise" campaign "$what" "$@"; }
run() { local out=$1; shift; campaign run c.yaml -o "$out" --cache "$cache" --quiet --workers 2 "$@"; }
states() { stat -c '%n %Y %i' "$1"/tasks/*/state.json; }

expect 0 run out
expect_said '^campaign: 0 of 11 tasks done, 11 to run$'
expect_said '^small: 11 of 11 tasks done$'
expect_said 'report: .*/out/index.html$'
expect 0 campaign status out
expect_said '^curves: 4 done$'
expect_said '^depths: 6 done$'

# A task's results are those of `simulate`, to the byte.
task=$(node -p 'JSON.parse(require("fs").readFileSync("out/campaign.json")).tasks.find((t) => t.experiment === "curves" && t.routing === "dor" && t.pattern === "tornado").key')
expect 0 "$hopwise" simulate net.yaml -o alone --cache "$cache" --quiet --set simulation.cycles=1000 --set simulation.seed=1 \
  --set 'experiment.patterns=["tornado"]' --set 'experiment.loads=[0.1,0.2]' --set experiment.find_saturation=false --routing dor
expect_same alone/results.json "out/tasks/$task/run/results.json"

# Collected: points of several seeds are one, values of axes are in the labels.
json out/results.json 'r.experiments.map((e) => e.name).join() === "curves,depths,long" && r.experiments.every((e) => e.tasks.done === e.tasks.all)'
json out/results.json 'r.experiments[0].results.points.length === 8 && !("interrupted" in r.experiments[0].results)'
json out/results.json '((d) => d.points.length === 4 && d.points.map((p) => p.routing).join() === "dor, vc_depth_flits 8,dor, vc_depth_flits 8,dor, vc_depth_flits 16,dor, vc_depth_flits 16" && d.points.every((p) => p.seeds.join() === "1,2,7" && p.tasks.length === 3))(r.experiments[1].results)'
node - <<'JS' || fail "means over seeds are not those of the points"
const fs = require('fs'), read = (f) => JSON.parse(fs.readFileSync(f, 'utf8'));
const merged = read('out/results.json').experiments[1].results.points[1];
const own = merged.tasks.map((t) => read(`out/tasks/${t}/run/results.json`).points.find((p) => p.offered_load === 0.3));
const mean = (f) => own.reduce((s, p) => s + f(p), 0) / own.length;
const near = (a, b) => Math.abs(a - b) < 1e-9 * Math.abs(b);
const m = mean((p) => p.latency_cycles.mean), sd = Math.sqrt(own.reduce((s, p) => s + (p.latency_cycles.mean - m) ** 2, 0) / 2);
const good = near(merged.latency_cycles.mean, m) && Math.abs(merged.latency_cycles.ci95 - 4.30265 * sd / Math.sqrt(3)) < 1e-3 * sd + 1e-9 && sd > 0 &&
  ['request', 'reply'].every((c) => ((of) => near(of(merged).network_latency_cycles, mean((p) => of(p).network_latency_cycles)) &&
    of(merged).delivered === own.reduce((s, p) => s + of(p).delivered, 0))((p) => p.packets.by_class[c])) &&
  near(merged.accepted_load, mean((p) => p.accepted_load)) && merged.packets.injected === own.reduce((s, p) => s + p.packets.injected, 0) &&
  merged.histogram.reduce((s, [, n]) => s + n, 0) === own.reduce((s, p) => s + p.histogram.reduce((t, [, n]) => t + n, 0), 0);
if (!good) process.exit(1);
JS
head -n 1 out/points.csv | grep -q '^experiment,task,axes,routing,pattern,offered_load,' || fail "columns" out/points.csv
[ "$(wc -l < out/points.csv)" -eq 24 ] || fail "rows" out/points.csv
grep -q '^depths,[0-9a-f]*,"router.vc_depth_flits=8",dor,uniform,0.1,' out/points.csv || fail "no row of an axis" out/points.csv
for page in curves depths long; do
  grep -q "href=\"$page.html\"" out/index.html || fail "the contents have no $page"
  grep -q 'hopwise-results' "out/$page.html" || fail "no page $page"
done

# Nothing is run twice; more loads are more points of the same tasks; other settings are other tasks.
states out > before
expect 0 run out
expect_said '^campaign: 11 of 11 tasks done, 0 to run$'
states out > after
expect_same before after
points=$(cat out/tasks/"$task"/run/speed.json)
sed -i 's/\[0.1, 0.2\]/[0.1, 0.2, 0.3]/' c.yaml
cp -r out more
expect 0 run more
expect_said '^campaign: 7 of 11 tasks done, 4 to run$'
grep -q '^resume: 2 of 3 points kept, 1 to run$' more/tasks/"$task"/log || fail "points were run again" more/tasks/"$task"/log
[ -n "$points" ]
expect 0 run quick --quick
expect_said '^campaign: 0 of 5 tasks done'
json quick/results.json 'r.quick === true && r.experiments.length === 2'
[ -e "more/tasks/$(ls quick/tasks | head -n 1)" ] || fail "the same task has another key in another directory"

# Two halves make a whole, to the byte.
cp -r more half
rm -r half/tasks/"$task"
mkdir other
cp -r more/campaign.json more/tasks other
for t in other/tasks/*; do [ "$t" = "other/tasks/$task" ] || rm -r "$t"; done
expect 0 campaign collect half -o part
expect_said '^small: 10 of 11 tasks done$'
json part/results.json 'r.experiments[0].results.interrupted === true'
expect 0 campaign collect half other -o merged
for file in results.json index.html points.csv curves.html; do expect_same more/$file merged/$file; done

# A task that is killed is begun again, one that fails is named with its log, and all others are run.
cat > killer.sh <<'END'
#!/bin/bash
# waits for a task's process and kills it
while ! pid=$(pgrep -f "campaign task $1 " | head -n 1) || [ -z "$pid" ]; do sleep 0.01; done
kill -KILL "$pid"
END
chmod +x killer.sh
./killer.sh "$PWD/killed" &
expect 0 run killed
wait
expect_same more/results.json killed/results.json

cat > bad.yaml <<'Y'
experiments:
  - {name: good, file: net.yaml, routings: [dor], set: {experiment.patterns: [uniform], experiment.loads: [0.1]}}
  - {name: bad, file: net.yaml, routings: [dor], set: {experiment.patterns: [uniform], experiment.loads: [0.1], simulation.cycles: 100000}}
Y
expect 0 campaign run bad.yaml -o bad --cache "$cache" --quiet
key=$(node -p 'JSON.parse(require("fs").readFileSync("bad/campaign.json")).tasks[1].key')
rm bad/tasks/"$key"/state.json
sed -i 's/"pattern":/"nothing":/' bad/tasks/"$key"/run/results.json
expect 1 campaign run bad.yaml -o bad --cache "$cache" --quiet
expect_said "^bad: dor, uniform, seed 1 \($key\): failed; log: bad/tasks/$key/log\$"
grep -q 'app.bad-results' bad/tasks/"$key"/log || fail "the log does not say why" bad/tasks/"$key"/log
expect 1 campaign status bad
expect_said "log: bad/tasks/$key/log\$"
expect_said '^good: 1 done$'
expect_said '^bad: 1 failed$'

# Agents are trained before a routing that has some is measured, as `agent train` does; a task that is begun again keeps them.
cat > dqn.yaml <<'Y'
topology: {kind: torus, dims: [2, 2]}
link: {latency_cycles: 10}
packet: {flit_bits: 128, max_flits: 16}
router: {vcs: 3, vc_depth_flits: 48}
routing: {algorithm: dqn, dqn_hidden: [8], dqn_macs: 16}
traffic: {pattern: uniform, packet_flits: {min: 8, max: 16}}
training: {decisions: 1500, load: 0.3, start_samples: 100, epsilon_steps: [0, 1000], epsilon: [1, 0.1]}
simulation: {cycles: 2000, warmup_cycles: 500}
experiment: {routings: [dqn, {label: dor, algorithm: dor}], patterns: [uniform], loads: [0.2], find_saturation: false}
Y
cat > train.yaml <<'Y'
experiments: [{name: learned, file: dqn.yaml, train: {training.decisions: 300}}]
Y
trained() { expect 0 "$hopwise" campaign run train.yaml -o trained --cache "$cache" --quiet; }
trained
key() { node -p "JSON.parse(require('fs').readFileSync('trained/campaign.json')).tasks.find((t) => t.routing === '$1').key"; }
expect 0 "$hopwise" agent train dqn.yaml -o agents.json --cache "$cache" --quiet --routing dqn --set training.decisions=300
expect_same agents.json "trained/tasks/$(key dqn)/agents.json"
expect_nothing_at "trained/tasks/$(key dor)/agents.json"
json trained/results.json 'r.experiments[0].results.points.length === 2 && "agents_hash" in r.experiments[0].results.proofs.find((p) => p.routing === "dqn")'
cp trained/results.json before.json
rm -r trained/tasks/"$(key dqn)"/{state.json,run}
trained
expect_same before.json trained/results.json

# kill -9 at any moment: nothing half-written is read, what was finished stays.
begin=$(date +%s%N)
expect 0 run whole
milliseconds=$((($(date +%s%N) - begin) / 1000000))
RANDOM=1 killed=0 before=0
for _ in 1 2 3 4 5 6; do
  "$hopwise" campaign run c.yaml -o cut --cache "$cache" --quiet --workers 2 > said 2>&1 &
  pid=$!
  delay=$((RANDOM * milliseconds / 32768))
  sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
  kill -KILL $pid 2> /dev/null || true
  status=0
  wait $pid || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 137 ] || fail "status $status" said
  [ "$status" -eq 0 ] || killed=$((killed + 1))
  now=$(find cut/tasks -name state.json 2> /dev/null | wc -l)
  [ "$now" -ge "$before" ] || fail "$before tasks were finished, $now are left"
  before=$now
done
expect 0 run cut
expect_said "^campaign: $before of 11 tasks done"
for file in results.json index.html points.csv; do expect_same whole/$file cut/$file; done
[ "$killed" -gt 0 ] || fail "no run was killed"

# A description that changes under a task.
expect 0 campaign run bad.yaml -o changed --cache "$cache" --quiet
rm changed/tasks/*/state.json
echo '# other' >> net.yaml
key=$(ls changed/tasks | head -n 1)
expect 2 campaign task changed "$key" --cache "$cache"
grep -q 'app.campaign-changed' changed/tasks/"$key"/log || fail "no word about the change" changed/tasks/"$key"/log
sed -i '$d' net.yaml
expect 0 campaign task changed "$key" --cache "$cache"
sed -i 's/"code_hash": "[0-9a-f]*"/"code_hash": "0123456789abcdef"/' changed/campaign.json
rm changed/tasks/"$key"/state.json
expect 2 campaign task changed "$key" --cache "$cache"
grep -q 'app.campaign-changed.*another hopwise' changed/tasks/"$key"/log || fail "a task of another program" changed/tasks/"$key"/log
# A trace that changes under a task.
echo '10 0 1 2' > one.trace
sed 's/^traffic:.*/traffic: {pattern: trace, trace: one.trace}/; s/^  patterns:.*/  patterns: [trace]/; /^  loads:/d' net.yaml > traced.yaml
printf 'name: t\nexperiments:\n  - {name: t, file: traced.yaml, routings: [dor]}\n' > t.yaml
expect 0 campaign run t.yaml -o traced --cache "$cache" --quiet
traced=$(ls traced/tasks)
rm traced/tasks/"$traced"/state.json
echo '20 0 1 2' >> one.trace
expect 2 campaign task traced "$traced" --cache "$cache"
grep -q 'one.trace.*another text' traced/tasks/"$traced"/log || fail "no word about the trace" traced/tasks/"$traced"/log
# Moved to another place, with a load more: finished points are kept, whatever the path of a named file.
cp -r . ../"$(basename "$PWD")".moved
moved=$PWD.moved
trap 'rm -rf "$scratch" "$moved"' EXIT
there() { (cd "$moved" && "$@"); }
sed -i 's/, routings: \[dor\]}/, routings: [dor], set: {traffic.trace: one.trace}}/' t.yaml "$moved"/t.yaml
expect 0 campaign run t.yaml -o placed --cache "$cache" --quiet
rm placed/tasks/*/state.json
cp -r placed "$moved"
expect 0 there campaign run t.yaml -o placed --cache "$cache" --quiet
grep -q '1 of 1 points kept' "$moved"/placed/tasks/*/log || fail "the point was run again" "$moved"/placed/tasks/*/log

# One that searches for saturation and one that does not have a task together, which does.
cat > search.yaml <<'Y'
experiments:
  - {name: a, file: net.yaml, routings: [dor], set: {experiment.patterns: [uniform], simulation.cycles: 1000}}
  - {name: b, file: net.yaml, routings: [dor], set: {experiment.patterns: [uniform], simulation.cycles: 1000, experiment.find_saturation: true}}
Y
expect 0 campaign run search.yaml -o search --cache "$cache" --quiet
expect_said '^search: 2 of 2 tasks done$'
json search/results.json 'r.experiments[1].results.saturation.length === 1'

# A point that failed in one directory and is good in another is good.
cp -r out failed
sed -i '0,/"stopped": "[a-z-]*"/s//"stopped": "failed"/; 0,/"failures": \[\]/s//"failures": ["a packet was lost"]/' "failed/tasks/$task/run/results.json"
expect 0 campaign collect out -o one
for order in 'out failed' 'failed out'; do
  # shellcheck disable=SC2086
  expect 0 campaign collect $order -o both
  expect_same one/results.json both/results.json
done
expect 2 campaign task changed 0123 --cache "$cache"
expect_said 'app.no-such-task.*0123'
expect 2 campaign status nowhere
expect_said 'app.no-campaign'
echo '{' > changed/campaign.json
expect 2 campaign status changed
expect_said 'app.bad-results'
echo "$killed kills of a campaign of $milliseconds ms"
