#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# site.sh SOURCE_DIR OUT HOPWISE CACHE_DIR: the documentation site is made without a warning, all its links lead somewhere, and its
# search finds pages where they come from the disk. A link that leads nowhere, and a heading that is not there, are found. The gallery
# has the reports that its script has made.
set -euo pipefail
source=$1 out=$2 hopwise=$3 cache=$4
for tool in mkdocs chromium; do
  command -v $tool > /dev/null || { echo "SKIP: $tool is not installed"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAIL %s\n' "$1" >&2; [ $# -lt 2 ] || cat "$2" >&2; exit 1; }

python3 "$source/scripts/docs_site.py" "$source" "$out" > "$scratch/said" 2>&1 || fail "no site" "$scratch/said"
for page in index docs/index docs/guide docs/reference/command docs/adr/0001-routing-plug-beside-the-router CHANGELOG; do
  [ -e "$out/site/$page.html" ] || fail "no page $page"
done
find_in_browser() {  # word
  HOME=$scratch chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" --virtual-time-budget=10000 \
    --dump-dom "file://$out/site/docs/guide.html?q=$1" 2> "$scratch/chromium" > "$scratch/dom" || fail "no browser" "$scratch/chromium"
}
find_in_browser deadlock
grep -q 'matching documents' "$scratch/dom" || fail "the search finds nothing"
grep -q 'deadlock-proof.html' "$scratch/dom" || fail "the search does not find the page of the proof"
find_in_browser qqqzzz
grep -q 'No matching documents' "$scratch/dom" || fail "the search finds what is not there"

! grep -q 'href="gallery/' "$out/site/docs/gallery.html" || fail "the gallery shows reports that nobody has made"
gallery() { python3 "$source/scripts/gallery.py" "$source" "$hopwise" "$scratch/gallery" "$@" > "$scratch/said" 2>&1; }
gallery mesh_4x4 --cycles 300 --set simulation.warmup_cycles=200 --set experiment.find_saturation=false --cache "$cache" --quiet ||
  fail "no report for the gallery" "$scratch/said"
! gallery no_such_report || fail "a report that the gallery has not"
python3 "$source/scripts/docs_site.py" "$source" "$scratch/site" "$scratch/gallery" > "$scratch/said" 2>&1 ||
  fail "no site with a gallery" "$scratch/said"
for link in '<a href="gallery/mesh_4x4.html">The report' '<img [^>]*src="gallery/mesh_4x4.png"'; do
  grep -q "$link" "$scratch/site/site/docs/gallery.html" || fail "the gallery has no $link"
done
cmp -s "$scratch/gallery/mesh_4x4/report.html" "$scratch/site/site/docs/gallery/mesh_4x4.html" || fail "another report in the gallery"
head -c 4 "$scratch/site/site/docs/gallery/mesh_4x4.png" | grep -q PNG || fail "no picture of the report"

mkdir "$scratch/tree"
(cd "$source" && find . \( -path ./.git -o -path './build*' -o -name node_modules -o -path ./out \) -prune -o -type f -print0 |
  tar --null -T - -cf -) | tar -xf - -C "$scratch/tree"
seed() {  # text at the end of the guide, words of the message
  cp "$source/docs/guide.md" "$scratch/tree/docs/guide.md"
  printf '\n%s\n' "$1" >> "$scratch/tree/docs/guide.md"
  ! python3 "$scratch/tree/scripts/docs_site.py" "$scratch/tree" "$scratch/bad" > "$scratch/said" 2>&1 || fail "passes: $1"
  grep -q "$2" "$scratch/said" || fail "no word about $1" "$scratch/said"
}
seed '[nowhere](nowhere.md)' 'nowhere.md'
seed '[heading](index.md#no-such-heading)' 'no such heading'
echo "the site is in order: $out/site/index.html"
