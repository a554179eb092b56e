#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_arrows.sh ROOT: which folders of the house may use which others. What a folder may use, it may also use through
# another. #includes, CMake DEPENDS and module instances are compared, without exceptions.
. "$(dirname "$0")/lib.sh"

# Folders of C++: what they may use. sim/ and synth/src use gen/, app uses all, nothing uses app.
arrows='
gen/support:
gen/spec: support
gen/topology: spec support
gen/routing: topology spec support
gen/deadlock: routing topology spec support
gen/sv: support
gen/emit: deadlock routing topology spec sv support
gen/config: routing topology spec support
sim/measure:
sim/model: spec support
sim/traffic: topology spec support
sim/learn: support
sim/exchange: learn support
sim/engine: model traffic measure topology spec support
sim/mpi: engine
sim/probes: engine exchange learn model traffic measure routing topology spec support
sim/verify: model emit deadlock routing topology sv spec support
sim/report: support
synth/src: support
app: config topology routing deadlock emit sv spec src support model traffic measure learn exchange engine mpi verify probes report
'
# RTL: a module may use modules of these folders. simulation holds what is not synthesizable.
rtl_arrows='
common:
simulation:
link: common
monitor: common
routing: common simulation
router: common link monitor
terminal: common link
'

# Between top-level folders: what these lists may not let in.
top_arrows='
gen: gen
sim: gen sim
synth: synth gen
app: app gen sim synth
'
list_of() { sed -n "s|^$1:||p" <<< "$2"; }
home_of() {  # the line of `arrows` whose folder has this name: gen/spec for spec
  grep -oE "^([a-z]+/)?$1:" <<< "$arrows" | tr -d : || true
}
for line in $(grep -oE '^[a-z/]+:' <<< "$arrows" | tr -d :); do
  for to in $(list_of "$line" "$arrows"); do
    home=$(home_of "$to")
    [ -n "$home" ] || { breach "check_arrows.sh: $line may use $to, which is no folder"; continue; }
    [[ " $(list_of "${line%%/*}" "$top_arrows") " == *" ${home%%/*} "* ]] ||
      breach "check_arrows.sh: ${line%%/*} may not use ${home%%/*} ($line: $to)"
  done
done

may() {  # folder with its path, name of the folder that it uses
  [ "${1##*/}" = "$2" ] || [[ " $(list_of "$1" "$arrows") " == *" $2 "* ]]
}
known() { grep -q "^$1:" <<< "$arrows"; }

while IFS=: read -r file include; do
  folder=$(cut -d/ -f1-2 <<< "$file")
  [ "${file%%/*}" != app ] || folder=app
  looked=$((looked + 1))
  known "$folder" || { breach "$file: the list of arrows has no folder $folder"; continue; }
  include=${include#synth/}  # synth/src/x.hpp
  may "$folder" "${include%%/*}" || breach "$file: $folder may not use $include"
done < <(grep -rHoE --include='*.cpp' --include='*.hpp' '^#include "[a-z_/]+/[a-z_]+\.hpp"' gen sim app synth/src 2>/dev/null |
         sed -E 's/#include "(.*)"/\1/')

for list in gen/*/CMakeLists.txt sim/*/CMakeLists.txt synth/src/CMakeLists.txt app/CMakeLists.txt; do
  [ -e "$list" ] || continue
  folder=$(dirname "$list")
  for to in $(tr '\n' ' ' < "$list" | grep -oE 'DEPENDS [a-z ]+' | sed 's/^DEPENDS//' || true); do
    [ "$to" != synth ] || to=src  # the library of synth/src
    may "$folder" "$to" || breach "$list: $folder may not link $to"
  done
done

declare -A home
while read -r file; do home[$(basename "$file" .sv)]=$(cut -d/ -f2 <<< "$file"); done < <(find rtl -name '*.sv' 2>/dev/null)
while read -r file; do
  module=$(basename "$file" .sv) folder=$(cut -d/ -f2 <<< "$file")
  looked=$((looked + 1))
  for used in $(sed 's|//.*||' "$file" | grep -oE '\bhw_[a-z0-9_]+\b' | sort -u); do
    to=${home[$used]:-}
    [ -n "$to" ] && [ "$to" != "$folder" ] || continue
    [[ " $(list_of "$folder" "$rtl_arrows") " == *" $to "* ]] || breach "$file: $folder may not use $to ($used)"
  done
done < <(find rtl -name '*.sv' 2>/dev/null)
done_with "includes and modules"
