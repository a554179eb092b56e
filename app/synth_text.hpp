// SPDX-License-Identifier: Apache-2.0
// synth.json in words, for a terminal.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hopwise::app {

/// A line for each result.
std::string synth_table(const std::vector<nlohmann::ordered_json>& results);

/// What else there is to say of one, as lines that begin with `name`.
std::string synth_text(const nlohmann::ordered_json& result, const std::string& name);

}  // namespace hopwise::app
