// SPDX-License-Identifier: Apache-2.0
// What surrounds the SystemVerilog of a bundle: constants, file lists, tool files, port list,
// manifest.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "emit/parts.hpp"
#include "support/hash.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

std::string package_file(const std::vector<RouterShape>& shapes,
                         const deadlock::ProvenNetwork& network) {
  const RouterShape& s = shapes[0];
  const auto& spec = network.spec().network;
  const auto& f = s.format;
  std::string body = fmt::format("package {}_pkg;\n\n", spec.name);
  const auto constant = [&body](const char* name, std::uint64_t value, const char* comment) {
    body += fmt::format("  localparam int unsigned {:<18} = {};  // {}\n", name, value, comment);
  };
  constant("NumRouters", network.topology().num_routers(), "routers of the network");
  constant("NumTerminals", network.topology().num_terminals(), "terminals of the network");
  constant("NumPorts", network.topology().num_ports(),
           "most ports of a router, terminals included");
  constant("NumNetworkPorts", network.topology().network_ports(),
           "most ports of a router that lead to neighbours");
  constant("NumVcs", s.vcs, "virtual channels of a port");
  constant("FlitBits", s.flit_bits, "bits of a flit");
  constant("MaxFlits", s.max_flits, "flits of the longest packet");
  constant("CoordBits", s.coord_bits(), "bits of coord_i");
  constant("DstLsb", f.dst_coord[0].lsb, "head flit: destination coordinates and slot");
  constant("DstBits", s.address_bits(), "");
  constant("SrcLsb", f.src_coord[0].lsb, "head flit: source coordinates and slot");
  constant("SrcBits", s.address_bits(), "");
  constant("LenLsb", f.length.lsb, "head flit: length, in flits less LenOffset");
  constant("LenBits", f.length.width, "0: every packet is one flit");
  constant("LenOffset", f.length_offset, "");
  constant("ClassLsb", f.message_class.lsb, "head flit: message class");
  constant("ClassBits", f.message_class.width, "");
  constant("IdLsb", f.packet_id.lsb, "head flit: packet id");
  constant("IdBits", f.packet_id.width, "");
  constant("HeaderBits", f.header_bits, "payload of the head flit starts here");
  for (std::size_t at; (at = body.find("  // \n")) != std::string::npos;) body.erase(at, 5);
  body += "\nendpackage\n";
  return sv::file(fmt::format("Constants of {}, for whoever builds on the network.", spec.name),
                  body);
}

std::string terminals_table(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& topology = network.topology();
  std::string text = "terminal,router,slot,address\n";
  for (std::uint32_t t = 0; t < topology.num_terminals(); ++t) {
    text +=
        fmt::format("{},{},{},{}\n", t, index(topology.router_of(TerminalId{t})),
                    topology.slot_of(TerminalId{t}), terminal_address(s, topology, TerminalId{t}));
  }
  return text;
}

