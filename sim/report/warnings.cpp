// SPDX-License-Identifier: Apache-2.0
#include "report/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/fields.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

/// Of a mean: what measure::SettlingOptions allows, and what routings may be apart and the same.
constexpr double kNearly = 0.05;
/// The same of accepted loads, as measure::SteadyStateOptions has it of offered ones.
constexpr double kSameAccepted = 0.02;

double number(const json& value) { return value.is_number() ? value.get<double>() : NAN; }

/// A point that ran to its end under a load of its own, in a steady state as far as that goes.
bool is_steady(const json& p) {
  static const std::set<std::string> others = {"interrupted", "trace-end", "last-step"};
  return p.is_object() && !is_partial(p) && others.count(plain(at(p, {"stopped"}))) == 0 &&
         at(p, {"offered_load"}).is_number();
}

bool has_column(const json& p, std::string_view column) {
  const json& rows = elements(p, "time_series");
  return std::any_of(rows.begin(), rows.end(),
                     [&](const json& row) { return at(row, {column}).is_number(); });
}

/// Its routers learn while they route.
bool learns_while_routing(const json& p) {
  return at(p, {"learning"}).is_object() || has_column(p, "bias");
}

/// How far what the tables promise is from one half of the measuring interval to the other, of
/// the latter; each decision counts the same. NAN where too little is known.
double drift(const json& p) {
  const double warm = number(at(p, {"warmup_cycles"})), end = number(at(p, {"cycles"}));
  double sum[2] = {}, decisions[2] = {};
  for (const json& row : elements(p, "time_series")) {
    const double cycle = number(at(row, {"cycle"})), value = number(at(row, {"best_value"})),
                 n = number(at(row, {"decisions"}));
    if (!(cycle > warm) || !std::isfinite(value * n)) continue;
    const int half = cycle > (warm + end) / 2;
    sum[half] += value * n;
    decisions[half] += n;
  }
  if (decisions[0] == 0 || decisions[1] == 0) return NAN;
  const double first = sum[0] / decisions[0], second = sum[1] / decisions[1];
  return std::abs(first - second) / second;
}

/// Why learning points of one routing and pattern were measured too early, with their loads.
struct TooEarly {
  std::vector<double> never, late, drifting, unknown;
  double latest = 0;  ///< core cycles until the last of `late` had settled
  double most = 0;    ///< drift

  void look_at(const json& p) {
    const double load = number(at(p, {"offered_load"}));
    const json& settling = elements(p, "settling");
    if (settling.empty()) {
      unknown.push_back(load);
      return;
    }
    const json& cycles = at(settling.front(), {is_saturated(p) ? "accepted" : "latency", "cycles"});
    const double moved = drift(p);
    if (!cycles.is_number()) {
      never.push_back(load);
    } else if (number(cycles) > number(at(p, {"warmup_cycles"}))) {
      late.push_back(load);
      latest = std::max(latest, number(cycles));
    } else if (moved > kNearly) {
      drifting.push_back(load);
      most = std::max(most, moved);
    }
  }

  Warning warning(const std::string& routing, const std::string& pattern) const {
    std::vector<std::string> why;
    std::vector<double> all;
    const auto say = [&](const std::vector<double>& loads, const std::string& what) {
      if (loads.empty()) return;
      why.push_back(fmt::format("at {:.4g} {}", fmt::join(loads, ", "), what));
      all.insert(all.end(), loads.begin(), loads.end());
    };
    say(never, "it had not settled when the last quarter of the run began");
    say(late,
        fmt::format("the latest had settled after {:.0f} core cycles, and measuring had begun",
                    latest));
    say(drifting, fmt::format("what tables promise moves by up to {:.1f} % while it is measured",
                              100 * most));
    say(unknown, "the run is too short to tell");
    std::sort(all.begin(), all.end());
    return {"run.not-settled",
            fmt::format("routers may still learn while they are measured: {}; a longer "
                        "simulation.warmup_cycles, or tables to start from (--load-tables), would "
                        "do",
                        fmt::join(why, "; ")),
            {routing},
            pattern,
            std::move(all)};
  }
  bool any() const {
    return !never.empty() || !late.empty() || !drifting.empty() || !unknown.empty();
  }
};

