// SPDX-License-Identifier: Apache-2.0
// The RTL of a routing as a value: the module beside the router core (rtl/routing/*/hw_routing_*),
// its parameters, and what the router and its readers must know of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "routing/relation.hpp"
#include "spec/spec.hpp"
#include "topology/packet_format.hpp"
#include "topology/topology.hpp"

namespace hopwise::routing {

/// Values of RTL parameters. Flat vectors: element 0 in the low bits.
struct Vector {
  unsigned width = 1;  ///< bits of an element
  std::vector<std::uint64_t> elements;
};
struct Bits {
  unsigned width = 1;
  std::uint64_t value = 0;
};
struct Name {  ///< a constant of a package
  std::string text;
};
using Value = std::variant<std::uint64_t, bool, Bits, Vector, std::vector<bool>, Name>;
struct Parameter {
  std::string name;
  Value value;
};

/// A 32-bit counter of a router that the routing keeps, modulo 2^32: a word of the unit's
/// counters_o. Counters of choices of paths or ports are called "decisions"; of non-minimal ones,
/// "nonminimal".
struct Counter {
  std::string_view name;     ///< in the manifest, in results.json and to the probes: "nonminimal"
  std::string_view unit;     ///< "decisions", "flits", "cycles"
  std::string_view meaning;  ///< for the manual
  bool negative = false;     ///< counts down too: a window's count is signed
};

/// A module of the node between trace_o and an AXI4-Stream (rtl/routing/dqn/hw_dqn_experience.sv).
struct Experience {
  std::string module;
  unsigned data_bits = 0;  ///< of tdata; 0: there is none
  std::vector<Parameter> parameters;
};

struct Unit {
  /// beside the router core; where `one_port` is set, make_unit gives it a name
  std::string module;
  /// The computation of one input port (rtl/common/hw_one_port_ports.svh), or none. The unit around
  /// it, hw_one_port_unit.svh, is then the library's, and `parameters` are the computation's.
  std::string one_port;
  unsigned one_port_cycles = 0;  ///< from its question to its answer
  /// of the module, beside those that every family has (see emit/shape.hpp)
  std::vector<Parameter> parameters;
  unsigned candidates = 1;  ///< of an answer
  /// Input ports, bit 0 first, that ask for a packet's route no sooner than the packet before it
  /// leaves, as the answer depends on more than the head: queues, contention, what was learned.
  /// Others ask when a packet comes. Empty: all of them. See hw_packet_routes.
  std::vector<bool> late_ports;
  unsigned answer_cycles =
      0;  ///< at most, from a question to its answer; at ports that are not late
  /// Packets that a router finds routes for in a core cycle, at most; 0: one of every input port.
  double questions_per_cycle = 0;
  std::vector<std::uint32_t> cfg_reset = {0};  ///< reset values of the configuration words
  bool counts = true;                          ///< has the family's counters
  std::span<const Counter> counters;           ///< in the order of counters_o
  unsigned table_words = 0;                    ///< of the table window; 0: none
  /// hw_queue_meter's code; 0: the unit does not look at queues
  unsigned queue_metric = 0;
  unsigned queue_width = 1;  ///< bits of a queue's length
  /// of the word on the reverse wires of a network port, bit 0: valid; 0: there is none
  unsigned feedback_bits = 0;
  unsigned trace_bits = 0;  ///< of the trace for checkers and trainers; 0: none
  /// Words of its tables that it can find with bad parity in a cycle; 0: its memories have none.
  unsigned flips = 0;
  Experience experience;  ///< what hosts that train read
  /// needs data that only a simulation has
  bool simulation_only = false;
  /// of hw_router: how it takes an answer's candidates, and what it writes into head flits
  std::vector<Parameter> router;
};

/// The network that a unit is made for. In tests the format may differ from that of
/// make_packet_format.
struct UnitContext {
  const spec::NetworkSpec& spec;
  const topology::Topology& topology;
  topology::PacketFormat format;
  /// of the VC classes, in their order, in every message class
  VcMask escape0 = 0, escape1 = 0, adaptive_vcs = 0;
  unsigned shape = 0;  ///< of the routers that get the unit
  /// A simulation reads the counters, whether hardware would have them or not.
  bool observed = false;

  const topology::RouterShape& router() const { return topology.shapes()[shape]; }
  unsigned vcs() const { return spec.router.vcs; }
  unsigned port_width() const;
  /// Bits that hold the depth of any VC.
  unsigned space_width() const;
  /// Flits that the VCs of a port hold downstream.
  unsigned downstream_flits() const;
};

struct Family;

/// The context of a network: its VC masks are those of `relation`.
UnitContext unit_context(const Family& family, const spec::NetworkSpec& spec,
                         const topology::Topology& topology, const RoutingRelation& relation,
                         unsigned shape = 0, bool observed = false);

/// The unit of the network's routing.
Unit make_unit(const Family& family, const UnitContext& context);

}  // namespace hopwise::routing
