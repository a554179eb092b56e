// SPDX-License-Identifier: Apache-2.0
// What the points of a run do not say, though they may be read that way; and warnings of any kind
// as JSON, the section `warnings` of results.json.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "support/warning.hpp"

namespace hopwise::report {

/// Of all warnings about points the code begins so.
inline constexpr std::string_view kOfPoints = "run.";

/// From the points alone, so that kept and new ones count the same:
///  * run.not-settled: routers still learned while they were measured;
///  * run.no-difference: no load of a pattern tells its routings apart.
/// Points that failed or were interrupted do not count. Linear in the size of `results`.
Warnings point_warnings(const nlohmann::json& results);

nlohmann::ordered_json warnings_json(const Warnings& warnings);
/// Its inverse; an entry that is none reads as an empty one.
Warnings read_warnings(const nlohmann::json& list);

/// `results`' own as lines for a terminal; empty where there is none.
std::string warnings_text(const nlohmann::json& results);

}  // namespace hopwise::report
