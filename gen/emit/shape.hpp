// SPDX-License-Identifier: Apache-2.0
// The shape of a network's router: every number that its hardware depends on. The routers of most
// kinds of topology have one shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "deadlock/proof.hpp"
#include "routing/family.hpp"
#include "topology/packet_format.hpp"

namespace hopwise::emit {

/// Parameters of hw_router, of the routing unit beside it and of the network interface.
struct RouterShape {
  unsigned index = 0;  ///< among the topology's shapes
  /// of the names of its modules: the network's name, and the shape's where there are several
  std::string prefix;
  routing::Unit unit;
  unsigned ports = 0;
  unsigned network_ports = 0;
  unsigned vcs = 0;
  bool messages = false;  ///< terminals are message interfaces: see spec::TerminalSpec
  unsigned window_bits = 0, outstanding_bits = 0;  ///< of message interfaces
  bool message_registers = false;                  ///< which have registers in front of them
  unsigned message_classes = 1;                    ///< of vcs / message_classes VCs each
  /// Of each, how many others go before it; empty where there is no priority among them.
  std::vector<std::uint64_t> class_ranks;
  unsigned class_packets = 0;  ///< spec::RouterSpec::class_priority_packets
  unsigned flit_bits = 0;      ///< on wires and in routers
  unsigned keep_bits = 0;      ///< of TKEEP, bytes of a beat; 0: streams have none
  bool poison = false;         ///< its highest is the poison bit: see spec::PacketSpec
  unsigned max_flits = 0;
  unsigned min_flits = 1;           ///< shortest packet of the format
  std::vector<unsigned> vc_depths;  ///< per VC
  unsigned output_queue_flits = 0;  ///< of each VC
  unsigned space_width = 0;         ///< bits that hold the largest depth
  unsigned num_coords = 0;          ///< a router's coordinates
  unsigned coord_width = 0;         ///< bits of one coordinate in coord_i
  VcMask adaptive_vcs = 0;
  bool fixed_vc_by_destination = false;  ///< injection keeps the order of a source and destination
  topology::PacketFormat format;
  std::vector<bool> turns;       ///< hw_turn_monitor's TurnTable
  bool checks = false;           ///< routers drop packets that go nowhere
  bool memory_parity = false;    ///< and those whose route has bad parity
  unsigned watchdog_cycles = 0;  ///< 0: no watchdog
  bool clock_gating = false;     ///< a router that rests has no clock
  unsigned reset_cycles = 0;     ///< of a router that is reset alone; 0: none can be
  unsigned stuck_words() const;  ///< of a report of the watchdog; 0: no watchdog

  // Of the unit, as the pins of a node have them.
  std::vector<std::uint32_t> cfg_reset;
  /// Reset values of the configuration words behind the unit's: see congestion_words.
  std::vector<std::uint32_t> congestion;
  std::vector<std::uint32_t> router_words() const;  ///< those that the router gets
  std::vector<std::uint32_t> config_words() const;  ///< all of them: last, the reset's, if any
  unsigned queue_metric = 0, queue_width = 1;
  unsigned feedback_bits = 0;
  unsigned trace_bits = 0;         ///< of the trace
  unsigned counter_words() const;  ///< counters
  /// Of trace_o of a router model: {experience, its valid bit, the trace}.
  unsigned model_trace_bits() const;

  /// Of a beat of the terminals' streams.
  unsigned stream_bits() const { return flit_bits - (poison ? 1 : 0); }
  unsigned port_width() const;  ///< bits of a port number
  unsigned vc_width() const;
  unsigned coord_bits() const { return coord_width * num_coords; }  ///< all coordinates
  unsigned address_bits() const { return format.dst_slot.lsb + format.dst_slot.width; }
  /// tuser of a stream: message class and a terminal's address.
  unsigned user_bits() const { return format.message_class.width + address_bits(); }
  /// That of a stream out of the network.
  unsigned out_user_bits() const { return user_bits() + (poison ? 1 : 0); }
  unsigned flows = 0;  ///< destinations that a terminal throttles; 0: none
  /// Routing state that the router rewrites in head flits; 0: none.
  unsigned state_bits() const;
  unsigned state_width() const { return state_bits() == 0 ? 1 : state_bits(); }
};

/// Configuration words that all routings have in common, if they have them.
enum class ConfigWord { kControl, kSeed };

/// `observed`: with the counters that simulations read, whether hardware has them or not.
RouterShape router_shape(const deadlock::ProvenNetwork& network, unsigned index = 0,
                         bool observed = false);
/// All shapes of the network, by index.
std::vector<RouterShape> router_shapes(const deadlock::ProvenNetwork& network,
                                       bool observed = false);

/// Configuration words of hw_congestion_marker and of the terminals; none where there is no
/// congestion control. Word 0: mark_cycles [15:8], mark_inputs [7:0]. Word 1: throttle [31],
/// decrease_shift [19:16], note_cycles [11:0]. Word 2: increase [31:16], period_cycles [15:0].
std::vector<std::uint32_t> congestion_words(const spec::CongestionSpec& congestion);

/// Gives a shape another unit, with the header that the unit was made for.
void set_unit(RouterShape& shape, const routing::Family& family,
              const routing::UnitContext& context);

/// What coord_i of a router is tied to.
std::uint64_t coordinate_value(const RouterShape& shape, const topology::Topology& topology,
                               RouterId router);

/// A terminal's address as tuser and the header's destination field carry it.
std::uint64_t terminal_address(const RouterShape& shape, const topology::Topology& topology,
                               TerminalId terminal);

}  // namespace hopwise::emit
