#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Misspelt words of the command line are named as they were typed, with what is like them; options that take lists; reasons of files.
. "$(dirname "$0")/lib.sh"
# refused FOUND HINT WORD...: by status 2, with what was typed and what may be meant.
refused() {
  local found=$1 hint=$2
  shift 2
  expect 2 "$hopwise" "$@"
  expect_said "found $found, allowed: "
  expect_said "hint: .*$hint"
}
refused "'simluate'" "did you mean 'hopwise simulate'" simluate "$net" -o out
refused "'trian'" "did you mean 'hopwise agent train'" agent trian "$net"
refused "'cots'" "did you mean 'hopwise campaign cost'" --with extension campaign cots
refused "'--patern'" "did you mean '--pattern'" simulate "$net" --patern tornado
refused "'--patern'" "did you mean '--pattern'" simulate "$net" --patern=tornado
refused "'--helo'" "did you mean '--help'" check --helo
refused "'--forse'" "did you mean '--force'" agent train "$net" --forse
refused "'--targt'" "did you mean '--target'" campaign cost --targt osu018
refused "'-output'" "did you mean '--output'" generate "$net" -output out
refused "'-output=out'" "did you mean '--output'" generate "$net" -output=out
refused "'-quiett'" "did you mean '--quiet'" simulate "$net" -quiett
refused "'--rout'" "did you mean '--routing'" check "$net" --rout dor
# Before the command, and of another command.
refused "'--routing'" "an option of check, .*behind the command" --routing dor check "$net"
refused "'--patern'" "did you mean '--pattern', behind the command" --patern tornado simulate "$net"
refused "'--pattern'" "an option of simulate, run, compare, agent train" check "$net" --pattern uniform
expect 2 "$hopwise" generate "$net" -q
expect_said "found '-q', allowed: --help"
expect_nothing_at out
expect_nothing_at utput
# What follows an option is its value, and what follows -- is a file.
expect 2 "$hopwise" check "$net" --routing simluate
expect_said 'app.no-such-routing'
expect 2 "$hopwise" check -- --helo
expect_said '^--helo: error.app.cannot-read.: found No such file or directory'

# A list, the option again, or both.
for routings in '--routing dor,star_channel' '--routing dor --routing star_channel' '--routing=star_channel,dor' ''; do
  # shellcheck disable=SC2086
  expect 0 "$hopwise" check "$net" $routings
  expect_said 'dor: free of deadlock'
  expect_said 'star_channel: free of deadlock'
done
expect 0 simulate out --routing dor,star_channel --pattern uniform --pattern tornado --load 0.1,0.3
json out/results.json 'r.points.map((p) => [p.routing, p.pattern, p.offered_load.toFixed(1)].join()).join(" ") ===
  ["dor", "star_channel"].flatMap((a) => ["uniform", "tornado"].flatMap((b) => ["0.1", "0.3"].map((c) => [a, b, c].join()))).join(" ")'
expect 2 simulate bad --routing dor,,star_channel
expect_said '^--routing dor,,star_channel: error.app.bad-list.: found an empty value'
expect 2 simulate bad --load 0.1,
expect_said 'app.bad-list'
expect 2 simulate bad --pattern uniform --pattern tornado,uniform
expect_said "app.bad-list.: found 'uniform' twice"
expect 2 simulate bad --wave 0,0
expect_said 'app.bad-list'
expect 2 simulate bad --routing dor,star_chanel
expect_said "app.no-such-routing.*star_chanel"
expect_said "did you mean 'star_channel'"
expect 2 simulate bad --load 0.1,7
expect_said 'experiment.loads.1.: found 7'
expect 2 "$hopwise" synth "$net" -o bad --routing dor --target generic,xcpu
expect_said "app.unknown-value.: found 'xcpu'"
expect_said "did you mean 'xcup'"
# Commands about one network, and options of one value.
expect 2 "$hopwise" generate "$net" -o bad --routing dor,star_channel
expect_said 'app.which-routing.*found dor, star_channel, allowed: one routing'
for option in '--seed 1,2' '--seed=1,2' '--cycles 100,200' '--threads 1,2'; do
  # shellcheck disable=SC2086
  expect 2 simulate bad $option
  expect_said "app.one-value.: found ${option%%[ =]*} [0-9]+,[0-9]+, allowed: one value"
done
expect 2 simulate bad --seed 1 --seed 2
expect_said 'app.one-value.: found --seed a second time'
expect 2 "$hopwise" run "$net" -o bad --target osu018,osu035
expect_said 'app.one-value.*--target'
# Files compared may each have some of the labels; all have to be somewhere.
sed 's/routings: .*/routings: [dor, {label: again, algorithm: dor}]/' "$net" > other.yaml
expect 0 "$hopwise" compare "$net" other.yaml -o both --cache "$cache" --quiet --pattern uniform --load 0.1 --routing star_channel,again
json both/results.json 'r.points.map((p) => p.routing).join() === "net/star_channel,other/again"'
expect 2 "$hopwise" compare "$net" other.yaml -o bad --quiet --routing dor,agian
expect_said "app.no-such-routing.*agian"
expect_nothing_at bad

# The system's reason stands in every message about a file.
expect 2 "$hopwise" check missing.yaml
expect_said 'app.cannot-read.: found No such file or directory'
expect 2 "$hopwise" agent export . -o model.onnx
expect_said 'app.cannot-read.: found Is a directory'
expect 2 "$hopwise" check other.yaml/more
expect_said 'app.cannot-read.: found Not a directory'
expect 2 simulate other.yaml/out
expect_said 'app.cannot-write.: found Not a directory'
expect 2 simulate bad --record-trace . --routing dor --pattern uniform --load 0.1
expect_said 'app.cannot-write.: found Is a directory'
expect 2 simulate bad --set traffic.trace=missing.trace --pattern trace
expect_said 'traffic.trace-unreadable.: traffic.trace: found No such file or directory'
expect 2 "$hopwise" check "$net" --with missing
expect_said 'No such file or directory'
expect 1 "$hopwise" synth "$net" -o out/cost --routing dor --target osu018 --technology missing --cache "$scratch/cache"
expect_said 'No such file or directory|no yosys|no opensta'
if [ "$(id -u)" != 0 ]; then
  chmod 0 other.yaml
  expect 2 "$hopwise" check other.yaml
  expect_said 'app.cannot-read.: found Permission denied'
  mkdir closed && chmod 500 closed
  expect 2 simulate closed/out
  expect_said 'app.cannot-write.: found Permission denied'
fi
