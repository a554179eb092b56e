// SPDX-License-Identifier: Apache-2.0
// The small dragonflies whose emitted route computations are compared with their relations, and the
// faults seeded in some.
#pragma once

#include <algorithm>
#include <bit>

#include "variants.hpp"

namespace hopwise::test {

/// dfly(p, a, h, g) with the rest of its description.
struct DragonflyShape {
  unsigned p, a, h, g, links = 1, rows = 1, column_links = 1;
};

/// `more`: further keys of the section routing.
inline Variant dragonfly_variant(const DragonflyShape& s, const std::string& arrangement,
                                 const std::string& algorithm,
                                 const std::vector<unsigned>& vcs_per_class,
                                 const std::string& more = "") {
  unsigned vcs = 0;
  for (const unsigned count : vcs_per_class) vcs += count;
  Variant v;
  v.name = fmt::format("d{}_{}_{}_{}_l{}_r{}_{}_{}", s.p, s.a, s.h, s.g, s.links, s.rows,
                       arrangement, algorithm);
  if (s.column_links > 1) v.name += fmt::format("_c{}", s.column_links);
  for (const char c : more) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) v.name += c;
  }
  if (v.name.size() > 40) v.name.resize(40);
  v.yaml = fmt::format(
               "name: {}\ntopology: {{kind: dragonfly, terminals_per_router: {}, "
               "routers_per_group: {}, global_ports: {}, groups: {}, links_per_group_pair: {}, "
               "group_rows: {}, column_links: {}, arrangement: {}}}\n",
               v.name, s.p, s.a, s.h, s.g, s.links, s.rows, s.column_links, arrangement) +
           "packet: {flit_bits: 128, max_flits: 4}\n" +
           fmt::format("router: {{vcs: {}, vc_depth_flits: 8}}\n", vcs) +
           fmt::format("routing: {{algorithm: {}, vcs_per_class: [{}]{}{}}}\n", algorithm,
                       fmt::join(vcs_per_class, ","), more.empty() ? "" : ", ", more);
  return v;
}

/// Valiant's routing on a torus or mesh: the other routing whose packets carry an intermediate.
inline Variant valiant_variant(const std::string& kind, const std::vector<unsigned>& dims,
                               const std::vector<unsigned>& vcs_per_class) {
  unsigned vcs = 0;
  for (const unsigned count : vcs_per_class) vcs += count;
  Variant v;
  v.name = fmt::format("{}_{}_valiant", kind, fmt::join(dims, "x"));
  v.yaml = fmt::format("name: {}\ntopology: {{kind: {}, dims: [{}]}}\n", v.name, kind,
                       fmt::join(dims, ",")) +
           "packet: {flit_bits: 128, max_flits: 4}\n" +
           fmt::format("router: {{vcs: {}, vc_depth_flits: 8}}\n", vcs) +
           fmt::format("routing: {{algorithm: valiant, vcs_per_class: [{}]}}\n",
                       fmt::join(vcs_per_class, ","));
  return v;
}

