// SPDX-License-Identifier: Apache-2.0
// The page of contents of a campaign: its experiments with what they found, and links to their
// pages.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace hopwise::report {

/// A self-contained HTML page. `campaign`: name, hopwise, quick, and experiments: name, page,
/// tasks (done, all), failed (names and logs), results (null: nothing yet); published: see
/// compare_published, or nothing. Linear in the size of `campaign`.
std::string contents_html(const nlohmann::json& campaign);

}  // namespace hopwise::report
