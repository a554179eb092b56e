#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What --mpi says without MPI. With it: tests/mpi.
. "$(dirname "$0")/lib.sh"
mkdir bin
ln "$hopwise" bin/hopwise 2> /dev/null || cp "$hopwise" bin/hopwise  # there is no library beside it
expect 2 bin/hopwise simulate "$net" -o out --mpi --cache "$cache"
expect_said 'error\[app.no-mpi\]'
expect_said 'found no libhopwise_mpi.so beside the command'
for refused in '--threads 2' '--wave 1' '--save-tables t.json' --check-learning; do
  # shellcheck disable=SC2086
  expect 2 bin/hopwise simulate "$net" -o out --mpi $refused
  expect_said 'excludes --mpi|--mpi excludes'
done
expect_nothing_at out
