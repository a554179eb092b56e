// SPDX-License-Identifier: Apache-2.0
// emit_variants DIR: writes the route computations of all variants, as the generator emits them,
// the library files, and a top that asks one of them at a time: bit i of ask_i asks variant i, at
// all its input ports at once.
#include <filesystem>
#include <fstream>
#include <set>

#include "emit/bundle.hpp"
#include "emit/parts.hpp"
#include "variants.hpp"

using namespace hopwise;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path dir = argv[1];
  std::filesystem::create_directories(dir);
  const auto variants = test::all_variants();
  const std::size_t n = variants.size();
  std::set<std::string> sources = {"routing/hw_ring_pkg.sv"};
  std::string body = fmt::format(
      "module route_variants (\n  input wire clk_i, input wire rst_ni, input wire [{0}:0] ask_i, "
      "input wire [31:0] cfg_i,\n"
      "  input wire [23:0] coord_i, input wire [3:0] vc_i, input wire [63:0] bits_i,\n  output "
      "logic [{1}:0] valid_o, output logic [{2}:0] vc_o,\n  output logic [{3}:0] port_o, output "
      "logic [{4}:0] vcs_o, output logic [{1}:0] state_o\n);\n",
      n - 1, test::kMaxPorts - 1, test::kMaxPorts * 4 - 1, test::kRspPortBits - 1,
      test::kRspVcsBits - 1);
  std::string any[5];
  std::string files;
  for (std::size_t i = 0; i < n; ++i) {
    const auto network = test::prove_variant(variants[i]);
    emit::RouterShape shape = emit::router_shape(network);
    spec::NetworkSpec spec = network.spec().network;
    spec.name = variants[i].name;
    if (variants[i].fault) variants[i].fault(shape, spec);
    sources.insert("routing/" + shape.route_compute + ".sv");
    write(dir / (spec.name + "_route.sv"), emit::route_module(shape, spec));
    files += (dir / (spec.name + "_route.sv\n")).string();
    const unsigned p = shape.ports, vw = shape.vc_width(), rb = shape.format.route_bits;
    const unsigned widths[5] = {p, p * vw, p * shape.candidates * shape.port_width(),
                                p * shape.candidates * shape.vcs, p * shape.state_width()};
    body += fmt::format("  logic [{}:0] valid_{};\n", widths[0] - 1, i);
    const char* names[5] = {"valid", "vc", "port", "vcs", "state"};
    for (int k = 1; k < 5; ++k)
      body += fmt::format("  logic [{}:0] {}_{};\n", widths[k] - 1, names[k], i);
    body += fmt::format("  logic [{}:0] decision_{};\n", p * shape.decision_width() - 1, i);
    body += fmt::format(
        "  {0}_route u_{1} (.clk_i, .rst_ni, .coord_i({2}'(coord_i)), .cfg_i, "
        ".rc_valid_i({{{3}{{ask_i[{1}]}}}}),\n"
        "    .rc_vc_i(ask_i[{1}] ? {{{3}{{{4}'(vc_i)}}}} : '0), "
        ".rc_bits_i({{{3}{{{5}'(bits_i)}}}}), .rc_space_i('0),\n"
        "    .rc_queue_i('0), .rc_count_i('0), .rc_bias_i('0), .rsp_valid_o(valid_{1}), "
        ".rsp_vc_o(vc_{1}),\n"
        "    .rsp_port_o(port_{1}), .rsp_vcs_o(vcs_{1}), .rsp_state_o(state_{1}), "
        ".decision_o(decision_{1}));\n",
        spec.name, i, shape.coord_bits(), p, vw, rb);
    const unsigned most[5] = {test::kMaxPorts, test::kMaxPorts * 4, test::kRspPortBits,
                              test::kRspVcsBits, test::kMaxPorts};
    for (int k = 0; k < 5; ++k)
      any[k] += fmt::format("{}{}'({}_{})", i == 0 ? "" : " | ", most[k], names[k], i);
  }
  const char* outputs[5] = {"valid_o", "vc_o", "port_o", "vcs_o", "state_o"};
  for (int k = 0; k < 5; ++k) body += fmt::format("  assign {} = {};\n", outputs[k], any[k]);
  write(dir / "route_variants.sv", body + "endmodule\n");
  std::string list;
  for (const auto& name : sources) {
    const auto path = dir / std::filesystem::path(name).filename();
    write(path, emit::rtl_library().at(name));
    list += path.string() + "\n";
  }
  write(dir / "files.f", list + files + (dir / "route_variants.sv\n").string());
  return 0;
}
