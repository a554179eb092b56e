// SPDX-License-Identifier: Apache-2.0
#include "report/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "report/fields.hpp"
#include "report/ranking.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

std::string three(double v) { return fmt::format("{:.3f}", v); }
std::string load_text(double v) { return fmt::format("{:.4g}", v); }
std::string cycles_text(double v) { return fmt::format("{:.{}f}", v, std::abs(v) < 10 ? 2 : 1); }
std::string thousands(double v) {
  std::string digits = fmt::format("{:.0f}", v);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

// ---- the three questions

constexpr const char* kInterval = "the 95 % interval of the difference, +-";

/// Of the difference of two means over seeds; 0 where they have none, of one seed each.
double over_seeds(const Entry& a, const Entry& b) {
  const auto or_none = [](double spread) { return std::isfinite(spread) ? spread : 0; };
  return std::hypot(or_none(a.spread), or_none(b.spread));
}

/// At least `least` must be between them, and more than chance over seeds makes.
Quantity with_tolerance(Quantity q, double (*least)(const Entry&), const char* name) {
  q.gap = [least](const Entry& a, const Entry& b) {
    return std::optional(std::max(least(a), over_seeds(a, b)));
  };
  q.interval = [least, name](const Entry& a, const Entry& b) {
    return std::string(over_seeds(a, b) > least(a) ? kInterval : name);
  };
  return q;
}

const Quantity& saturation_quantity() {
  static const Quantity q = with_tolerance(
      {.highest = true, .gap = {}, .show = three, .unit = "", .interval = {}},
      [](const Entry&) { return kSaturationTolerance; }, "the tolerance of the search, ");
  return q;
}

const Quantity& latency_quantity() {
  static const Quantity q = {.highest = false,
                             .gap = [](const Entry& a, const Entry& b) -> std::optional<double> {
                               const double half = std::hypot(a.spread, b.spread);
                               return std::isfinite(half) ? std::optional(half) : std::nullopt;
                             },
                             .show = cycles_text,
                             .unit = "core cycles",
                             .interval = [](const Entry&, const Entry&) { return kInterval; }};
  return q;
}

/// Of one seed there is no interval; what stays below the tolerance is of no use, and another seed
/// might turn it round.
const Quantity& completion_quantity() {
  static const Quantity q = with_tolerance(
      {.highest = false, .gap = {}, .show = thousands, .unit = "core cycles", .interval = {}},
      [](const Entry& a) { return kCompletionTolerance * a.value; }, "a hundredth, ");
  return q;
}

double number_or_nan(const json& value) { return value.is_number() ? value.get<double>() : NAN; }

/// One pattern's points that count, per routing in the order of the results.
using Points = std::vector<std::pair<std::string, std::vector<const json*>>>;

double load_of(const json& point) { return number_or_nan(at(point, {"offered_load"})); }

bool counts(const json& point) {
  const json& stopped = at(point, {"stopped"});
  return point.is_object() && !is_partial(point) && stopped != json("interrupted") &&
         std::isfinite(load_of(point));
}

std::optional<Entry> latency_of(const json& point) {
  const json& mean = at(point, {"latency_cycles", "mean"});
  if ((is_saturated(point) && !completion(point).is_number()) || !mean.is_number())
    return std::nullopt;
  return Entry{plain(at(point, {"routing"})), mean.get<double>(),
               number_or_nan(at(point, {"latency_cycles", "ci95"}))};
}

std::optional<Finding> searched(const json& results, const std::string& pattern) {
  std::vector<Entry> entries;
  for (const json& s : elements(results, "saturation")) {
    const json& throughput = at(s, {"throughput"});
    if (plain(at(s, {"pattern"})) == pattern && throughput.is_number())
      entries.push_back({plain(at(s, {"routing"})), throughput.get<double>(),
                         number_or_nan(at(s, {"throughput_ci95"})),
                         at(s, {"at_highest"}) == json(true)});
  }
  return rank(saturation_quantity(), std::move(entries));
}

/// The highest load that all routings have; nothing where there is none.
std::optional<double> highest_common_load(const Points& points) {
  std::map<double, std::size_t> routings;
  for (const auto& [routing, own] : points) {
    std::set<double> loads;
    for (const json* p : own) loads.insert(load_of(*p));
    for (const double load : loads) ++routings[load];
  }
  for (auto it = routings.rbegin(); it != routings.rend(); ++it)
    if (it->second == points.size()) return it->first;
  return std::nullopt;
}

/// Where all points of the pattern are of workloads that ended by themselves. A job beside other
/// traffic has a point for each of its loads: those of the highest one that all have count.
std::optional<Finding> completions(const Points& points) {
  const auto several = [](const auto& of_routing) { return of_routing.second.size() > 1; };
  const bool loads = std::any_of(points.begin(), points.end(), several);
  const auto load = loads ? highest_common_load(points) : std::nullopt;
  std::vector<Entry> entries;
  for (const auto& [routing, own] : points) {
    for (const json* p : own) {
      if (!completion(*p).is_number()) return std::nullopt;
      if (!loads || (load && load_of(*p) == *load))
        entries.push_back({routing, completion(*p).get<double>(),
                           number_or_nan(at(*p, {"completion_cycles_ci95"}))});
    }
  }
  return rank(completion_quantity(), std::move(entries));
}

/// Without a search: the highest measured load below the first one that saturates. `spread` is the
/// way from there to the load that is known to saturate. Nothing where no load says anything: one
/// for each routing, sustained.
std::optional<Finding> sustained(const Points& points) {
  bool tells = false;
  std::vector<Entry> entries;
  for (const auto& [routing, own] : points) {
    double held = 0, lost = INFINITY;
    for (const json* p : own)
      if (is_saturated(*p)) lost = std::min(lost, load_of(*p));
    tells = tells || own.size() > 1 || std::isfinite(lost);
    for (const json* p : own)
      if (load_of(*p) < lost) held = std::max(held, load_of(*p));
    entries.push_back({routing, held, lost - held, std::isinf(lost)});
  }
  if (!tells) return std::nullopt;
  const Quantity q = {.highest = true,
                      // where the other is saturated at what the best sustains
                      .gap = [](const Entry& best, const Entry& other) -> std::optional<double> {
                        return best.value >= other.value + other.spread ? 0 : INFINITY;
                      },
                      .show = load_text,
                      .unit = "",
                      .interval = {}};
  auto f = rank(q, std::move(entries));
  if (!f) return f;
  if (f->ranking.front().value == 0) {
    f->outcome = Outcome::kUnjudged;
    f->best.clear();
    f->text = "not searched for; every measured load is beyond it";
  } else {
    f->text = "not searched for; highest load measured and sustained: " + f->text;
  }
  return f;
}

/// The entry of every load, ascending; of patterns that set their own load, which may be another
/// one for each routing, a single entry whose load is null.
json latencies(const Points& points, std::map<double, Finding>& by_load,
               std::optional<double>& default_load) {
  std::set<double> loads;
  bool own = points.size() > 1;
  for (const auto& [routing, of_routing] : points) {
    own = own && of_routing.size() == 1;
    for (const json* p : of_routing) loads.insert(load_of(*p));
  }
  if (own && loads.size() > 1) {
    std::vector<Entry> entries;
    for (const auto& [routing, of_routing] : points)
      if (const auto e = latency_of(*of_routing.front())) entries.push_back(*e);
    const auto f = rank(latency_quantity(), std::move(entries));
    json out = json::array();
    if (f) out.push_back(ranking_json(*f)), out.back()["load"] = nullptr;
    return out;
  }
  json out = json::array();
  for (const double load : loads) {
    std::vector<Entry> entries;
    std::vector<std::string> saturated;
    for (const auto& [routing, of_routing] : points) {
      for (const json* p : of_routing) {
        if (load_of(*p) != load) continue;
        const auto e = latency_of(*p);
        if (!e && is_saturated(*p)) saturated.push_back(routing);
        if (e) entries.push_back(*e);
      }
    }
    if (entries.size() == points.size()) default_load = load;
    auto f = rank(latency_quantity(), std::move(entries));
    if (!f) continue;
    if (!saturated.empty()) f->text += "; saturated: " + listed(saturated, "and");
    out.push_back(ranking_json(*f));
    out.back()["load"] = load;
    by_load.emplace(load, std::move(*f));
  }
  if (!default_load && !by_load.empty()) default_load = by_load.begin()->first;
  return out;
}

/// Areas or LUTs. Synthesis has no interval, so equal is equal.
const Quantity& size_quantity() {
  static const Quantity q = {.highest = false,
                             .gap = [](const Entry&, const Entry&) { return std::optional(0.0); },
                             .show = thousands,
                             .unit = "",
                             .interval = {}};
  return q;
}

/// Of the routers of all routings: sizes first, where they are known, then clocks.
struct Costs {
  std::string size_of;  ///< area or LUTs
  std::optional<Finding> size, clock;
};

Costs costs_of(const json& results) {
  std::vector<Entry> areas, luts, clocks;
  std::string unit;
  for (const json& c : elements(results, "costs")) {
    const auto put = [&](std::vector<Entry>& to, std::string_view key) {
      const json& value = at(c, {key});
      if (value.is_number()) to.push_back({plain(at(c, {"routing"})), value.get<double>()});
    };
    put(areas, "area");
    put(luts, "luts");
    put(clocks, "fmax_mhz");
    if (unit.empty()) unit = plain(at(c, {"area_unit"}));
  }
  Quantity size = size_quantity(), clock = size_quantity();
  size.unit = areas.empty() ? "LUTs" : unit;
  clock.highest = true;
  clock.unit = "MHz";
  clock.show = [](double v) { return fmt::format("{:.1f}", v); };
  return {areas.empty() ? "LUTs" : "area", rank(size, areas.empty() ? luts : areas),
          rank(clock, clocks)};
}

/// Whether a routing is among names.
bool among(const std::vector<std::string>& names, const std::string& routing) {
  return std::find(names.begin(), names.end(), routing) != names.end();
}

/// Of `names` those that are best in `f`, or not told from the best; all where none has a value.
std::vector<std::string> best_of(const std::vector<std::string>& names, const Quantity& q,
                                 const Finding& f) {
  const auto first = std::find_if(f.ranking.begin(), f.ranking.end(),
                                  [&](const Entry& e) { return among(names, e.routing); });
  if (first == f.ranking.end()) return names;
  std::vector<std::string> kept;
  for (const std::string& routing : names) {
    const Entry* e = f.of(routing);
    if (e != nullptr && (e == &*first || differ(q, *first, *e) == false)) kept.push_back(routing);
  }
  return kept;
}

/// What the choice rests on; null where there is nothing to compare.
struct Grounds {
  const Finding* completion = nullptr;  ///< takes the place of the limit
  const Finding* limit = nullptr;
  const Finding* latency = nullptr;  ///< at `load`
  std::optional<double> load;
  const Finding* size = nullptr;
};

std::string latency_reason(const Grounds& g, const std::string& routing, bool one) {
  const std::string where = g.load ? " at load " + load_text(*g.load) : "";
  const Entry& best = g.latency->ranking.front();
  if (g.latency->outcome == Outcome::kAlone) return "alone has a latency" + where;
  if (!among(g.latency->best, routing)) {
    const double mean = g.latency->of(routing)->value;
    return fmt::format("{} {} core cycles ({}) of latency{} against {}", one ? "costs" : "cost",
                       cycles_text(mean - best.value), percent(mean, best.value), where,
                       best.routing);
  }
  if (g.latency->outcome == Outcome::kUnjudged)
    return "has the lowest mean latency" + where + ", not judged by an interval";
  if (g.latency->outcome == Outcome::kWin) return "has the lowest latency" + where;
  return fmt::format("{} no slower than any other{}", one ? "is" : "are", where);
}

/// {"routings", "why"}: of those that saturate last the fastest, of those the smallest; why, and
/// what they cost. Null where there is nothing to choose from.
json choice(Grounds g) {
  const auto compares = [](const Finding* f) {
    return f != nullptr && f->outcome != Outcome::kAlone && f->ranking.front().value > 0;
  };
  if (!compares(g.limit)) g.limit = nullptr;
  if (!compares(g.completion)) g.completion = nullptr;
  const Finding* first_ground = g.completion != nullptr ? g.completion
                                : g.limit != nullptr    ? g.limit
                                                        : g.latency;
  if (!compares(first_ground)) return nullptr;
  std::vector<std::string> left = first_ground->best;
  if (g.latency != nullptr) left = best_of(left, latency_quantity(), *g.latency);
  const std::size_t equals = left.size();
  if (g.size != nullptr && equals > 1) left = best_of(left, size_quantity(), *g.size);

  const bool one = left.size() == 1;
  const std::string& first = left.front();
  std::vector<std::string> why;
  if (g.completion != nullptr) {
    why.push_back(g.completion->outcome == Outcome::kWin ? "completes first"
                  : one                                  ? "completes no later than any other"
                                                         : "complete no later than any other");
  }
  if (g.limit != nullptr) {
    why.push_back(g.limit->outcome == Outcome::kWin ? "saturates last"
                  : one                             ? "saturates no earlier than any other"
                                                    : "saturate no earlier than any other");
  }
  if (g.latency != nullptr && g.latency->of(first) != nullptr)
    why.push_back(latency_reason(g, first, one));
  if (left.size() < equals)
    why.push_back(one ? "is the smallest of those that tie" : "are the smallest of those that tie");
  if (g.size != nullptr && g.size->of(first) != nullptr && !among(g.size->best, first)) {
    const Entry& least = g.size->ranking.front();
    why.push_back(fmt::format("{} a router {} larger than that of {}", one ? "has" : "have",
                              percent(g.size->of(first)->value, least.value), least.routing));
  }
  return {{"routings", left}, {"why", listed(why, "and")}};
}

Points points_of(const json& results, const std::string& pattern) {
  Points points;
  for (const json& p : elements(results, "points")) {
    if (!counts(p) || plain(at(p, {"pattern"})) != pattern) continue;
    const std::string routing = plain(at(p, {"routing"}));
    auto found = std::find_if(points.begin(), points.end(),
                              [&](const auto& entry) { return entry.first == routing; });
    if (found == points.end()) found = points.insert(points.end(), {routing, {}});
    found->second.push_back(&p);
  }
  return points;
}

std::string padded(const std::string& head, const std::string& text) {
  return fmt::format("  {:<16} {}\n", head, text);
}

}  // namespace

