// SPDX-License-Identifier: Apache-2.0
#include "report/statements.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/fields.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

const std::map<std::string, json::json_pointer> kQuantities = {
    {"iteration", json::json_pointer("/jobs/0/iteration_cycles/median")},
    {"qcd", json::json_pointer("/jobs/0/qcd")},
    {"round_trip", json::json_pointer("/jobs/0/round_trip_cycles")},
    {"stalls", json::json_pointer("/jobs/0/stalls_per_flit")},
    {"correlation", json::json_pointer("/jobs/0/model_correlation")}};

/// A statement without a load is about a job alone, which has that which it made.
const json* stated_point(const json& results, const json& statement, const json& label) {
  const json& load = at(statement, {"load"});
  for (const json& p : elements(results, "points")) {
    if (!is_partial(p) && at(p, {"routing"}) == label &&
        at(p, {"pattern"}) == at(statement, {"pattern"}) &&
        (!load.is_number() || has_load(p, load.get<double>())))
      return &p;
  }
  return nullptr;
}

std::optional<double> value_of(const json* point, const json& statement) {
  const auto quantity = kQuantities.find(plain(at(statement, {"quantity"})));
  if (point == nullptr || quantity == kQuantities.end() || !point->contains(quantity->second) ||
      at(*point, {"stopped"}) == json("limit"))  // its time is not that of the job
    return std::nullopt;
  const json& value = point->at(quantity->second);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

/// Labels of one or of several.
std::vector<json> labels_of(const json& statement) {
  const json& of = at(statement, {"of"});
  return of.is_array() ? of.get<std::vector<json>>() : std::vector<json>{of};
}

/// The mean of all, over the least of those that it is compared with; nothing where one is missing.
std::optional<double> measured(const json& results, const json& statement) {
  std::optional<double> own = 0;
  const std::vector<json> labels = labels_of(statement);
  for (const json& label : labels) {
    const auto one = value_of(stated_point(results, statement, label), statement);
    if (!one) return std::nullopt;
    *own += *one / static_cast<double>(labels.size());
  }
  if (!statement.contains("against")) return own;
  std::optional<double> least;
  for (const json& label : statement["against"]) {
    const auto other = value_of(stated_point(results, statement, label), statement);
    if (!other || *other == 0) return std::nullopt;
    least = std::min(least.value_or(*other), *other);
  }
  return *own / *least;
}

std::string joined(const std::vector<json>& labels, const char* between) {
  std::string text;
  for (const json& label : labels) text += (text.empty() ? "" : between) + plain(label);
  return text;
}

/// What a statement's value has to be, and the key that says so.
struct Bound {
  const char *key, *words;
  bool (*holds)(double value, double bound);
};
constexpr Bound kBounds[] = {
    {"at_most", "at most", [](double value, double bound) { return value <= bound; }},
    {"at_least", "at least", [](double value, double bound) { return value >= bound; }},
    {"below", "below", [](double value, double bound) { return value < bound; }},
    {"above", "above", [](double value, double bound) { return value > bound; }}};

const Bound& bound_of(const json& statement) {
  return *std::find_if(std::begin(kBounds), std::end(kBounds) - 1,
                       [&](const Bound& b) { return statement.contains(b.key); });
}

std::string bound_text(const json& statement) {
  const Bound& bound = bound_of(statement);
  std::string text = fmt::format("{} {}", bound.words, statement.at(bound.key).get<double>());
  if (!statement.contains("against")) return text;
  return text + " of " + joined(statement["against"].get<std::vector<json>>(), " or ");
}

json judged(const json& publication, const json& statement, const json& experiments) {
  json row = {{"figure", at(statement, {"figure"})},
              {"network", at(publication, {"network"})},
              {"pattern", at(statement, {"pattern"})},
              {"load", at(statement, {"load"})},
              {"routing", joined(labels_of(statement), "; ")},
              {"quantity", at(statement, {"says"})},
              {"source", "statement"},
              {"published", bound_text(statement)},
              {"measured", nullptr},
              {"difference", nullptr},
              {"verdict", "not measured"}};
  for (const json& e : experiments) {
    if (at(e, {"name"}) != at(statement, {"experiment"})) continue;
    const json& results = at(e, {"results"});
    const auto value = measured(results, statement);
    if (!value) continue;
    std::vector<json> all = labels_of(statement);
    for (const json& label : elements(statement, "against")) all.push_back(label);
    json tasks = json::array();
    for (const json& label : all) {
      for (const json& task : elements(*stated_point(results, statement, label), "tasks"))
        tasks.push_back(task);
    }
    const Bound& bound = bound_of(statement);
    row["measured"] = *value;
    const auto limit = statement[bound.key].get<double>();
    row["verdict"] = bound.holds(*value, limit) ? "confirmed"
                     : *value == limit          ? "no difference"
                                                : "refuted";
    row["experiment"] = at(e, {"name"});
    row["tasks"] = std::move(tasks);
    row["seeds"] = at(*stated_point(results, statement, labels_of(statement).front()), {"seeds"});
  }
  return row;
}

}  // namespace

json judge_statements(const json& publication, const json& experiments) {
  json rows = json::array();
  for (const json& statement : elements(publication, "statements"))
    rows.push_back(judged(publication, statement, experiments));
  return rows;
}

}  // namespace hopwise::report
