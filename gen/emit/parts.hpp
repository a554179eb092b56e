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

/// Neither dor nor star_channel has more than one packet class: the class field of a head flit passes unchanged.
inline bool rewrites_class(const RouterShape& shape) {
  return shape.format.kind == config::PacketFormatKind::kCompact && shape.format.routing_class.width > 0;
}

/// Address bits of the top's AXI4-Lite port that choose the router.
unsigned csr_select_bits(const topology::Topology& topology);

std::string vc_depths_literal(const RouterShape& shape);
std::vector<sv::Port> axi_lite_ports(const std::string& prefix);

std::string router_module(const RouterShape& shape, const config::NetworkSpec& spec);
/// The route computations of the router with the same parameters, without the router: what a test drives.
std::string route_module(const RouterShape& shape, const config::NetworkSpec& spec);
std::string node_module(const RouterShape& shape, const config::NetworkSpec& spec, const std::string& network_hash);
/// The network top; `tile` receives the tile module it instantiates per router.
std::string tile_and_top(const RouterShape& shape, const deadlock::ProvenNetwork& network, std::string& tile);
std::string package_file(const RouterShape& shape, const deadlock::ProvenNetwork& network);
std::string smoke_testbench(const RouterShape& shape, const deadlock::ProvenNetwork& network);
/// CSV: what a master puts into tuser to reach each terminal.
std::string terminals_table(const RouterShape& shape, const deadlock::ProvenNetwork& network);
std::string ports_page(const RouterShape& shape, const deadlock::ProvenNetwork& network);

/// File lists, .core, SDC, Makefile and the manifest of everything that is in `files`.
void add_tool_files(Files& files, const std::vector<std::string>& library, const deadlock::ProvenNetwork& network);

/// Library files (path under rtl/) that the modules of a network need, in an order in which they compile.
std::vector<std::string> library_files(const RouterShape& shape, bool with_terminals);

}  // namespace hopwise::emit
