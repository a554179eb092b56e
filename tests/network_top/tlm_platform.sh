#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tlm_platform.sh HOPWISE SOURCE_DIR WORK_DIR: TLM-2.0 initiators and memories around the emitted top of a torus of message interfaces:
# they write and read each other's memories and are refused; a byte that is changed behind their backs is seen.
set -euo pipefail
hopwise=$1 source=$2 work=$3
mkdir -p "$work"
cd "$work"
rm -rf bundle
"$hopwise" generate "$source/examples/put_get_2x2x2.yaml" -o bundle --set name=tlm > generate.log
"$source/tb/systemc/build.sh" bundle obj tlm_platform
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
obj/tlm_platform bundle/terminals.csv | tee good.log
grep -q '^[0-9]* transactions of 8 terminals in [0-9]* cycles$' good.log || { echo "FAIL: not all terminals are done"; exit 1; }
status=0
obj/tlm_platform bundle/terminals.csv fault > fault.log || status=$?
[ "$status" -eq 1 ] && grep -q ', NOT right: 1 faults$' fault.log || { echo "FAIL: a wrong byte was not seen"; cat fault.log; exit 1; }
