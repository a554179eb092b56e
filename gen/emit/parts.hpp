// SPDX-License-Identifier: Apache-2.0
// The pieces a bundle is put together from; internal to emit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/bundle.hpp"
#include "emit/shape.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

inline constexpr unsigned kCsrAddressBits = 16;

/// Values of parameters.
inline std::string number(std::uint64_t value) { return std::to_string(value); }
inline std::string bit(bool value) { return value ? "1'b1" : "1'b0"; }

/// Address bits of the top's AXI4-Lite port that choose the router.
unsigned csr_select_bits(const topology::Topology& topology);

/// Which ports lead where, for the header of a router.
std::string port_order(const topology::Topology& topology);
std::string vc_depths_literal(const RouterShape& shape);
std::vector<sv::Port> axi_lite_ports(const std::string& prefix);

/// The route computations, one per input port. They read `coord` and the nets rc_*, which end in
/// `request`, and drive the nets rsp_* and decision, which end in `response`.
struct RouteNets {
  std::string coord, request, response;
};
std::string route_computations(const RouterShape& shape, const spec::NetworkSpec& spec,
                               const RouteNets& nets);
/// What adaptive routings keep beside them: contention counters and counters of decisions, with
/// their nets.
std::string adaptive_blocks(const RouterShape& shape, const spec::NetworkSpec& spec);

/// Parameters of route computations: tori and meshes; the VC steps of a dragonfly.
sv::Bindings grid_parameters(const RouterShape& shape, const spec::NetworkSpec& spec);
sv::Bindings step_parameters(const RouterShape& shape, const spec::NetworkSpec& spec);

/// Routings with a Q-table: their route computations, agent, table and counters, with their nets.
std::string q_blocks(const RouterShape& shape, const spec::NetworkSpec& spec,
                     const topology::Topology& topology);
/// In the table window of such a node: value (row, column) is word kQTable + row * 2^q_col_bits +
/// column.
inline constexpr unsigned kQTable = 64;

/// DQN-Routing: route computations, agent with engine and pending table, with their nets.
std::string dqn_blocks(const RouterShape& shape, const spec::NetworkSpec& spec);
/// In the table window of such a node: from kDqnLoad on, what loads the engine (see hw_dqn_engine);
/// four weights a word from kDqnWeights on.
inline constexpr unsigned kDqnLoad = 16, kDqnWeights = 1024;

/// The table window of a node: those words, then from kContentionTable on the contention factor and
/// the bitmap of active routers of each group, two words a group.
inline constexpr unsigned kContentionTable = 16;
unsigned table_words(const RouterShape& shape, const spec::NetworkSpec& spec);

std::string router_module(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// The route computations of the router with the same parameters, without the router: what a test
/// drives.
std::string route_module(const RouterShape& shape, const spec::NetworkSpec& spec);
std::string node_module(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// The network top; `tile` receives the tile module it instantiates per router.
std::string tile_and_top(const RouterShape& shape, const deadlock::ProvenNetwork& network,
                         std::string& tile);
std::string package_file(const RouterShape& shape, const deadlock::ProvenNetwork& network);
std::string smoke_testbench(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// CSV: what a master puts into tuser to reach each terminal.
std::string terminals_table(const RouterShape& shape, const deadlock::ProvenNetwork& network);
std::string ports_page(const RouterShape& shape, const deadlock::ProvenNetwork& network);

/// File lists, .core, SDC, Makefile and the manifest of everything that is in `files`.
void add_tool_files(Files& files, const std::vector<std::string>& library,
                    const deadlock::ProvenNetwork& network);

/// Library files (path under rtl/) that the modules of a network need, in an order in which they
/// compile.
std::vector<std::string> library_files(const RouterShape& shape, bool with_terminals);

}  // namespace hopwise::emit
