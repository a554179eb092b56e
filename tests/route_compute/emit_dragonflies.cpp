// SPDX-License-Identifier: Apache-2.0
// emit_dragonflies DIR: writes the route computations of all dragonflies, as the generator emits
// them, the library files, and a top in which each has its own clocks, so that what is not asked
// costs nothing: a rising ask_i[i] shows the inputs to variant i, at all its input ports at once;
// clk_i[i] is its clock; number_i says whose answer is shown.
#include <filesystem>
#include <fstream>
#include <regex>

#include "dragonfly_variants.hpp"
#include "emit/bundle.hpp"
#include "emit/parts.hpp"

using namespace hopwise;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

constexpr const char* kOutputs[6] = {"valid", "vc", "port", "vcs", "state", "decision"};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path dir = argv[1];
  std::filesystem::create_directories(dir);
  const auto variants = test::all_dragonflies();
  std::string body = fmt::format(
      "module dragonfly_variants (\n  input wire rst_ni, input wire [{0}:0] clk_i, input wire "
      "[{0}:0] ask_i,\n"
      "  input wire [31:0] number_i, input wire [{1}:0] cfg_i, input wire [31:0] coord_i, input "
      "wire [3:0] vc_i,\n"
      "  input wire [{2}:0] bits_i, input wire [{3}:0] queue_i, input wire [{4}:0] count_i, input "
      "wire [15:0] bias_i",
      variants.size() - 1, 32 * test::kDragonflyCfg - 1, test::kDragonflyHeader - 1,
      test::kDragonflyQueueBits - 1, test::kDragonflyCountBits - 1);
  for (int k = 0; k < 6; ++k)
    body += fmt::format(",\n  output logic [{}:0] {}_o", test::kDragonflyBits[k] - 1, kOutputs[k]);
  body += "\n);\n";
  std::string shown[6], files;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto network = test::prove_variant(variants[i]);
    emit::RouterShape shape = emit::router_shape(network);
    spec::NetworkSpec spec = network.spec().network;
    spec.name = fmt::format("v{}", i);
    if (variants[i].fault) variants[i].fault(shape, spec);
    write(dir / (spec.name + "_route.sv"), emit::route_module(shape, spec));
    files += (dir / (spec.name + "_route.sv\n")).string();
    const unsigned p = shape.ports;
    const unsigned inputs[7] = {shape.coord_bits(),
                                32 * static_cast<unsigned>(shape.cfg_reset.size()),
                                shape.vc_width(),
                                shape.format.route_bits,
                                p * shape.queue_width,
                                p * shape.count_width,
                                16};
    const char* names[7] = {"coord", "cfg", "one_vc", "bits", "queue", "count", "bias"};
    const char* from[7] = {"coord_i", "cfg_i", "vc_i", "bits_i", "queue_i", "count_i", "bias_i"};
    std::string assignments;
    body += fmt::format("  if (1) begin : gen_{}\n    logic valid;\n", i);
    for (int k = 0; k < 7; ++k) {
      body += fmt::format("    logic [{}:0] {};\n", inputs[k] - 1, names[k]);
      assignments += fmt::format("      {} <= {}'({});\n", names[k], inputs[k], from[k]);
    }
    body += fmt::format(
        "    initial valid = 1'b0;\n    always_ff @(posedge ask_i[{}]) begin\n      valid <= "
        "1'b1;\n{}    end\n",
        i, assignments);
    const unsigned outputs[6] = {p,
                                 p * shape.vc_width(),
                                 p * shape.candidates * shape.port_width(),
                                 p * shape.candidates * shape.vcs,
                                 p * shape.state_width(),
                                 p * shape.decision_width()};
    std::string connections;
    for (int k = 0; k < 6; ++k) {
      if (outputs[k] > test::kDragonflyBits[k]) return 2;
      body += fmt::format("    logic [{}:0] rsp_{};\n", outputs[k] - 1, kOutputs[k]);
      connections +=
          fmt::format(", .{}{}_o(rsp_{})", k == 5 ? "" : "rsp_", kOutputs[k], kOutputs[k]);
      shown[k] += fmt::format("      {}: {}_o = {}'(gen_{}.rsp_{});\n", i, kOutputs[k],
                              test::kDragonflyBits[k], i, kOutputs[k]);
    }
    if (shape.echoes_question()) {
      body += fmt::format("    logic [{}:0] rsp_bits;\n", p * shape.format.route_bits - 1);
      connections += ", .rsp_bits_o(rsp_bits)";
    }
    body += fmt::format(
        "    {}_route u_route (.clk_i(clk_i[{}]), .rst_ni, .coord_i(coord), .cfg_i(cfg), "
        ".rc_valid_i({{{}{{valid}}}}),\n"
        "      .rc_vc_i({{{}{{one_vc}}}}), .rc_bits_i({{{}{{bits}}}}), .rc_space_i('0), "
        ".rc_queue_i(queue), .rc_count_i(count),\n"
        "      .rc_bias_i({{{}{{bias}}}}){});\n  end\n",
        spec.name, i, p, p, p, p, connections);
  }
  for (int k = 0; k < 6; ++k) {
    body += fmt::format(
        "  always_comb begin\n    case (number_i)\n{}      default: {}_o = '0;\n    endcase\n  "
        "end\n",
        shown[k], kOutputs[k]);
  }
  write(dir / "dragonfly_variants.sv", body + "endmodule\n");
  std::string list;
  for (const char* name :
       {"common/hw_assert.svh", "common/hw_pipe_register.sv", "common/hw_random.sv",
        "routing/hw_dragonfly_pkg.sv", "routing/hw_dragonfly_class_pkg.sv",
        "routing/hw_dragonfly_paths.sv", "routing/hw_ring_pkg.sv",
        "routing/hw_route_compute_valiant.sv", "routing/hw_route_compute_dragonfly.sv"}) {
    const auto path = dir / std::filesystem::path(name).filename();
    // Functions that are called and not copied into every caller: less to compile.
    write(path, std::regex_replace(emit::rtl_library().at(name),
                                   std::regex("(function automatic [^;]*;)"),
                                   "$1 /* verilator no_inline_task */"));
    if (path.extension() == ".sv") list += path.string() + "\n";
  }
  write(dir / "files.f", "+incdir+" + dir.string() + "\n" + list + files +
                             (dir / "dragonfly_variants.sv\n").string());
  return 0;
}
