// SPDX-License-Identifier: Apache-2.0
// The wires of AXI4-Lite as pins.
#include <fmt/format.h>

#include "emit/parts.hpp"

namespace hopwise::emit {

using sv::Port;
using sv::range;

std::span<const AxiWire> axi_lite() {
  static constexpr AxiWire kWires[] = {{"awvalid", 1, true, false},
                                       {"awready", 1, false, false},
                                       {"awaddr", kCsrAddressBits, true, true},
                                       {"awprot", 3, true, true},
                                       {"wvalid", 1, true, false},
                                       {"wready", 1, false, false},
                                       {"wdata", 32, true, true},
                                       {"wstrb", 4, true, true},
                                       {"bvalid", 1, false, false},
                                       {"bready", 1, true, false},
                                       {"bresp", 2, false, false},
                                       {"arvalid", 1, true, false},
                                       {"arready", 1, false, false},
                                       {"araddr", kCsrAddressBits, true, true},
                                       {"arprot", 3, true, true},
                                       {"rvalid", 1, false, false},
                                       {"rready", 1, true, false},
                                       {"rdata", 32, false, false},
                                       {"rresp", 2, false, false}};
  return kWires;
}

std::vector<Port> axi_lite_ports(std::string_view prefix) {
  std::vector<Port> ports;
  for (const AxiWire& w : axi_lite())
    ports.push_back({w.from_master ? "input" : "output", range(w.width), w.pin(prefix),
                     ports.empty() ? "AXI4-Lite" : ""});
  return ports;
}

std::string AxiWire::pin(std::string_view prefix) const {
  return fmt::format("{}_{}_{}", prefix, name, from_master ? 'i' : 'o');
}

}  // namespace hopwise::emit
