// SPDX-License-Identifier: Apache-2.0
// Finds the bits of flits that the netlist only moves. The engine then sends a token through the
// netlist in their place: the number of the flit in a pool of the lane.
//
// A flit bit is payload if nothing reads it but registers, memories' data, and the data operands of
// bitwise AND, OR and multiplexers; and if at every output port it is computed as the other payload
// bits are: by the same cells of the same control bits, from the same places of the other bits.
// That is found by refining a partition of the nets, as states of automata are merged. So whatever
// the control bits are, an output port shows either the payload of one flit whole, or bits of
// several mixed, which the token's reader notices.
#pragma once

#include <string>
#include <vector>

#include "model/lanes/netlist.hpp"

namespace hopwise::lanes {

/// Where flits enter and leave: `ports` slices of `stride` bits, of which `width` are a flit.
struct FlitPins {
  std::string in, out;  ///< names of ports of the module
  std::size_t ports = 0, stride = 0, width = 0;
};

struct Payload {
  std::vector<std::size_t> control;  ///< bits of a flit that the netlist reads or writes, ascending
  std::vector<std::size_t> payload;  ///< the others
  /// Places in the netlist that can hold a flit's payload: no more flits are inside at a time.
  std::size_t capacity = 0;
};

Payload find_payload(const Netlist& netlist, const FlitPins& pins);

}  // namespace hopwise::lanes
