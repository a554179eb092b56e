#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fpga_pair.sh PAGE HOPWISE SOURCE_DIR CACHE_DIR: the commands of docs/fpga_pair.md, where nextpnr-ice40 is installed, and what the
# page says of the HX8K: the design fits and meets 12 MHz. On an HX1K it does not fit, which is seen.
set -euo pipefail
command -v nextpnr-ice40 > /dev/null || { echo "skipped: nextpnr-ice40 is not installed"; exit 77; }
here=$(dirname "$(readlink -f "$0")")
page=$(mktemp -d)/fpga_pair.md
trap 'rm -rf "$(dirname "$page")"' EXIT
cp "$1" "$page"
cat >> "$page" <<'END'
<!-- run -->
```sh
grep -q 'Max frequency for clock.*(PASS at 12.00 MHz)' pnr.log
grep -E 'ICESTORM_(LC|RAM):' pnr.log | tr -d '%' | awk '$NF > 0 && $NF <= 100 { n++ } END { exit n != 2 }'
test -s pair.asc
```
<!-- run: 1 -->
```sh
nextpnr-ice40 --hx1k --package tq144 --json pair.json --freq 12 --pcf-allow-unconstrained > small.log 2>&1 && exit 0
grep -q 'no BELs remaining' small.log || exit 2
exit 1
```
END
"$here/run_page.sh" "$page" "${@:2}"
