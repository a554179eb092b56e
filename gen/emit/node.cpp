// SPDX-License-Identifier: Apache-2.0
// The router of a network (router core, route computations, monitors) and the node (router and CSR
// block).
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

using sv::Bindings;
using sv::Port;
using sv::range;

/// A terminal that holds flits and returns no credit for so long is taken to drain no more.
constexpr unsigned kDrainLimitCycles = 100000;

unsigned switching_code(spec::Switching s) {
  switch (s) {
    case spec::Switching::kVirtualCutThrough: return 0;
    case spec::Switching::kStoreAndForward: return 1;
    case spec::Switching::kWormhole: return 2;
  }
  return 0;
}

unsigned link_cycles(const RouterShape& s, const topology::Topology& topology, unsigned port) {
  return port < s.network_ports
             ? topology.port_latency_cycles(PortId(static_cast<std::uint16_t>(port)))
             : topology.terminal_latency_cycles();
}

/// Two link latencies of each port: how long a flit counts as in flight (Won et al. 2015).
std::string flight_cycles(const RouterShape& s, const topology::Topology& topology) {
  constexpr unsigned kInFlightCorrected = 4;
  if (s.queue_metric != kInFlightCorrected) return "'0";
  std::vector<std::uint64_t> cycles;
  for (unsigned p = 0; p < s.ports; ++p) cycles.push_back(2 * link_cycles(s, topology, p));
  return sv::flat_literal(16, cycles);
}

Bindings core_parameters(const RouterShape& s, const spec::NetworkSpec& spec,
                         const topology::Topology& topology) {
  const auto& f = s.format;
  Bindings b = {
      {"NumPorts", number(s.ports)},
      {"NumVcs", number(s.vcs)},
      {"FlitBits", number(s.flit_bits)},
      {"MaxFlits", number(s.max_flits)},
      {"VcDepths", vc_depths_literal(s)},
      {"RouteBits", number(f.route_bits)},
      {"LenLsb", number(f.length.lsb)},
      {"LenBits", number(std::max(1u, f.length.width))},
      {"LenOffset", number(f.length_offset)},
      {"StateLsb", number(f.routing_class.lsb)},
      {"StateBits", number(s.state_bits())},
      {"NumCands", number(s.candidates)},
      {"DorBias", number(s.dor_bias)},
      {"Switching", number(switching_code(spec.router.switching))},
      {"AdaptiveVcs", sv::literal(s.vcs, s.adaptive_vcs)},
      {"OutputQueueFlits", number(spec.router.output_queue_flits)},
      {"OutputFirst", bit(spec.router.allocator == spec::AllocatorKind::kSeparableOutputFirst)},
      {"LeastRecent", bit(spec.router.arbiter == spec::ArbiterKind::kLeastRecent)},
      {"Iterations", number(spec.router.allocator_iterations)},
      {"HoldPacket", bit(spec.router.granularity == spec::Granularity::kPacket)},
      {"PipelineCycles", number(spec.router.pipeline_cycles)},
      {"CyclesPerFlitNum", number(spec.link.cycles_per_flit.num)},
      {"CyclesPerFlitDen", number(spec.link.cycles_per_flit.den)},
      {"IdleWait", bit(spec.link.idle_wait)},
      {"SpaceWidth", number(s.space_width)},
      {"QueueMetric", number(s.queue_metric)},
      {"QueueWidth", number(s.queue_width)},
      {"FlightCycles", flight_cycles(s, topology)},
      {"TurnTable", sv::bit_literal(s.turns)}};
  if (s.agent()) {
    std::vector<std::uint64_t> cycles;
    for (unsigned p = 0; p < s.ports; ++p) cycles.push_back(link_cycles(s, topology, p));
    b.insert(b.end(), {{"FirstFit", bit(s.candidates > 1)},
                       {"Patient", bit(s.patient)},
                       {"AccumulateAge", bit(s.dqn)},
                       {"TimeBits", number(f.arrival.width)},
                       {"ArrivalLsb", number(f.arrival.lsb)},
                       {"RewardBits", number(f.reward.width)},
                       {"RewardLsb", number(f.reward.lsb)},
                       {"LinkCycles", sv::flat_literal(16, cycles)}});
  }
  return b;
}

