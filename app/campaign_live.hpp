// SPDX-License-Identifier: Apache-2.0
// The live page of a campaign: what a directory tells while tasks run, whoever runs them.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/campaign_tasks.hpp"
#include "app/http_server.hpp"

namespace hopwise::app {

/// How far a campaign is, as text of JSON: docs/reference/campaigns.md has the layout. Reads what
/// has changed since it was asked last, once a second at most, and writes nothing.
class LiveState {
 public:
  explicit LiveState(std::filesystem::path directory) : directory_(std::move(directory)) {}
  const std::string& json();

  /// What is known of a task.
  struct Known {
    std::string stamp;  ///< of its files, when they were read
    TaskState state = TaskState::kWaiting;
    nlohmann::ordered_json results;  ///< what curves need of them, or null
    double seconds = 0;              ///< that it took; 0: not known
    std::string said;                ///< the end of its log, where it failed or was cut short
  };

 private:
  bool read_tasks();
  bool refresh(const CampaignTask& task, Known& known) const;
  nlohmann::ordered_json state();

  const std::filesystem::path directory_;
  Manifest manifest_;
  std::string manifest_stamp_;
  std::map<std::string, Known> known_;                         // by key
  std::map<std::string, nlohmann::ordered_json> experiments_;  // merged results, by name
  std::set<std::string> changed_;                              // tasks that are not in these yet
  std::optional<std::chrono::steady_clock::time_point> asked_;
  std::string json_;
};

/// "/": the page. "/state.json": what it shows.
std::optional<HttpContent> live_page(LiveState& state, std::string_view path);

/// Seconds until all tasks have ended: what is left of each, of which the mean over ended tasks of
/// the same curve, else experiment, else campaign, tells how long it takes, by as many as run now.
/// Nothing where none has ended or none runs.
std::optional<double> seconds_left(const std::vector<CampaignTask>& tasks,
                                   const std::map<std::string, LiveState::Known>& known);

}  // namespace hopwise::app
