#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `campaign run --slurm` asks of a cluster: arrays of at most 1,000 tasks, one after the other where only so many may run; and
# Ctrl-C while a command of Slurm runs leaves the tasks alone. (tests/slurm has a real cluster.)
. "$(dirname "$0")/lib.sh"
cp "$net" net.yaml
cat > c.yaml <<'Y'
experiments:
  - {name: many, file: net.yaml, routings: [dor], repetitions: 1001, set: {experiment.patterns: [uniform], experiment.loads: [0.1]}}
Y
mkdir "o'bin"
cat > "o'bin/sbatch" <<S
#!/bin/sh
echo "\$@" >> "$PWD/calls"
wc -l < "$PWD/calls"
S
printf '#!/bin/sh\ntouch "%s/asked"\nexec sleep 60\n' "$PWD" > "o'bin/squeue"
chmod +x "o'bin"/*
set -m  # a process group of its own
PATH="$PWD/o'bin:$PATH" "$hopwise" campaign run c.yaml -o "o'out" --cache "$cache" --quiet --slurm --workers 4 > said 2>&1 &
pid=$!
for _ in $(seq 600); do [ ! -e asked ] || break; sleep 0.1; done
[ -e asked ] || fail "squeue was not asked" said
kill -INT -- -$pid
status=0
wait $pid || status=$?
[ "$status" -eq 130 ] || fail "status $status" said
expect_said 'the tasks go on'
expect_said '1000 tasks submitted as .* \(job 1\)'
expect_said '1 tasks submitted as .* \(job 2\)'
[ "$(wc -l < "o'out/slurm/0.list")" -eq 1000 ] && [ "$(wc -l < "o'out/slurm/1.list")" -eq 1 ] || fail "the lists"
grep -q -- '--array=0-999%4' calls && grep -q -- '--array=0-0%4 .*--dependency=afterany:1 ' calls || fail "the arrays" calls
sh -n "o'out/slurm/0.sh" || fail "the script" "o'out/slurm/0.sh"
