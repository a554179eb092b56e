// SPDX-License-Identifier: Apache-2.0
#include "probes/counters.hpp"

namespace hopwise::probes {
namespace {

using measure::Counters;

Counters ugal_counters() {
  return {{"decisions", "decisions", "choices between a minimal and a non-minimal path"},
          {"nonminimal", "decisions", "of these, for the non-minimal path"},
          {"minimal_queue", "flits", "sum over the decisions: queue of the minimal path's port"},
          {"minimal_estimate", "flits x hops", "likewise, estimate of the minimal path"},
          {"contention", "flows", "likewise, contention factor"},
          {"bias", "flits", "likewise, learned bias", true}};
}

Counters q_counters() {
  return {{"decisions", "decisions", "choices of a port by the table"},
          {"nonminimal", "decisions", "of these, not for the minimal path's port"},
          {"explored", "decisions", "of these, for a port at random"},
          {"best_value", "cycles", "sum over the decisions: value of the best port"},
          {"minimal_value", "cycles", "likewise, of the minimal path's port"},
          {"saturated", "words", "feedback words too large for a value"},
          {"updates", "updates", "of the table"},
          {"dropped", "words", "feedback words that found no room"}};
}

Counters dqn_counters() {
  return {{"proposals", "proposals", "ports that the perceptron proposed"},
          {"accepted", "proposals", "of these, for ports with room for the whole packet"},
          {"explored", "proposals", "of these, for a port at random"},
          {"nonminimal", "proposals", "accepted ones that are not on a minimal path"},
          {"waited", "cycles", "sum over the questions: until the engine took them"},
          {"rewards", "words", "acknowledges that told what a proposal led to"},
          {"untracked", "packets", "that found no free entry for their acknowledge"},
          {"dropped", "words", "acknowledges that found their queue full"},
          {"expired", "entries", "whose acknowledge did not come"},
          {"stale", "words", "acknowledges that found their entry gone"},
          {"turned", "packets", "accepted, and sent in dimension order after all"},
          {"forced", "questions", "answered without a proposal"}};
}

/// Whoever watches queues counts this, whatever the routing.
const Field kPathQueue = {"path_queue", "path_queue", "watched_packets"};

CounterLayout ugal_layout(const spec::RoutingSpec& routing) {
  CounterLayout layout = {.counters = ugal_counters(),
                          .roles = {"decisions", "nonminimal", "contention"},
                          .section = {},
                          .totals = {},
                          .series = {kPathQueue,
                                     {"nonminimal", "nonminimal", "decisions"},
                                     {"minimal_queue", "minimal_queue", "decisions"},
                                     {"minimal_estimate", "minimal_estimate", "decisions"},
                                     {"contention", "contention", "decisions"}}};
  if (routing.adaptive.learning_rate > 0) layout.series.push_back({"bias", "bias", "decisions"});
  return layout;
}

CounterLayout q_layout() {
  return {.counters = q_counters(),
          .roles = {"decisions", "nonminimal", {}},
          .section = "learning",
          .totals = {{"decisions", "decisions"},
                     {"nonminimal", "nonminimal", "decisions"},
                     {"explored", "explored", "decisions"},
                     {"best_value", "best_value", "decisions"},
                     {"minimal_value", "minimal_value", "decisions"},
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
                     {"best_value", "best_value", "decisions"},
                     {"minimal_value", "minimal_value", "decisions"}}};
}

CounterLayout dqn_layout() {
  return {.counters = dqn_counters(),
          .roles = {"proposals", "nonminimal", {}},
          .section = "proposals",
          .totals = {{"proposals", "proposals"},
                     {"accepted_share", "accepted", "proposals"},
                     {"nonminimal_share", "nonminimal", "proposals"},
                     {"explored_share", "explored", "proposals"},
                     {"engine_wait_cycles_mean", "waited", "proposals"},
                     {"turned", "turned"},
                     {"forced", "forced"},
                     {"rewards", "rewards"},
                     {"untracked", "untracked"},
                     {"acknowledges_dropped", "dropped"},
                     {"acknowledges_stale", "stale"},
                     {"entries_expired", "expired"}},
          .series = {kPathQueue, {"nonminimal", "nonminimal", "proposals"}}};
}

}  // namespace

std::string_view family_of(const spec::RoutingSpec& routing) {
  using enum spec::Algorithm;
  switch (routing.algorithm) {
    case kUgalLg:
    case kUgalLn:
    case kUgalGlobal:
    case kPar:
    case kUgalLe:
    case kDgb:
    case kEdgb: return "ugal";
    case kQRouting:
    case kQAdaptive:
    case kQPar: return "q";
    case kDqn: return "dqn";
    default: return {};
  }
}

CounterLayout counter_layout(const spec::RoutingSpec& routing) {
  const std::string_view family = family_of(routing);
  if (family == "ugal") return ugal_layout(routing);
  if (family == "q") return q_layout();
  if (family == "dqn") return dqn_layout();
  return {};
}

}  // namespace hopwise::probes