void add_not_settled(const json& results, Warnings& found) {
  if (results.contains("traffic_switch_cycle")) return;  // the change is what is measured
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, TooEarly> all;
  for (const json& p : elements(results, "points")) {
    if (!is_steady(p) || !learns_while_routing(p)) continue;
    const std::pair key(plain(at(p, {"routing"})), plain(at(p, {"pattern"})));
    if (all.count(key) == 0) order.push_back(key);
    all[key].look_at(p);
  }
  for (const auto& key : order) {
    if (all[key].any()) found.push_back(all[key].warning(key.first, key.second));
  }
}

bool same(const std::vector<double>& values, double part) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return std::isfinite(*least) && std::isfinite(*most) && *most - *least <= part * *least;
}

/// The routings of a pattern are the same at each of these loads, and none is saturated.
bool tells_nothing(const std::map<double, std::vector<const json*>>& by_load,
                   std::size_t routings) {
  return std::all_of(by_load.begin(), by_load.end(), [&](const auto& entry) {
    std::vector<double> accepted, latency;
    for (const json* p : entry.second) {
      if (is_saturated(*p)) return false;
      accepted.push_back(number(at(*p, {"accepted_load"})));
      latency.push_back(number(at(*p, {"latency_cycles", "mean"})));
    }
    return accepted.size() == routings && same(accepted, kSameAccepted) && same(latency, kNearly);
  });
}

void add_no_difference(const json& results, Warnings& found) {
  if (at(results, {"interrupted"}) == json(true)) return;
  std::vector<std::string> patterns;
  for (const json& p : elements(results, "points")) {
    const std::string pattern = plain(at(p, {"pattern"}));
    if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end())
      patterns.push_back(pattern);
  }
  for (const auto& pattern : patterns) {
    const json& searches = elements(results, "saturation");
    if (std::any_of(searches.begin(), searches.end(),
                    [&](const json& s) { return plain(at(s, {"pattern"})) == pattern; }))
      continue;
    std::map<double, std::vector<const json*>> by_load;
    std::vector<std::string> routings;
    for (const json& p : elements(results, "points")) {
      if (plain(at(p, {"pattern"})) != pattern || !is_steady(p)) continue;
      by_load[number(at(p, {"offered_load"}))].push_back(&p);
      const std::string routing = plain(at(p, {"routing"}));
      if (std::find(routings.begin(), routings.end(), routing) == routings.end())
        routings.push_back(routing);
    }
    if (routings.size() < 2 || by_load.rbegin()->first >= 1 ||
        !tells_nothing(by_load, routings.size()))
      continue;
    std::vector<double> loads;
    for (const auto& [load, points] : by_load) loads.push_back(load);
    found.push_back(
        {"run.no-difference",
         "no load is high enough to tell these routings apart: they accept the same, with mean "
         "latencies within 5 %; higher loads would, or a search for saturation "
         "(experiment.find_saturation)",
         std::move(routings), pattern, std::move(loads)});
  }
}

}  // namespace

Warnings point_warnings(const json& results) {
  Warnings found;
  add_not_settled(results, found);
  add_no_difference(results, found);
  return found;
}

nlohmann::ordered_json warnings_json(const Warnings& warnings) {
  auto list = nlohmann::ordered_json::array();
  for (const Warning& w : warnings) {
    list.push_back({{"code", w.code}, {"text", w.text}});
    if (!w.routings.empty()) list.back()["routings"] = w.routings;
    if (!w.pattern.empty()) list.back()["pattern"] = w.pattern;
    if (!w.loads.empty()) list.back()["loads"] = w.loads;
  }
  return list;
}

Warnings read_warnings(const json& list) {
  Warnings warnings;
  if (!list.is_array()) return warnings;
  for (const json& entry : list) {
    Warning w{plain(at(entry, {"code"})),
              plain(at(entry, {"text"})),
              {},
              plain(at(entry, {"pattern"})),
              {}};
    for (const json& routing : elements(entry, "routings")) w.routings.push_back(plain(routing));
    for (const json& load : elements(entry, "loads")) w.loads.push_back(number(load));
    warnings.push_back(std::move(w));
  }
  return warnings;
}

std::string warnings_text(const json& results) {
  return format(read_warnings(elements(results, "warnings")));
}

}  // namespace hopwise::report
