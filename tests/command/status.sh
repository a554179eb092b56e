#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Exit status 0: done. 1: the network is not proved or the simulation failed. 2: bad input, with nothing written.
. "$(dirname "$0")/lib.sh"

for help in --help --version 'check --help' 'run --help'; do
  # shellcheck disable=SC2086
  expect 0 "$hopwise" $help
done
expect 0 "$hopwise" schema
[ "$(cat said)" = "$(cat "$source/schema/hopwise.schema.json")" ] || fail "the schema is not the one in schema/"
expect 0 "$hopwise" check "$net"
expect_said 'dor: free of deadlock'
expect_said 'star_channel: free of deadlock'

# A certificate that does not hold, and one of another network.
expect 0 "$hopwise" generate "$net" --routing dor -o bundle
expect 0 "$hopwise" generate "$net" --routing dor -o bundle
expect 0 "$hopwise" check bundle
expect_said 'the certificate holds'
node -e 'const fs = require("fs"); const c = JSON.parse(fs.readFileSync("bundle/certificate.json"));
         c.number = c.number.map((n) => (n === null ? null : 1)); fs.writeFileSync("bundle/certificate.json", JSON.stringify(c));'
expect 1 "$hopwise" check bundle
expect_said 'does not hold'
expect 0 "$hopwise" generate "$net" --routing dor -o other --set topology.dims=[5,4]
cp other/certificate.json bundle/
expect 1 "$hopwise" check bundle

# Bad command lines.
expect 2 "$hopwise"
expect 2 "$hopwise" simulate
expect 2 "$hopwise" simulate "$net"
expect 2 "$hopwise" frobnicate
expect 2 simulate out --load 0.1 --loads 0.1:0.3:0.1
expect 2 simulate out --threads 0
expect 2 simulate out --load 7
expect_said 'experiment.loads: found 7'
expect 2 simulate out --pattern whirl
expect_said 'whirl'
expect 2 simulate out --set topology.dim=[4,4]
expect_said 'config.unknown-key'
expect 2 simulate out --routing valiant
expect_said 'app.no-such-routing.*valiant.*dor, star_channel'
expect 2 simulate out --wave 0
expect_said 'app.one-point'
expect 2 simulate out --wave 16 --routing dor --pattern uniform --load 0.1
expect_said 'app.no-such-router.*0 to 15'

# Bad files: all mistakes at once, with their places.
expect 2 "$hopwise" check missing.yaml
expect_said 'app.cannot-read'
expect 2 "$hopwise" check bundle/rtl
printf 'topology: {kind: torus, dims: [4, 1]}\nrouter: {vc: 3}\n' > bad.yaml
for command in check 'generate -o out' 'simulate -o out' 'run -o out'; do
  # shellcheck disable=SC2086
  expect 2 "$hopwise" $command bad.yaml
  expect_said '^bad.yaml:1:35: error\[config.out-of-range\]: topology.dims'
  expect_said '^bad.yaml:2:10: error\[config.unknown-key\]: router.vc'
done
expect_nothing_at out

# Places that cannot be written are found before anything is simulated, and files there stay as they are.
echo mine > file
expect 2 simulate file/out --cycles 1000000000000
expect_said 'app.cannot-write'
expect 2 "$hopwise" run "$net" -o file --cache "$cache" --cycles 1000000000000
expect 2 simulate out --record-trace file/trace --routing dor --pattern uniform --load 0.1 --cycles 1000000000000
expect_said 'app.cannot-write'
expect 2 "$hopwise" generate "$net" --routing dor -o file
mkdir full && echo mine > full/file
expect 2 "$hopwise" generate "$net" --routing dor -o full
expect_said 'app.not-a-bundle'
[ "$(cat file full/file)" = "$(printf 'mine\nmine')" ] || fail "a user's file was changed"
