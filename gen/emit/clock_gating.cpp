// SPDX-License-Identifier: Apache-2.0
// The clock of a node's router, which stands still while the router rests.
#include <fmt/format.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

/// Cycles in which a router sees what software has written.
constexpr unsigned kWakeCycles = 4;

}  // namespace

std::string node_clock(const RouterShape& s) {
  std::string comes;
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s)) {
      if (w.driven_by(end) || !(w.feedback || w.name.ends_with("valid"))) continue;
      comes += (comes.empty() ? "" : ", ") + router_net(s, w, channel, end);
    }
  }
  return "  logic core_clk, wake;\n\n" +
         clocked_instance("hw_wake", "u_wake", {{"HoldCycles", number(kWakeCycles)}},
                          {{"busy_i", "!router_quiescent || table_req"},
                           {"comes_i", fmt::format("{{{}}} != '0", comes)},
                           {"host_i", "s_awvalid_i || s_wvalid_i || s_arvalid_i"},
                           {"wake_o", "wake"}}) +
         "\n" +
         sv::instance("hw_clock_gate", "u_clock", {},
                      {{"clk_i", "clk_i"}, {"en_i", "wake"}, {"clk_o", "core_clk"}}) +
         "\n";
}

}  // namespace hopwise::emit
