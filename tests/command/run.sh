#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `run` leaves the bundles, the results and one page that holds them, and ends with the page's path.
. "$(dirname "$0")/lib.sh"
expect 0 "$hopwise" run "$net" -o out --cache "$cache" --quiet --pattern uniform --load 0.1
[ "$(tail -n 1 said)" = "report: $scratch/out/report.html" ] || fail "last line" said
for file in results.json speed.json points.csv report.html bundles/dor/manifest.json bundles/star_channel/manifest.json; do
  [ -s "out/$file" ] || fail "no $file"
done
grep -q 'hopwise-results' out/report.html || fail "the page does not hold the results"
expect 0 "$hopwise" check out/bundles/dor
expect 0 "$hopwise" check out/bundles/star_channel

# Nothing of this machine or this moment is in a bundle or in the results.
! grep -rl "$scratch" out || fail "a path of this machine"
expect 0 "$hopwise" run "$net" -o again --cache "$cache" --quiet --pattern uniform --load 0.1

# A file of the user's in any of the bundles stops run before anything is compiled or written.
cp -r out kept
echo mine > out/bundles/star_channel/rtl/mine.sv
cp -r out mine
expect 2 "$hopwise" run "$net" -o out --cache nothing --quiet --cycles 1000000000000
expect_said 'out/bundles/star_channel/rtl/mine.sv: error.app.changed-bundle'
diff -r out mine > said || fail "run writes although a bundle was changed" said
expect_nothing_at nothing
rm -r out && mv kept out
rm out/speed.json again/speed.json
diff -r out again > said || fail "a second run gives other files" said
