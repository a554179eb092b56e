#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_names.sh ROOT: families of routings, their variants and kinds of topology are named at home and in the lists below.
# A family and its variants: gen/routing/F, rtl/routing/F and sim/probes/F. Names that mean other things too ("min", "par", "q")
# count where they are a whole string. A kind K: gen/topology; the folders of the families, whose routings are made for it;
# rtl/routing; gen/routing/K.[ch]pp, what several families share. Comments may name everything, and so may names of examples.
. "$(dirname "$0")/lib.sh"

families=$(find gen/routing -mindepth 1 -maxdepth 1 -type d -exec basename {} \; 2> /dev/null | sort || true)
variants=$(grep -rhoE '(Variant|Row\{)\{"[a-z_]+"' gen/routing 2> /dev/null | sed -E 's/.*"(.*)"/\1/' | sort -u || true)
kinds=$(grep -oE '&k[A-Z][A-Za-z]*' gen/topology/kinds.cpp 2> /dev/null | sed -E 's/&k//; s/(.)([A-Z])/\1_?\2/g' || true)
is_long() { [ ${#1} -gt 3 ] || [ "$1" = dqn ] || [ "$1" = dgb ]; }
words=() literals=()
for name in $families $variants; do
  if is_long "$name"; then words+=("$name"); else literals+=("$name"); fi
done
looked=$(wc -w <<< "$kinds")
[ "$looked" -gt 0 ] || done_with "kinds of topology"
looked=$((${#words[@]} + ${#literals[@]}))
[ "$looked" -gt 0 ] || done_with "names of routings"
looked=$((looked + $(wc -w <<< "$kinds")))

any() { local IFS='|'; echo "$*"; }
mentions() {  # option of grep for words, and the words: lines of code with them
  grep -rn "$1" --include='*.cpp' --include='*.hpp' --include='*.sv' --include='*.mjs' --exclude-dir=node_modules "$2" \
    gen sim app synth/src rtl 2> /dev/null | grep -vE '^[^:]+:[0-9]+: *//' || true
}
away() {  # of the lines on stdin, those of other files than these
  grep -viE "^($1):" | while IFS= read -r found; do printf '%s\n' "${found:0:140}"; done || true
}

of_family='(gen/routing|rtl/routing|sim/probes)/[a-z_]+/[^:]+'
pattern='^$a'  # nothing
[ ${#words[@]} -eq 0 ] || pattern+="|\\b([a-z0-9]+_)*($(any "${words[@]}"))(_[a-z0-9]+)*\\b"
[ ${#literals[@]} -eq 0 ] || pattern+="|algorithm [!=]= \"($(any "${literals[@]}"))\""
while IFS= read -r found; do breach "$found"; done < <(
  mentions -E "$pattern" | away "$of_family|gen/routing/families\.cpp|sim/probes/probes\.[ch]pp")

# shellcheck disable=SC2086
kind="($(any $kinds))"
examples=$(find examples -maxdepth 1 -name '*.yaml' -exec basename {} .yaml \; 2> /dev/null | paste -sd '|' || true)
while IFS= read -r found; do breach "$found"; done < <(
  mentions -iE "$kind" | sed -E "s,//.*,,; s/\\b(${examples:-\$a})\\b//g" | grep -iE "^[^:]+:[0-9]+:.*$kind" |
    away "gen/topology/[^:]+|$of_family|gen/routing/$kind\.[ch]pp" || true)
done_with "names of routings and topologies"
