// SPDX-License-Identifier: Apache-2.0
// Routings that learn a table of delivery times, on tori and in networks of groups
// (docs/reference/routing-q.md). Times are core cycles.
#pragma once

#include "routing/family.hpp"

namespace hopwise::routing::q {

extern const Family kFamily;

/// The first word of the table in the table window of the CSR block, below which are the counters:
/// value (row, column) is word kTableWord + row * 2^(bits of a column) + column.
inline constexpr unsigned kTableWord = 64;

/// hw_routing_q
Unit unit(const UnitContext& context);

/// What a table holds before anything is learned.
enum class Initial {
  kZeroLoad,    ///< the time of the minimal path behind the port in an empty network
  kOptimistic,  ///< less for all but the direct link, so that every port is tried
};
/// The value of the next router's row that is reported back.
enum class Feedback {
  kFree,        ///< the best of the whole row
  kAdmissible,  ///< the best of what the packet may still do there
};

struct Settings {
  /// q_routing: decides at every router, among all ports, up to max_hops; a row of the table for
  /// each router. Else q_adaptive or q_par: at the source and in an intermediate group; a row for
  /// each group and slot.
  bool everywhere = false;
  double alpha = 0.2;      ///< learning rate of a smaller time, above 0, up to 1
  double beta = 0.04;      ///< of a greater one
  double epsilon = 0.001;  ///< probability of a port at random
  double threshold_source =
      0.2;  ///< part by which the best must beat the minimal port, at the source
  double threshold_intermediate = 0.35;  ///< the same in an intermediate group
  unsigned max_hops = 2;                 ///< everywhere: hops after which a packet goes minimally
  unsigned value_bits = 18;              ///< of a table's value: unsigned, core cycles
  unsigned fraction_bits = 5;            ///< of these, below the binary point
  unsigned table_cycles = 3;             ///< of a decision, core cycles: 2 or 3
  unsigned banks = 1;                    ///< decisions, and updates, of a cycle
  Initial initial = Initial::kZeroLoad;
  Feedback feedback = Feedback::kFree;
  bool local_detours = true;  ///< the source router may turn aside in its group
  bool queues = false;        ///< the router's own queues count beside the table
  bool progressive = false;   ///< the source group's second router decides anew
};

/// Those of a network that was loaded.
Settings settings(const spec::RoutingSpec& routing);

/// VC classes in a network of groups, one for each hop: hop0, ...
std::vector<VcClass> hop_names(const Settings& settings);

std::unique_ptr<RoutingRelation> make_q(const spec::NetworkSpec& spec,
                                        const topology::Topology& topology);

}  // namespace hopwise::routing::q
