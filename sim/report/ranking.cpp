// SPDX-License-Identifier: Apache-2.0
#include "report/ranking.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hopwise::report {
namespace {

constexpr const char* kOutcomes[] = {"alone", "win", "tie", "unjudged"};

std::string shown(const Quantity& q, const Entry& e) {
  return fmt::format("{} {}{}", e.routing, e.at_least ? "at least " : "", q.show(e.value));
}

/// "dor 0.780, then valiant 0.620: 0.160 (25.8 %) apart, more than ...".
std::string sentence(const Quantity& q, const Finding& f) {
  const Entry& best = f.ranking.front();
  const std::string unit = q.unit.empty() ? "" : " " + q.unit;
  const auto apart = [&](const Entry& other) {
    const std::string part = percent(best.value, other.value);
    return fmt::format("{}{}{} apart", q.show(std::abs(best.value - other.value)), unit,
                       part.empty() ? "" : " (" + part + ")");
  };
  const auto beyond = [&](const Entry& other, std::string_view relation) {
    const auto gap = q.gap(best, other);
    return !gap || !q.interval
               ? std::string()
               : fmt::format(", {} {}{}", relation, q.interval(best, other), q.show(*gap));
  };
  if (f.outcome == Outcome::kAlone) return shown(q, best) + unit + "; no other to compare with";
  const Entry& second = f.ranking[1];
  if (f.outcome == Outcome::kUnjudged)
    return fmt::format("{}, then {}{}: {}; no confidence interval, the runs are too short to judge",
                       shown(q, best), shown(q, second), unit, apart(second));
  if (f.outcome == Outcome::kWin)
    return fmt::format("{}, then {}{}: {}{}", shown(q, best), shown(q, second), unit, apart(second),
                       beyond(second, "more than"));
  const Entry& last = *f.of(f.best.back());  // of those that tie
  std::string text = listed(f.best, "and") + " tie at ";
  if (best.at_least && last.at_least)
    text += fmt::format("{} or more", q.show(best.value));
  else if (best.value == last.value)
    text += q.show(best.value) + unit;
  else
    text += fmt::format("{}{}: {}{}", q.show(best.value), unit, apart(last),
                        beyond(last, "not more than"));
  if (f.best.size() < f.ranking.size()) {
    const auto next = std::find_if(f.ranking.begin(), f.ranking.end(), [&](const Entry& e) {
      return std::find(f.best.begin(), f.best.end(), e.routing) == f.best.end();
    });
    text += fmt::format("; then {}: {}", shown(q, *next), apart(*next));
  }
  return text;
}

}  // namespace

const Entry* Finding::of(const std::string& routing) const {
  const auto found = std::find_if(ranking.begin(), ranking.end(),
                                  [&](const Entry& e) { return e.routing == routing; });
  return found == ranking.end() ? nullptr : &*found;
}

std::string listed(const std::vector<std::string>& names, std::string_view last) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? fmt::format(" {} ", last) : ", ") + names[i];
  return out;
}

std::string percent(double value, double base) {
  return base == 0 ? "" : fmt::format("{:.1f} %", 100 * std::abs(value - base) / base);
}

std::optional<bool> differ(const Quantity& q, const Entry& best, const Entry& other) {
  const double apart = std::abs(best.value - other.value);
  if (best.at_least && other.at_least) return false;
  const auto gap = q.gap(best, other);
  if (!gap) return apart == 0 ? std::optional(false) : std::nullopt;
  return apart > *gap + 1e-9;
}

std::optional<Finding> rank(const Quantity& q, std::vector<Entry> entries) {
  if (entries.empty()) return std::nullopt;
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return q.highest ? a.value > b.value : a.value < b.value;
  });
  Finding f;
  f.ranking = std::move(entries);
  const Entry& best = f.ranking.front();
  for (const Entry& e : f.ranking)
    if (&e == &best || differ(q, best, e) == false) f.best.push_back(e.routing);
  if (f.ranking.size() > 1)
    f.outcome = f.best.size() > 1               ? Outcome::kTie
                : differ(q, best, f.ranking[1]) ? Outcome::kWin
                                                : Outcome::kUnjudged;
  f.text = sentence(q, f);
  return f;
}

nlohmann::json ranking_json(const Finding& f) {
  nlohmann::json out = {{"outcome", kOutcomes[static_cast<std::size_t>(f.outcome)]},
                        {"best", f.best},
                        {"text", f.text},
                        {"ranking", nlohmann::json::array()}};
  for (const Entry& e : f.ranking)
    out["ranking"].push_back({{"routing", e.routing}, {"value", e.value}});
  return out;
}

}  // namespace hopwise::report
