// SPDX-License-Identifier: Apache-2.0
// The routing unit beside a router's core: its pins, the nets to the core, the instance.
#include <algorithm>

#include <fmt/format.h>

#include "emit/channel.hpp"
#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

using sv::Bindings;
using sv::Port;
using sv::vector_range;

std::vector<Port> routing_ports(const RouterShape& s) {
  return {{"input", "", "table_req_i", "Table window: counters, and what the routing keeps"},
          {"input", "", "table_we_i", ""},
          {"input", "[31:0]", "table_addr_i", ""},
          {"input", "[31:0]", "table_wdata_i", ""},
          {"output", "", "table_ack_o", ""},
          {"output", "[31:0]", "table_rdata_o", ""},
          {"output", vector_range(std::max(1u, 32 * s.counter_words())), "counters_o",
           "Counters of decisions"},
          {"output", vector_range(std::max(1u, s.trace_bits)), "trace_o",
           "What is decided and learned, for checkers and trainers"}};
}

Bindings routing_nets(const RouterShape& s) {
  const std::size_t p = s.ports, vw = s.vc_width(), k = s.unit.candidates,
                    space = p * s.vcs * s.space_width;
  Bindings nets;
  for (const auto& [name, width] :
       std::vector<std::pair<const char*, std::size_t>>{{"req_valid", p},
                                                        {"req_ready", p},
                                                        {"req_vc", p * vw},
                                                        {"req_bits", p * s.format.route_bits},
                                                        {"space", space},
                                                        {"buffer_space", space},
                                                        {"rsp_valid", p},
                                                        {"rsp_vc", p * vw},
                                                        {"rsp_port", p * k * s.port_width()},
                                                        {"rsp_vcs", p * k * s.vcs},
                                                        {"rsp_state", p * s.state_width()},
                                                        {"turn_valid", p},
                                                        {"turn_vc", p * vw},
                                                        {"turn_out_vc", p * vw}}) {
    nets.emplace_back(name, vector_range(width));
  }
  return nets;
}

std::string word_range(std::string_view name, std::size_t first, std::size_t words) {
  return fmt::format("{}[{}:{}]", name, 32 * (first + words) - 1, 32 * first);
}

std::string routing_unit(const RouterShape& s) {
  Bindings b = {
      {"coord_i", "coord"},
      {"cfg_i", s.congestion.empty() ? "cfg_i" : word_range("cfg_i", 0, s.cfg_reset.size())},
      {"now_i", "now_i"}};
  const auto connect = [&b](std::initializer_list<const char*> names, const char* direction) {
    for (const char* name : names) b.emplace_back(name + std::string(direction), name);
  };
  connect({"req_valid"}, "_i");
  connect({"req_ready"}, "_o");
  connect({"req_vc", "req_bits", "space", "buffer_space"}, "_i");
  b.emplace_back("queue_i", "queue_o");
  // It sees what moves on which VC.
  for (const auto& [channel, end] : kChannels) {
    for (const Wire& w : channel_wires(s)) {
      if (w.name.ends_with("valid") || w.name.ends_with("vc"))
        b.emplace_back(w.net(channel) + "_i", w.pin(channel, end));
    }
  }
  connect({"rsp_valid", "rsp_vc", "rsp_port"}, "_o");
  b.emplace_back("rsp_vcs_o", unit_vcs(s));
  connect({"rsp_state"}, "_o");
  connect({"turn_valid", "turn_vc", "turn_out_vc"}, "_i");
  b.emplace_back("in_feedback_o", s.feedback_bits > 0 ? "in_feedback_o" : "unused_feedback");
  b.emplace_back("out_feedback_i", s.feedback_bits > 0 ? "out_feedback_i" : "1'b0");
  for (const auto& port : routing_ports(s)) b.emplace_back(port.name, port.name);
  for (const char* flip : {"flips", "flip_word"})
    b.emplace_back(flip + std::string("_o"),
                   s.unit.flips > 0 ? flip + std::string("_o") : std::string("unused_") + flip);
  b.emplace_back("idle_o", "routing_idle");
  return clocked_instance(s.unit.module, "u_routing", unit_parameters(s), b);
}

}  // namespace hopwise::emit
