// SPDX-License-Identifier: Apache-2.0
// `jobs` of a point in results.json; the layout is in docs/reference/jobs.md.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "engine/options.hpp"

namespace hopwise::app {

/// `clock_ghz`: of a core cycle. What a job has not measured is null.
nlohmann::ordered_json jobs_json(const std::vector<engine::JobResult>& jobs, double clock_ghz);

/// Mean, interval, deviation and percentiles, core cycles.
nlohmann::ordered_json latency_json(const engine::LatencySummary& summary);

}  // namespace hopwise::app
