// SPDX-License-Identifier: Apache-2.0
// Numbers of publications (sim/report/published/*.json) beside those that a campaign has measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hopwise::report {

/// Of the publications that are known, sorted.
std::vector<std::string> publications();

/// Its file; nothing where there is none of this name.
std::optional<nlohmann::json> publication(const std::string& name);

/// A row for each number of the publication and each routing that it is about: figure, network,
/// pattern, load, routing, quantity (in the publication's unit), published (a range: its two ends),
/// source ("text", "derived" from factors of the text, or "rerun" of the authors' simulator),
/// measured, difference (a part of the published value, of a range of its nearer end; 0 inside),
/// verdict ("within 10 %", "differs" or "not measured"), and of what was measured: experiment,
/// routing's label, tasks and seeds. `name`: what the publication calls the routing. True where
/// they apply: at_most (the published value is a bound), load_assumed (it gives no load), at_least
/// (the search ended at the highest load). A number that several experiments measure is the first
/// one's.
/// Behind them a row for each statement (statements.hpp).
///
/// `experiments`: as in results.json of a campaign. A load of null stands for the highest accepted
/// one. Linear in numbers times points.
nlohmann::json compare_published(const nlohmann::json& publication,
                                 const nlohmann::json& experiments);

/// Of one run or experiment, an entry for each publication that has numbers of what was measured:
/// citation, doi, what, the rows of these numbers, differences of the set-up as sentences, and
/// orders: of each network and pattern network, pattern, pairs (of routings whose published
/// saturations are more than 0.02 apart) and wrong (those of them that are not measured in this
/// order).
nlohmann::json published_beside(const nlohmann::json& results);

/// Rows as CSV, after a header line.
std::string published_csv(const nlohmann::json& rows);

}  // namespace hopwise::report
