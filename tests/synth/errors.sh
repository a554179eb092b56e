#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is missing or wrong is named, nothing is written, and the log of a tool that fails is kept.
. "$(dirname "$0")/lib.sh"

expect 2 "$hopwise" synth "$net" -o out
expect 2 synth out vax
expect_said 'osu018.*xcup'
expect 2 synth out osu018 --memories paper
expect 2 synth out ecp5 --device hx8k
expect_said 'synth.device.*hx8k.*lfe5u-85f, lfe5u-45f'
expect 2 synth out osu018 --device hx8k
expect_said 'synth.device.*osu018 is no FPGA'
expect 2 synth out osu018 --activity 3
expect_said 'app.activity.*found 3'
expect 2 synth out osu018 --activity "$net"
expect_said 'app.activity'
expect 2 "$hopwise" synth "$source/examples/dragonfly_72.yaml" --set routing.algorithm=ugal_global --target generic -o out
expect_said 'app.simulation-only'
expect_nothing_at out/synth.json

# No liberty file, one that is none, and tools that are not there.
expect 1 synth out osu018 --technology "$scratch"
expect_said 'synth.liberty'
expect_said 'apt-get install qflow-tech-osu018'
mkdir osu018 && echo 'library(empty) { }' > osu018/osu018_stdcells.lib
expect 1 synth out osu018 --technology "$scratch"
expect_said 'synth.liberty.*DFFPOSX1'
# A technology by a relative path with a space in it.
mkdir -p 'my tech' && ln -s /usr/share/qflow/tech/osu018 'my tech/osu018'
expect 0 "$hopwise" synth "$net" --target osu018 -o placed --cache fresh --quiet --technology 'my tech' --router-only
rm -rf fresh placed
expect 1 env PATH=/nowhere "$hopwise" synth "$net" --target osu018 -o out --cache fresh --quiet
expect_said 'apt-get install yosys'
expect_said 'apt-get install opensta'
expect_nothing_at out/synth.json

# A tool that fails: its last lines are shown, the rest is in the log.
mkdir bin && printf '#!/bin/sh\n[ "$1" = -V ] && { echo Yosys 9; exit 0; }\necho "ERROR: no luck"\nexit 1\n' > bin/yosys && chmod +x bin/yosys
expect 1 env PATH="$scratch/bin:$PATH" "$hopwise" synth "$net" --target generic -o out --cache fresh --quiet
expect_said 'synth.failed.*no luck'
grep -q 'no luck' out/elaborate.log || fail "the log is not kept"
expect_nothing_at out/synth.json
[ -z "$(ls fresh)" ] || fail "the cache holds something"

# What was finished before another target fails stays, and is said.
printf '#!/bin/sh\n[ "$1" = -V ] && exec %s -V\ngrep -q synth_ecp5 "$3" && { echo "ERROR: no luck"; exit 1; }\nexec %s "$@"\n' \
  "$(command -v yosys)" "$(command -v yosys)" > bin/yosys
expect 1 env PATH="$scratch/bin:$PATH" "$hopwise" synth "$net" --target generic,ecp5 -o half --cache fresh --quiet --router-only
expect_said 'synth.failed.*no luck'
expect_said '^1 of 2 targets are finished'
json half/synth.json 'r.length === 1 && r[0].target === "generic"'
expect 0 "$hopwise" synth "$net" --target generic,ecp5 -o half --cache fresh --quiet --router-only
json half/synth.json 'r[0].cached === true && r[1].cached === false'


# A tool that is killed says nothing about the router, and nothing of it is kept.
mkdir killed && printf '#!/bin/sh\n[ "$1" = --version ] && { echo nextpnr; exit 0; }\nkill -9 $$\n' > killed/nextpnr-ice40 && chmod +x killed/nextpnr-ice40
expect 1 env PATH="$scratch/killed:$PATH" "$hopwise" synth "$net" --target ice40 -o out --cache none --quiet
expect_said 'nextpnr-ice40 was killed'
expect_nothing_at out/synth.json
[ -z "$(ls none)" ] || fail "the cache holds something"
