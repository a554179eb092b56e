// SPDX-License-Identifier: Apache-2.0
#include "emit/bundle.hpp"

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "emit/registers.hpp"

namespace hopwise::emit {

namespace {

void add_library(Files& files, const std::vector<std::string>& names) {
  for (const auto& name : names) files.emplace("rtl/" + name, rtl_library().at(name));
}

}  // namespace

Files emit_node(const deadlock::ProvenNetwork& network, const RouterShape& shape,
                std::string& top) {
  const std::string router = router_module(shape, network), csr = csr_module(shape, network),
                    node = node_module(shape), unit = one_port_unit(shape),
                    guards = shape.reset_cycles > 0 ? guards_module(shape) : "";
  Files files;
  add_library(files,
              library_closure({unit, router, csr, guards, node}, shape.unit.simulation_only));
  if (!unit.empty()) files.emplace(fmt::format("rtl/{}.sv", shape.unit.module), unit);
  files.emplace(fmt::format("rtl/{}_router.sv", shape.prefix), router);
  files.emplace(fmt::format("rtl/{}_csr.sv", shape.prefix), csr);
  if (!guards.empty()) files.emplace(fmt::format("rtl/{}_guards.sv", shape.prefix), guards);
  files.emplace(fmt::format("rtl/{}_node.sv", shape.prefix), node);
  top = shape.prefix + "_node";
  return files;
}

Files emit_bundle(const deadlock::ProvenNetwork& network) {
  const std::vector<RouterShape> shapes = router_shapes(network);
  const auto& name = network.spec().network.name;
  const bool simulation = shapes[0].unit.simulation_only;
  Files files;
  const std::string top = top_module(shapes, network);
  std::vector<std::string> routers, csrs, guards, texts;
  for (const RouterShape& shape : shapes) {
    routers.push_back(one_port_unit(shape));
    texts.push_back(routers.back());
    std::string node;
    files.merge(emit_node(network, shape, node));
    const std::string tile = tile_module(shape, network);
    routers.push_back(files.at(fmt::format("rtl/{}_router.sv", shape.prefix)));
    csrs.push_back(files.at(fmt::format("rtl/{}_csr.sv", shape.prefix)));
    if (shape.reset_cycles > 0)
      guards.push_back(files.at(fmt::format("rtl/{}_guards.sv", shape.prefix)));
    texts.insert(texts.end(), {routers.back(), csrs.back(), files.at("rtl/" + node + ".sv"), tile});
    files.emplace(fmt::format("rtl/{}_tile.sv", shape.prefix), tile);
  }
  texts.insert(texts.end(), guards.begin(), guards.end());
  texts.push_back(top);
  const auto router_library = library_closure(routers, simulation),
             csr_library = library_closure(csrs, simulation);
  const auto used = library_closure(texts, simulation), library = whole_library();
  add_library(files, used);
  add_library(files, library);
  files.emplace(fmt::format("rtl/{}_pkg.sv", name), package_file(shapes, network));
  files.emplace(fmt::format("rtl/{}_top.sv", name), top);
  files.emplace("tb/smoke_tb.sv", smoke_testbench(shapes[0], network));
  files.emplace("tb/smoke_main.cpp", testbench_library().at("smoke_main.cpp"));
  files.emplace("network.yaml", network.spec().canonical_network_yaml);
  files.emplace("certificate.json", deadlock::to_json(network.certificate()));
  files.emplace("terminals.csv", terminals_table(shapes[0], network));
  files.emplace("PORTS.md", ports_page(shapes, network));
  files.emplace(name + "_csr.h", register_header(shapes, network));
  files.emplace(name + "_csr.rdl", register_rdl(shapes, network));
  if (shapes[0].message_registers) {
    files.emplace(name + "_messages.h", message_register_header(shapes[0], network));
    files.emplace(name + "_messages.rdl", message_register_rdl(shapes[0], network));
  }
  add_tool_files(files, shapes,
                 {library, used, router_library, csr_library, library_closure(guards, simulation)},
                 network);
  return files;
}

}  // namespace hopwise::emit
