#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# published_tables.sh SOURCE_DIR: docs/published.md has the tables that campaigns/results makes, and a page that has others is found.
set -euo pipefail
cd "$1"
tables=scripts/published_tables.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL $1"; exit 1; }
$tables --check docs/published.md

refused() {  # what is wrong, what is said; the page is $work/page.md
  ! $tables --check "$work/page.md" "$work" > "$work/said" 2>&1 || fail "not seen: $1"
  grep -qF -- "$2" "$work/said" || { cat "$work/said"; fail "$1: does not say $2"; }
}
cat > "$work/a.csv" << 'END'
figure,network,pattern,load,routing,quantity,source,published,measured,difference,verdict,experiment,tasks,seeds,accepted_at_1,worst_terminal_at_1
5(a),net,uniform,0.8,min,mean_ns,text,1740,1794.59,0.07,within 10 %,x,1,1,,
5(a),net,uniform,0.8,min,mean_ns,rerun,700,1794.59,0.07,differs,x,1,1,,
5(a),net,uniform,0.8,par,mean_ns,text,0.5,0.6,0.2,differs,x,1,1,,
7,net,shift,,par,saturation,text,0.48,0.5,0.04,within 10 %,x,1,1,0.47,0.1
15,net,dpsnn:21,own,min,hops,text,3,,,not measured,,,,,
END
printf 'x\n<!-- table: a.csv 5 7 -->\n<!-- /table -->\ny\n<!-- table: a.csv 15 -->\n<!-- /table -->\n' > "$work/page.md"
refused 'empty tables' 'page.md:3: not what the results say'
$tables "$work/page.md" "$work"
while IFS= read -r line; do
  grep -qxF -- "$line" "$work/page.md" || { cat "$work/page.md"; fail "no line: $line"; }
done << 'END'
x
| 5(a) | uniform, 0.8 | mean, ns | 1,795 / 1,740, 700 (rerun) | **0.600 / 0.5** |
| 7 | shift | saturation | | 0.500 / 0.48 (0.470, 0.100) |
Of 4: 2 within 10 %, 2 differ.
y
| 15 | dpsnn:21 | hops | – / 3 |
Of 1: 1 not measured.
END
$tables --check "$work/page.md" "$work"
sed -i 's/0.600/0.601/' "$work/page.md"
refused 'a number that no run gave' 'page.md:5'
printf '<!-- table: a.csv 6 -->\n<!-- /table -->\n' > "$work/page.md"
refused 'a figure that the file has not' 'a.csv 6 -->: no row'
printf '<!-- table: a.csv -->\n' > "$work/page.md"
refused 'a table without an end' 'no <!-- /table -->'
printf '<!-- table: b.csv -->\n<!-- /table -->\n' > "$work/page.md"
refused 'a file that is not there' 'b.csv'
printf 'x\n' > "$work/page.md"
refused 'a page without tables' 'no table'
echo "6 seeded faults caught"
