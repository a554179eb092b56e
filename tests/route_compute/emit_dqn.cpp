// SPDX-License-Identifier: Apache-2.0
// emit_dqn DIR: writes the route computations of DQN-Routing, with the parameters that the
// generator gives its unit, without the agent, and a top in which each variant's inputs change only
// when a rising ask_i[i] shows them to it; number_i says whose outputs are shown.
#include "dqn_variants.hpp"
#include "modules.hpp"

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
  const auto variants = test::all_dqn_variants();
  std::string body = fmt::format(
      "module dqn_variants (\n  input wire [{}:0] ask_i, input wire [31:0] number_i, input wire "
      "[31:0] coord_i, input wire [7:0] vc_i,\n"
      "  input wire [{}:0] bits_i, input wire ready_i, input wire answer_i, input wire [7:0] "
      "answer_vc_i, input wire [31:0] answer_port_i,\n"
      "  input wire [7:0] answer_accept_i, input wire [15:0] answer_track_i, input wire [63:0] "
      "answer_info_i, output logic [{}:0] shown_o\n);\n",
      variants.size() - 1, test::kDqnHeader - 1, test::kDqnShown - 1);
  std::string shown;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto network = test::prove_variant(variants[i]);
    spec::NetworkSpec spec;
    const emit::RouterShape s = test::emitted_shape(variants[i], network, spec);
    const unsigned p = s.ports, proposals = s.unit.candidates - 1;
    const Input inputs[] = {{"coord", "coord_i", s.coord_bits()},
                            {"one_vc", "vc_i", s.vc_width()},
                            {"one_bits", "bits_i", s.format.route_bits},
                            {"ready", "ready_i", 1},
                            {"answer", "answer_i", 1},
                            {"answer_vc", "answer_vc_i", s.vc_width()},
                            {"answer_port", "answer_port_i", proposals * s.port_width()},
                            {"answer_accept", "answer_accept_i", proposals},
                            {"answer_track", "answer_track_i", std::max(1U, s.format.track.width)},
                            {"answer_info", "answer_info_i", test::dqn_info_bits(s)}};
    const auto to_all = [p](const char* net) { return fmt::format("{{{}{{{}}}}}", p, net); };
    sv::Bindings pins = {{"coord_i", "coord"},
                         {"req_valid_i", to_all("valid")},
                         {"req_vc_i", to_all("one_vc")},
                         {"req_bits_i", to_all("one_bits")},
                         {"ask_ready_i", to_all("ready")},
                         {"agent_valid_i", to_all("answer")},
                         {"agent_vc_i", "answer_vc"},
                         {"agent_port_i", "answer_port"},
                         {"agent_accept_i", "answer_accept"},
                         {"agent_track_i", "answer_track"},
                         {"agent_info_i", "answer_info"}};
    std::string assignments, list;
    unsigned total = 0;
    body += fmt::format("  if (1) begin : gen_{}\n    logic valid;\n", i);
    for (const auto& [pin, width] : test::dqn_outputs(s)) {
      body += fmt::format("    logic [{}:0] {};\n", width - 1, pin);
      pins.emplace_back(pin, pin);
      list = pin + (list.empty() ? "" : ", ") + list;
      total += width;
    }
    if (total > test::kDqnShown) return 2;
    body += fmt::format("    wire [{}:0] shown = {{{}}};\n", total - 1, list);
    for (const Input& in : inputs) {
      body += fmt::format("    logic [{}:0] {};\n", in.width - 1, in.net);
      assignments += fmt::format("      {} <= {}'({});\n", in.net, in.width, in.from);
    }
    body += fmt::format(
        "    initial valid = 1'b0;\n    always_ff @(posedge ask_i[{}]) begin\n      valid <= "
        "1'b1;\n{}    end\n",
        i, assignments);
    sv::Bindings parameters = test::parameters_of("hw_dqn_ports", s);
    parameters.emplace_back("TrackBits", std::to_string(s.format.track.width));
    parameters.emplace_back("NumProposals", std::to_string(proposals));
    parameters.emplace_back("Returns", s.format.track.width == 0 ? "1'b1" : "1'b0");
    body += sv::instance("hw_dqn_ports", "u_ports", parameters, pins) + "  end\n";
    shown += fmt::format("      {}: shown_o = {}'(gen_{}.shown);\n", i, test::kDqnShown, i);
  }
  body += fmt::format(
      "  always_comb begin\n    case (number_i)\n{}      default: shown_o = '0;\n    endcase\n  "
      "end\nendmodule\n",
      shown);
  test::write_model(dir, "dqn_variants.sv", body);
  return 0;
}
