// SPDX-License-Identifier: Apache-2.0
// Nets that bitwise cells compute alike become one: a write enable that stands in every bit of a
// word is then seen to be one net.
#pragma once

#include "model/lanes/netlist.hpp"

namespace hopwise::lanes {

void merge_bits(Netlist& netlist);

}  // namespace hopwise::lanes
