#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_names.sh ROOT: families of routings and their variants are named at home: gen/routing/F, rtl/routing/F and
# sim/probes/F, and in the few files that are listed below. Words that mean other things too ("min", "par", "q") count where they
# are a whole string.
. "$(dirname "$0")/lib.sh"

families=$(find gen/routing -mindepth 1 -maxdepth 1 -type d -exec basename {} \; 2> /dev/null | sort || true)
variants=$(grep -rhoE '(Variant|Row\{)\{"[a-z_]+"' gen/routing 2> /dev/null | sed -E 's/.*"(.*)"/\1/' | sort -u || true)
is_long() { [ ${#1} -gt 3 ] || [ "$1" = dqn ] || [ "$1" = dgb ]; }
words=() literals=()
for name in $families $variants; do
  looked=$((looked + 1))
  if is_long "$name"; then words+=("$name"); else literals+=("$name"); fi
done
[ "$looked" -gt 0 ] || done_with "names"

# What may name them beside the families' own folders: the lists of families and of probes.
lists='^(gen/routing/families\.cpp|sim/probes/probes\.[ch]pp):'
at_home() {  # file, line: the names in it are those of the folder it is in
  local family
  family=$(sed -nE 's,^(gen/routing|rtl/routing|sim/probes)/([a-z_]+)/.*,\2,p' <<< "$1")
  [ -n "$family" ]
}
pattern='^$a'  # nothing
[ ${#words[@]} -eq 0 ] || pattern+="|\\b([a-z0-9]+_)*($(IFS='|'; echo "${words[*]}"))(_[a-z0-9]+)*\\b"
[ ${#literals[@]} -eq 0 ] || pattern+="|algorithm [!=]= \"($(IFS='|'; echo "${literals[*]}"))\""
while IFS= read -r found; do
  file=${found%%:*}
  at_home "$file" && continue
  breach "$(cut -c1-140 <<< "$found")"
done < <(grep -rnE --include='*.cpp' --include='*.hpp' --include='*.sv' --include='*.mjs' --exclude-dir=node_modules "$pattern" \
           gen sim app synth/src rtl 2> /dev/null | grep -vE "$lists" | grep -vE '^[^:]+:[0-9]+: *//' || true)
done_with "names of routings"
