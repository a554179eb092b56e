#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What generate and check promise about bundles.
. "$(dirname "$0")/common.sh" "$@"

status() {  # wanted exit status, sentence, command...
  local wanted=$1 what=$2 got
  shift 2
  "$@" > out.txt 2>&1
  got=$?
  [ $got -eq "$wanted" ] || fail "$what: exit status $got instead of $wanted" "$(cat out.txt)"
}

# The same input gives the same bytes.
generate first topology.dims=[4,4] packet.max_flits=4
cp -r first once
generate first topology.dims=[4,4] packet.max_flits=4
out=$(diff -r once first) || fail "two runs of generate differ" "$out"

# Counters that only simulations need are emitted where they are asked for.
for asked in false true; do
  generate dqn_$asked topology.dims=[3,3] routing.algorithm=dqn routing.dqn_counters=$asked
  grep -q 'NumCounters *(0)' dqn_$asked/rtl/*_router.sv && has=false || has=true
  [ $has = $asked ] || fail "counters of dqn with dqn_counters: $asked" "$(grep NumCounters dqn_$asked/rtl/*_router.sv)"
done

# Heads find the room that is asked for; for the longest packet where VCs are deep.
for asked in packet:PacketRoom longest:LongestRoom collect:CollectedRoom; do
  generate room topology.dims=[3,3] packet.max_flits=4 router.room=${asked%:*}
  grep -q "\.Room *(hw_router_pkg::${asked#*:})" room/rtl/*_router.sv || fail "room: ${asked%:*}" "$(grep Room room/rtl/*_router.sv)"
done
for depth in 15:PacketRoom 16:LongestRoom; do
  generate deep topology.dims=[3,3] packet.max_flits=4 router.vc_depth_flits=${depth%:*}
  grep -q "\.Room *(hw_router_pkg::${depth#*:})" deep/rtl/*_router.sv || fail "room in VCs of ${depth%:*} flits" "$(grep Room deep/rtl/*_router.sv)"
done

# A bundle proves itself.
status 0 "check of a fresh bundle" "$hopwise" check first

# The certificate says something: numbers that do not rise along a dependency are refused.
cp -r first tampered
python3 - tampered/certificate.json <<'P'
import json, sys
path = sys.argv[1]
certificate = json.load(open(path))

numbers = certificate["number"]  # null: nothing ever holds this (channel, VC)
highest = max(n for n in numbers if n is not None)
certificate["number"] = [None if n is None else highest - n for n in numbers]
json.dump(certificate, open(path, "w"))
P
cmp -s first/certificate.json tampered/certificate.json && fail "the certificate was not changed"
status 1 "check of a tampered certificate" "$hopwise" check tampered

# The certificate belongs to one network.
cp -r first changed
sed -i 's/4, 4/4, 5/; s/max_flits: 4/max_flits: 5/' changed/network.yaml
cmp -s first/network.yaml changed/network.yaml && fail "network.yaml was not changed" "$(cat first/network.yaml)"
status 1 "check of a changed network.yaml" "$hopwise" check changed

# Nothing but a bundle is replaced.
mkdir precious
echo keep > precious/file
status 2 "generate over a directory that is no bundle" "$hopwise" generate first.yaml -o precious
[ "$(ls precious)" = file ] && [ "$(cat precious/file)" = keep ] || fail "a directory that is no bundle was touched"
status 0 "generate over a bundle" "$hopwise" generate first.yaml -o once

# Files that were edited or added stop generate with their names, and check names them too; missing ones are written again.
untouched() {  # what was done, message, path: to a copy of the bundle in ./mine
  local before
  before=$(find mine -exec ls -ld --time-style=full-iso {} + ; find mine -type f -exec md5sum {} +)
  status 2 "generate over a bundle with $1" "$hopwise" generate first.yaml -o mine
  grep -qF "mine/$3: error[app.changed-bundle]: found $2" out.txt || fail "generate does not name $1" "$(cat out.txt)"
  [ "$(find mine -exec ls -ld --time-style=full-iso {} + ; find mine -type f -exec md5sum {} +)" = "$before" ] || fail "$1 was touched"
  ls -d mine.* 2> /dev/null && fail "generate leaves something beside a bundle with $1"
  status 1 "check of a bundle with $1" "$hopwise" check mine
  grep -qE "^mine: $3 was (changed|added)$" out.txt || fail "check does not name $1" "$(cat out.txt)"
  grep -q 'the certificate holds' out.txt || fail "check of a bundle with $1 says nothing of the certificate"
}
fresh() { rm -rf mine; cp -r first mine; }
fresh; echo >> mine/rtl/first_top.sv; untouched 'an edited file' edited rtl/first_top.sv
fresh; echo mine > mine/tb/my_tb.sv; untouched 'an added file' added tb/my_tb.sv
fresh; mkdir mine/bench; echo mine > mine/bench/main.cpp; untouched 'an added directory' added bench/
fresh; mkdir -p mine/rtl/obj; untouched 'an empty directory' added rtl/obj/
fresh; mv mine/PORTS.md ports.md; ln -s ../ports.md mine/PORTS.md; untouched 'a symbolic link' added PORTS.md
fresh; mkdir built; ln -s ../built mine/obj; untouched 'a link in the place of obj' added obj
fresh; mkfifo mine/pipe; untouched 'a pipe' added pipe
fresh; rm mine/PORTS.md
status 1 "check of a bundle without a file" "$hopwise" check mine
grep -q '^mine: PORTS.md is missing$' out.txt || fail "check does not name a missing file" "$(cat out.txt)"
mkdir mine/obj; echo built > mine/obj/smoke
status 0 "generate over a bundle with obj and without a file" "$hopwise" generate first.yaml -o mine --set topology.dims=[4,4] --set packet.max_flits=4
out=$(diff -r first mine) || fail "the bundle that replaces another is not whole" "$out"
fresh; mkdir mine/obj; echo built > mine/obj/smoke
status 0 "check of a bundle with obj" "$hopwise" check mine
for i in $(seq 10 22); do echo mine > "mine/note$i"; done
status 2 "generate over a bundle with 13 notes" "$hopwise" generate first.yaml -o mine
[ "$(grep -c 'app.changed-bundle' out.txt)" -eq 10 ] || fail "not ten paths are named" "$(cat out.txt)"
grep -q 'and 3 more' out.txt || fail "the number of further paths is missing" "$(cat out.txt)"
rm -rf mine; cp -r first mine; ln -s mine link
status 0 "generate over a link to a bundle" "$hopwise" generate first.yaml -o link
[ -L link ] && [ -s mine/manifest.json ] || fail "a link to a bundle was replaced"

# A manifest that is damaged, edited or another's says nothing: no file is read, replaced or deleted for it.
echo outside > outside
good=$(cat first/manifest.json)
damaged() {  # text of the manifest
  fresh; printf '%s' "$1" > mine/manifest.json
  cp -r mine copy
  for command in 'generate first.yaml -o' check; do
    # shellcheck disable=SC2086
    status 2 "$command with a manifest that begins ${1:0:60}" "$hopwise" $command mine
    grep -qF 'mine/manifest.json: error[app.bad-manifest]' out.txt || fail "$command does not name the manifest" "$(cat out.txt)"
  done
  out=$(diff -r copy mine) || fail "a bundle with a damaged manifest was touched" "$out"
  rm -r copy
  [ "$(cat outside)" = outside ] || fail "a file outside the bundle was touched"
}
damaged ''
damaged '{"generator": "hopwise", "files": {'
damaged '[]'
damaged '{"name": "My web page", "start_url": "/"}'
damaged '{"generator": 7, "files": {}}'
damaged '{"generator": "hopwise"}'
damaged '{"generator": "hopwise", "files": ["rtl"]}'
damaged '{"generator": "hopwise", "files": {"rtl/first_top.sv": 7}}'
for path in ../outside "$PWD/outside" rtl/../../outside . '' rtl// rtl/./first_top.sv; do
  damaged "{\"generator\": \"hopwise\", \"files\": {\"$path\": \"0\"}}"
done
damaged "${good/\"hop_bound\": /\"hop_bound\": 1}"
damaged "$(printf '[%.0s' $(seq 100000))"

# What no hardware can have is not emitted.
printf 'topology: {kind: dragonfly, routers_per_group: 2, global_ports: 1, groups: 3}\nrouting: {algorithm: ugal_global}\n' > ideal.yaml
status 2 "generate of ugal_global" "$hopwise" generate ideal.yaml -o ideal
grep -q 'app.simulation-only.*ugal_global' out.txt || fail "generate of ugal_global does not say why" "$(cat out.txt)"
[ ! -e ideal ] || fail "generate of ugal_global leaves something behind"

# Bad input leaves nothing behind.
printf 'topology: {kind: torus, dims: [4, 4]}\nrouter: {vcs: 99}\n' > wrong.yaml
mkdir empty
before=$(find . | sort)
status 2 "generate of a wrong file" "$hopwise" generate wrong.yaml -o new
status 2 "generate of no file" "$hopwise" generate none.yaml -o new
status 2 "generate into an empty directory of a wrong file" "$hopwise" generate wrong.yaml -o empty
[ "$(find . | sort)" = "$before" ] || fail "bad input leaves something behind" "$(diff <(echo "$before") <(find . | sort))"
finish "generate and check"