/// Full and partial networks, several links between groups, more global ports than links,
/// two-dimensional groups, several links along a column, every arrangement and routing, several
/// candidates, steps of one and of several VCs; packets with modes, which the head flit has at
/// random.
inline std::vector<Variant> good_dragonflies() {
  const DragonflyShape least{1, 2, 1, 3}, small{1, 3, 1, 4}, full{1, 4, 2, 9}, twice{1, 4, 2, 5, 2},
      spare{1, 4, 1, 3};
  const DragonflyShape slots{2, 4, 2, 9}, square{1, 4, 2, 9, 1, 2}, wide{1, 6, 1, 4, 2, 2},
      tall{1, 6, 1, 4, 2, 3}, thick{1, 6, 1, 3, 3, 2, 3};
  const auto v = dragonfly_variant;
  return {v(least, "absolute", "ugal_le", {2, 1, 1, 1}, ""),
          v(least, "circulant", "min", {1, 2}, ""),
          v(small, "circulant", "valn", {2, 1, 1, 2}, ""),
          v(small, "absolute", "ugal_lg", {1, 1, 1}, ""),
          v(small, "palmtree", "par", {1, 1, 1, 1, 1}, ""),
          v(small, "palmtree", "ugal_ln", {1, 1, 1, 1}, "hop_metric: one_two"),
          v(slots, "circulant", "min", {1, 2}, ""),
          v(full, "absolute", "valg", {1, 1, 1}, ""),
          v(full, "palmtree", "ugal_ln", {1, 2, 2, 1}, "nonminimal_candidates: 3"),
          v(full, "circulant", "par", {1, 1, 1, 1, 1}, ""),
          v(twice, "absolute", "min", {2, 1}, ""),
          v(twice, "palmtree", "valn", {1, 1, 1, 1}, ""),
          v(twice, "circulant", "ugal_ln", {1, 1, 1, 1}, "minimal_candidates: 2"),
          v(twice, "absolute", "par", {1, 1, 1, 2, 1}, ""),
          v(spare, "absolute", "valg", {1, 1, 1}, ""),
          v(spare, "palmtree", "ugal_le", {1, 1, 1, 1}, ""),
          v(square, "palmtree", "min", {1, 1}, ""),
          v(square, "absolute", "valn", {1, 1, 2, 1}, ""),
          v(square, "circulant", "ugal_lg", {1, 1, 1, 1}, "reconsider: true"),
          v(wide, "palmtree", "par", {1, 1, 1, 1, 1}, ""),
          v(wide, "circulant", "valg", {1, 1, 1}, ""),
          v(tall, "palmtree", "ugal_ln", {1, 1, 1, 1}, ""),
          v(thick, "absolute", "min", {1, 1}, ""),
          v(thick, "palmtree", "par", {1, 1, 1, 1, 1}, "minimal_candidates: 2"),
          v(thick, "circulant", "valn", {1, 1, 1, 1}, "route_cycles: 4"),
          v(slots, "palmtree", "ugal_le", {1, 1, 1, 1}, "route_cycles: 1"),
          v(slots, "circulant", "min", {1, 1}, "route_cycles: 1"),
          v(twice, "circulant", "par", {1, 1, 1, 1, 1}, "route_cycles: 2, minimal_candidates: 2"),
          v(small, "absolute", "ugal_lg", {1, 1, 1}, "route_cycles: 3"),
          v(full, "absolute", "ugal_le", {1, 1, 1, 1}, "route_cycles: 4"),
          v(slots, "palmtree", "ugal_ln", {1, 2, 1, 1}, "modes: true"),
          v(twice, "absolute", "par", {1, 1, 2, 1, 1}, "modes: true, minimal_candidates: 2"),
          v(thick, "absolute", "ugal_lg", {2, 1, 1, 1}, "modes: true, reconsider: true"),
          v(square, "circulant", "par", {1, 1, 1, 1, 1}, "modes: true, route_cycles: 3"),
          v(slots, "absolute", "ugal_lg", {1, 2, 1}, "minimal_vcs: own"),
          v(full, "palmtree", "par", {1, 1, 1, 1, 2}, "minimal_vcs: own, route_cycles: 2"),
          v(wide, "circulant", "ugal_ln", {1, 1, 1, 1}, "minimal_vcs: own, route_cycles: 4"),
          v(square, "absolute", "par", {1, 1, 1, 1, 1}, "minimal_vcs: own"),
          v(full, "circulant", "ugal_le", {1, 1, 1, 1}, "minimal_vcs: own"),
          v(slots, "absolute", "par", {1, 1, 1, 1, 1}, "minimal_vcs: own, modes: true"),
          v(thick, "palmtree", "ugal_lg", {1, 1, 1, 1}, "minimal_vcs: own, reconsider: true"),
          valiant_variant("torus", {5}, {1, 2, 1, 1}),
          valiant_variant("torus", {2, 4}, {1, 1, 1, 1}),
          valiant_variant("torus", {4, 3}, {2, 1, 1, 1}),
          valiant_variant("mesh", {3, 4}, {1, 2})};
}

