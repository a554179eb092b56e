// SPDX-License-Identifier: Apache-2.0
// What surrounds the SystemVerilog of a bundle: constants, file lists, tool files, port list,
// manifest.
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "emit/parts.hpp"
#include "support/hash.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

/// How Verilator compiles the smoke test, beside `--cc --exe`: tiles once each, as blocks of their
/// own (the .vlt). Seen from outside, such a block's outputs depend on all of its inputs, hence
/// UNOPTFLAT. Not `--binary`, which Verilator 5.006 hands on to the blocks.
constexpr std::array kSimulate = {"--hierarchical",
                                  "--build",
                                  "--timing",
                                  "--timescale 1ns/1ps",
                                  "-O3",
                                  "-Wno-fatal",
                                  "-Wno-UNOPTFLAT",
                                  "-CFLAGS -std=c++20",
                                  "-MAKEFLAGS OPT_FAST=-O1",
                                  "-MAKEFLAGS OPT_SLOW=-O0"};

}  // namespace

std::string package_file(const std::vector<RouterShape>& shapes,
                         const deadlock::ProvenNetwork& network) {
  const RouterShape& s = shapes[0];
  const auto& spec = network.spec().network;
  const auto& f = s.format;
  std::string body = fmt::format("package {}_pkg;\n\n", spec.name);
  std::string names;
  const auto constant = [&](const char* name, std::uint64_t value, const char* comment) {
    names += fmt::format("{}{}", names.empty() ? "" : " ^ ", name);
    body += fmt::format("  localparam int unsigned {:<18} = {};  // {}\n", name, value, comment);
  };
  constant("NumRouters", network.topology().num_routers(), "routers of the network");
  constant("NumTerminals", network.topology().num_terminals(), "terminals of the network");
  constant("NumPorts", network.topology().num_ports(),
           "most ports of a router, terminals included");
  constant("NumNetworkPorts", network.topology().network_ports(),
           "most ports of a router that lead to neighbours");
  constant("NumVcs", s.vcs, "virtual channels of a port");
  constant("FlitBits", s.stream_bits(), "bits of a flit");
  constant("MaxFlits", s.max_flits, "flits of the longest packet");
  constant("CoordBits", s.coord_bits(), "bits of coord_i");
  constant("CsrAddrBits", kCsrAddressBits + csr_select_bits(network.topology()),
           "bits of csr_awaddr_i and csr_araddr_i of the network");
  constant("DstLsb", f.dst_coord[0].lsb, "head flit: destination coordinates and slot");
  constant("DstBits", s.address_bits(), "");
  constant("SrcLsb", f.src_coord[0].lsb, "head flit: source coordinates and slot");
  constant("SrcBits", s.address_bits(), "");
  constant("LenLsb", f.length.lsb, "head flit: length, in flits less LenOffset");
  constant("LenBits", f.length.width, "0: every packet is one flit");
  constant("LenOffset", f.length_offset, "");
  constant("NumClasses", s.message_classes, "message classes, each with streams of its own");
  constant("ClassLsb", f.message_class.lsb, "head flit: message class");
  constant("ClassBits", f.message_class.width, "");
  if (f.mode.width > 0) {
    constant("ModeLsb", f.mode.lsb, "head flit: routing mode, as hw_mode_pkg numbers them");
    constant("ModeBits", f.mode.width, "");
    constant("LabelLsb", f.label.lsb, "head flit: flow label");
    constant("LabelBits", f.label.width, "");
  }
  if (s.keep_bits > 0) {
    constant("KeepBits", s.keep_bits, "bytes of a beat");
    constant("BytesLsb", f.tail_bytes.lsb, "head flit: bytes of the tail, less 1");
    constant("BytesBits", f.tail_bytes.width, "");
  }
  constant("IdLsb", f.packet_id.lsb, "head flit: packet id");
  constant("IdBits", f.packet_id.width, "");
  if (s.messages) constant("WindowBits", s.window_bits, "a window's index of a message interface");
  constant("HeaderBits", f.header_bits, "payload of the head flit starts here");
  constant("PoisonBits", s.poison ? 1 : 0,
           "top of a terminal's m_tuser_o: the beat is made up, or a tail whose packet is broken");
  for (std::size_t at; (at = body.find("  // \n")) != std::string::npos;) body.erase(at, 5);
  // Whoever reads one constant is not told by lint that the others are unread.
  body += fmt::format("  localparam int unsigned unused = {};\n\nendpackage\n", names);
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

namespace {

/// The modules among library files, as paths in the bundle.
std::vector<std::string> modules(const std::vector<std::string>& library) {
  std::vector<std::string> paths;
  for (const auto& file : library) {
    if (file.ends_with(".sv")) paths.push_back("rtl/" + file);
  }
  return paths;
}

/// What the network adds to the library, in compile order: `parts` of each shape.
std::vector<std::string> own_modules(const std::vector<RouterShape>& shapes,
                                     std::initializer_list<const char*> parts) {
  std::vector<std::string> paths;
  for (const RouterShape& shape : shapes) {
    if (!shape.unit.one_port.empty()) paths.push_back(fmt::format("rtl/{}.sv", shape.unit.module));
    for (const std::string_view part : parts) {
      if (part == "guards" && shape.reset_cycles == 0) continue;
      paths.push_back(fmt::format("rtl/{}_{}.sv", shape.prefix, part));
    }
  }
  return paths;
}

std::string library_hash(const std::vector<std::string>& library) {
  std::uint64_t hash = kFnv1aStart;
  for (const auto& file : library) hash = fnv1a(rtl_library().at(file), fnv1a(file, hash));
  return fmt::format("{:016x}", hash);
}

std::string library_core(const std::vector<std::string>& library) {
  std::string core = fmt::format(
      "CAPI=2:\nname: hopwise:library:rtl_{}:1.0.0\n"
      "description: the SystemVerilog library of Hopwise, the same beside every network\n"
      "filesets:\n  rtl:\n    files:\n",
      library_hash(library));
  for (const auto& file : library) {
    if (file.ends_with(".svh"))
      core += fmt::format("      - rtl/{}: {{is_include_file: true}}\n", file);
  }
  return core + fmt::format(
                    "      - {}\n    file_type: systemVerilogSource\n"
                    "targets:\n  default:\n    filesets: [rtl]\n",
                    fmt::join(modules(library), "\n      - "));
}

std::string network_core(const std::vector<RouterShape>& shapes,
                         const std::vector<std::string>& library,
                         const std::vector<std::string>& own,
                         const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  return fmt::format(
      "CAPI=2:\nname: hopwise:generated:{0}:1.0.0\n"
      "description: {1} routers of {2}, routing {3}\n"
      "filesets:\n"
      "  rtl:\n    depend: [\"hopwise:library:rtl_{4}:1.0.0\"]\n    files:\n      - {5}\n"
      "    file_type: systemVerilogSource\n"
      "  smoke:\n    files:\n      - {0}.vlt: {{file_type: vlt}}\n      - tb/smoke_tb.sv\n      - "
      "tb/smoke_main.cpp: {{file_type: cppSource}}\n"
      "    file_type: systemVerilogSource\n"
      "targets:\n"
      "  default: &default\n    filesets: [rtl]\n    toplevel: {0}_top\n"
      "  router:\n    <<: *default\n    toplevel: {6}_router\n"
      "  lint:\n    <<: *default\n    default_tool: verilator\n"
      "    tools: {{verilator: {{mode: lint-only, verilator_options: [-Wall]}}}}\n"
      "  sim:\n    filesets: [rtl, smoke]\n    toplevel: smoke_tb\n    default_tool: verilator\n"
      "    tools: {{verilator: {{mode: cc, verilator_options: [{7}]}}}}\n",
      spec.name, network.topology().num_routers(),
      shapes.size() == 1 ? "one shape" : fmt::format("{} shapes", shapes.size()),
      spec.routing.algorithm, library_hash(library), fmt::join(own, "\n      - "), shapes[0].prefix,
      fmt::join(kSimulate, ", "));
}

/// Clock and pins of a module: the top has a synchroniser for its reset, and no coordinates.
std::string constraints(const std::string& module, bool top) {
  return fmt::format(
      "# {}: one clock; what meets its pins is registered on the other side, so pins get a tenth "
      "of "
      "the period.\n"
      "# Set the period (ns) for the technology: 4.0 is a start for 180 nm standard cells.\n"
      "set period 4.0\n"
      "create_clock -name clk -period $period [get_ports clk_i]\n"
      "set_input_delay [expr 0.1 * $period] -clock clk [all_inputs]\n"
      "set_output_delay [expr 0.1 * $period] -clock clk [all_outputs]\n"
      "{}",
      module,
      top ? "# Asserted at any time; hw_reset_sync releases it in step with clk.\n"
            "set_false_path -from [get_ports rst_ni]\n"
          : "# rst_ni is released in step with clk: its recovery is checked.\n"
            "set_false_path -from [get_ports coord_i*]\n");
}

std::string makefile(const std::string& name, const std::string& router) {
  return fmt::format(
      "# make sim: smoke test of the network top under Verilator; make lint: no "
      "warning; make synth: Yosys, generic gates; make icarus: the smoke test with what Yosys "
      "writes back.\n"
      "VERILATOR ?= verilator\nYOSYS ?= yosys\nJOBS ?= 2\n\n"
      "sim: obj/smoke\n\t./obj/smoke\n\n"
      "obj/smoke: {0}.f {0}.vlt tb/smoke_tb.sv tb/smoke_main.cpp $(filter rtl/%,$(file < {0}.f))\n"
      "\t$(VERILATOR) --cc --exe {2} -j $(JOBS) --Mdir obj -o smoke --top-module smoke_tb "
      "{0}.vlt -f {0}.f tb/smoke_tb.sv tb/smoke_main.cpp\n\n"
      "lint:\n\t$(VERILATOR) --lint-only -Wall --top-module {0}_top -f {0}.f\n\n"
      "synth:\n\t@mkdir -p obj\n"
      "\t$(YOSYS) -q -p 'read_verilog -sv -defer -Irtl/common $(filter rtl/%,$(file < "
      "{0}_router.f)); synth -top {1}; tee -q -o obj/synth.txt stat'\n\t@cat "
      "obj/synth.txt\n\n"
      "icarus: obj/icarus.vvp\n\tvvp -n obj/icarus.vvp\n\n"
      "obj/icarus.vvp: obj/{0}_top.v tb/smoke_tb.sv\n"
      "\tiverilog -g2012 -s smoke_tb -o $@ obj/{0}_top.v tb/smoke_tb.sv\n\n"
      "obj/{0}_top.v: {0}.f $(filter rtl/%,$(file < {0}.f))\n\t@mkdir -p obj\n"
      "\t$(YOSYS) -q -p 'read_verilog -sv -defer -Irtl/common $(filter rtl/%,$(file < {0}.f)); "
      "hierarchy -check -top {0}_top; proc; opt; check -assert; write_verilog -noattr $@'\n\n"
      "clean:\n\trm -rf obj\n\n.PHONY: sim lint synth icarus clean\n",
      name, router, fmt::join(kSimulate, " "));
}

}  // namespace

void add_tool_files(Files& files, const std::vector<RouterShape>& shapes,
                    const LibraryFiles& library, const deadlock::ProvenNetwork& network) {
  const auto& name = network.spec().network.name;
  const std::string router = shapes[0].prefix + "_router", include = "+incdir+rtl/common\n";
  std::vector<std::string> own = own_modules(shapes, {"router", "csr", "guards", "node", "tile"});
  own.insert(own.begin(), fmt::format("rtl/{}_pkg.sv", name));
  own.push_back(fmt::format("rtl/{}_top.sv", name));
  const auto add_list = [&](const std::string& file, const std::string& head,
                            const std::vector<std::string>& from,
                            const std::vector<std::string>& then) {
    std::vector<std::string> paths = modules(from);
    paths.insert(paths.end(), then.begin(), then.end());
    files.emplace(file, fmt::format("{}{}\n", head, fmt::join(paths, "\n")));
  };
  add_list(name + ".f", include, library.network, own);
  add_list(name + "_router.f", include, library.router, own_modules(shapes, {"router"}));
  add_list(name + "_csr.f", include, library.csr, {fmt::format("rtl/{}_csr.sv", shapes[0].prefix)});
  if (shapes[0].reset_cycles > 0)
    add_list(name + "_guards.f", include, library.guards,
             {fmt::format("rtl/{}_guards.sv", shapes[0].prefix)});
  add_list("library.f", fmt::format("// library {}\n{}", library_hash(library.all), include),
           library.all, {});
  add_list(name + "_network.f", "", {}, own);

  files.emplace("library.core", library_core(library.all));
  files.emplace(name + ".core", network_core(shapes, library.all, own, network));
  std::string blocks = "`verilator_config\n";
  for (const RouterShape& shape : shapes)
    blocks += fmt::format("hier_block -module \"{}_tile\"\n", shape.prefix);
  files.emplace(name + ".vlt", blocks);

  for (const RouterShape& shape : shapes) {
    files.emplace(shape.prefix + "_router.sdc", constraints(shape.prefix + "_router", false));
    files.emplace(shape.prefix + "_node.sdc", constraints(shape.prefix + "_node", false));
  }
  files.emplace(name + ".sdc", constraints(name + "_top", true));
  files.emplace("Makefile", makefile(name, router));

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
