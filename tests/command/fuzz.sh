#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Damaged network descriptions: `check` answers with 0, 1 or 2 within a minute and 2 GiB, never by a signal.
# fuzz.sh HOPWISE SOURCE_DIR CACHE_DIR [FILES [FIRST]]: that many files, 200 by default; each is a function of its number.
. "$(dirname "$0")/lib.sh"
node "$source/tests/command/fuzz.mjs" "$hopwise" "$source" "${4:-200}" "${5:-0}"
