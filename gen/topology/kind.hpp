// SPDX-License-Identifier: Apache-2.0
// A kind of topology: all that Hopwise knows of it, as one value. Code that works on networks gets
// the list of kinds as an argument and queries it; check_names.sh says which files may name a kind.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/request.hpp"
#include "spec/spec.hpp"
#include "topology/graph.hpp"

namespace hopwise::topology {

/// Input of a kind's checks, and the place for their findings. Keys are those of the section
/// `topology`.
struct Request : spec::Request {
  Request(const spec::KeyPlaces& keys, spec::TopologySpec& spec, Diagnostics& errors)
      : spec::Request("topology", keys, spec.settings, errors), topology(spec) {}

  spec::TopologySpec& topology;  ///< with kind, structure, terminals_per_router
};

struct Kind {
  std::string_view name;          ///< of topology.kind
  std::string_view doc;           ///< a sentence for the manual
  std::string_view example = {};  ///< a small network, as YAML; the first of the list has one
  spec::Structure structure;
  bool wraparound = false;
  std::span<const spec::Key> keys;  ///< two kinds may share a key: the same declaration
  unsigned max_terminals = 16;      ///< of a router
  std::string_view link_entries;    ///< of link.latency_cycles: "one per dimension"
  std::string_view link_scalar;     ///< what one number stands for: "all dimensions"

  /// `settings` holds what was written and the defaults: sets the defaults that depend on other
  /// keys, and `dims`, `routers`, `terminals`; reports what cannot be built. Where keys are bad or
  /// missing it is not called.
  void (*complete)(Request&);
  /// The name of a network that the file does not name: "torus_4x4".
  std::string (*network_name)(const spec::TopologySpec&);
  /// Entries of link.latency_cycles.
  unsigned (*num_link_classes)(const spec::TopologySpec&);
  Graph (*build)(const spec::TopologySpec&);
};

using Kinds = std::span<const Kind* const>;

/// The built-in kinds, in the order of the manual.
Kinds builtin_kinds();

/// The kind of this name; nullptr where there is none.
const Kind* find_kind(Kinds kinds, std::string_view name);
/// That of a network that was loaded with these kinds.
const Kind& kind_of(Kinds kinds, const spec::TopologySpec& topology);

/// A topology of the kind without its sizes, to ask whether a routing fits.
spec::TopologySpec unsized(const Kind& kind);

/// Sets `dims` and counts routers that all have as many terminals.
void set_dims(spec::TopologySpec& topology, std::vector<unsigned> dims);

}  // namespace hopwise::topology
