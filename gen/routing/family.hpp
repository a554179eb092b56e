// SPDX-License-Identifier: Apache-2.0
// A family of routings: all that Hopwise knows of it, as one value. Code that works on networks
// gets the list of families as an argument and queries it; only a family's own folder names it.
//
// The home of family F is gen/routing/F, rtl/routing/F, sim/probes/F, with its tests, its page
// docs/reference/routing-F.md and its examples. See docs/extending.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routing/relation.hpp"
#include "routing/unit.hpp"
#include "spec/request.hpp"
#include "spec/spec.hpp"
#include "topology/packet_format.hpp"
#include "topology/topology.hpp"

namespace hopwise::routing {

/// A name that a user may write for `routing.algorithm`.
struct Variant {
  std::string_view name;
  std::string_view doc;  ///< "minimal": the manual's words for it
  /// The ideal of a paper that no hardware has: it is simulated, and neither emitted nor costed.
  bool simulation_only = false;
};

/// The whole path of a family's key: `routing.q_alpha` of `q_alpha`.
inline std::string path_of(std::string_view key) { return spec::path_of("routing", key); }

/// Input of a family's checks, and the place for their findings.
struct Request : spec::Request {
  Request(const spec::KeyPlaces& keys, spec::NetworkSpec& spec, Diagnostics& errors)
      : spec::Request("routing", keys, spec.routing.settings, errors), network(spec) {}

  const spec::TopologySpec& topology() const { return network.topology; }
  const std::string& variant() const { return network.routing.algorithm; }

  spec::NetworkSpec& network;  ///< topology, link, packet, router (but its VCs): complete
};

/// What has a default may be left out.
struct Family {
  std::string_view name;                 ///< of the folder
  std::span<const Variant> variants;     ///< none has a name that another family has
  std::span<const spec::Key> keys = {};  ///< two families may share a key: the same declaration
  std::span<const spec::Section> sections = {};  ///< of keys that stand outside of `routing`

  /// The topology has the variant. Asked before anything else; says nothing of sizes.
  bool (*fits)(const spec::TopologySpec&, std::string_view variant);
  /// The topology fits, and `settings` holds what was written and the defaults: sets the defaults
  /// that depend on other keys, takes out what does not count for this variant, reports what cannot
  /// work. A setting whose key is bad is not there.
  void (*complete)(Request&) = [](Request&) {};
  /// VC classes in VC order, `first` and `count` not set. What they have in VCs beyond one each
  /// goes to the last class if that is no escape, else to all of them in turn.
  std::vector<VcClass> (*vc_classes)(const spec::TopologySpec&, const spec::RoutingSpec&);
  /// What the routing keeps in the head flit.
  topology::HeaderState (*header)(const spec::TopologySpec&, const spec::RoutingSpec&) =
      [](const spec::TopologySpec&, const spec::RoutingSpec&) { return topology::HeaderState{}; };
  /// The modes that its routers tell apart in packets, where `header` has a field for them; the
  /// first is that of packets that say nothing. Empty: packets have no modes.
  std::span<const spec::Mode> (*modes)(const spec::RoutingSpec&) = [](const spec::RoutingSpec&) {
    return std::span<const spec::Mode>{};
  };
  std::unique_ptr<RoutingRelation> (*relation)(const spec::NetworkSpec&, const topology::Topology&);
  /// Core cycles of route computation that every hop takes on top of the router's pipeline. Tables
  /// and perceptrons, which some hops ask, are not counted.
  unsigned (*route_cycles)(const spec::RoutingSpec&) = [](const spec::RoutingSpec&) { return 0u; };
  /// What its routers count, in the order of the words of the table window; empty: nothing.
  std::span<const Counter> (*counters)(const spec::RoutingSpec&) = [](const spec::RoutingSpec&) {
    return std::span<const Counter>{};
  };
  /// Its routing units send each other answers, and so do not bear that one of them is reset alone.
  bool needs_neighbours = false;
  /// The RTL beside the router's core; its counters need not be set.
  Unit (*unit)(const UnitContext&);
};

using Families = std::span<const Family* const>;

/// The built-in families, in the order of the manual.
Families builtin_families();

/// The family that has this variant, and the variant; nullptr where there is none.
const Family* find_family(Families families, std::string_view variant);
const Variant* find_variant(Families families, std::string_view variant);
/// The family of a network that was loaded with these families.
const Family& family_of(Families families, const spec::RoutingSpec& routing);

/// The first variant that fits: the routing of a network whose file names none. Empty if none fits.
std::string_view default_variant(Families families, const spec::TopologySpec& topology);

/// The relation that `spec.routing` names.
std::unique_ptr<RoutingRelation> make_relation(Families families, const spec::NetworkSpec& spec,
                                               const topology::Topology& topology);

/// `classes` with `first` and `count`, as many as `vcs_per_class` has.
std::vector<VcClass> with_counts(std::vector<VcClass> classes,
                                 const std::vector<unsigned>& vcs_per_class);

}  // namespace hopwise::routing
