// SPDX-License-Identifier: Apache-2.0
// Routings ranked by one quantity, and which of them differ beyond its interval.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hopwise::report {

/// What one routing reached.
struct Entry {
  std::string routing;
  double value = 0;
  double spread = NAN;  ///< half width of the interval, or another bound that `gap` knows of
  bool at_least = false;
};

/// How far two values must be apart to differ; nothing where that is not known.
using Gap = std::function<std::optional<double>(const Entry& best, const Entry& other)>;

/// How a quantity is ranked, judged and written.
struct Quantity {
  bool highest = true;  ///< is best
  Gap gap;
  std::function<std::string(double)> show;
  std::string unit;
  /// What the gap is, before its number; empty: it is not written.
  std::function<std::string(const Entry& best, const Entry& other)> interval;
};

enum class Outcome { kAlone, kWin, kTie, kUnjudged };

/// A ranking and what it says. Of an Outcome: `kAlone` is one routing, `kUnjudged` a best one whose
/// distance from the second has no interval.
struct Finding {
  Outcome outcome = Outcome::kAlone;
  std::vector<Entry> ranking;     ///< best first
  std::vector<std::string> best;  ///< the first, and those that tie with it
  std::string text;

  /// Null where the routing has no value.
  const Entry* of(const std::string& routing) const;
};

/// False where the two do not differ, nothing where it cannot be told.
std::optional<bool> differ(const Quantity& q, const Entry& best, const Entry& other);

/// Nothing without entries. Equal values keep their order.
std::optional<Finding> rank(const Quantity& q, std::vector<Entry> entries);

/// {"outcome", "best", "text", "ranking": [{"routing", "value"}]}
nlohmann::json ranking_json(const Finding& finding);

/// "a, b and c", or whatever stands before the last
std::string listed(const std::vector<std::string>& names, std::string_view last);

/// "12.5 %": how far `value` is from `base`, of `base`; nothing where that is 0.
std::string percent(double value, double base);

}  // namespace hopwise::report
