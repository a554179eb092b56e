// SPDX-License-Identifier: Apache-2.0
// The small networks whose emitted Q-routings (route computations and start values) are compared
// with their relations and their links, and the faults seeded in some.
#pragma once

#include <bit>
#include <utility>

#include "dragonfly_variants.hpp"
#include "routing/q/q.hpp"
#include "topology/grid.hpp"

namespace hopwise::test {

/// What an emitted module has wrong: nothing (and the test knows of a change that was made), its
/// route computations, or its start values.
enum class QFault { kNone, kRoute, kStart };

struct QVariant {
  Variant network;  ///< `fault`: what is changed before the emitter sees it
  QFault fault = QFault::kNone;
};

inline QVariant q_variant(Variant v, const std::string& more = "") {
  v.name =
      fmt::format("{}_{}", v.name.substr(0, 36), std::hash<std::string>{}(v.yaml + more) % 100000);
  v.yaml += more;
  return {std::move(v)};
}

/// max_hops: 0 for the default.
inline QVariant q_torus(const std::vector<unsigned>& dims,
                        const std::vector<unsigned>& vcs_per_class, unsigned max_hops,
                        unsigned terminals, const std::string& more = "") {
  unsigned vcs = 0;
  for (const unsigned count : vcs_per_class) vcs += count;
  Variant v;
  v.name = fmt::format("torus_{}_hops{}", fmt::join(dims, "x"), max_hops);
  v.yaml =
      fmt::format("name: {}\ntopology: {{kind: torus, dims: [{}], terminals_per_router: {}}}\n",
                  v.name, fmt::join(dims, ","), terminals) +
      "packet: {flit_bits: 128, max_flits: 4}\n" +
      fmt::format("router: {{vcs: {}, vc_depth_flits: 8}}\n", vcs) +
      fmt::format("routing: {{algorithm: q_routing, vcs_per_class: [{}]{}}}\n",
                  fmt::join(vcs_per_class, ","),
                  max_hops == 0 ? "" : fmt::format(", q_max_hops: {}", max_hops));
  return q_variant(std::move(v), more);
}

/// Full and partial networks, every arrangement, one and several terminals, steps of one and
/// several VCs, both directions of every option that changes what a packet may do; rings of 2 to 5
/// routers in one to three dimensions.
inline std::vector<QVariant> good_q_variants() {
  const DragonflyShape least{1, 2, 1, 3}, small{1, 3, 1, 4}, slots{2, 4, 2, 9}, some{2, 4, 2, 6},
      full{1, 4, 2, 9}, few{3, 3, 2, 5};
  const std::vector<unsigned> five{1, 1, 1, 1, 1}, more{2, 1, 2, 1, 1};
  const std::string slow = "link: {latency_cycles: [2, 7]}\n";
  const auto v = [](const DragonflyShape& shape, const char* arrangement, const char* algorithm,
                    const std::vector<unsigned>& steps, const char* keys) {
    return q_variant(dragonfly_variant(shape, arrangement, algorithm, steps, keys));
  };
  std::vector<QVariant> all = {
      v(least, "absolute", "q_adaptive", five, "q_initial: optimistic"),
      v(small, "circulant", "q_adaptive", more, ""),
      v(some, "palmtree", "q_adaptive", five, "q_local_detours: false"),
      q_variant(dragonfly_variant(full, "absolute", "q_adaptive", five,
                                  "q_value_bits: 12, q_fraction_bits: 4"),
                slow),
      q_variant(dragonfly_variant(some, "circulant", "q_adaptive", five, "q_initial: optimistic"),
                slow),
      v(small, "palmtree", "q_par", more, ""),
      q_variant(dragonfly_variant(slots, "circulant", "q_par", five, "q_table_cycles: 2"), slow),
      v(few, "absolute", "q_par", five, "q_local_detours: true"),
      v(few, "circulant", "q_par", five, "q_progressive: false"),
      v(least, "palmtree", "q_routing", five, ""),
      v(small, "absolute", "q_routing", {1, 2, 1, 1}, "q_max_hops: 1"),
      q_variant(
          dragonfly_variant(some, "palmtree", "q_routing", {1, 1, 1, 1, 1, 1}, "q_max_hops: 3"),
          slow),
      q_variant(dragonfly_variant(few, "circulant", "q_routing", {1, 1, 2, 1, 1},
                                  "q_initial: optimistic"),
                slow),
      q_torus({2}, {1, 1, 1}, 0, 1),
      q_torus({5}, {1, 2, 1}, 2, 2),
      q_torus({3, 4}, {1, 1, 2}, 0, 1, "link: {latency_cycles: [1, 5]}\n"),
      q_torus({5, 2}, {2, 1, 1}, 1, 3),
      q_torus({2, 3, 3}, {1, 1, 1}, 3, 1, "link: {latency_cycles: [4, 1, 9]}\n")};
  // A head flit whose source slot lies beyond bit 64.
  QVariant far = v(few, "palmtree", "q_adaptive", five, "q_epsilon: 0.5");
  far.network.fault = [](auto& context, auto&) {
    context.format.src_slot.lsb = 71;
    context.format.route_bits = 80;
  };
  all.push_back(std::move(far));
  return all;
}

/// One thing wrong each.
inline std::vector<QVariant> faulty_q_variants() {
  const DragonflyShape few{3, 3, 2, 5};
  const std::vector<unsigned> more{2, 1, 2, 1, 1};
  const auto fault = [](const char* name, QVariant q, Fault f, QFault kind = QFault::kRoute) {
    q.network.name = name;
    q.network.fault = std::move(f);
    q.fault = kind;
    return q;
  };
  const QVariant adaptive = q_variant(dragonfly_variant(few, "palmtree", "q_adaptive", more, ""));
  const QVariant par = q_variant(dragonfly_variant(few, "absolute", "q_par", more, ""));
  const QVariant routing = q_variant(dragonfly_variant(few, "absolute", "q_routing", more, ""));
  const QVariant torus = q_torus({3, 4}, {1, 2, 1}, 3, 2);
  return {
      fault("fault_arrangement", adaptive,
            [=](auto&, auto& spec) {
              spec.topology.settings.set("arrangement", std::string("absolute"));
            }),
      fault("fault_step_vcs", adaptive,
            [](auto&, auto& spec) {
              spec.routing.vcs_per_class = {1, 2, 2, 1, 1};
            }),
      fault("fault_no_local_detours", adaptive,
            [](auto&, auto& spec) { spec.routing.settings.set("q_local_detours", false); }),
      fault("fault_progressive", adaptive,
            [](auto&, auto& spec) { spec.routing.settings.set("q_progressive", true); }),
      fault("fault_never_progressive", par,
            [](auto&, auto& spec) { spec.routing.settings.set("q_progressive", false); }),
      fault("fault_source_slot", adaptive,
            [](auto& context, auto&) { context.format.src_slot.lsb += 1; }),
      fault("fault_slot", routing, [](auto& context, auto&) { context.format.dst_slot.lsb += 1; }),
      fault("fault_reward", par, [](auto& context, auto&) { context.format.reward.lsb -= 1; }),
      fault("fault_rows", adaptive,
            [](auto&, auto& spec) { spec.topology.terminals_per_router = 2; }),
      fault("fault_one_hop_more", routing,
            [](auto&, auto& spec) { test::bump(spec, "q_max_hops", +1); }),
      fault("fault_two_levels", routing,
            [](auto&, auto& spec) {
              spec.routing.algorithm = "q_adaptive";
              spec.routing.settings.set("q_threshold_source", 0.2);
              spec.routing.settings.set("q_threshold_intermediate", 0.35);
              spec.routing.settings.set("q_local_detours", true);
              spec.routing.settings.set("q_progressive", false);
            }),
      fault("fault_escape_mask", torus,
            [](auto& context, auto&) { std::swap(context.escape0, context.escape1); }),
      fault("fault_adaptive_mask", torus,
            [](auto& context, auto&) { context.adaptive_vcs |= context.escape1; }),
      fault("fault_state", torus,
            [](auto& context, auto&) { context.format.routing_class.lsb += 1; }),
      fault("fault_torus_hops", torus,
            [](auto&, auto& spec) { test::bump(spec, "q_max_hops", -1); }),
      fault("fault_dims", torus,
            [](auto& context, auto&) {
              std::swap(context.format.dst_coord[0], context.format.dst_coord[1]);
            }),
      fault(
          "fault_start_optimistic", par,
          [](auto&, auto& spec) {
            spec.routing.settings.set("q_initial", std::string("optimistic"));
          },
          QFault::kStart),
      fault(
          "fault_start_time", torus,
          [](auto&, auto& spec) { spec.routing.settings.set("q_table_cycles", std::uint64_t{2}); },
          QFault::kStart)};
}

inline std::vector<QVariant> all_q_variants() {
  auto all = good_q_variants();
  for (auto& v : faulty_q_variants()) all.push_back(std::move(v));
  return all;
}

/// A parameter of the variant's unit.
inline std::uint64_t q_parameter(const emit::RouterShape& s, const std::string& name) {
  for (const auto& p : s.unit.parameters) {
    if (p.name == name) return std::get<std::uint64_t>(p.value);
  }
  std::abort();
}
inline unsigned q_rows(const emit::RouterShape& s) {
  return static_cast<unsigned>(q_parameter(s, "NumRows"));
}
inline unsigned q_row_bits(const emit::RouterShape& s) {
  return std::max(1U, static_cast<unsigned>(std::bit_width(q_rows(s) - 1)));
}
/// Bits of what a question's answer hands back.
inline unsigned q_info_bits(const emit::RouterShape& s) {
  return s.unit.candidates == 1 ? s.vcs : s.state_width() + s.port_width() + 2 * s.vcs;
}

/// What a variant's module shows, lowest bits first: pin of hw_q_ports or hw_q_start, and width.
inline std::vector<std::pair<std::string, unsigned>> q_outputs(const emit::RouterShape& s) {
  const unsigned p = s.ports, k = s.unit.candidates;
  return {{"req_ready_o", p},
          {"ask_valid_o", p},
          {"ask_row_o", p * q_row_bits(s)},
          {"ask_mode_o", p * 2},
          {"ask_narrow_o", p},
          {"ask_minimal_o", p * s.port_width()},
          {"ask_feedback_o", p},
          {"ask_reward_o", p * s.format.reward.width},
          {"ask_info_o", p * q_info_bits(s)},
          {"rsp_valid_o", p},
          {"rsp_vc_o", p * s.vc_width()},
          {"rsp_port_o", p * k * s.port_width()},
          {"rsp_vcs_o", p * k * s.vcs},
          {"rsp_state_o", p * s.state_width()},
          {"feedback_o", p * s.feedback_bits},
          {"values_o", s.network_ports * static_cast<unsigned>(q_parameter(s, "ValueBits"))},
          {"connected_o", s.network_ports}};
}

inline constexpr unsigned kQHeader = 128, kQShown = 1600;

}  // namespace hopwise::test
