// SPDX-License-Identifier: Apache-2.0
#include "emit/bundle.hpp"

#include <fmt/format.h>

#include "emit/parts.hpp"

namespace hopwise::emit {

namespace {

void add_library(Files& files, const std::vector<std::string>& names) {
  for (const auto& name : names) files.emplace("rtl/" + name, rtl_library().at(name));
}

}  // namespace

Files emit_node(const deadlock::ProvenNetwork& network, std::string& top) {
  const RouterShape shape = router_shape(network);
  const auto& name = network.spec().network.name;
  const std::string router = router_module(shape, network), node = node_module(shape, network),
                    unit = one_port_unit(shape);
  Files files;
  add_library(files, library_closure({unit, router, node}, shape.unit.simulation_only));
  if (!unit.empty()) files.emplace(fmt::format("rtl/{}.sv", shape.unit.module), unit);
  files.emplace(fmt::format("rtl/{}_router.sv", name), router);
  files.emplace(fmt::format("rtl/{}_node.sv", name), node);
  top = name + "_node";
  return files;
}

Files emit_bundle(const deadlock::ProvenNetwork& network) {
  const RouterShape shape = router_shape(network);
  const auto& name = network.spec().network.name;
  std::string node;
  Files files = emit_node(network, node);
  std::string tile;
  const std::string top = tile_and_top(shape, network, tile);
  const auto& router = files.at(fmt::format("rtl/{}_router.sv", name));
  const bool simulation = shape.unit.simulation_only;
  const std::string unit = one_port_unit(shape);
  const auto router_library = library_closure({unit, router}, simulation);
  const auto library = library_closure(
      {unit, router, files.at(fmt::format("rtl/{}_node.sv", name)), tile, top}, simulation);
  add_library(files, library);
  files.emplace(fmt::format("rtl/{}_pkg.sv", name), package_file(shape, network));
  files.emplace(fmt::format("rtl/{}_tile.sv", name), tile);
  files.emplace(fmt::format("rtl/{}_top.sv", name), top);
  files.emplace("tb/smoke_tb.sv", smoke_testbench(shape, network));
  files.emplace("network.yaml", network.spec().canonical_network_yaml);
  files.emplace("certificate.json", deadlock::to_json(network.certificate()));
  files.emplace("terminals.csv", terminals_table(shape, network));
  files.emplace("PORTS.md", ports_page(shape, network));
  add_tool_files(files, shape, library, router_library, network);
  return files;
}

}  // namespace hopwise::emit
