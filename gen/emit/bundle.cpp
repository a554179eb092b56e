// SPDX-License-Identifier: Apache-2.0
#include "emit/bundle.hpp"

#include <fmt/format.h>

#include "emit/parts.hpp"

namespace hopwise::emit {

std::vector<std::string> library_files(const RouterShape& shape, bool with_terminals) {
  std::vector<std::string> files = {"common/hw_assert.svh",
                                    "common/hw_round_robin.svh",
                                    "common/hw_turns.svh",
                                    "link/hw_link_pacer.sv",
                                    "monitor/hw_turn_monitor.sv",
                                    "monitor/hw_drain_monitor.sv",
                                    "router/hw_vc_buffer.sv",
                                    "router/hw_request_register.sv",
                                    "router/hw_input_unit.sv",
                                    "router/hw_queue_meter.sv",
                                    "router/hw_reward.sv",
                                    "router/hw_output_unit.sv",
                                    "router/hw_queued_output_unit.sv",
                                    "router/hw_switch_allocator.sv",
                                    "router/hw_crossbar.sv",
                                    "router/hw_router.sv",
                                    "terminal/hw_perf_counters.sv",
                                    "terminal/hw_csr.sv"};
  if (shape.q_table) {
    files.insert(files.end(), {"common/hw_random.sv", "common/hw_q_pkg.sv", "learning/hw_q_ram.sv",
                               "learning/hw_q_table.sv", "learning/hw_q_agent.sv",
                               "learning/hw_q_counters.sv", "link/hw_feedback_pipe.sv"});
    if (shape.route_compute == "hw_route_compute_q_dragonfly") {
      files.insert(files.end(), {"routing/hw_dragonfly_pkg.sv", "routing/hw_q_start_dragonfly.sv"});
    } else {
      files.insert(files.end(), {"routing/hw_ring_pkg.sv", "routing/hw_route_compute_dor.sv",
                                 "routing/hw_q_start_torus.sv"});
    }
  } else if (shape.dqn) {
    for (const char* name :
         {"common/hw_random.sv", "common/hw_fifo.sv", "routing/hw_ring_pkg.sv",
          "routing/hw_route_compute_dor.sv", "learning/hw_dqn_shape_pkg.sv",
          "learning/hw_dqn_load.sv", "learning/hw_dqn_weights.sv", "learning/hw_dqn_neuron.sv",
          "learning/hw_dqn_argmax.sv", "learning/hw_dqn_array.sv", "learning/hw_dqn_engine_zero.sv",
          "learning/hw_dqn_engine.sv", "learning/hw_dqn_observer.sv", "learning/hw_dqn_pending.sv",
          "learning/hw_dqn_agent.sv"}) {
      files.emplace_back(name);
    }
  } else if (shape.route_compute == "hw_route_compute_dragonfly") {
    files.insert(files.end(), {"common/hw_pipe_register.sv", "common/hw_random.sv",
                               "routing/hw_dragonfly_pkg.sv", "routing/hw_dragonfly_class_pkg.sv",
                               "routing/hw_dragonfly_paths.sv"});
  } else {
    files.emplace_back("routing/hw_ring_pkg.sv");
    if (shape.route_compute == "hw_route_compute_valiant")
      files.emplace_back("common/hw_random.sv");
  }
  files.push_back("routing/" + shape.route_compute + ".sv");
  if (shape.oracle) files.emplace_back("simulation/hw_sim_global_queues.sv");
  if (shape.adaptive) files.emplace_back("learning/hw_decision_counters.sv");
  if (shape.learning) files.emplace_back("learning/hw_bias_learner.sv");
  if (shape.contention) files.emplace_back("learning/hw_contention_counters.sv");
  if (with_terminals) {
    if (shape.dqn) files.emplace_back("link/hw_feedback_pipe.sv");
    for (const char* name : {"link/hw_link_pipe.sv", "terminal/hw_packet_store.sv",
                             "terminal/hw_injection_unit.sv", "terminal/hw_ejection_unit.sv",
                             "terminal/hw_network_interface.sv", "terminal/hw_axil_demux.sv"}) {
      files.emplace_back(name);
    }
    if (!shape.dqn) files.emplace_back("common/hw_fifo.sv");
  }
  return files;
}

namespace {

void add_library(Files& files, const std::vector<std::string>& names) {
  for (const auto& name : names) files.emplace("rtl/" + name, rtl_library().at(name));
}

}  // namespace

Files emit_node(const deadlock::ProvenNetwork& network, std::string& top) {
  const RouterShape shape = router_shape(network);
  const auto& spec = network.spec().network;
  Files files;
  add_library(files, library_files(shape, false));
  files.emplace(fmt::format("rtl/{}_router.sv", spec.name), router_module(shape, network));
  files.emplace(fmt::format("rtl/{}_node.sv", spec.name), node_module(shape, network));
  top = spec.name + "_node";
  return files;
}

Files emit_bundle(const deadlock::ProvenNetwork& network) {
  const RouterShape shape = router_shape(network);
  const auto& name = network.spec().network.name;
  std::string node;
  Files files = emit_node(network, node);
  const auto library = library_files(shape, true);
  add_library(files, library);
  std::string tile;
  std::string top = tile_and_top(shape, network, tile);
  files.emplace(fmt::format("rtl/{}_pkg.sv", name), package_file(shape, network));
  files.emplace(fmt::format("rtl/{}_tile.sv", name), std::move(tile));
  files.emplace(fmt::format("rtl/{}_top.sv", name), std::move(top));
  files.emplace("tb/smoke_tb.sv", smoke_testbench(shape, network));
  files.emplace("network.yaml", network.spec().canonical_network_yaml);
  files.emplace("certificate.json", deadlock::to_json(network.certificate()));
  files.emplace("terminals.csv", terminals_table(shape, network));
  files.emplace("PORTS.md", ports_page(shape, network));
  add_tool_files(files, library, network);
  return files;
}

}  // namespace hopwise::emit
