// SPDX-License-Identifier: Apache-2.0
// The CSR block of a router with what it counts: a module of its own in a node, so that its cost is
// seen apart from the router's.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "emit/registers.hpp"
#include "spec/csr_map.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::Port;
using sv::range;
using sv::vector_range;

/// Of the flits in all buffers.
unsigned occupancy_bits(const RouterShape& s) {
  const std::uint64_t places = std::accumulate(s.vc_depths.begin(), s.vc_depths.end(), 0ULL);
  return width_for(s.ports * places + 1);
}

/// Inputs and outputs beside clock, reset and AXI4-Lite.
std::vector<Port> own_ports(const RouterShape& s) {
  const std::string per_port = range(s.ports);
  std::vector<Port> ports = {
      {"output", range(32 * s.config_words().size()), "cfg_o", "Configuration words"},
      {"input", per_port, "in_valid_i", "What the router does, one bit per port"},
      {"input", per_port, "in_credit_valid_i", ""},
      {"input", per_port, "out_valid_i", ""},
      {"input", per_port, "out_tail_i", ""},
      {"input", per_port, "stalled_i", ""},
      {"output", "", "empty_o", "No flit is in the router"},
      {"output", "", "irq_o", "Level: an event of STATUS that MASK has"},
      {"output", "", "table_req_o", "Table window"},
      {"output", "", "table_we_o", ""},
      {"output", "[31:0]", "table_addr_o", ""},
      {"output", "[31:0]", "table_wdata_o", ""},
      {"output", "[3:0]", "table_wstrb_o", ""},
      {"input", "", "table_ack_i", ""},
      {"input", "[31:0]", "table_rdata_i", ""}};
  if (s.reset_cycles > 0) {
    ports.push_back({"input", "", "core_rst_ni", "Reset of the router"});
    ports.push_back({"input", range(kDropCountBits), "lost_i", "Packets that this loses"});
  }
  for (const Watched& w : reported(s))
    ports.push_back({"input", range(w.bits), w.name + "_i", w.comment});
  for (const Watched& w : counted(s))
    ports.push_back({"output", range(w.bits), w.pin(), w.comment});
  for (auto& port : event_ports(s)) ports.push_back(std::move(port));
  return ports;
}

/// Those into the network, of all terminals; one where there are none.
unsigned streams_of(const RouterShape& s) {
  return std::max(1u, (s.ports - s.network_ports) * s.message_classes);
}

/// Pins whose ones are the cases of an event in a cycle, and how many each has.
std::vector<std::pair<std::string, unsigned>> pins_of(const csr::Event& e, const RouterShape& s) {
  std::vector<std::pair<std::string, unsigned>> pins;
  for (const Watched& w : reported(s)) {
    if (w.name == e.router) pins.emplace_back(w.name + "_i", w.bits);
  }
  for (const Port& port : event_ports(s)) {
    if (port.name == fmt::format("{}_i", e.terminal)) pins.emplace_back(port.name, port_bits(port));
  }
  return pins;
}

/// Bits of the number of an event's cases in a cycle.
unsigned event_bits(const RouterShape& s) {
  unsigned most = s.ports;
  for (const csr::Event& e : csr::kEvents) {
    unsigned sum = 0;
    for (const auto& [pin, bits] : pins_of(e, s)) sum += bits;
    most = std::max(most, sum);
  }
  return width_for(most + 1);
}