std::vector<Port> channel_ports(const RouterShape& s) {
  const std::size_t p = s.ports;
  const auto vcs = range(p * s.vc_width()), flags = range(p), data = range(p * s.flit_bits);
  std::vector<Port> ports = {
      {"input", flags, "in_valid_i", "Incoming channels, one slice per port"},
      {"input", vcs, "in_vc_i", ""},
      {"input", flags, "in_head_i", ""},
      {"input", flags, "in_tail_i", ""},
      {"input", data, "in_data_i", ""},
      {"output", flags, "in_credit_valid_o", ""},
      {"output", vcs, "in_credit_vc_o", ""},
      {"output", flags, "out_valid_o", "Outgoing channels, one slice per port"},
      {"output", vcs, "out_vc_o", ""},
      {"output", flags, "out_head_o", ""},
      {"output", flags, "out_tail_o", ""},
      {"output", data, "out_data_o", ""},
      {"input", flags, "out_credit_valid_i", ""},
      {"input", vcs, "out_credit_vc_i", ""}};
  if (s.feedback_bits > 0) {
    const auto feedback = range(s.network_ports * s.feedback_bits);
    ports.push_back({"output", feedback, "in_feedback_o",
                     s.dqn
                         ? "Acknowledges on the reverse wires of network ports: {lost, age, index, "
                           "generation, valid}"
                         : "Feedback on the reverse wires of network ports: {value, row, valid}"});
    ports.push_back({"input", feedback, "out_feedback_i", ""});
  }
  return ports;
}

Bindings channel_bindings(const RouterShape& s) {
  Bindings b;
  for (const auto& port : channel_ports(s)) b.emplace_back(port.name, port.name);
  return b;
}

}  // namespace

std::string port_order(const topology::Topology& topology) {
  if (topology.kind() == spec::TopologyKind::kDragonfly) {
    const auto& d = topology.dragonfly();
    return fmt::format(
        "Ports 0 to {} lead to\nrouters of the group, {} to {} to other groups; the others are "
        "terminals.",
        d.local_ports() - 1, d.local_ports(), d.network_ports() - 1);
  }
  return fmt::format(
      "Port p < {} leads to the\n"
      "neighbour in direction + (even) or - (odd) of dimension p / 2; the others are terminals.",
      topology.network_ports());
}

std::string vc_depths_literal(const RouterShape& s) {
  return sv::flat_literal(16, std::vector<std::uint64_t>(s.vc_depths.begin(), s.vc_depths.end()));
}

