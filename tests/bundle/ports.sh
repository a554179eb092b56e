#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# PORTS.md names every pin of top, tile and node once, with the direction and width that it has in the SystemVerilog; and
# the comparison sees where it does not.
compare=$(cd "$(dirname "$0")" && pwd)/compare_ports.py
. "$(dirname "$0")/common.sh" "$@"

ports() {  # name
  local out
  out=$("$compare" "$1" 2>&1) || fail "PORTS.md of $1" "$out"
}
each ports configurations

fault() {  # what is wrong, expression of sed
  rm -rf wrong
  cp -r ring2 wrong
  sed -i "$2" wrong/PORTS.md
  cmp -s ring2/PORTS.md wrong/PORTS.md && fail "the fault changes nothing: $1"
  "$compare" wrong > /dev/null 2>&1 && fail "not seen: $1"
}
generate ring2 topology.dims=[2] packet.flit_bits=32
fault 'a CSR pin that is left out' '/`s_bresp_o`/d'
fault 'a pin that is named twice' '/`csr_rdata_o`/p'
fault 'a wrong width' 's/| `now_i` | input | 64 |/| `now_i` | input | 63 |/'
fault 'a wrong direction' 's/| `m_tready_i` | input |/| `m_tready_i` | output |/'
fault 'a pin that does not exist' 's/`quiescent_o`/`quiet_o`/'
fault 'a pin without a meaning' 's/^\(| `ni_error_o` .*| \)[^|]* |$/\1 |/'
fault 'slices that do not divide the pin' 's/^\(| `s_tdata_i` | input | [0-9]* | \)[0-9]* /\17 /'
fault 'a field of the head that is left out' '/| destination coordinate 0 |/d'
fault 'a module that is left out' '/^## `ring2_tile`/,/^## /d'
finish "PORTS.md of $checked networks, and 9 seeded faults"
