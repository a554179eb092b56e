#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stamp_faults.sh ROOT HOPWISE: a check that passed is not run again, and runs again when anything that it reads has changed.
set -euo pipefail
root=$1 hopwise=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
unset HOPWISE_NO_STAMPS
export HOPWISE_STAMPS=$tree/stamps
mkdir -p "$tree"/{rtl,tests,synth}
cp -r "$root/rtl/common" "$tree/rtl/"
cp -r "$root/tests/"{stamps.sh,repo,netlist,bundle} "$tree/tests/"
cp -r "$root/synth/formal" "$tree/synth/"
fifo=$tree/rtl/common/hw_fifo.sv
header=$tree/rtl/common/hw_assert.svh

bad=0 cases=0
# expect WANTED CASE COMMAND...: WANTED is runs (and passes), before (its stamp is honoured) or fails.
expect() {
  local wanted=$1 case=$2 got=runs said
  shift 2
  cases=$((cases + 1))
  if ! said=$("$@" 2>&1); then got=fails; elif grep -q 'passed before' <<< "$said"; then got=before; fi
  [ $got = "$wanted" ] && return
  printf 'FAIL %s: %s, not %s\n%s\n' "$case" $got "$wanted" "$said"
  bad=1
}
lint() { "$tree/tests/repo/lint_rtl.sh" "$tree" tests/repo/lint_rtl.list "$entry"; }
widths() { "$tree/tests/netlist/port_widths.sh" "$tree" tests/repo/lint_rtl.list hw_fifo.2; }
prove() { "$tree/synth/formal/prove.sh" "$tree" fifo.depth_1; }
bundle() { "$tree/tests/bundle/lint.sh" "$tree/hopwise" "$tree/scratch" smallest; }
entry=hw_fifo.2

expect runs 'the first run' lint
expect before 'the second run' lint
HOPWISE_NO_STAMPS=1 expect runs 'HOPWISE_NO_STAMPS' lint
HOPWISE_STAMPS='' expect runs 'no directory of stamps' lint
entry=hw_fifo.1 expect runs 'another line of the list' lint
printf '// a comment\n' >> "$fifo"; expect runs 'a changed source' lint
expect before 'an unchanged source' lint
printf '// a comment\n' >> "$header"; expect runs 'a changed header' lint
sed -i 's/Width=9 Depth=5/Width=8 Depth=5/' "$tree/tests/repo/lint_rtl.list"; expect runs 'changed parameters' lint
for script in repo/lint_rtl.sh repo/rtl_list.sh stamps.sh; do
  printf '# a comment\n' >> "$tree/tests/$script"; expect runs "a changed $script" lint
done
mkdir "$tree/bin"
ln -s "$(command -v yosys)" "$tree/bin/yosys"
PATH="$tree/bin:$PATH" expect runs 'another yosys' lint
expect runs 'the first yosys again' lint
printf 'nothing\n' > "$HOPWISE_STAMPS/lint.lint_rtl.list.hw_fifo.2"; expect runs 'a damaged stamp' lint
cp "$fifo" "$tree/fifo"

# Faults: seen in spite of the stamp, in every run until they are mended.
expect runs 'port widths' widths
expect before 'port widths again' widths
expect runs 'a proof' prove
expect before 'a proof again' prove
sed -i 's/endmodule/  wire [3:0] narrow = 5'"'"'h1f;\nendmodule/' "$fifo"
for time in first second; do expect fails "a lint fault, the $time time" lint; done
cp "$tree/fifo" "$fifo"; expect runs 'the mended source' lint
sed -i "s/full_q <= (count_d == /full_q <= (count_q == /" "$fifo"
! cmp -s "$tree/fifo" "$fifo" || { echo 'FAIL hw_fifo.sv has no place for the fault'; bad=1; }
for time in first second; do expect fails "a fault that a proof catches, the $time time" prove; done
expect runs 'port widths of the changed source' widths
cp "$tree/fifo" "$fifo"; expect runs 'the proof of the mended source' prove

# The inputs of a check of a bundle are what is generated.
ln -s "$hopwise" "$tree/hopwise"
expect runs 'a bundle' bundle
expect before 'a bundle again' bundle
rm "$tree/hopwise"
# shellcheck disable=SC2016
printf '#!/bin/sh\n"%s" "$@" && sed -i "s/^endmodule/  wire [3:0] narrow = 5'"'"'h1f;\\nendmodule/" smallest/rtl/router/hw_router.sv\n' \
  "$hopwise" > "$tree/hopwise"
chmod +x "$tree/hopwise"
for time in first second; do expect fails "a fault of the generator, the $time time" bundle; done
[ $bad -eq 0 ] && echo "$cases cases in order"
exit $bad