std::string router_module(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& f = s.format;
  const std::size_t p = s.ports, pw = s.port_width(), vw = s.vc_width(), k = s.candidates;
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", range(32 * s.cfg_reset.size()), "cfg_i", "Configuration words of the CSR block"}};
  if (s.learning || s.agent())
    ports.push_back({"input", "[63:0]", "now_i", "Core cycles since reset"});
  for (auto& port : channel_ports(s)) ports.push_back(port);
  ports.push_back({"output", range(p), "stalled_o", "Status"});
  ports.push_back({"output", "", "quiescent_o", ""});
  if (s.monitor_words() > 0) {
    ports.push_back({"input", "", "table_req_i",
                     "Table window: counters of decisions, and what the routing keeps in tables"});
    if (s.agent()) ports.push_back({"input", "", "table_we_i", ""});
    ports.push_back({"input", "[31:0]", "table_addr_i", ""});
    if (s.agent()) ports.push_back({"input", "[31:0]", "table_wdata_i", ""});
    ports.push_back({"output", "", "table_ack_o", ""});
    ports.push_back({"output", "[31:0]", "table_rdata_o", ""});
    ports.push_back(
        {"output", range(32 * s.monitor_words()), "monitor_o", "Counters of decisions"});
  }
  if (s.agent())
    ports.push_back({"output", range(s.learn_bits), "learn_o",
                     "What the agent decides and learns, for whoever checks"});
  if (s.queue_metric > 0)
    ports.push_back({"output", range(p * s.queue_width), "queue_o",
                     "Queue metric of every port, for whoever watches"});

  std::string body = sv::module_header(spec.name + "_router", ports);
  const auto wire = [&body](std::size_t width, std::string_view name) {
    body += fmt::format("  logic {}{}{};\n", range(width), width == 1 ? "" : " ", name);
  };
  body +=
      "\n  // Coordinates do not change while the router runs; a register keeps them off every "
      "path.\n";
  wire(s.coord_bits(), "coord_q");
  body += "  always_ff @(posedge clk_i) coord_q <= coord_i;\n\n";
  wire(p, "rc_valid");
  wire(p, "rc_ready");
  wire(p * vw, "rc_vc");
  wire(p * f.route_bits, "rc_bits");
  wire(p * s.vcs * s.space_width, "rc_space");
  wire(p * s.queue_width, "rc_queue");
  wire(p, "rsp_valid");
  wire(p * vw, "rsp_vc");
  wire(p * k * pw, "rsp_port");
  wire(p * k * s.vcs, "rsp_vcs");
  wire(p * s.state_width(), "rsp_state");
  wire(p * s.vcs * s.space_width, "rc_held");
  wire(p, "turn_valid");
  wire(p * vw, "turn_vc");
  wire(p * vw, "turn_out_vc");
  if (!s.agent()) {
    wire(p * s.count_width, "rc_count");
    wire(p * 16, "rc_bias");
    if (s.echoes_question()) wire(p * f.route_bits, "rsp_bits");
    wire(p * s.decision_width(), "decision");
    if (s.learning) wire(p * s.route_state_width(), "route_state");
  }
  wire(1, "core_quiescent");
  body += "\n";

  Bindings core = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
  core.emplace_back("now_i", s.agent() ? fmt::format("now_i[{}:0]", f.arrival.width - 1) : "1'b0");
  for (auto& b : channel_bindings(s)) {
    if (b.first.find("feedback") == std::string::npos) core.push_back(b);
  }
  core.emplace_back("rc_ready_i", "rc_ready");
  for (const char* name : {"rc_valid_o", "rc_vc_o", "rc_bits_o", "rc_space_o", "rc_queue_o"}) {
    core.emplace_back(name, std::string(name).substr(0, std::string(name).size() - 2));
  }
  for (const char* name : {"rsp_valid_i", "rsp_vc_i", "rsp_port_i", "rsp_vcs_i", "rsp_state_i"}) {
    core.emplace_back(name, std::string(name).substr(0, std::string(name).size() - 2));
  }
  for (const char* name : {"rc_held", "turn_valid", "turn_vc", "turn_out_vc"})
    core.emplace_back(std::string(name) + "_o", name);
  core.emplace_back("stalled_o", "stalled_o");
  core.emplace_back("quiescent_o", "core_quiescent");
  body += sv::instance("hw_router", "u_core", core_parameters(s, spec, network.topology()), core);

  if (s.q_table) {
    body += q_blocks(s, spec, network.topology()) + "\n";
  } else if (s.dqn) {
    body += dqn_blocks(s, spec) + "\n";
  } else {
    body += "\n  // Route computations take every question.\n  assign rc_ready = '1;\n";
    body += route_computations(s, spec, {"coord_q", "", ""});
    body += adaptive_blocks(s, spec) + "\n";
  }
  if (!s.dqn)
    body += "  wire unused_turns = &{1'b0, rc_held, turn_valid, turn_vc, turn_out_vc};\n\n";
  if (s.queue_metric > 0) body += "  assign queue_o = rc_queue;\n\n";
  if (s.learning || s.agent()) body += "  wire unused_now = &{1'b0, now_i};\n\n";
  body += sv::generate_for(
      't', s.network_ports, p, "gen_drain",
      sv::instance("hw_drain_monitor", "u_drain", {{"LimitCycles", number(kDrainLimitCycles)}},
                   {{"clk_i", "clk_i"},
                    {"rst_ni", "rst_ni"},
                    {"sent_i", "out_valid_o[t]"},
                    {"credit_i", "out_credit_valid_i[t]"}}));
  body += "\nendmodule\n";
  return sv::file(
      fmt::format("Router of {}: hw_router with {} route computations ({}) and the monitors of the "
                  "proof's\n"
                  "premises. Latency, throughput and guarantees: see hw_router. {}",
                  spec.name, p, network.relation().name(), port_order(network.topology())),
      body);
}

