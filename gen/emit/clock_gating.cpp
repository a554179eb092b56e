// SPDX-License-Identifier: Apache-2.0
// The clock of a node's router, which stands still while the router rests.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

/// Cycles in which a router sees what software has written.
constexpr unsigned kWakeCycles = 4;

}  // namespace

std::string node_clock(const RouterShape& s) {
  std::vector<std::string> comes;
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s)) {
      if (w.driven_by(end)) continue;
      const std::string net = router_net(s, w, channel, end);
      if (w.name.ends_with("valid")) comes.push_back(net);
      // Its lowest bit says that it is valid; what stands above is what came last.
      for (std::size_t p = 0; w.feedback && p < s.network_ports; ++p)
        comes.push_back(fmt::format("{}[{}]", net, p * w.width));
    }
  }
  // A reset needs edges: what has no reset is loaded with what is.
  const std::string reset = s.reset_cycles > 0 ? " || !core_rst_n" : "";
  return "  logic core_clk, wake;\n\n" +
         clocked_instance("hw_wake", "u_wake", {{"HoldCycles", number(kWakeCycles)}},
                          {{"busy_i", "!router_quiescent || table_req" + reset},
                           {"comes_i", fmt::format("{{{}}} != '0", fmt::join(comes, ", "))},
                           {"host_i", "s_awvalid_i || s_wvalid_i || s_arvalid_i"},
                           {"wake_o", "wake"}}) +
         "\n" +
         sv::instance("hw_clock_gate", "u_clock", {},
                      {{"clk_i", "clk_i"}, {"en_i", "wake"}, {"clk_o", "core_clk"}}) +
         "\n";
}

}  // namespace hopwise::emit
