// SPDX-License-Identifier: Apache-2.0
// `jobs` of a point in results.json; the layout is in docs/reference/jobs.md.
#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/options.hpp"

namespace hopwise::app {

/// null: what is not finite, which JSON has no number for.
nlohmann::ordered_json number_json(double value);

/// Makes all of what was not measured null.
void forget(nlohmann::ordered_json& statistics);

/// `clock_ghz`: of a core cycle. What a job has not measured is null.
/// `messages`: of a network with message interfaces.
nlohmann::ordered_json jobs_json(const std::vector<engine::JobResult>& jobs, double clock_ghz,
                                 const std::optional<engine::MessageCounts>& messages);

/// What message interfaces measured: their mean round trip, and how long flits wait for credits.
nlohmann::ordered_json interfaces_json(const engine::InterfaceCounts& counts);

/// Mean, interval, deviation and percentiles, core cycles.
nlohmann::ordered_json latency_json(const engine::LatencySummary& summary);

}  // namespace hopwise::app
