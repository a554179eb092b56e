// SPDX-License-Identifier: Apache-2.0
// Small networks described by hand, for the tests of routing and of the proof.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "routing/family.hpp"
#include "routing/ugal/ugal.hpp"
#include "settings.hpp"
#include "topology/dragonfly.hpp"
#include "topology/grid.hpp"

namespace hopwise::test {

enum class Grid { kTorus, kMesh };
enum class Routing { kDorClassic, kDorBalanced, kStarChannel };
inline constexpr Routing kRoutings[] = {Routing::kDorClassic, Routing::kDorBalanced,
                                        Routing::kStarChannel};

inline std::string name(Routing routing) {
  if (routing == Routing::kStarChannel) return "star_channel";
  return routing == Routing::kDorClassic ? "dor classic" : "dor balanced";
}

/// `vcs_per_class` VCs in every class.
inline spec::Spec small_spec(Grid kind, std::vector<unsigned> dims, Routing routing,
                             unsigned vcs_per_class = 1, unsigned terminals = 1) {
  spec::Spec spec;
  spec.network_hash = "0123456789abcdef";
  spec::NetworkSpec& n = spec.network;
  n.name = "small";
  n.link.latency_cycles.assign(dims.size(), 1);
  n.topology = kind == Grid::kTorus ? topology::torus(std::move(dims), terminals)
                                    : topology::mesh(std::move(dims), terminals);
  set_routing(n.routing, routing == Routing::kStarChannel ? "star_channel" : "dor");
  if (routing == Routing::kDorBalanced) n.routing.settings.set("dateline", std::string("balanced"));
  const std::size_t classes =
      (kind == Grid::kTorus ? 2u : 1u) + (routing == Routing::kStarChannel ? 1u : 0u);
  n.routing.vcs_per_class.assign(classes, vcs_per_class);
  n.router.vcs = static_cast<unsigned>(classes) * vcs_per_class;
  n.router.vc_depth_flits.assign(n.router.vcs, 8);
  return spec;
}

/// Gives the network message classes, of which the first of two gets replies of the second, and the
/// only one replies of itself.
inline spec::Spec with_replies(spec::Spec spec, unsigned message_classes) {
  spec::RouterSpec& r = spec.network.router;
  const std::vector<unsigned> depths = r.vc_depth_flits;
  r.message_classes = {"request"};
  if (message_classes == 2) {
    r.message_classes.push_back("reply");
    r.vcs *= 2;
    r.vc_depth_flits.insert(r.vc_depth_flits.end(), depths.begin(), depths.end());
  }
  spec.network.terminal.replies = {{0, message_classes - 1}};
  return spec;
}

/// A specification with what is built from it.
struct SmallNetwork {
  explicit SmallNetwork(spec::Spec s)
      : spec(std::move(s)),
        topology(std::make_shared<topology::Topology>(topology::builtin_kinds(),
                                                      spec.network.topology, spec.network.link)),
        relation(routing::make_relation(routing::builtin_families(), spec.network, *topology)) {}

  const routing::Family& family() const {
    return routing::family_of(routing::builtin_families(), spec.network.routing);
  }

