// SPDX-License-Identifier: Apache-2.0
// What a run found (results.json), for a reader: one HTML file that opens offline, CSV, and a table
// for the terminal.
//
// The layout of results.json is in docs/reference/report.md. Fields that are missing or null read
// as "not measured"; a latency of a saturated point is shown only where source queues are bounded
// (source_queue_packets), whatever the file holds.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "support/result.hpp"

namespace hopwise::report {

/// One self-contained HTML page: plots, tables, the network drawn, and `results` itself (as JSON,
/// element `hopwise-results`) after the verdict on them (element `hopwise-verdict`). Errors:
/// `report.results` where `results` is no object with a `network` object. Linear in the size of
/// `results`.
Result<std::string> render_html(const nlohmann::json& results);

/// The page of a campaign that runs, self-contained but for `state.json`, which it asks its server
/// for each second.
const std::string& live_page();

/// One line per point after a header line (RFC 4180 quoting, "\n" line ends). Units are in the
/// column names; loads are fractions of a terminal link's capacity. What was not measured is an
/// empty field. The saturation throughput of its routing and pattern stands on every line.
std::string points_csv(const nlohmann::json& results);

/// The points as aligned columns, latencies in core cycles, and the saturation throughput per
/// routing and pattern.
std::string points_table(const nlohmann::json& results);

}  // namespace hopwise::report
