// SPDX-License-Identifier: Apache-2.0
// emit_q DIR: writes what the generator emits for routings with a Q-table, without agent and table,
// and a top in which each variant's inputs change only when a rising ask_i[i] shows them to it;
// number_i says whose outputs are shown.
#include <filesystem>
#include <fstream>

#include "emit/bundle.hpp"
#include "emit/parts.hpp"
#include "q_variants.hpp"
#include "routing/q/q.hpp"

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
  std::string shown, files;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto network = test::prove_variant(variants[i].network);
    emit::RouterShape s = emit::router_shape(network);
    spec::NetworkSpec spec = network.spec().network;
    if (variants[i].network.fault) variants[i].network.fault(s, spec);
    const routing::q::Settings q = routing::q::settings(spec.routing);
    const std::string blocks = emit::q_blocks(s, spec, network.topology());
    const auto cut = [&blocks](const std::string& from, const std::string& to) {
      const std::size_t begin = blocks.find(from), end = blocks.find(to, begin);
      if (begin == std::string::npos || end == std::string::npos) std::abort();
      return blocks.substr(begin, end - begin);
    };
    const auto outputs = test::q_outputs(s, q);
    unsigned total = 0;
    std::string list;
    for (const auto& [net, width] : outputs) {
      total += width;
      list = net + (list.empty() ? "" : ", ") + list;
    }
    if (total > test::kQShown) return 2;
    const unsigned p = s.ports, info = (outputs[8].second) / p;
    std::string text = fmt::format(
        "module v{} (\n  input wire [{}:0] coord_q, input wire valid, input wire [{}:0] one_vc, "
        "input wire [{}:0] one_bits,\n"
        "  input wire ready, input wire answer, input wire [{}:0] answer_vc, input wire [{}:0] "
        "answer_port,\n"
        "  input wire [{}:0] answer_info, input wire [{}:0] answer_feedback, input wire [{}:0] "
        "start_row, output wire [{}:0] shown\n);\n"
        "  wire clk_i = 1'b0, rst_ni = 1'b0;\n",
        i, s.coord_bits() - 1, s.vc_width() - 1, s.format.route_bits - 1, s.vc_width() - 1,
        s.port_width() - 1, info - 1, s.feedback_bits - 1, s.q_row_bits() - 1, total - 1);
    for (const auto& [net, width] : outputs) {
      if (net.substr(0, 4) != "ask_" && net != "tell")
        text += fmt::format("  logic [{}:0] {};\n", width - 1, net);
    }
    text +=
        fmt::format("  logic [{0}:0] rc_valid, rc_unused;\n  assign rc_valid = {{{1}{{valid}}}};\n",
                    p - 1, p) +
        fmt::format("  logic [{}:0] rc_vc;\n  assign rc_vc = {{{}{{one_vc}}}};\n",
                    p * s.vc_width() - 1, p) +
        fmt::format("  logic [{}:0] rc_bits;\n  assign rc_bits = {{{}{{one_bits}}}};\n",
                    p * s.format.route_bits - 1, p);
    text += cut("  logic", "\n  // Between agent and table");
    text +=
        fmt::format(
            "  assign ask_ready = {{{0}{{ready}}}};\n  assign agent_valid = {{{0}{{answer}}}};\n",
            p) +
        "  assign agent_vc = answer_vc;\n  assign agent_port = answer_port;\n  assign agent_info = "
        "answer_info;\n"
        "  assign agent_feedback = answer_feedback;\n";
    text += cut("  hw_q_start_", "\n  // Feedback");
    text += "  assign shown = {" + list + "};\nendmodule\n";
    write(dir / fmt::format("v{}.sv", i), text);
    files += (dir / fmt::format("v{}.sv\n", i)).string();

    const Input inputs[] = {{"coord_q", "coord_i", s.coord_bits()},
                            {"one_vc", "vc_i", s.vc_width()},
                            {"one_bits", "bits_i", s.format.route_bits},
                            {"ready", "ready_i", 1},
                            {"answer", "answer_i", 1},
                            {"answer_vc", "answer_vc_i", s.vc_width()},
                            {"answer_port", "answer_port_i", s.port_width()},
                            {"answer_info", "answer_info_i", info},
                            {"answer_feedback", "answer_feedback_i", s.feedback_bits},
                            {"start_row", "row_i", s.q_row_bits()}};
    std::string assignments, connections;
    body += fmt::format("  if (1) begin : gen_{}\n    logic valid;\n    logic [{}:0] shown;\n", i,
                        total - 1);
    for (const Input& in : inputs) {
      body += fmt::format("    logic [{}:0] {};\n", in.width - 1, in.net);
      assignments += fmt::format("      {} <= {}'({});\n", in.net, in.width, in.pin);
      connections += fmt::format(".{0}({0}), ", in.net);
    }
    body += fmt::format(
        "    initial valid = 1'b0;\n    always_ff @(posedge ask_i[{}]) begin\n      valid <= "
        "1'b1;\n{}    end\n"
        "    v{} u_v ({}.valid(valid), .shown(shown));\n  end\n",
        i, assignments, i, connections);
    shown += fmt::format("      {}: shown_o = {}'(gen_{}.shown);\n", i, test::kQShown, i);
  }
  body += fmt::format(
      "  always_comb begin\n    case (number_i)\n{}      default: shown_o = '0;\n    endcase\n  "
      "end\nendmodule\n",
      shown);
  write(dir / "q_variants.sv", body);
  std::string list;
  for (const char* name :
       {"common/hw_assert.svh", "common/hw_q_pkg.sv", "routing/hw_dragonfly_pkg.sv",
        "routing/hw_ring_pkg.sv", "routing/hw_route_compute_dor.sv",
        "routing/hw_route_compute_q_dragonfly.sv", "routing/hw_route_compute_q_torus.sv",
        "routing/hw_q_start_dragonfly.sv", "routing/hw_q_start_torus.sv"}) {
    const auto path = dir / std::filesystem::path(name).filename();
    write(path, emit::rtl_library().at(name));
    if (path.extension() == ".sv") list += path.string() + "\n";
  }
  write(dir / "files.f",
        "+incdir+" + dir.string() + "\n" + list + files + (dir / "q_variants.sv\n").string());
  return 0;
}
