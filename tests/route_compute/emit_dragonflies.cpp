// SPDX-License-Identifier: Apache-2.0
// emit_dragonflies DIR: writes the route computations of all dragonflies, with the parameters that
// the generator gives their unit, the library files, and a top in which each has its own clocks, so
// that what is not asked costs nothing: a rising ask_i[i] shows the inputs to variant i, at all its
// input ports at once; clk_i[i] is its clock; number_i says whose answer is shown.
#include <regex>

#include "dragonfly_variants.hpp"
#include "modules.hpp"

using namespace hopwise;

namespace {

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
      "wire [15:0] bias_i, input wire [{3}:0] min_used_i, input wire [{3}:0] non_used_i",
      variants.size() - 1, 32 * test::kDragonflyCfg - 1, test::kDragonflyHeader - 1,
      test::kDragonflyQueueBits - 1, test::kDragonflyCountBits - 1);
  for (int k = 0; k < 6; ++k)
    body += fmt::format(",\n  output logic [{}:0] {}_o", test::kDragonflyBits[k] - 1, kOutputs[k]);
  body += "\n);\n";
  std::string shown[6], units;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto network = test::prove_variant(variants[i]);
    spec::NetworkSpec spec;
    emit::RouterShape s = test::emitted_shape(variants[i], network, spec);
    if (!s.unit.one_port.empty()) s.unit.module = fmt::format("unit_{}", i);
    units += emit::one_port_unit(s);
    const unsigned p = s.ports;
    const bool ugal = s.unit.module == "hw_routing_ugal";
    struct Input {
      const char *net, *from;
      unsigned width;
    };
    const Input inputs[] = {{"coord", "coord_i", s.coord_bits()},
                            {"cfg", "cfg_i", 32 * static_cast<unsigned>(s.cfg_reset.size())},
                            {"one_vc", "vc_i", s.vc_width()},
                            {"bits", "bits_i", s.format.route_bits},
                            {"queue", "queue_i", p * s.queue_width},
                            {"count", "count_i", p * test::count_width(s)},
                            {"bias", "bias_i", 16},
                            {"min_used", "min_used_i", p * s.queue_width},
                            {"non_used", "non_used_i", p * s.queue_width}};
    std::string assignments;
    body += fmt::format("  if (1) begin : gen_{}\n    logic valid;\n", i);
    for (const Input& in : inputs) {
      body += fmt::format("    logic [{}:0] {};\n", in.width - 1, in.net);
      assignments += fmt::format("      {} <= {}'({});\n", in.net, in.width, in.from);
    }
    body += fmt::format(
        "    initial valid = 1'b0;\n    always_ff @(posedge ask_i[{}]) begin\n      valid <= "
        "1'b1;\n{}    end\n",
        i, assignments);
    sv::Bindings pins = {{"clk_i", fmt::format("clk_i[{}]", i)},
                         {"rst_ni", "rst_ni"},
                         {"coord_i", "coord"},
                         {"cfg_i", "cfg"},
                         {"req_valid_i", fmt::format("{{{}{{valid}}}}", p)},
                         {"req_vc_i", fmt::format("{{{}{{one_vc}}}}", p)},
                         {"req_bits_i", fmt::format("{{{}{{bits}}}}", p)}};
    test::Pins outputs;
    if (ugal) {
      pins.insert(pins.end(), {{"queue_i", "queue"},
                               {"min_used_i", "min_used"},
                               {"non_used_i", "non_used"},
                               {"count_i", "count"},
                               {"bias_i", fmt::format("{{{}{{bias}}}}", p)}});
      outputs = {{"rsp_valid_o", p},
                 {"rsp_vc_o", p * s.vc_width()},
                 {"rsp_port_o", p * s.port_width()},
                 {"rsp_vcs_o", p * s.vcs},
                 {"rsp_way_o", p * s.state_width()},
                 {"rsp_bits_o", p * s.format.route_bits},
                 {"decision_o", p * test::decision_width(s)}};
    } else {
      for (const auto& [name, width] : test::unit_inputs(s)) pins.emplace_back(name, "'0");
      outputs = test::unit_outputs(s);
    }
    for (const auto& [name, width] : outputs) {
      body += fmt::format("    logic [{}:0] its_{};\n", width - 1, name);
      pins.emplace_back(name, "its_" + name);
    }
    const std::string module = ugal ? "hw_ugal_ports" : s.unit.module;
    body += sv::instance(module, "u_route",
                         ugal ? test::parameters_of(module, s) : emit::unit_parameters(s), pins);
    body += "  end\n";
    const char* nets[6] = {
        "rsp_valid_o", "rsp_vc_o", "rsp_port_o", "rsp_vcs_o", ugal ? "rsp_way_o" : "rsp_state_o",
        "decision_o"};
    for (int k = 0; k < (ugal ? 6 : 5); ++k) {
      shown[k] += fmt::format("      {}: {}_o = {}'(gen_{}.its_{});\n", i, kOutputs[k],
                              test::kDragonflyBits[k], i, nets[k]);
    }
  }
  for (int k = 0; k < 6; ++k) {
    body += fmt::format(
        "  always_comb begin\n    case (number_i)\n{}      default: {}_o = '0;\n    endcase\n  "
        "end\n",
        shown[k], kOutputs[k]);
  }
  // Functions that are called and not copied into every caller: less to compile.
  test::write_model(dir, "dragonfly_variants.sv", units + body + "endmodule\n",
                    [](const std::string& text) {
                      return std::regex_replace(text, std::regex("(function automatic [^;]*;)"),
                                                "$1 /* verilator no_inline_task */");
                    });
  return 0;
}