/// Counts what the terminals' interfaces refuse, for REFUSALS, and keeps the last for REFUSED.
std::string refusal_counters(const RouterShape& s) {
  const unsigned causes = num_refusals(s);
  std::string counted;
  for (unsigned r = 0; r < causes; ++r) counted = std::to_string(csr::kRefusals[r]) + counted;
  return fmt::format(
             "  logic {} refusals;\n  logic {} refused_cause;\n  logic {} refused_stream;\n"
             "  logic {} refused_user;\n",
             vector_range(causes * kDropCountBits), vector_range(kDropCauseBits),
             vector_range(width_for(streams_of(s))), vector_range(s.user_bits())) +
         clocked_instance("hw_drop_counters", "u_refusals",
                          {{"NumPorts", number(streams_of(s))},
                           {"RouteBits", number(s.user_bits())},
                           {"CountBits", number(kDropCountBits)},
                           {"Causes", number(causes)},
                           {"Counted", fmt::format("{}'o{}", causes * kDropCauseBits, counted)}},
                          {{"drop_i", "refused_i"},
                           {"drop_cause_i", "refused_cause_i"},
                           {"drop_bits_i", "refused_user_i"},
                           {"counts_o", "refusals"},
                           {"last_cause_o", "refused_cause"},
                           {"last_port_o", "refused_stream"},
                           {"last_bits_o", "refused_user"}}) +
         "\n";
}

}  // namespace

unsigned num_refusals(const RouterShape& s) {
  if (!s.checks || s.messages || s.ports == s.network_ports) return 0;
  return static_cast<unsigned>(std::size(csr::kRefusals));
}

std::vector<Port> event_ports(const RouterShape& s) {
  std::vector<Port> ports;
  const auto add = [&](std::string name, unsigned bits) {
    ports.push_back({"input", range(streams_of(s) * bits), std::move(name),
                     ports.empty() ? "Events, one bit per stream of each terminal" : ""});
  };
  for (const csr::Event& e : csr::kEvents) {
    if (e.terminal.empty()) continue;
    if (e.terminal == "bad_parity" && s.format.parity.width == 0) continue;
    if (e.needs == csr::Needs::kPoison && !s.poison) continue;
    add(fmt::format("{}_i", e.terminal), 1);
  }
  if (num_refusals(s) > 0) {
    add("refused_cause_i", kDropCauseBits);
    add("refused_user_i", s.user_bits());
  }
  return ports;
}

std::vector<Port> csr_ports(const RouterShape& s) {
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", "[63:0]", "now_i", "Core cycles since reset"}};
  for (auto& part : {axi_lite_ports("s"), own_ports(s)})
    ports.insert(ports.end(), part.begin(), part.end());
  return ports;
}

