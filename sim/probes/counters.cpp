// SPDX-License-Identifier: Apache-2.0
#include "probes/counters.hpp"

namespace hopwise::probes {
namespace {

/// Whoever watches queues counts this, whatever the routing.
const Field kPathQueue = {"path_queue", "path_queue", "watched_packets"};

CounterLayout ugal_layout(const spec::RoutingSpec& routing) {
  CounterLayout layout = {.section = {},
                          .totals = {},
                          .series = {kPathQueue,
                                     {"nonminimal", "nonminimal", "decisions"},
                                     {"minimal_queue", "minimal_queue", "decisions"},
                                     {"minimal_estimate", "minimal_estimate", "decisions"},
                                     {"contention", "contention", "decisions"}},
                          .mapped = "contention"};
  if (routing.settings.has("learning_rate")) layout.series.push_back({"bias", "bias", "decisions"});
  return layout;
}

CounterLayout q_layout() {
  return {.section = "learning",
          .totals = {{"decisions", "decisions"},
                     {"nonminimal", "nonminimal", "decisions"},
                     {"explored", "explored", "decisions"},
                     {"best_value", "best", "decisions"},
                     {"minimal_value", "minimal", "decisions"},
                     {"updates", "updates"},
                     {"dropped", "dropped"},
                     {"saturated", "saturated"}},
          .series = {kPathQueue,
                     {"decisions", "decisions"},
                     {"updates", "updates"},
                     {"dropped", "dropped"},
                     {"saturated", "saturated"},
                     {"nonminimal", "nonminimal", "decisions"},
                     {"explored", "explored", "decisions"},
                     {"best_value", "best", "decisions"},
                     {"minimal_value", "minimal", "decisions"}},
          .mapped = {}};
}

CounterLayout dqn_layout() {
  return {.section = "proposals",
          .totals = {{"proposals", "decisions"},
                     {"accepted_share", "accepted", "decisions"},
                     {"nonminimal_share", "nonminimal", "decisions"},
                     {"explored_share", "explored", "decisions"},
                     {"engine_wait_cycles_mean", "waited", "decisions"},
                     {"turned", "turned"},
                     {"forced", "forced"},
                     {"rewards", "rewards"},
                     {"untracked", "untracked"},
                     {"acknowledges_dropped", "dropped"},
                     {"acknowledges_stale", "stale"},
                     {"entries_expired", "expired"}},
          .series = {kPathQueue, {"nonminimal", "nonminimal", "decisions"}},
          .mapped = {}};
}

}  // namespace

CounterLayout counter_layout(const routing::Family& family, const spec::RoutingSpec& routing) {
  if (family.name == "ugal") return ugal_layout(routing);
  if (family.name == "q") return q_layout();
  if (family.name == "dqn") return dqn_layout();
  return {};
}

}  // namespace hopwise::probes