json verdict(const json& results) {
  json out = {{"command", reproducing_command(results)},
              {"saturation_tolerance", kSaturationTolerance},
              {"patterns", json::array()},
              {"cost", json::array()}};
  const Costs costs = costs_of(results);
  const auto add_cost = [&out](const std::string& of, const std::optional<Finding>& finding) {
    if (!finding) return;
    out["cost"].push_back(ranking_json(*finding));
    out["cost"].back()["of"] = of;
  };
  add_cost(costs.size_of, costs.size);
  add_cost("clock", costs.clock);
  std::vector<std::string> patterns;
  for (const auto* part : {"points", "saturation"}) {
    for (const json& entry : elements(results, part)) {
      const std::string pattern = plain(at(entry, {"pattern"}));
      if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end())
        patterns.push_back(pattern);
    }
  }
  for (const std::string& pattern : patterns) {
    const Points points = points_of(results, pattern);
    const std::optional<Finding> completed = completions(points);
    std::optional<Finding> limit = searched(results, pattern);
    const bool by_search = limit.has_value();
    if (!limit && !completed) limit = sustained(points);
    std::map<double, Finding> by_load;
    std::optional<double> load;
    json latency = latencies(points, by_load, load);
    const Finding* here = load && by_load.count(*load) != 0 ? &by_load.at(*load) : nullptr;
    json entry = {{"pattern", pattern},
                  {"choice", choice({completed ? &*completed : nullptr, limit ? &*limit : nullptr,
                                     here, load, costs.size ? &*costs.size : nullptr})},
                  {"saturation", limit ? ranking_json(*limit) : json()},
                  {"latency", std::move(latency)},
                  {"default_load", load ? json(*load) : json()}};
    if (limit) entry["saturation"]["searched"] = by_search;
    if (completed) entry["completion"] = ranking_json(*completed);
    if (completed || limit || !entry["latency"].empty())
      out["patterns"].push_back(std::move(entry));
  }
  return out;
}

std::string verdict_text(const json& results) {
  const json found = verdict(results);
  std::string out;
  for (const json& p : found["patterns"]) {
    out += plain(p["pattern"]) + "\n";
    if (const json& c = p["choice"]; !c.is_null())
      out += padded("choose", fmt::format("{}: {}", listed(c["routings"], "or"), plain(c["why"])));
    if (p.contains("completion")) out += padded("completion", plain(p["completion"]["text"]));
    if (!p["saturation"].is_null()) out += padded("saturation", plain(p["saturation"]["text"]));
    for (const json& l : p["latency"]) {
      if (l["load"] != p["default_load"]) continue;
      const std::string where =
          l["load"].is_null() ? "" : " at " + load_text(l["load"].get<double>());
      out += padded("latency" + where, plain(l["text"]));
    }
  }
  if (!found["cost"].empty()) out += "cost of a router\n";
  for (const json& c : found["cost"]) out += padded(plain(c["of"]), plain(c["text"]));
  if (out.empty()) return out;
  return fmt::format("Verdict\n{}again: {}\n", out, plain(found["command"]["line"]));
}

}  // namespace hopwise::report
