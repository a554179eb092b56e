// SPDX-License-Identifier: Apache-2.0
// emit_variants DIR: writes a top with the routing units of all variants, as the generator gives
// them parameters, and the library files; the top asks one of them at a time: bit i of ask_i asks
// variant i, at all its input ports at once.
#include "modules.hpp"
#include "variants.hpp"

using namespace hopwise;

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path dir = argv[1];
  std::filesystem::create_directories(dir);
  const auto variants = test::all_variants();
  const std::size_t n = variants.size();
  std::string body = fmt::format(
      "module route_variants (\n  input wire clk_i, input wire rst_ni, input wire [{0}:0] ask_i, "
      "input wire [31:0] cfg_i,\n"
      "  input wire [23:0] coord_i, input wire [3:0] vc_i, input wire [63:0] bits_i,\n  output "
      "logic [{1}:0] valid_o, output logic [{2}:0] vc_o,\n  output logic [{3}:0] port_o, output "
      "logic [{4}:0] vcs_o, output logic [{1}:0] state_o\n);\n",
      n - 1, test::kMaxPorts - 1, test::kMaxPorts * 4 - 1, test::kRspPortBits - 1,
      test::kRspVcsBits - 1);
  const char* outputs[5] = {"valid_o", "vc_o", "port_o", "vcs_o", "state_o"};
  const unsigned most[5] = {test::kMaxPorts, test::kMaxPorts * 4, test::kRspPortBits,
                            test::kRspVcsBits, test::kMaxPorts};
  std::string any[5], units;
  for (std::size_t i = 0; i < n; ++i) {
    const auto network = test::prove_variant(variants[i]);
    spec::NetworkSpec spec;
    emit::RouterShape s = test::emitted_shape(variants[i], network, spec);
    s.unit.module = fmt::format("unit_{}", i);
    units += emit::one_port_unit(s);
    sv::Bindings pins = {
        {"clk_i", "clk_i"},
        {"rst_ni", "rst_ni"},
        {"coord_i", fmt::format("{}'(coord_i)", s.coord_bits())},
        {"cfg_i", "cfg_i"},
        {"req_valid_i", fmt::format("{{{}{{ask_i[{}]}}}}", s.ports, i)},
        {"req_vc_i", fmt::format("ask_i[{}] ? {{{}{{{}'(vc_i)}}}} : '0", i, s.ports, s.vc_width())},
        {"req_bits_i", fmt::format("{{{}{{{}'(bits_i)}}}}", s.ports, s.format.route_bits)}};
    for (const auto& [name, width] : test::unit_inputs(s)) pins.emplace_back(name, "'0");
    for (const auto& [name, width] : test::unit_outputs(s)) {
      const std::string net = fmt::format("{}_{}", name.substr(0, name.size() - 2), i);
      body += fmt::format("  logic [{}:0] {};\n", width - 1, net);
      pins.emplace_back(name, net);
      for (int k = 0; k < 5; ++k) {
        if (name == std::string("rsp_") + outputs[k])
          any[k] += fmt::format("{}{}'({})", any[k].empty() ? "" : " | ", most[k], net);
      }
    }
    body += sv::instance(s.unit.module, fmt::format("u_{}", i), emit::unit_parameters(s), pins);
  }
  for (int k = 0; k < 5; ++k) body += fmt::format("  assign {} = {};\n", outputs[k], any[k]);
  test::write_model(dir, "route_variants.sv", units + body + "endmodule\n");
  return 0;
}
