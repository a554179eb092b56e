// SPDX-License-Identifier: Apache-2.0
// Which routing? The answer that stands before the curves, in the terminal and on the page.
//
// A difference counts only beyond its interval: between two mean latencies that is the root of the
// sum of the squares of their 95 % half widths, between two saturation throughputs the tolerance of
// the search. Routings that are not further from the best are called a tie with it; means without a
// confidence interval are ranked, and said not to be judged. docs/reference/report.md has the
// layout of what `verdict` gives.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace hopwise::report {

/// Width of the bracket that a search for saturation leaves, a fraction of capacity; that of
/// measure::SearchRange.
inline constexpr double kSaturationTolerance = 0.01;

/// Of completion times, a part of the shortest.
inline constexpr double kCompletionTolerance = 0.01;

/// For every pattern the best routing by saturation, by latency at each load, and the choice that
/// follows; sizes and clocks where there are `costs`; the command that gives the page again. Points
/// that failed or were interrupted do not count. Linear in the size of `results`, quadratic in the
/// number of routings.
nlohmann::json verdict(const nlohmann::json& results);

/// The same as lines for a terminal, latencies at the highest load that all routings sustain.
std::string verdict_text(const nlohmann::json& results);

/// {"line", "note"}: a shell's command line that gives these results again, as far as they tell,
/// and where its files come from.
nlohmann::json reproducing_command(const nlohmann::json& results);

}  // namespace hopwise::report
