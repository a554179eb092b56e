// SPDX-License-Identifier: Apache-2.0
// The pieces a bundle is put together from; internal to emit.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/bundle.hpp"
#include "emit/shape.hpp"
#include "spec/csr_map.hpp"
#include "support/bits.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

inline constexpr unsigned kCsrAddressBits = 16;
/// As in hw_drop_pkg, and the width of a node's counters of dropped packets.
inline constexpr unsigned kDropCauses = csr::kRouterCauses, kDropCauseBits = 3, kDropCountBits = 16;

/// Values of parameters.
inline std::string number(std::uint64_t value) { return std::to_string(value); }
inline std::string bit(bool value) { return value ? "1'b1" : "1'b0"; }

/// Address bits of the top's AXI4-Lite port that choose the router.
inline unsigned csr_select_bits(const topology::Topology& topology) {
  return width_for(topology.num_routers());
}

/// The nets that an instance has its clock and its reset from: the pins of the module around it.
struct Domain {
  std::string_view clock = "clk_i", reset = "rst_ni";
};
std::string clocked_instance(std::string_view module, std::string_view name,
                             const sv::Bindings& parameters, const sv::Bindings& connections,
                             Domain domain = {});

/// Which ports lead where, for the header of a router.
std::string port_order(const topology::RouterShape& shape);
std::string vc_depths_literal(const RouterShape& shape);

/// What a node shows to whoever watches, if there is anything in it: an output of its router or of
/// its CSR block.
struct Watched {
  std::string name;
  const char* comment;
  unsigned bits;
  bool shown;

  std::string pin() const { return name + "_o"; }
};
std::vector<Watched> watched(const RouterShape& shape);
std::vector<Watched> watched_router(const RouterShape& shape);  ///< outputs of the router
std::vector<Watched> counted(const RouterShape& shape);         ///< outputs of the CSR block
/// Of the router alone: packets that are dropped, VCs that do not move. Those that are not shown go
/// to the CSR block only.
std::vector<Watched> reported(const RouterShape& shape);
/// The nets of hw_router that this comes from, and the modules that make it of them.
struct ReportNet {
  std::string name;
  std::size_t bits;
  bool input;  ///< of hw_router

  std::string pin() const { return name + (input ? "_i" : "_o"); }
};
std::vector<ReportNet> report_nets(const RouterShape& shape);
std::string reports(const RouterShape& shape);
/// Where a router can be reset alone (else empty): the guards of a node with what resets and
/// counts; their instance, with the nets behind them; the guard of a terminal of a tile, net
/// `ni_...` for each wire of its interface; the pins of a node on which the latter tell of packets.
std::string guards_module(const RouterShape& shape);
std::string node_guards(const RouterShape& shape);
std::string terminal_guard(const RouterShape& shape, std::size_t terminal);
std::vector<sv::Port> guard_ports(const RouterShape& shape);
/// Of a node whose router has no clock while it rests: what makes net `core_clk`.
std::string node_clock(const RouterShape& shape);
/// The stream of what the routing's agent has experienced, on a node; empty if there is none.
std::vector<sv::Port> experience_ports(const RouterShape& shape);

/// A wire of AXI4-Lite.
struct AxiWire {
  std::string_view name;
  unsigned width;
  bool from_master;
  bool broadcast;  ///< the same for all slaves of a demultiplexer

  std::string pin(std::string_view prefix) const;  ///< of a slave: "s_awaddr_i"
};
std::span<const AxiWire> axi_lite();
std::vector<sv::Port> axi_lite_ports(std::string_view prefix);