std::string node_module(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const std::size_t p = s.ports;
  const unsigned occupancy_bits = 16;
  std::vector<Port> ports = {
      {"input", "", "clk_i", ""},
      {"input", "", "rst_ni", ""},
      {"input", range(s.coord_bits()), "coord_i", "Static: the router's coordinates"},
      {"input", "[63:0]", "now_i", "Core cycles since reset"}};
  for (auto& port : channel_ports(s)) ports.push_back(port);
  const std::vector<Port> axi = axi_lite_ports("s_");
  ports.insert(ports.end(), axi.begin(), axi.end());
  ports.push_back({"output", "", "quiescent_o", "Without input, nothing but counters changes"});
  if (s.monitor_words() > 0) {
    ports.push_back({"output", range(32 * s.monitor_words()), "monitor_o",
                     s.dqn       ? "Counters of proposals and acknowledges (docs/reference/csr.md)"
                     : s.q_table ? "Counters of decisions: number, non-minimal, explored, sums of "
                                   "best and minimal value, saturated, updates, dropped"
                                 : "Counters of decisions: number, non-minimal, and sums of queue, "
                                   "estimate, contention factor, learned bias"});
  }
  if (s.agent())
    ports.push_back({"output", range(s.learn_bits), "learn_o",
                     "What the agent decides and learns, for whoever checks"});
  if (s.queue_metric > 0)
    ports.push_back({"output", range(p * s.queue_width), "queue_o",
                     "Queue metric of every port, for whoever watches"});

  std::string body = sv::module_header(spec.name + "_node", ports);
  body += fmt::format("\n  logic [{}:0] cfg;\n  logic {} stalled;\n  logic router_quiescent;\n\n",
                      32 * s.cfg_reset.size() - 1, range(p));
  Bindings router = {
      {"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}, {"coord_i", "coord_i"}, {"cfg_i", "cfg"}};
  for (auto& b : channel_bindings(s)) router.push_back(b);
  router.emplace_back("stalled_o", "stalled");
  router.emplace_back("quiescent_o", "router_quiescent");
  const bool table = s.monitor_words() > 0;
  if (table) {
    for (const char* name : {"table_req_i", "table_addr_i", "table_ack_o", "table_rdata_o"}) {
      router.emplace_back(name, std::string(name).substr(0, std::string(name).size() - 2));
    }
    router.emplace_back("monitor_o", "monitor_o");
  }
  if (s.agent()) {
    router.emplace_back("table_we_i", "table_we");
    router.emplace_back("table_wdata_i", "table_wdata");
    router.emplace_back("learn_o", "learn_o");
  }
  if (s.queue_metric > 0) router.emplace_back("queue_o", "queue_o");
  if (s.learning || s.agent()) router.emplace_back("now_i", "now_i");
  body += s.dqn ? "  // The table window reads counters and writes the weights of the perceptron.\n"
          : s.q_table
              ? "  // The table window reads counters and the Q-table, and writes the latter.\n"
          : table ? "  // The table window reads counters; what is written there is dropped.\n"
                  : "  // This routing has no tables: the window answers with an error and these "
                    "stay low.\n";
  body +=
      "  logic table_req, table_we;\n  logic [31:0] table_addr, table_wdata;\n  logic [3:0] "
      "table_wstrb;\n";
  if (table) body += "  logic table_ack;\n  logic [31:0] table_rdata;\n";
  body +=
      "  wire unused_table = &{1'b0, table_req, table_we, table_addr, table_wdata, "
      "table_wstrb};\n\n";
  body += sv::instance(spec.name + "_router", "u_router", {}, router);
  body += fmt::format(R"(
  // Flits in the input buffers: a credit goes back for every flit that leaves one.
  logic [{0}:0] occupancy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      occupancy_q <= '0;
    end else if (in_valid_i != '0 || in_credit_valid_o != '0) begin
      occupancy_q <= occupancy_q + {1}'($countones(in_valid_i)) - {1}'($countones(in_credit_valid_o));
    end
  end

)",
                      occupancy_bits - 1, occupancy_bits);
  Bindings csr = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}, {"coord_i", "coord_i"}};
  for (const auto& port : axi) csr.emplace_back(port.name, port.name);
  for (auto&& [name, value] : Bindings{{"cfg_o", "cfg"},
                                       {"now_i", "now_i"},
                                       {"flit_in_i", "in_valid_i"},
                                       {"flit_out_i", "out_valid_o"},
                                       {"packet_out_i", "out_valid_o & out_tail_o"},
                                       {"stall_i", "stalled"},
                                       {"occupancy_i", "occupancy_q"},
                                       {"table_req_o", "table_req"},
                                       {"table_we_o", "table_we"},
                                       {"table_addr_o", "table_addr"},
                                       {"table_wdata_o", "table_wdata"},
                                       {"table_wstrb_o", "table_wstrb"},
                                       {"table_ack_i", table ? "table_ack" : "1'b0"},
                                       {"table_rdata_i", table ? "table_rdata" : "32'h0"}}) {
    csr.emplace_back(name, value);
  }
  body += sv::instance(
      "hw_csr", "u_csr",
      {{"AddrBits", number(kCsrAddressBits)},
       {"NetworkHash", fmt::format("64'h{}", network.spec().network_hash)},
       {"NumPorts", number(p)},
       {"NumVcs", number(s.vcs)},
       {"FlitBits", number(s.flit_bits)},
       {"MaxFlits", number(s.max_flits)},
       {"CoordBits", number(s.coord_bits())},
       {"NumCfg", number(s.cfg_reset.size())},
       {"CfgReset",
        sv::flat_literal(32, std::vector<std::uint64_t>(s.cfg_reset.begin(), s.cfg_reset.end()))},
       {"TableWindow", number(table_words(s, spec))},
       {"OccupancyBits", number(occupancy_bits)},
       {"Counters", number(spec.router.counters ? 1 : 0)}},
      csr);
  body += "\n  assign quiescent_o = router_quiescent && occupancy_q == '0;\n\nendmodule\n";
  return sv::file(
      fmt::format(
          "Node of {}: its router with the CSR block behind AXI4-Lite. One model of this module\n"
          "stands for every router of the network; only coord_i differs.",
          spec.name),
      body);
}

std::vector<Port> axi_lite_ports(const std::string& prefix) {
  const std::string address = range(kCsrAddressBits);
  return {{"input", "", prefix + "awvalid_i", "AXI4-Lite"},
          {"output", "", prefix + "awready_o", ""},
          {"input", address, prefix + "awaddr_i", ""},
          {"input", "", prefix + "wvalid_i", ""},
          {"output", "", prefix + "wready_o", ""},
          {"input", "[31:0]", prefix + "wdata_i", ""},
          {"input", "[3:0]", prefix + "wstrb_i", ""},
          {"output", "", prefix + "bvalid_o", ""},
          {"input", "", prefix + "bready_i", ""},
          {"output", "[1:0]", prefix + "bresp_o", ""},
          {"input", "", prefix + "arvalid_i", ""},
          {"output", "", prefix + "arready_o", ""},
          {"input", address, prefix + "araddr_i", ""},
          {"output", "", prefix + "rvalid_o", ""},
          {"input", "", prefix + "rready_i", ""},
          {"output", "[31:0]", prefix + "rdata_o", ""},
          {"output", "[1:0]", prefix + "rresp_o", ""}};
}

}  // namespace hopwise::emit
