// SPDX-License-Identifier: Apache-2.0
// The results of a campaign's tasks as the results of experiments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/campaign_tasks.hpp"

namespace hopwise::app {

/// What directories hold of a task, in the layout of results.json: head, the points that it asks
/// for (finished ones), its search. Null where there is nothing. Errors: app.bad-results.
Result<nlohmann::ordered_json> task_results(const std::vector<std::filesystem::path>& directories,
                                            const CampaignTask& task);

/// One results.json of an experiment from those of its tasks, in their order; entries without
/// results are null. Values of axes are behind the labels of routings: "min, vcs 3". Points of
/// several seeds become one: loads, latencies, hops and shares are means over seeds, `ci95` is
/// that of the means, histograms and packets are added up, all else is the first seed's. Points
/// and searches have `seeds` and `tasks`.
nlohmann::ordered_json merge_tasks(const std::vector<CampaignTask>& tasks,
                                   const std::vector<nlohmann::ordered_json>& results);

/// "min, vcs 3": what a task's routing is called beside those of its experiment.
std::string label_of(const CampaignTask& task);

}  // namespace hopwise::app
