// SPDX-License-Identifier: Apache-2.0
// emit_dqn DIR: writes what the generator emits for DQN-Routing, without the agent, and a top in
// which each variant's inputs change only when a rising ask_i[i] shows them to it; number_i says
// whose outputs are shown.
#include <filesystem>
#include <fstream>

#include "dqn_variants.hpp"
#include "emit/bundle.hpp"
#include "emit/parts.hpp"

using namespace hopwise;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

struct Input {
  const char* net;
  const char* pin;
  unsigned width;
};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from), end = text.find(to, begin);
  if (begin == std::string::npos || end == std::string::npos) std::abort();
  return text.substr(begin, end - begin);
}

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
      "answer_vc_i, input wire [7:0] answer_port_i,\n"
      "  input wire answer_accept_i, input wire [15:0] answer_track_i, input wire [63:0] "
      "answer_info_i, output logic [{}:0] shown_o\n);\n",
      variants.size() - 1, test::kDqnHeader - 1, test::kDqnShown - 1);
  std::string shown, files;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto network = test::prove_variant(variants[i]);
    emit::RouterShape s = emit::router_shape(network);
    spec::NetworkSpec spec = network.spec().network;
    if (variants[i].fault) variants[i].fault(s, spec);
    const auto outputs = test::dqn_outputs(s);
    unsigned total = 0;
    std::string list, nets;
    for (const auto& [net, width] : outputs) {
      total += width;
      list = net + (list.empty() ? "" : ", ") + list;
      if (net.substr(0, 4) != "ask_" && net != "arrived")
        nets += fmt::format("  logic [{}:0] {};\n", width - 1, net);
    }
    if (total > test::kDqnShown) return 2;
    const unsigned p = s.ports;
    const Input inputs[] = {{"coord_q", "coord_i", s.coord_bits()},
                            {"one_vc", "vc_i", s.vc_width()},
                            {"one_bits", "bits_i", s.format.route_bits},
                            {"ready", "ready_i", 1},
                            {"answer", "answer_i", 1},
                            {"answer_vc", "answer_vc_i", s.vc_width()},
                            {"answer_port", "answer_port_i", s.port_width()},
                            {"answer_accept", "answer_accept_i", 1},
                            {"answer_track", "answer_track_i", s.format.track.width},
                            {"answer_info", "answer_info_i", test::dqn_info_bits(s)}};
    std::string ports, assignments, connections;
    body += fmt::format("  if (1) begin : gen_{}\n    logic valid;\n    logic [{}:0] shown;\n", i,
                        total - 1);
    for (const Input& in : inputs) {
      ports += fmt::format("  input wire [{}:0] {},\n", in.width - 1, in.net);
      body += fmt::format("    logic [{}:0] {};\n", in.width - 1, in.net);
      assignments += fmt::format("      {} <= {}'({});\n", in.net, in.width, in.pin);
      connections += fmt::format(".{0}({0}), ", in.net);
    }
    body += fmt::format(
        "    initial valid = 1'b0;\n    always_ff @(posedge ask_i[{}]) begin\n      valid <= "
        "1'b1;\n{}    end\n"
        "    v{} u_v ({}.valid(valid), .shown(shown));\n  end\n",
        i, assignments, i, connections);
    shown += fmt::format("      {}: shown_o = {}'(gen_{}.shown);\n", i, test::kDqnShown, i);

    const std::string text =
        fmt::format(
            "module v{} (\n{}  input wire valid, output wire [{}:0] shown\n);\n  wire clk_i = "
            "1'b0, rst_ni = 1'b0;\n{}",
            i, ports, total - 1, nets) +
        fmt::format(
            "  logic [{0}:0] rc_valid;\n  assign rc_valid = {{{1}{{valid}}}};\n  logic [{2}:0] "
            "rc_vc;\n  assign rc_vc = {{{1}{{one_vc}}}};\n"
            "  logic [{3}:0] rc_bits;\n  assign rc_bits = {{{1}{{one_bits}}}};\n",
            p - 1, p, p * s.vc_width() - 1, p * s.format.route_bits - 1) +
        between(emit::dqn_blocks(s, spec), "  logic", "\n  // Agent: ") +
        fmt::format(
            "  assign ask_ready = {{{0}{{ready}}}};\n  assign agent_valid = {{{0}{{answer}}}};\n",
            p) +
        "  assign agent_vc = answer_vc;\n  assign agent_port = answer_port;\n  assign agent_accept "
        "= answer_accept;\n"
        "  assign agent_track = answer_track;\n  assign agent_info = answer_info;\n  assign shown "
        "= {" +
        list + "};\nendmodule\n";
    write(dir / fmt::format("v{}.sv", i), text);
    files += (dir / fmt::format("v{}.sv\n", i)).string();
  }
  body += fmt::format(
      "  always_comb begin\n    case (number_i)\n{}      default: shown_o = '0;\n    endcase\n  "
      "end\nendmodule\n",
      shown);
  write(dir / "dqn_variants.sv", body);
  std::string list;
  for (const char* name : {"routing/hw_ring_pkg.sv", "routing/hw_route_compute_dor.sv",
                           "routing/hw_route_compute_dqn.sv"}) {
    const auto path = dir / std::filesystem::path(name).filename();
    write(path, emit::rtl_library().at(name));
    list += path.string() + "\n";
  }
  write(dir / "files.f", list + files + (dir / "dqn_variants.sv\n").string());
  return 0;
}
