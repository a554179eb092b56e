// SPDX-License-Identifier: Apache-2.0
// emit_q DIR: writes the route computations and start values of routings with a Q-table, with the
// parameters that the generator gives their unit, without agent and table, and a top in which each
// variant's inputs change only when a rising ask_i[i] shows them to it; number_i says whose outputs
// are shown.
#include "modules.hpp"
#include "q_variants.hpp"

using namespace hopwise;

namespace {

struct Input {
  const char* net;
  const char* from;
  unsigned width;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path dir = argv[1];
  std::filesystem::create_directories(dir);
  const auto variants = test::all_q_variants();
  std::string body = fmt::format(
      "module q_variants (\n  input wire [{}:0] ask_i, input wire [31:0] number_i, input wire "
      "[31:0] coord_i, input wire [7:0] vc_i,\n"
      "  input wire [{}:0] bits_i, input wire ready_i, input wire answer_i, input wire [7:0] "
      "answer_vc_i,\n"
      "  input wire [7:0] answer_port_i, input wire [63:0] answer_info_i, input wire [63:0] "
      "answer_feedback_i,\n"
      "  input wire [31:0] row_i, output logic [{}:0] shown_o,\n"
      "  input wire [1:0] arrangement_i, input wire [10:0] groups_i, input wire [10:0] from_i, "
      "input wire [10:0] place_i,\n"
      "  output logic [10:0] group_o, output logic [10:0] position_o\n);\n"
      "  assign group_o = hw_dragonfly_pkg::group_at(arrangement_i, groups_i, from_i, place_i);\n"
      "  assign position_o = hw_dragonfly_pkg::position(arrangement_i, groups_i, from_i, "
      "group_o);\n",
      variants.size() - 1, test::kQHeader - 1, test::kQShown - 1);
  std::string shown;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto network = test::prove_variant(variants[i].network);
    spec::NetworkSpec spec;
    const emit::RouterShape s = test::emitted_shape(variants[i].network, network, spec);
    const unsigned p = s.ports;
    const Input inputs[] = {{"coord", "coord_i", s.coord_bits()},
                            {"one_vc", "vc_i", s.vc_width()},
                            {"one_bits", "bits_i", s.format.route_bits},
                            {"ready", "ready_i", 1},
                            {"answer", "answer_i", 1},
                            {"answer_vc", "answer_vc_i", s.vc_width()},
                            {"answer_port", "answer_port_i", s.port_width()},
                            {"answer_info", "answer_info_i", test::q_info_bits(s)},
                            {"answer_feedback", "answer_feedback_i", s.feedback_bits},
                            {"row", "row_i", test::q_row_bits(s)}};
    const auto to_all = [p](const char* net) { return fmt::format("{{{}{{{}}}}}", p, net); };
    sv::Bindings ports = {{"clk_i", "1'b0"},
                          {"rst_ni", "1'b0"},
                          {"coord_i", "coord"},
                          {"req_valid_i", to_all("valid")},
                          {"req_vc_i", to_all("one_vc")},
                          {"req_bits_i", to_all("one_bits")},
                          {"ask_ready_i", to_all("ready")},
                          {"agent_valid_i", to_all("answer")},
                          {"agent_vc_i", "answer_vc"},
                          {"agent_port_i", "answer_port"},
                          {"agent_info_i", "answer_info"},
                          {"agent_feedback_i", "answer_feedback"}};
    sv::Bindings start = {{"coord_i", "coord"}, {"row_i", "row"}};
    std::string assignments, list;
    unsigned total = 0;
    body += fmt::format("  if (1) begin : gen_{}\n    logic valid;\n", i);
    for (const auto& [pin, width] : test::q_outputs(s)) {
      body += fmt::format("    logic [{}:0] {};\n", width - 1, pin);
      (pin == "values_o" || pin == "connected_o" ? start : ports).emplace_back(pin, pin);
      list = pin + (list.empty() ? "" : ", ") + list;
      total += width;
    }
    if (total > test::kQShown) return 2;
    body += fmt::format("    wire [{}:0] shown = {{{}}};\n", total - 1, list);
    for (const Input& in : inputs) {
      body += fmt::format("    logic [{}:0] {};\n", in.width - 1, in.net);
      assignments += fmt::format("      {} <= {}'({});\n", in.net, in.width, in.from);
    }
    body += fmt::format(
        "    initial valid = 1'b0;\n    always_ff @(posedge ask_i[{}]) begin\n      valid <= "
        "1'b1;\n{}    end\n",
        i, assignments);
    body += sv::instance("hw_q_ports", "u_ports", test::parameters_of("hw_q_ports", s), ports);
    sv::Bindings of_start = test::parameters_of("hw_q_start", s);
    body += sv::instance("hw_q_start", "u_start", of_start, start) + "  end\n";
    shown += fmt::format("      {}: shown_o = {}'(gen_{}.shown);\n", i, test::kQShown, i);
  }
  body += fmt::format(
      "  always_comb begin\n    case (number_i)\n{}      default: shown_o = '0;\n    endcase\n  "
      "end\nendmodule\n",
      shown);
  test::write_model(dir, "q_variants.sv", body);
  return 0;
}