void add_tool_files(Files& files, const std::vector<RouterShape>& shapes,
                    const std::vector<std::string>& library,
                    const std::vector<std::string>& router_library,
                    const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const auto& name = spec.name;
  const auto modules = [](const std::vector<std::string>& from) {
    std::vector<std::string> paths;
    for (const auto& file : from) {
      if (file.ends_with(".sv")) paths.push_back("rtl/" + file);
    }
    return paths;
  };
  std::vector<std::string> sources = modules(library), router_sources = modules(router_library);
  if (!shapes[0].unit.one_port.empty()) {
    sources.push_back(fmt::format("rtl/{}.sv", shapes[0].unit.module));
    router_sources.push_back(sources.back());
  }
  sources.push_back(fmt::format("rtl/{}_pkg.sv", name));
  for (const RouterShape& shape : shapes) {
    for (const char* part : {"router", "node", "tile"})
      sources.push_back(fmt::format("rtl/{}_{}.sv", shape.prefix, part));
  }
  sources.push_back(fmt::format("rtl/{}_top.sv", name));
  files.emplace(name + ".f", fmt::format("+incdir+rtl/common\n{}\n", fmt::join(sources, "\n")));
  for (const RouterShape& shape : shapes)
    router_sources.push_back(fmt::format("rtl/{}_router.sv", shape.prefix));
  const std::string router = shapes[0].prefix + "_router";
  files.emplace(name + "_router.f",
                fmt::format("+incdir+rtl/common\n{}\n", fmt::join(router_sources, "\n")));

  std::string core = fmt::format(
      "CAPI=2:\nname: hopwise:generated:{0}:1.0.0\ndescription: {1} routers of {3}, routing "
      "{2}\nfilesets:\n  rtl:\n    files:\n",
      name, network.topology().num_routers(), network.spec().network.routing.algorithm,
      shapes.size() == 1 ? "one shape" : fmt::format("{} shapes", shapes.size()));
  for (const auto& file : library) {
    if (file.ends_with(".svh"))
      core += fmt::format("      - rtl/{}: {{is_include_file: true}}\n", file);
  }
  for (const auto& file : sources) core += fmt::format("      - {}\n", file);
  core += fmt::format(
      "    file_type: systemVerilogSource\ntargets:\n  default: &default\n    filesets: [rtl]\n    "
      "toplevel: {0}_top\n"
      "  router:\n    <<: *default\n    toplevel: {0}_router\n",
      name);
  files.emplace(name + ".core", core);

  files.emplace(
      name + ".sdc",
      fmt::format(
          "# {0}: one clock; its channels are registered on both sides, so pins get a tenth "
          "of the period.\n"
          "# Set the period (ns) for the technology: 4.0 is a start for 180 nm standard cells.\n"
          "set period 4.0\n"
          "create_clock -name clk -period $period [get_ports clk_i]\n"
          "set_input_delay [expr 0.1 * $period] -clock clk [all_inputs]\n"
          "set_output_delay [expr 0.1 * $period] -clock clk [all_outputs]\n"
          "set_false_path -from [get_ports rst_ni]\n"
          "set_false_path -from [get_ports coord_i*]\n",
          router));

  files.emplace(
      "Makefile",
      fmt::format("# make sim: smoke test of the network top under Verilator; make lint: no "
                  "warning; make synth: Yosys, generic gates.\n"
                  "VERILATOR ?= verilator\nYOSYS ?= yosys\nJOBS ?= 2\n\n"
                  "sim: obj/smoke\n\t./obj/smoke\n\n"
                  "obj/smoke: {0}.f tb/smoke_tb.sv $(filter rtl/%,$(file < {0}.f))\n"
                  "\t$(VERILATOR) --binary --timing --timescale 1ns/1ps -O3 -Wno-fatal -j $(JOBS) "
                  "-CFLAGS -std=c++20 -MAKEFLAGS OPT_FAST=-O1 -MAKEFLAGS OPT_SLOW=-O0 --Mdir obj "
                  "-o smoke --top-module smoke_tb -f {0}.f tb/smoke_tb.sv\n\n"
                  "lint:\n\t$(VERILATOR) --lint-only -Wall --top-module {0}_top -f {0}.f\n\n"
                  "synth:\n\t@mkdir -p obj\n"
                  "\t$(YOSYS) -q -p 'read_verilog -sv -defer -Irtl/common $(filter rtl/%,$(file < "
                  "{0}_router.f)); synth -top {1}; tee -q -o obj/synth.txt stat'\n\t@cat "
                  "obj/synth.txt\n\n"
                  "clean:\n\trm -rf obj\n\n.PHONY: sim lint synth clean\n",
                  name, router));

  nlohmann::ordered_json manifest;
  manifest["generator"] = "hopwise";
  manifest["network"] = name;
  manifest["network_hash"] = network.spec().network_hash;
  manifest["top"] = name + "_top";
  manifest["router"] = router;
  if (shapes.size() > 1) {
    for (const RouterShape& shape : shapes) manifest["routers"].push_back(shape.prefix + "_router");
  }
  manifest["routing"] = network.spec().network.routing.algorithm;
  manifest["proof"] = network.certificate().method;
  manifest["hop_bound"] = network.certificate().hop_bound;
  auto& counters = manifest["counters"] = nlohmann::ordered_json::array();
  for (const routing::Counter& c : shapes[0].unit.counters)
    counters.push_back({{"name", c.name}, {"unit", c.unit}, {"meaning", c.meaning}});
  auto& list = manifest["files"] = nlohmann::ordered_json::object();
  for (const auto& [path, text] : files) list[path] = fmt::format("{:016x}", fnv1a(text));
  files.emplace("manifest.json", sealed(manifest.dump(2)));
}

namespace {
constexpr std::string_view kSeal = ",\n  \"hash\": \"", kSealEnd = "\"\n}\n";
}

std::string sealed(const std::string& manifest) {
  const std::string body = manifest.substr(0, manifest.rfind("\n}"));
  return fmt::format("{}{}{:016x}{}", body, kSeal, fnv1a(body), kSealEnd);
}

bool is_sealed(const std::string& manifest) {
  return sealed(manifest.substr(0, manifest.rfind(kSeal)) + "\n}") == manifest;
}

}  // namespace hopwise::emit
