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
status 0 "generate over a bundle" "$hopwise" generate first.yaml -o changed

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