  spec::Spec spec;
  std::shared_ptr<const topology::Topology> topology;
  std::shared_ptr<const routing::RoutingRelation> relation;
};

struct Shape {
  Grid kind;
  std::vector<unsigned> dims;
};

/// Rings of 2 to 6, odd and even sizes mixed, a hypercube, meshes.
inline std::vector<Shape> small_shapes() {
  using enum Grid;
  return {{kTorus, {2}},        {kTorus, {3}},    {kTorus, {4}},       {kTorus, {5}},
          {kTorus, {6}},        {kTorus, {4, 3}}, {kTorus, {3, 5, 2}}, {kTorus, {2, 2, 2, 2}},
          {kMesh, {2}},         {kMesh, {5}},     {kMesh, {4, 3}},     {kMesh, {2, 3, 4}},
          {kMesh, {2, 2, 2, 2}}};
}

inline std::string name(const Shape& shape) {
  std::string text = shape.kind == Grid::kTorus ? "torus" : "mesh";
  for (unsigned size : shape.dims) text += " " + std::to_string(size);
  return text;
}

/// A dragonfly: dfly(p, a, h, g), links between two groups, rows of a group.
struct DragonflyCase {
  unsigned p, a, h, g, links = 1, rows = 1;
  topology::GlobalArrangement arrangement = topology::GlobalArrangement::kAbsolute;
};

inline constexpr std::string_view kDragonflyRoutings[] = {
    "min", "valg", "valn", "ugal_lg", "ugal_ln", "ugal_global", "par", "ugal_le", "dgb", "edgb"};

/// Full and partial networks, several links between two groups, more global ports than links,
/// two-dimensional groups.
inline std::vector<DragonflyCase> small_dragonflies() {
  using enum topology::GlobalArrangement;
  return {{1, 2, 1, 3},
          {2, 3, 1, 4, 1, 1, kPalmtree},
          {1, 4, 1, 3, 1, 1, kCirculant},
          {1, 4, 2, 5, 2, 1, kPalmtree},
          {1, 3, 2, 7, 1, 1, kCirculant},
          {1, 4, 1, 4, 1, 2},
          {1, 6, 1, 4, 2, 2, kCirculant},
          {1, 6, 1, 3, 3, 3, kPalmtree}};
}

/// Steps of the VC scheme: see gen/routing/ugal/relation.cpp.
inline unsigned steps(std::string_view variant, bool reconsider) {
  const unsigned once = variant == "min" ? 2 : variant == "valg" || variant == "ugal_lg" ? 3 : 4;
  return once + (reconsider ? 1 : 0);
}

inline spec::Spec dragonfly_spec(const DragonflyCase& d, std::string_view algorithm,
                                 unsigned vcs_per_class = 1) {
  spec::Spec spec;
  spec.network_hash = "0123456789abcdef";
  spec::NetworkSpec& n = spec.network;
  n.name = "small";
  n.link.latency_cycles = {1, 1};
  n.topology = topology::dragonfly({d.a, d.h, d.g, d.links, d.rows, d.arrangement}, d.p);
  set_routing(n.routing, algorithm);
  n.routing.settings.set("reconsider", algorithm == "par");
  n.routing.settings.set("learning_rate", 0.1);
  n.routing.vcs_per_class.assign(steps(algorithm, algorithm == "par"), vcs_per_class);
  n.router.vcs = static_cast<unsigned>(n.routing.vcs_per_class.size()) * vcs_per_class;
  n.router.vc_depth_flits.assign(n.router.vcs, 8);
  return spec;
}

/// Those of kDragonflyRoutings that may give minimal paths VCs of their own.
inline constexpr std::string_view kOwnVcsRoutings[] = {"ugal_lg", "ugal_ln", "par",
                                                       "ugal_le", "dgb",     "edgb"};
inline spec::Spec with_own_vcs(spec::Spec spec) {
  spec.network.routing.settings.set("minimal_vcs", std::string("own"));
  return spec;
}

/// A routing that does not reconsider of itself, and does.
inline spec::Spec that_reconsiders(spec::Spec spec) {
  spec::NetworkSpec& n = spec.network;
  n.routing.settings.set("reconsider", true);
  n.routing.vcs_per_class.push_back(1);
  n.router.vcs += 1;
  n.router.vc_depth_flits.push_back(8);
  return spec;
}

inline std::string name(const DragonflyCase& d, std::string_view algorithm) {
  std::string text = "dragonfly";
  for (const unsigned size : {d.p, d.a, d.h, d.g, d.links, d.rows})
    text += " " + std::to_string(size);
  return text + " arrangement " + std::to_string(static_cast<int>(d.arrangement)) + " routing " +
         std::string(algorithm);
}

}  // namespace hopwise::test
