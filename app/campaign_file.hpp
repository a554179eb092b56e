// SPDX-License-Identifier: Apache-2.0
// A campaign as its user wrote it: experiments, each a network file and what is varied of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/result.hpp"

namespace hopwise::app {

/// A key of a network file with its value, as one line of YAML.
struct Setting {
  std::string key, value;
  SourceLocation where;
  std::string text() const { return key + "=" + value; }
};

struct Axis {
  std::string key;
  std::vector<Setting> values;
};

struct CampaignExperiment {
  std::string name;
  SourceLocation where;
  std::filesystem::path file;         ///< of the network; absolute
  SourceLocation file_where;          ///< where it is named
  std::vector<std::string> routings;  ///< labels; empty: all of the file's
  SourceLocation routings_where;
  std::vector<Setting> settings;
  std::vector<Axis> axes;            ///< every combination is run
  std::vector<std::uint64_t> seeds;  ///< empty: the file's, and the following `repetitions` - 1
  std::uint64_t repetitions = 1;
  bool trains = false;            ///< agents are trained before a routing that has some is run
  std::vector<Setting> training;  ///< for that run alone
};

struct Campaign {
  std::string name;
  std::string published;  ///< the publication that it is held against; empty: none
  std::vector<CampaignExperiment> experiments;
};

/// Reads the file; with `quick` each experiment is as its key `quick` changes it, or left out.
///
/// Errors, all of them, with file, line and key: app.cannot-read, config.syntax,
/// config.duplicate-key, app.campaign-key, app.campaign-value.
Result<Campaign> read_campaign(const std::filesystem::path& file, bool quick);

/// `errors` of a network that has the settings: those about a setting are at its place in the
/// campaign.
Diagnostics placed(Diagnostics errors, const std::vector<Setting>& settings);

}  // namespace hopwise::app