/// A parameter's value in SystemVerilog.
std::string value_text(const routing::Value& value);
sv::Bindings bindings(const std::vector<routing::Parameter>& parameters);
/// Of hw_head_check: the fields of a destination, and how many values each has in the network.
sv::Bindings field_parameters(const RouterShape& shape, const topology::Topology& topology);
/// Of routers and of network interfaces: parity of heads; none where they have none.
sv::Bindings parity_parameters(const RouterShape& shape);
/// Module of a terminal, and its parameters.
std::string terminal_module_name(const RouterShape& shape);
/// Pins of message interfaces for their hosts and memories, side by side.
/// Under congestion control: destinations that are stopped, of each terminal.
void add_stop_ports(std::vector<sv::Port>& ports, const RouterShape& shape, std::size_t terminals);
std::vector<sv::Port> message_ports(const RouterShape& shape, std::size_t terminals);
unsigned port_bits(const sv::Port& port);
/// What their configuration words are tied to.
sv::Bindings message_words(const spec::TerminalSpec& terminal);
/// SEL_FACTORS after reset.
std::uint32_t selector_factors(const spec::SelectorSpec& selector);
sv::Bindings terminal_parameters(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// All parameters of the module of the shape's routing unit: those that every family has, then its
/// own, which a unit around a one-port computation has none of.
sv::Bindings unit_parameters(const RouterShape& shape);
/// The module of the shape's routing unit around its one-port computation; empty if it has none.
std::string one_port_unit(const RouterShape& shape);

/// Where there are several message classes: the instance that moves the answer of a routing unit,
/// net `unit_vcs`, which is declared here, to net `rsp_vcs`. Empty where there is one.
std::string message_classes_instance(const RouterShape& shape);
/// Pins of the table window and of the status of a routing unit, the same on the router around it;
/// its nets to the router's core, with their ranges; the instance, between those and the router's
/// pins.
std::vector<sv::Port> routing_ports(const RouterShape& shape);
sv::Bindings routing_nets(const RouterShape& shape);
std::string routing_unit(const RouterShape& shape);
/// A range of words of a vector of words.
std::string word_range(std::string_view name, std::size_t first, std::size_t words);
/// The net of the answer's VCs on the unit.
inline const char* unit_vcs(const RouterShape& shape) {
  return shape.message_classes > 1 ? "unit_vcs" : "rsp_vcs";
}

/// Of models that the engine drives: a pin of at least four words, which Verilator makes an array
/// of words; the pins of a model; the nets of its channels, all ports side by side, and what joins
/// them to its pins.
std::size_t model_pin_bits(std::size_t bits);
std::vector<sv::Port> model_ports(const RouterShape& shape);
std::string model_channels(const RouterShape& shape, const MetaLayout& layout);

std::string router_module(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// The CSR block of a router, with its pins, and the node of the two.
std::vector<sv::Port> csr_ports(const RouterShape& shape);
/// Those of its pins that events come in by, and what is said of refused packets; they are the
/// node's as well.
std::vector<sv::Port> event_ports(const RouterShape& shape);
/// Causes for which the terminals' interfaces refuse packets, counted apart; 0 without
/// router.checks, terminals, or streams: message interfaces judge before there is a packet.
unsigned num_refusals(const RouterShape& shape);
std::string csr_module(const RouterShape& shape, const deadlock::ProvenNetwork& network);
std::string node_module(const RouterShape& shape);
/// Node, links and terminals of a router; and the network of them.
std::string tile_module(const RouterShape& shape, const deadlock::ProvenNetwork& network);
std::string top_module(const std::vector<RouterShape>& shapes,
                       const deadlock::ProvenNetwork& network);
std::string package_file(const std::vector<RouterShape>& shapes,
                         const deadlock::ProvenNetwork& network);
/// The SystemVerilog library of the tree, path under rtl/ -> text.
const std::map<std::string, std::string>& builtin_rtl();
/// Test benches that the generator completes, file name under tb/ -> text.
const std::map<std::string, std::string>& testbench_library();
std::string smoke_testbench(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// CSV: what a master puts into tuser to reach each terminal.
std::string terminals_table(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// The pins of the modules: top, tile, node.
std::vector<sv::Port> top_ports(const std::vector<RouterShape>& shapes,
                                const deadlock::ProvenNetwork& network);
std::vector<sv::Port> tile_ports(const RouterShape& shape);
std::vector<sv::Port> node_ports(const RouterShape& shape);
/// PORTS.md, which lists them.
std::string ports_page(const std::vector<RouterShape>& shapes,
                       const deadlock::ProvenNetwork& network);

/// Library files, each after those that it needs: all; those that the network needs; its router;
/// the CSR block; the guards.
struct LibraryFiles {
  std::vector<std::string> all, network, router, csr, guards;
};
/// File lists, .core, SDC, Makefile and the manifest of everything that is in `files`.
void add_tool_files(Files& files, const std::vector<RouterShape>& shapes,
                    const LibraryFiles& library, const deadlock::ProvenNetwork& network);

/// Library files (path under rtl/) that modules need, each after those that it needs itself: those
/// that `texts` name, and so on. With `simulation` also those that no hardware has.
std::vector<std::string> library_closure(const std::vector<std::string>& texts, bool simulation);
/// All that hardware can have, in such an order: the same in every bundle.
std::vector<std::string> whole_library();

}  // namespace hopwise::emit