std::string csr_module(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  std::string body = sv::module_header(s.prefix + "_csr", csr_ports(s));
  body += fmt::format("\n  logic {} occupancy;\n\n", vector_range(occupancy_bits(s)));
  body += clocked_instance("hw_occupancy", "u_occupancy",
                           {{"NumPorts", number(s.ports)}, {"Width", number(occupancy_bits(s))}},
                           {{"in_valid_i", "in_valid_i"},
                            {"in_credit_valid_i", "in_credit_valid_i"},
                            {"flits_o", "occupancy"},
                            {"empty_o", "empty_o"}},
                           s.reset_cycles > 0 ? Domain{.reset = "core_rst_ni"} : Domain{}) +
          "\n";
  Bindings csr = {{"coord_i", "coord_i"}, {"now_i", "now_i"}, {"cfg_o", "cfg_o"}};
  for (const auto& port : axi_lite_ports("s")) csr.emplace_back(port.name, port.name);
  csr.insert(csr.end(), {{"flit_in_i", "in_valid_i"},
                         {"flit_out_i", "out_valid_i"},
                         {"packet_out_i", "out_valid_i & out_tail_i"},
                         {"stall_i", "stalled_i"},
                         {"occupancy_i", "occupancy"},
                         {"irq_o", "irq_o"}});
  std::string events;
  for (unsigned i = 0; i < num_events(s); ++i) {
    const csr::Event& e = csr::kEvents[i];
    const std::string name(e.router.empty() ? e.terminal : e.router);
    // A sum of bits: Verilator 5.006 fails at $countones of a constant, which the engine has here.
    std::string sum;
    for (const auto& [pin, bits] : pins_of(e, s)) {
      for (unsigned t = 0; t < bits; ++t)
        sum += fmt::format("{}{}'({})", sum.empty() ? "" : " + ", event_bits(s),
                           bits == 1 ? pin : fmt::format("{}[{}]", pin, t));
    }
    body += fmt::format("  logic {0} {1};\n  assign {1} = {2};\n\n", vector_range(event_bits(s)),
                        name, sum.empty() ? "'0" : sum);
    events = events.empty() ? name : fmt::format("{}, {}", name, events);
  }
  csr.emplace_back("event_i", fmt::format("{{{}}}", events));
  if (s.checks) {
    body += clocked_instance("hw_drop_counters", "u_drops",
                             {{"NumPorts", number(s.ports)},
                              {"RouteBits", number(s.format.route_bits)},
                              {"CountBits", number(kDropCountBits)}},
                             {{"drop_i", "drop_i"},
                              {"drop_cause_i", "drop_cause_i"},
                              {"drop_bits_i", "drop_bits_i"},
                              {"counts_o", "drops_o"},
                              {"last_cause_o", "dropped_cause_o"},
                              {"last_port_o", "dropped_port_o"},
                              {"last_bits_o", "dropped_head_o"}}) +
            "\n";
    csr.emplace_back("drops_i", "drops_o");
    csr.emplace_back("dropped_i", fmt::format("{{{}, 8'(dropped_port_o), 8'(dropped_cause_o)}}",
                                              s.reset_cycles > 0 ? "lost_i" : "16'h0"));
    csr.emplace_back("dropped_head_i",
                     s.format.route_bits > 64 ? "dropped_head_o[63:0]" : "64'(dropped_head_o)");
  } else {
    csr.insert(csr.end(),
               {{"drops_i", "16'h0"}, {"dropped_i", "32'h0"}, {"dropped_head_i", "64'h0"}});
  }
  const bool refusals = num_refusals(s) > 0;
  if (refusals) body += refusal_counters(s);
  csr.emplace_back("refusals_i", refusals ? "refusals" : "16'h0");
  csr.emplace_back(
      "refused_i",
      refusals ? "{32'(refused_user), 16'h0, 8'(refused_stream), 8'(refused_cause)}" : "64'h0");
  csr.emplace_back("stuck_i", s.watchdog_cycles > 0 ? "stuck_i" : "32'h0");
  csr.emplace_back("flip_word_i", s.unit.flips > 0 ? "flip_word_i" : "32'h0");
  for (const Port& port : own_ports(s)) {
    if (port.name.starts_with("table_")) csr.emplace_back(port.name, port.name);
  }
  const std::vector<std::uint32_t> words = s.config_words();
  Bindings parameters = {
      {"AddrBits", number(kCsrAddressBits)},
      {"NetworkHash", fmt::format("64'h{}", network.spec().network_hash)},
      {"NumPorts", number(s.ports)},
      {"NumVcs", number(s.vcs)},
      {"FlitBits", number(s.stream_bits())},
      {"MaxFlits", number(s.max_flits)},
      {"CoordBits", number(s.coord_bits())},
      {"NumCfg", number(words.size())},
      {"CfgReset", sv::flat_literal(32, std::vector<std::uint64_t>(words.begin(), words.end()))},
      {"TableWindow", number(s.unit.table_words)},
      {"OccupancyBits", number(occupancy_bits(s))},
      {"EventBits", number(event_bits(s))},
      {"NumEvents", number(num_events(s))},
      {"DropCauses", number(s.checks ? kDropCauses : 0)},
      {"RefusalCauses", number(num_refusals(s))},
      {"StuckWords", number(s.stuck_words())},
      {"Counters", number(spec.router.counters ? 1 : 0)}};
  if (s.unit.flips > 0) parameters.emplace_back("Flips", "1");
  body += clocked_instance("hw_csr", "u_csr", parameters, csr);
  return sv::file(fmt::format("CSR block of {}: hw_csr, and the flits in the router, which it "
                              "counts. See docs/reference/csr.md.",
                              s.prefix),
                  body + "\nendmodule\n");
}

}  // namespace hopwise::emit
