// SPDX-License-Identifier: Apache-2.0
// What a publication says of jobs in words ("within a group ADAPTIVE_0 is faster"), beside what a
// campaign has measured.
#pragma once

#include <nlohmann/json.hpp>

namespace hopwise::report {

/// A row for each of the publication's `statements`, laid out as those of compare_published, with
/// the statement as its quantity, its bound as what is published, and the verdict "confirmed",
/// "refuted" or "not measured". A statement names experiment, pattern, load (nothing: of the job
/// alone), a routing's label (or several: the mean of them), its quantity ("iteration", "qcd",
/// "round_trip", "stalls", "correlation"), labels `against`, of which the least value divides
/// (none: nothing divides), and one of `at_most`, `at_least`, `below`, `above`.
///
/// `experiments`: as in results.json of a campaign.
nlohmann::json judge_statements(const nlohmann::json& publication,
                                const nlohmann::json& experiments);

}  // namespace hopwise::report
