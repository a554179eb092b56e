// SPDX-License-Identifier: Apache-2.0
// The small tori whose emitted DQN-Routing (route computations without the agent) is compared with
// its relation, and the faults seeded in some.
#pragma once

#include <utility>

#include "variants.hpp"

namespace hopwise::test {

/// max_hops: 0 for the default.
inline Variant dqn_torus(const std::vector<unsigned>& dims,
                         const std::vector<unsigned>& vcs_per_class, unsigned max_hops,
                         unsigned terminals, Fault fault = {}, const std::string& name = "",
                         unsigned preferences = 0) {
  unsigned vcs = 0;
  for (const unsigned count : vcs_per_class) vcs += count;
  Variant v;
  v.name = !name.empty() ? name
                         : fmt::format("torus_{}_{}{}", fmt::join(dims, "x"),
                                       preferences > 0 ? "preferences_hops" : "hops", max_hops);
  v.yaml =
      fmt::format("name: {}\ntopology: {{kind: torus, dims: [{}], terminals_per_router: {}}}\n",
                  v.name, fmt::join(dims, ","), terminals) +
      "packet: {flit_bits: 256, max_flits: 4}\n" +
      fmt::format("router: {{vcs: {}, vc_depth_flits: 8}}\n", vcs) +
      fmt::format(
          "routing: {{algorithm: dqn, vcs_per_class: [{}], dqn_pending: 16, "
          "dqn_preferences: {}{}}}\n",
          fmt::join(vcs_per_class, ","), preferences,
          max_hops == 0 ? "" : fmt::format(", dqn_max_hops: {}", max_hops));
  v.fault = std::move(fault);
  return v;
}

/// Rings of 2 to 5 routers in one to three dimensions, classes of one and two VCs, hop limits below
/// and above the diameter.
inline std::vector<Variant> good_dqn_variants() {
  return {dqn_torus({2}, {1, 1, 1}, 0, 1),
          dqn_torus({5}, {1, 2, 1}, 2, 2),
          dqn_torus({3, 4}, {1, 1, 2}, 4, 1),
          dqn_torus({5, 2}, {2, 1, 1}, 1, 3),
          dqn_torus({2, 3, 2}, {1, 1, 1}, 3, 1),
          dqn_torus({4, 4}, {1, 1, 1}, 0, 1),
          dqn_torus({4, 4}, {1, 1, 1}, 0, 1, {}, "", 2),
          dqn_torus({5, 2}, {2, 1, 1}, 2, 2, {}, "", 1),
          dqn_torus({2, 3, 2}, {1, 1, 1}, 3, 1, {}, "", 3)};
}

/// One thing wrong each.
inline std::vector<Variant> faulty_dqn_variants() {
  const auto fault = [](const char* name, Fault what, unsigned preferences = 0) {
    return dqn_torus({3, 4}, {1, 1, 1}, 3, 1, std::move(what), name, preferences);
  };
  return {fault("fault_escape_swapped",
                [](auto& context, auto&) { std::swap(context.escape0, context.escape1); }),
          fault("fault_adaptive_mask",
                [](auto& context, auto&) { context.adaptive_vcs |= context.escape1; }),
          fault("fault_class_field",
                [](auto& context, auto&) { context.format.routing_class.lsb += 1; }),
          fault("fault_class_width",
                [](auto& context, auto&) { context.format.routing_class.width += 1; }),
          fault("fault_hops", [](auto&, auto& spec) { test::bump(spec, "dqn_max_hops", -1); }),
          fault(
              "fault_preferences_hops",
              [](auto&, auto& spec) { test::bump(spec, "dqn_max_hops", -1); }, 2),
          fault("fault_dims", [](auto& context, auto&) {
            std::swap(context.format.dst_coord[0], context.format.dst_coord[1]);
          })};
}

inline std::vector<Variant> all_dqn_variants() {
  auto all = good_dqn_variants();
  for (auto& v : faulty_dqn_variants()) all.push_back(std::move(v));
  return all;
}

/// Widths of what the agent hands to a route computation besides the VC and the port: track and
/// info.
inline unsigned dqn_info_bits(const emit::RouterShape& s) {
  return s.format.routing_class.width + s.port_width() + s.vcs;
}

/// What a variant's module shows, lowest bits first: pin of hw_dqn_ports and width.
inline std::vector<std::pair<std::string, unsigned>> dqn_outputs(const emit::RouterShape& s) {
  const unsigned p = s.ports;
  return {{"req_ready_o", p},
          {"ask_valid_o", p},
          {"ask_forced_o", p},
          {"ask_info_o", p * dqn_info_bits(s)},
          {"arrived_o", p},
          {"rsp_valid_o", p},
          {"rsp_vc_o", p * s.vc_width()},
          {"rsp_port_o", p * s.unit.candidates * s.port_width()},
          {"rsp_vcs_o", p * s.unit.candidates * s.vcs},
          {"rsp_state_o", p * s.state_width()}};
}

inline constexpr unsigned kDqnHeader = 256, kDqnShown = 1024;

}  // namespace hopwise::test
