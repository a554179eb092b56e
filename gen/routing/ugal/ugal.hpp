// SPDX-License-Identifier: Apache-2.0
// The routings of a network of groups: minimal, Valiant, and the choice between them, packet by
// packet (docs/reference/routing-ugal.md).
#pragma once

#include <optional>
#include <vector>

#include "routing/family.hpp"

namespace hopwise::routing::ugal {

extern const Family kFamily;

/// hw_routing_ugal
Unit unit(const UnitContext& context);

/// What an adaptive variant takes for the length of the queue behind an output port, flits.
enum class QueueMetric {
  kLocalQueue,   ///< the router's own output queue
  kUsedCredits,  ///< downstream places taken, flits and credits on the wire included
  kBoth,         ///< the sum of the two
  /// the sum, less what was sent in the last two link latencies (Won et al. 2015)
  kInFlightCorrected,
};
/// Hops that weigh the queues: those of the path, or 1 for a minimal and 2 for a non-minimal one.
enum class HopMetric { kPath, kOneTwo };
/// VCs of minimal paths in the source group: those of all paths, or their own.
enum class MinimalVcs { kShared, kOwn };
/// The window whose counts say which flows are active (UGAL-LE).
enum class ContentionCount { kLatched, kLive, kLatchedOrLive };

/// A variant as a row of facts.
struct Facts {
  bool minimal = true;         ///< takes minimal paths
  bool nonminimal = true;      ///< takes non-minimal paths
  bool through_router = true;  ///< these lead through a router, not only through a group
  bool contention = false;     ///< counts the flows that compete for a global link
  /// learns a bias from latencies, by so many flits per link cycle unless the user says; 0: none
  double learning_rate = 0;
  bool reconsider = false;  ///< revises a minimal choice in the source group, unless the user says
  bool oracle = false;      ///< sees all queues of the network: simulation only

  bool adaptive() const { return minimal && nonminimal; }
  bool learns() const { return learning_rate > 0; }
  /// What the VCs of a path hold is compared, not the queues of the network.
  bool may_have_own_vcs() const { return adaptive() && !oracle; }
  /// Nothing else decides by packet.
  bool may_have_modes() const { return adaptive() && !contention && !learns() && !oracle; }
};

struct Settings {
  Facts facts;
  unsigned route_cycles = 0;           ///< of route computation, core cycles
  unsigned minimal_candidates = 1;     ///< 1 to 4
  unsigned nonminimal_candidates = 1;  ///< 1 to 4
  int bias_flits = 0;  ///< added to the non-minimal side: above 0 favours minimal paths
  QueueMetric queue_metric = QueueMetric::kBoth;
  HopMetric hop_metric = HopMetric::kPath;
  MinimalVcs minimal_vcs = MinimalVcs::kShared;
  bool reconsider = false;
  bool modes = false;  ///< packets say how they are routed
  /// With `modes`, as `bias_flits`: of ADAPTIVE_1 at the source router, behind a hop along a row of
  /// its group, and along a column; of ADAPTIVE_2 and 3. What is not set follows from the VCs.
  std::vector<unsigned> growing_bias_flits{};
  std::optional<unsigned> low_bias_flits{}, high_bias_flits{};
  unsigned contention_window_link_cycles = 500;
  unsigned contention_threshold = 5;  ///< active: more packets than this in the window; 0 to 14
  ContentionCount contention_count = ContentionCount::kLatchedOrLive;
  double learning_rate = 0;  ///< flits of bias per link cycle of latency; below 1
};

const Facts& facts(std::string_view variant);
/// Those of a network that was loaded.
Settings settings(const spec::RoutingSpec& routing);

/// VC classes, step0, ..., of a variant that may or may not reconsider.
std::vector<VcClass> step_names(const Facts& facts, bool reconsider);

std::unique_ptr<RoutingRelation> make_ugal(const spec::NetworkSpec& spec,
                                           const topology::Topology& topology);

}  // namespace hopwise::routing::ugal
