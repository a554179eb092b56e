#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/peers.py against a stand-in for BookSim2: a program that only says lines as BookSim2 does, at a latency of 20 / (1 - load / 0.64)
# and without a steady state beyond a load of 0.63. So this is a test of what is asked, read and printed, not of BookSim2.
. "$(dirname "$0")/lib.sh"
mkdir -p theirs/src
cat > theirs/src/booksim <<'END'
#!/bin/bash
load=$(sed -n 's/^injection_rate = \(.*\);$/\1/p' "$1")
for key in topology k n routing_function num_vcs vc_buf_size traffic; do grep -q "^$key = [a-z0-9_]*;\$" "$1" || { echo "no $key"; exit 1; }; done
echo "%=================================
Class 0:
Packet latency average = 999.9
Accepted flit rate average= 0.9"
if awk "BEGIN { exit !($load > 0.63) }"; then
  echo 'Average latency for class 0 exceeded 500 cycles. Aborting simulation.'
  echo 'Simulation unstable, ending ...'
  exit 255
fi
awk "BEGIN { for (i = 0; i < 3000000; i++) x += i }"  # processor time
cat <<TEXT
Warmed up ...Time used is 15000 cycles
Time taken is 30000 cycles
====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = $(awk "BEGIN { print 20 / (1 - $load / 0.64) }") (1 samples)
	minimum = 7 (1 samples)
Network latency average = 11.1 (1 samples)
Injected flit rate average = $load (1 samples)
Accepted flit rate average = $load (1 samples)
Hops average = 3.5 (1 samples)
Total run time 0.05
TEXT
END
chmod +x theirs/src/booksim
peers() { python3 "$source/scripts/peers.py" "$@" --hopwise "$hopwise" --cache "$cache"; }
row() { sed -n "/^## mesh_4x4, $1\$/,/^## /p" said | sed -n "s/^| $2 | \(.*\) | \(.*\) |\$/\1 \2/p"; }

expect 0 peers theirs -o out --only mesh_4x4
for pattern in uniform tornado; do
  read -r low ours_low <<< "$(row $pattern 'mean latency at 0.01, cycles')"
  read -r mid ours_mid <<< "$(row $pattern 'mean latency at 0.4, cycles')"
  read -r saturation ours_saturation <<< "$(row $pattern 'saturation, of capacity')"
  read -r cycles ours_cycles <<< "$(row $pattern 'cycles per CPU second at 0.4' | tr -d ,)"
  read -r routers ours_routers <<< "$(row $pattern 'router-cycles per CPU second at 0.4' | tr -d ,)"
  [ "$low $mid $saturation" = '20.3 53.3 0.63' ] || fail "theirs are not what it said" said
  awk "BEGIN { exit !($ours_low > 5 && $ours_mid >= $ours_low && $ours_saturation > 0.5 && $ours_saturation <= 1) }" || fail "ours" said
  awk "BEGIN { exit !($cycles > 100 && $ours_cycles > 100 && $routers / $cycles - 16 < 0.1 && 16 - $routers / $cycles < 0.1 && $ours_routers > 15 * $ours_cycles) }" ||
    fail "speeds" said
done
json out/hopwise/mesh_4x4_uniform_curve/results.json \
  "r.points[0].latency_cycles.mean.toFixed(1) === '$(row uniform 'mean latency at 0.01, cycles' | cut -d' ' -f2)'"
grep -qx 'injection_rate = 0.4;' out/booksim/mesh_4x4_tornado_0.4.config || fail "no configuration of a point"

# What is wrong is said: no program, another output, a line that is missing.
expect 1 peers nowhere -o out
expect_said 'nowhere: found no program booksim or src/booksim'
expect 1 peers theirs -o out --only mesh_5x5
expect_said 'found mesh_5x5; allowed torus_8x8, mesh_4x4, dragonfly_72'
sed 's/^Accepted flit rate average =/Accepted rate =/' theirs/src/booksim > other
chmod +x other
expect 1 peers other -o out --only mesh_4x4
expect_said 'mesh_4x4_uniform_0.01.log: no line "Accepted flit rate average =" with a number'
printf '#!/bin/sh\necho Segmentation fault\n' > other
expect 1 peers other -o out --only mesh_4x4
expect_said 'neither overall statistics nor "Simulation unstable"'
