// SPDX-License-Identifier: Apache-2.0
#include "probes/ugal/global_queues.hpp"
#include "routing/ugal/ugal.hpp"

namespace hopwise::probes::ugal {
namespace {

CounterLayout layout(const spec::RoutingSpec& routing) {
  CounterLayout layout = {.series = {kPathQueue,
                                     {"nonminimal", "nonminimal", "decisions"},
                                     {"minimal_queue", "minimal_queue", "decisions"},
                                     {"minimal_estimate", "minimal_estimate", "decisions"},
                                     {"contention", "contention", "decisions"}},
                          .mapped = "contention"};
  if (routing.settings.has("learning_rate")) layout.series.push_back({"bias", "bias", "decisions"});
  return layout;
}

}  // namespace

constinit const FamilyProbes kProbes{
    .family = "ugal", .layout = layout, .asks_queues = [](const spec::RoutingSpec& routing) {
      return routing::ugal::facts(routing.algorithm).oracle;
    }};

}  // namespace hopwise::probes::ugal
