// SPDX-License-Identifier: Apache-2.0
// The small networks whose emitted route computations are compared with their relations, and the
// faults seeded in some.
#pragma once

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/load.hpp"
#include "emit/shape.hpp"
#include "settings.hpp"
#include "topology/dragonfly.hpp"
#include "topology/grid.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::test {

/// What may be wrong with an emitted route computation: its unit is made for this.
using Fault = std::function<void(routing::UnitContext&, spec::NetworkSpec&)>;

struct Variant {
  std::string name;
  std::string yaml;
  Fault fault;  ///< empty: emitted as it is
};

inline deadlock::ProvenNetwork prove_variant(const Variant& variant) {
  const auto spec = config::load(variant.yaml, variant.name, {},
                                 config::builtin_catalogue(traffic::builtin_patterns()));
  if (!spec.ok()) {
    fmt::print(stderr, "{}\n{}\n", variant.yaml, format(spec.errors()));
    std::abort();
  }
  const auto& network = spec.value().network;
  auto topology = std::make_shared<const topology::Topology>(topology::builtin_kinds(),
                                                             network.topology, network.link);
  std::shared_ptr<const routing::RoutingRelation> relation =
      routing::make_relation(routing::builtin_families(), network, *topology);
  auto proof = deadlock::prove(spec.value(), topology, relation,
                               routing::family_of(routing::builtin_families(), network.routing));
  if (auto* failure = std::get_if<deadlock::ProofFailure>(&proof)) {
    fmt::print(stderr, "{}\n{}\n", variant.yaml, failure->text);
    std::abort();
  }
  return std::get<deadlock::ProvenNetwork>(std::move(proof));
}

/// The variant's router as the emitter has it, fault included; `spec` receives what it was made
/// for.
inline emit::RouterShape emitted_shape(const Variant& variant,
                                       const deadlock::ProvenNetwork& network,
                                       spec::NetworkSpec& spec) {
  emit::RouterShape shape = emit::router_shape(network);
  spec = network.spec().network;
  routing::UnitContext context =
      routing::unit_context(network.family(), spec, network.topology(), network.relation());
  if (variant.fault) variant.fault(context, spec);
  emit::set_unit(shape, network.family(), context);
  return shape;
}

inline Variant make_variant(const std::string& kind, const std::vector<unsigned>& dims,
                            const std::string& routing, bool rich) {
  const bool torus = kind == "torus", star = routing == "star_channel";
  const std::size_t classes = (torus ? 2u : 1u) + (star ? 1u : 0u);
  std::vector<unsigned> per_class(classes, 1);
  // Classes of several and of different numbers of VCs.
  if (rich) {
    for (std::size_t c = 0; c < classes; ++c)
      per_class[c] = 1 + static_cast<unsigned>((c + dims.size()) % 2);
  }
  unsigned vcs = 0;
  for (unsigned count : per_class) vcs += count;
  const bool apenet = rich && dims.size() <= 3;
  Variant v;
  v.name = fmt::format("{}_{}_{}{}", kind, fmt::join(dims, "x"), routing, rich ? "_rich" : "");
  v.yaml = fmt::format("name: {}\ntopology: {{kind: {}, dims: [{}], terminals_per_router: {}}}\n",
                       v.name, kind, fmt::join(dims, ","), rich ? 2 : 1) +
           fmt::format("packet: {{format: {}, flit_bits: 128, max_flits: {}}}\n",
                       apenet ? "apenet" : "compact", apenet ? 6 : 4) +
           fmt::format("router: {{vcs: {}, vc_depth_flits: 8}}\n", vcs) +
           fmt::format(
               "routing: {{algorithm: {}, {}vcs_per_class: [{}]}}\n", star ? "star_channel" : "dor",
               routing == "dor_balanced" ? "dateline: balanced, " : "", fmt::join(per_class, ",")) +
           (apenet ? "traffic: {packet_flits: 4}\n" : "");
  return v;
}

/// Every network plain (compact header, 1 terminal, 1 VC per class) and rich (apenet header up to 3
/// dimensions, 2 terminals per router, classes of 1 and 2 VCs).
inline std::vector<Variant> good_variants() {
  const std::vector<std::vector<unsigned>> tori = {{2}, {3},    {4},       {5},
                                                   {6}, {4, 4}, {3, 5, 2}, {2, 2, 2, 2}};
  const std::vector<std::vector<unsigned>> meshes = {{5}, {3, 4}, {2, 3, 2}};
  std::vector<Variant> all;
  for (bool rich : {false, true}) {
    for (const auto& dims : tori) {
      for (const char* routing : {"dor_classic", "dor_balanced", "star_channel"}) {
        all.push_back(make_variant("torus", dims, routing, rich));
      }
    }
    for (const auto& dims : meshes) {
      for (const char* routing : {"dor", "star_channel"})
        all.push_back(make_variant("mesh", dims, routing, rich));
    }
  }
  return all;
}

/// Route computations with one thing wrong each.
inline std::vector<Variant> faulty_variants() {
  const auto fault = [](const char* name, const char* routing, Fault f) {
    Variant v = make_variant("torus", {4, 4}, routing, true);
    v.name = name;
    v.fault = std::move(f);
    return v;
  };
  return {fault("fault_escape_mask", "dor_classic",
                [](auto& context, auto&) { context.escape1 |= context.escape0; }),
          fault("fault_adaptive_mask", "star_channel",
                [](auto& context, auto&) { context.adaptive_vcs |= context.escape1; }),
          fault("fault_adaptive_vc_missing", "star_channel",
                [](auto& context, auto&) { context.adaptive_vcs &= context.adaptive_vcs - 1; }),
          fault("fault_dateline", "dor_balanced",
                [](auto&, auto& spec) {
                  spec.routing.settings.set("dateline", std::string("classic"));
                }),
          fault("fault_mesh", "dor_classic",
                [](auto&, auto& spec) {
                  spec.topology =
                      topology::mesh(spec.topology.dims, spec.topology.terminals_per_router);
                }),
          fault("fault_header", "dor_classic",
                [](auto& context, auto&) {
                  std::swap(context.format.dst_coord[0], context.format.dst_coord[1]);
                }),
          fault("fault_slot", "star_channel",
                [](auto& context, auto&) { context.format.dst_slot.lsb += 1; }),
          fault("fault_size", "dor_classic", [](auto&, auto& spec) { spec.topology.dims[1] = 5; })};
}

inline std::vector<Variant> all_variants() {
  auto all = good_variants();
  for (auto& v : faulty_variants()) all.push_back(std::move(v));
  return all;
}

/// Widths of the model's common ports.
inline constexpr unsigned kMaxPorts = 10, kMaxCands = 5, kPortBits = 4, kMaxVcBits = 6;
inline constexpr unsigned kRspPortBits = kMaxPorts * kMaxCands * kPortBits,
                          kRspVcsBits = kMaxPorts * kMaxCands * kMaxVcBits;

}  // namespace hopwise::test