/// Route computations with one thing wrong each.
inline std::vector<Variant> faulty_dragonflies() {
  const DragonflyShape small{1, 3, 1, 4}, twice{1, 4, 2, 5, 2}, tall{1, 6, 1, 4, 2, 3};
  const auto fault = [](const char* name, Variant v, Fault f) {
    v.name = name;
    v.fault = std::move(f);
    return v;
  };
  const Variant valn = dragonfly_variant(small, "palmtree", "valn", {1, 2, 1, 1});
  const Variant valg = dragonfly_variant(small, "palmtree", "valg", {1, 2, 1});
  const Variant par = dragonfly_variant(small, "absolute", "par", {1, 1, 1, 1, 1});
  const Variant ugal = dragonfly_variant(small, "circulant", "ugal_ln", {1, 1, 1, 1});
  const Variant grid = dragonfly_variant(tall, "absolute", "min", {1, 1});
  const Variant links = dragonfly_variant(twice, "absolute", "min", {1, 1});
  const Variant slots = dragonfly_variant({2, 3, 1, 4}, "absolute", "min", {1, 1});
  return {
      fault("fault_arrangement", valn,
            [](auto&, auto& spec) {
              spec.topology.settings.set("arrangement", std::string("absolute"));
            }),
      fault("fault_step_vcs", valn,
            [](auto&, auto& spec) {
              spec.routing.vcs_per_class = {2, 1, 1, 1};
            }),
      fault("fault_one_step_less", valn,
            [](auto&, auto& spec) {
              spec.routing.vcs_per_class = {1, 2, 2};
            }),
      fault("fault_through_router", valg,
            [](auto&, auto& spec) { spec.routing.algorithm = "valn"; }),
      fault("fault_never_reconsiders", par,
            [](auto&, auto& spec) { spec.routing.settings.set("reconsider", false); }),
      fault("fault_reconsiders", ugal,
            [](auto&, auto& spec) { spec.routing.settings.set("reconsider", true); }),
      fault("fault_shared_vcs",
            dragonfly_variant(small, "absolute", "par", {1, 1, 1, 1, 1}, "minimal_vcs: own"),
            [](auto&, auto& spec) {
              spec.routing.settings.set("minimal_vcs", std::string("shared"));
            }),
      fault("fault_never_nonminimal", ugal,
            [](auto&, auto& spec) { spec.routing.algorithm = "min"; }),
      fault(
          "fault_router_of_a_link", links,
          [](auto&, auto& spec) { spec.topology.settings.set("global_ports", std::uint64_t{1}); }),
      fault("fault_a_link_less", links,
            [](auto&, auto& spec) {
              spec.topology.settings.set("links_per_group_pair", std::uint64_t{1});
            }),
      fault("fault_rows", grid,
            [](auto&, auto& spec) { spec.topology.settings.set("group_rows", std::uint64_t{2}); }),
      fault(
          "fault_a_column_link_less",
          dragonfly_variant({1, 6, 1, 3, 3, 2, 2}, "absolute", "min", {1, 1}),
          [](auto&, auto& spec) { spec.topology.settings.set("column_links", std::uint64_t{1}); }),
      fault("fault_state_place", ugal,
            [](auto& context, auto&) { context.format.routing_class.lsb -= 1; }),
      fault("fault_ways_swapped", valiant_variant("mesh", {3, 3}, {1, 2}),
            [](auto&, auto& spec) {
              spec.routing.vcs_per_class = {2, 1};
            }),
      fault("fault_valiant_size", valiant_variant("torus", {4, 3}, {1, 1, 1, 1}),
            [](auto&, auto& spec) { spec.topology.dims[0] = 3; }),
      fault("fault_slot", slots, [](auto& context, auto&) { context.format.dst_slot.lsb += 1; })};
}

inline std::vector<Variant> all_dragonflies() {
  auto all = good_dragonflies();
  for (auto& v : faulty_dragonflies()) all.push_back(std::move(v));
  return all;
}

/// Widths of a contention factor and of a decision: see hw_ugal_ports.
inline unsigned count_width(const emit::RouterShape& s) {
  for (const auto& p : s.unit.parameters) {
    if (p.name != "Contention" || !std::get<bool>(p.value)) continue;
    for (const auto& r : s.unit.parameters) {
      if (r.name == "NumRouters")
        return static_cast<unsigned>(std::bit_width(std::get<std::uint64_t>(r.value)));
    }
  }
  return 1;
}
inline unsigned estimate_width(const emit::RouterShape& s) { return s.queue_width + 7; }
inline unsigned decision_width(const emit::RouterShape& s) {
  return 2 + s.queue_width + estimate_width(s) + count_width(s) + 16;
}

/// Widths of the model's common ports, the most that a variant has.
inline constexpr unsigned kDragonflyPorts = 8, kDragonflyCfg = 6, kDragonflyHeader = 128;
/// valid, vc, port, vcs, state, decision
inline constexpr unsigned kDragonflyBits[6] = {8, 8 * 3, 8 * 3, 8 * 7, 8 * 12, 8 * 48};
inline constexpr unsigned kDragonflyQueueBits = 8 * 8, kDragonflyCountBits = 8 * 3;

}  // namespace hopwise::test
