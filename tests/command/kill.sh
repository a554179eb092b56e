#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A run that is killed at random moments and resumed loses at most the points in progress, and ends with the bytes of an
# undisturbed one: kill.sh HOPWISE SOURCE_DIR CACHE_DIR [KILLS [LOADS [SEED]]]. Two patterns are run at each load: 20 kills of 30
# points are `kill.sh ... 20 0.05:0.75:0.05`.
. "$(dirname "$0")/lib.sh"
kills=${4:-3} loads=${5:-0.1:0.3:0.1}
RANDOM=${6:-1}
command=("$hopwise" simulate "$net" -o out --cache "$cache" --quiet --routing dor --pattern 'uniform,tornado'
         --loads "$loads" --threads 1 --set experiment.find_saturation=true)
finished() {  # of what KEY names, lines that have an end
  [ -e out/points.jsonl ] || { echo 0; return; }
  head -n "$(wc -l < out/points.jsonl)" out/points.jsonl | grep -c "^{\"$1\"" || true
}
begin=$(date +%s%N)
expect 0 "${command[@]}"
milliseconds=$((($(date +%s%N) - begin) / 1000000))
mv out whole

killed=0 before=0
while [ "$killed" -lt "$kills" ]; do
  "${command[@]}" --resume > said 2>&1 &
  pid=$!
  delay=$((RANDOM * milliseconds / 32768))
  sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
  kill -KILL $pid 2> /dev/null || true
  status=0
  wait $pid || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 137 ] || fail "status $status" said
  [ "$status" -eq 0 ] || killed=$((killed + 1))
  if [ -e out/results.json ]; then  # it was faster
    expect_same whole/results.json out/results.json
    rm -r out
    before=0
    continue
  fi
  now=$(($(finished point) + $(finished saturation)))
  [ "$now" -ge "$before" ] || fail "$before results were finished, $now are left"
  before=$now
done
points=$(finished point)
expect 0 "${command[@]}" --resume
expect_said "^resume: $points of "
expect_same whole/results.json out/results.json
expect_same whole/points.csv out/points.csv
expect_nothing_at out/points.jsonl
echo "$killed kills of a run of $milliseconds ms"
