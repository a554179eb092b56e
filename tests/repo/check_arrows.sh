#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_arrows.sh ROOT: which folders of gen/, sim/ and rtl/ may use which others, section by section of the house. What a
# folder may use, it may also use through another. #includes, CMake DEPENDS and module instances are compared.
. "$(dirname "$0")/lib.sh"

# folder: what it may use. config -> topology/packet_format alone (docs/adr/0004); traffic -> config/pattern_name alone, the
# one reader of pattern names; config/spec.hpp is a plain header.
arrows='
support:
topology: support
config: support
routing: topology support
deadlock: routing topology support
sv: support
emit: deadlock routing topology config sv support
synth: support
measure:
learn: traffic topology support
exchange: learn topology support
report: support
model: support
traffic: topology support
engine: model traffic measure learn topology support
app: config topology routing deadlock sv emit synth support model traffic measure learn exchange engine report
'
may() {  # folder, file that it uses
  local to=${2%%/*} allowed
  [ "$1" != "$to" ] || return 0
  case "$1 $2" in
    "config topology/packet_format.hpp") return 0 ;;
    "traffic config/pattern_name.hpp") return 0 ;;
    *" config/spec.hpp") [ "$1" != support ] && [ "$1" != sv ] && [ "$1" != measure ] && return 0 ;;
  esac
  allowed=$(sed -n "s/^$1://p" <<< "$arrows")
  [[ " $allowed " == *" $to "* ]]
}

while IFS=: read -r file include; do
  folder=$(cut -d/ -f2 <<< "$file")
  looked=$((looked + 1))
  grep -q "^$folder:" <<< "$arrows" || { breach "$file: gen/ or sim/ has no folder $folder in the list of arrows"; continue; }
  may "$folder" "$include" || breach "$file: $folder may not use $include"
done < <(grep -rHoE --include='*.cpp' --include='*.hpp' '^#include "[a-z_]+/[a-z_]+\.hpp"' gen sim 2>/dev/null |
         sed -E 's/#include "(.*)"/\1/')

for list in gen/*/CMakeLists.txt sim/*/CMakeLists.txt; do
  [ -e "$list" ] || continue
  folder=$(basename "$(dirname "$list")")
  for to in $(tr '\n' ' ' < "$list" | grep -oE 'DEPENDS [a-z ]+' | sed 's/^DEPENDS//' || true); do
    case "$folder $to" in "config topology" | "traffic config") continue ;; esac
    may "$folder" "$to/" || breach "$list: $folder may not link $to"
  done
done

# RTL: a module may use modules of these folders.
# simulation holds what is not synthesizable: the oracle of the ideal UGAL-G.
rtl_arrows='
common:
simulation:
link: common
monitor: common
routing: common simulation
learning: common
router: common link monitor
terminal: common link
'
declare -A home
while read -r file; do home[$(basename "$file" .sv)]=$(basename "$(dirname "$file")"); done < <(find rtl -name '*.sv' 2>/dev/null)
for module in "${!home[@]}"; do
  folder=${home[$module]}
  looked=$((looked + 1))
  for used in $(sed 's|//.*||' "rtl/$folder/$module.sv" | grep -oE '\bhw_[a-z0-9_]+\b' | sort -u); do
    to=${home[$used]:-}
    [ -n "$to" ] && [ "$to" != "$folder" ] || continue
    [[ " $(sed -n "s/^$folder://p" <<< "$rtl_arrows") " == *" $to "* ]] ||
      breach "rtl/$folder/$module.sv: $folder may not use $to ($used)"
  done
done
done_with "includes and modules"
