// SPDX-License-Identifier: Apache-2.0
#include "report/published.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "report/fields.hpp"
#include "report/published_files.hpp"
#include "report/statements.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

constexpr double kTolerance = 0.1;  ///< of the published value
constexpr double kSettled = 0.15;   ///< of the final value, after a change of traffic

std::optional<double> number_at(const json& value, std::initializer_list<std::string_view> path) {
  const json& found = at(value, path);
  if (!found.is_number()) return std::nullopt;
  return found.get<double>();
}

/// What the measured points and their experiment offer.
struct Measured {
  const json& results;
  const json& point;
  const json& entry;  ///< of the publication
  double cycle_ns;    ///< of the publication's unit of time
};

std::optional<double> times(std::optional<double> value, double factor) {
  if (value) *value *= factor;
  return value;
}

std::string algorithm_of(const json& results, const json& label) {
  for (const json& proof : elements(results, "proofs")) {
    if (at(proof, {"routing"}) == label) return plain(at(proof, {"algorithm"}));
  }
  return "";
}

/// The part of the packets that has at most this latency.
std::optional<double> part_below(const json& point, double cycles) {
  double all = 0, below = 0;
  for (const json& bin : elements(point, "histogram")) {
    all += bin[1].get<double>();
    if (bin[0].is_number() && bin[0].get<double>() <= cycles) below += bin[1].get<double>();
  }
  if (all == 0) return std::nullopt;
  return below / all;
}

std::optional<double> settled(const json& point, std::size_t span, std::string_view quantity,
                              std::string_view field) {
  const json& spans = elements(point, "settling");
  if (spans.size() <= span) return std::nullopt;
  return number_at(spans[span], {quantity, field});
}

/// A value of the routers' decisions after a change of traffic.
struct AfterSwitch {
  std::vector<double> cycles, values;  ///< link cycles since the change
  double final_mean = 0;               ///< of the last quarter
};

AfterSwitch after_switch(const Measured& m, std::string_view key) {
  AfterSwitch after;
  const auto from = number_at(m.results, {"traffic_switch_cycle"});
  const auto per_flit =
      number_at(network_of(m.results, at(m.point, {"routing"})), {"cycles_per_flit"});
  for (const json& row : elements(m.point, "time_series")) {
    const auto cycle = number_at(row, {"cycle"}), value = number_at(row, {key});
    if (!from || !per_flit || !cycle || !value || *cycle <= *from) continue;
    after.cycles.push_back((*cycle - *from) / *per_flit);
    after.values.push_back(*value);
  }
  const std::size_t n = after.values.size(), quarter = (n + 3) / 4;
  for (std::size_t i = n - quarter; i < n; ++i)
    after.final_mean += after.values[i] / static_cast<double>(quarter);
  return after;
}

/// From when on it stays within 15 % of where it ends; nothing where that is in the last quarter.
std::optional<double> settled_after(const AfterSwitch& after) {
  std::size_t settled = after.values.size();
  while (settled > 0 && std::abs(after.values[settled - 1] - after.final_mean) <=
                            kSettled * std::abs(after.final_mean))
    --settled;
  if (settled >= after.values.size() * 3 / 4) return std::nullopt;
  return after.cycles[settled];
}

/// The mean network latency as a part of that of another routing, at the same load.
std::optional<double> part_of_other(const Measured& m) {
  const auto mine = number_at(m.point, {"network_latency_cycles", "mean"});
  for (const json& p : elements(m.results, "points")) {
    const json& home = network_of(m.results, at(m.point, {"routing"}));
    if (is_partial(p) || &network_of(m.results, at(p, {"routing"})) != &home ||
        algorithm_of(m.results, at(p, {"routing"})) != plain(at(m.entry, {"of"})) ||
        at(p, {"pattern"}) != at(m.point, {"pattern"}) ||
        at(p, {"offered_load"}) != at(m.point, {"offered_load"}))
      continue;
    const auto theirs = number_at(p, {"network_latency_cycles", "mean"});
    if (mine && theirs && *theirs > 0) return *mine / *theirs;
  }
  return std::nullopt;
}

using Measure = std::function<std::optional<double>(const Measured&)>;

/// A latency counts where it is one: not beyond saturation, unless source queues are bounded.
std::optional<double> latency(const json& point, std::string_view statistic) {
  const auto queue = number_at(point, {"source_queue_packets"});
  if (is_saturated(point) && !(queue && *queue > 0)) return std::nullopt;
  return number_at(point, {"latency_cycles", statistic});
}

Measure measure_of(const std::string& quantity) {
  const auto nanoseconds = [](std::string_view statistic) -> Measure {
    return
        [statistic](const Measured& m) { return times(latency(m.point, statistic), m.cycle_ns); };
  };
  const auto network_us = [](std::string_view statistic) -> Measure {
    return [statistic](const Measured& m) {
      return times(number_at(m.point, {"network_latency_cycles", statistic}), m.cycle_ns / 1000);
    };
  };
  const auto settled_us = [](std::size_t span, std::string_view what) -> Measure {
    return [span, what](const Measured& m) {
      return times(settled(m.point, span, what, "cycles"), m.cycle_ns / 1000);
    };
  };
  const auto field = [](std::string_view key) -> Measure {
    return [key](const Measured& m) { return number_at(m.point, {key}); };
  };
  if (quantity == "mean_ns") return nanoseconds("mean");
  if (quantity == "p99_ns") return nanoseconds("p99");
  if (quantity == "accepted") return field("accepted_load");
  if (quantity == "hops") return field("hops_mean");
  if (quantity == "below_2us")
    return [](const Measured& m) { return part_below(m.point, 2000 / m.cycle_ns); };
  if (quantity == "settled_latency_us") return settled_us(0, "latency");
  if (quantity == "settled_accepted_us") return settled_us(0, "accepted");
  if (quantity == "step_accepted_us") return settled_us(1, "accepted");
  if (quantity == "final_latency_ns")
    return [](const Measured& m) {
      return times(settled(m.point, 0, "latency", "final"), m.cycle_ns);
    };
  if (quantity == "network_mean_us") return network_us("mean");
  if (quantity == "network_stdev_us") return network_us("stdev");
  if (quantity == "network_max_us") return network_us("max");
  if (quantity == "network_mean_of") return part_of_other;
  if (quantity == "minimal_share")
    return [](const Measured& m) -> std::optional<double> {
      const auto others = number_at(m.point, {"nonminimal_share"});
      if (!others) return std::nullopt;
      return 1 - *others;
    };
  if (quantity == "path_queue_final_flits")
    return [](const Measured& m) -> std::optional<double> {
      const AfterSwitch after = after_switch(m, "path_queue");
      if (after.values.empty()) return std::nullopt;
      return after.final_mean;
    };
  if (quantity == "path_queue_peak_flits")
    return [](const Measured& m) -> std::optional<double> {
      const AfterSwitch after = after_switch(m, "path_queue");
      if (after.values.empty()) return std::nullopt;
      return *std::max_element(after.values.begin(), after.values.end());
    };
  if (quantity == "path_queue_settled_link_cycles")
    return [](const Measured& m) { return settled_after(after_switch(m, "path_queue")); };
  if (quantity == "minimal_estimate_settled_link_cycles")
    return [](const Measured& m) { return settled_after(after_switch(m, "minimal_estimate")); };
  return [](const Measured&) { return std::optional<double>(); };
}

bool fits(const json& network, const json& wanted) {
  const json& topology = at(network, {"topology"});
  json found;
  if (at(topology, {"routers_per_group"}).is_number()) {
    found = {{"p", at(network, {"terminals_per_router"})},
             {"a", at(topology, {"routers_per_group"})},
             {"h", at(topology, {"global_ports"})},
             {"g", at(topology, {"groups"})},
             {"links_per_group_pair", at(topology, {"links_per_group_pair"})}};
  } else {
    std::string dims;
    for (const json& d : elements(network, "dims")) dims += (dims.empty() ? "" : "x") + plain(d);
    found = {{"kind", at(network, {"kind"})},
             {"dims", dims},
             {"terminals_per_router", at(network, {"terminals_per_router"})}};
  }
  for (const auto& [key, value] : wanted.items()) {
    if (!found.contains(key) || found[key] != value) return false;
  }
  return true;
}

std::string name_of(const json& n) {
  if (n.contains("kind")) return plain(at(n, {"kind"})) + " " + plain(at(n, {"dims"}));
  return fmt::format("dfly({}, {}, {}, {})", plain(at(n, {"p"})), plain(at(n, {"a"})),
                     plain(at(n, {"h"})), plain(at(n, {"g"})));
}

/// The point that a published one is held against; nullptr: none.
const json* point_of(const json& results, const json& entry, const json& label) {
  const bool step = entry.contains("switch_load");
  const auto switched = number_at(results, {"traffic_switch_load"});
  if (step != results.contains("traffic_switch_cycle")) return nullptr;
  if (step && !same_load(switched.value_or(-1), entry["switch_load"].get<double>())) return nullptr;
  const json& pattern = at(entry, {"switch_pattern"});
  if (!pattern.is_null() && pattern != at(results, {"traffic_switch_pattern"})) return nullptr;
  const json& load = at(entry, {"load"});
  const json* best = nullptr;
  for (const json& p : elements(results, "points")) {
    if (is_partial(p) || at(p, {"routing"}) != label ||
        at(p, {"pattern"}) != at(entry, {"pattern"}))
      continue;
    if (load.is_string()) return &p;  // any, or the pattern's own
    if (load.is_number()) {
      if (has_load(p, load.get<double>())) return &p;
      continue;
    }
    const auto accepted = number_at(p, {"accepted_load"});
    if (best == nullptr || accepted.value_or(0) > number_at(*best, {"accepted_load"}).value_or(0))
      best = &p;
  }
  return best;
}

/// Numbers as they are judged: of a range its ends.
json judged(json row, const json& value, std::optional<double> measured, bool at_most) {
  row["published"] = value;
  row["measured"] = measured ? json(*measured) : json(nullptr);
  row["difference"] = nullptr;
  row["verdict"] = "not measured";
  if (!measured) return row;
  const double low = (value.is_array() ? value[0] : value).get<double>(),
               high = (value.is_array() ? value[1] : value).get<double>();
  const double nearer = *measured < low ? low : *measured > high ? high : *measured;
  const double difference = nearer == 0 ? 0 : *measured / nearer - 1;
  row["difference"] = difference;
  const bool good = std::abs(difference) <= kTolerance + 1e-9 || (at_most && difference <= 0);
  row["verdict"] = good ? "within 10 %" : "differs";
  return row;
}

/// What a routing of an experiment has measured of a published number.
struct Found {
  std::optional<double> measured;
  const json* of = nullptr;  ///< point or search
};

using Look = std::function<Found(const json& results, const json& label)>;

/// Rows of one published number: of the first experiment that has it, each label once.
void add_rows(json& rows, const json& row, const std::string& algorithm, const json& network,
              const json& value, bool at_most, const json& experiments, const Look& look) {
  for (const json& e : experiments) {
    const json& results = at(e, {"results"});
    bool any = false;
    for (const json& proof : elements(results, "proofs")) {
      const json& label = at(proof, {"routing"});
      if (plain(at(proof, {"algorithm"})) != algorithm ||
          !fits(network_of(results, label), network))
        continue;
      const Found found = look(results, label);
      if (!found.measured) continue;
      any = true;
      json one = judged(row, value, found.measured, at_most);
      one["routing"] = label;
      one["experiment"] = at(e, {"name"});
      one["tasks"] = at(*found.of, {"tasks"});
      one["seeds"] = at(*found.of, {"seeds"});
      if (found.of->contains("offered_load")) one["load"] = at(*found.of, {"offered_load"});
      if (at(*found.of, {"at_highest"}) == json(true)) one["at_least"] = true;
      if (found.of->contains("accepted_beyond")) {
        one["accepted_at_1"] = at(*found.of, {"accepted_beyond"});
        one["worst_terminal_at_1"] = at(*found.of, {"fairness_beyond", "min"});
      }
      rows.push_back(std::move(one));
    }
    if (any) return;
  }
  rows.push_back(judged(row, value, std::nullopt, at_most));
}

void add_saturation(json& rows, const json& publication, const json& entry,
                    const json& experiments) {
  const json& network = at(entry, {"network"});
  for (const auto& [algorithm, value] : at(entry, {"values"}).items()) {
    const json row = {{"figure", at(entry, {"figure"})},
                      {"network", name_of(network)},
                      {"pattern", at(entry, {"pattern"})},
                      {"load", nullptr},
                      {"routing", algorithm},
                      {"name", at(publication, {"names", algorithm})},
                      {"quantity", "saturation"},
                      {"source", "text"}};
    add_rows(rows, row, algorithm, network, value, false, experiments,
             [&](const json& results, const json& label) -> Found {
               for (const json& s : elements(results, "saturation")) {
                 if (at(s, {"routing"}) == label && at(s, {"pattern"}) == at(entry, {"pattern"}))
                   return {number_at(s, {"throughput"}), &s};
               }
               return {};
             });
  }
}

void add_point(json& rows, const json& publication, const json& entry, const json& experiments) {
  const json& network = at(publication, {"networks", plain(at(entry, {"network"}))});
  const double cycle_ns = number_at(publication, {"core_cycle_ns"}).value_or(1);
  const std::string quantity = plain(at(entry, {"quantity"}));
  const Measure measure = measure_of(quantity);
  for (const char* source : {"text", "derived", "rerun"}) {
    if (!entry.contains(source)) continue;
    for (const auto& [algorithm, value] : entry[source].items()) {
      const std::string of = plain(at(entry, {"of"}));
      json row = {{"figure", at(entry, {"figure"})},
                  {"network", name_of(network)},
                  {"pattern", at(entry, {"pattern"})},
                  {"load", at(entry, {"load"})},
                  {"routing", algorithm},
                  {"name", at(publication, {"names", algorithm})},
                  {"quantity", of.empty() ? quantity : quantity + " " + of},
                  {"source", source}};
      for (const char* key : {"at_most", "load_assumed"}) {
        if (at(entry, {key}) == json(true)) row[key] = true;
      }
      add_rows(rows, row, algorithm, network, value, at(entry, {"at_most"}) == json(true),
               experiments, [&](const json& results, const json& label) -> Found {
                 const json* point = point_of(results, entry, label);
                 if (point == nullptr) return {};
                 return {measure({results, *point, entry, cycle_ns}), point};
               });
    }
  }
}

std::string joined(const json& list) {
  std::string text;
  if (!list.is_array()) return text;
  for (const json& one : list) text += (text.empty() ? "" : ";") + plain(one);
  return text;
}

}  // namespace

std::vector<std::string> publications() {
  std::vector<std::string> names;
  for (const auto& [file, text] : published_files())
    names.push_back(file.substr(0, file.find('.')));
  return names;
}

std::optional<json> publication(const std::string& name) {
  const auto& files = published_files();
  const auto found = files.find(name + ".json");
  if (found == files.end()) return std::nullopt;
  return json::parse(found->second);
}

json compare_published(const json& publication, const json& experiments) {
  json rows = json::array();
  for (const json& entry : elements(publication, "entries"))
    add_saturation(rows, publication, entry, experiments);
  for (const json& entry : elements(publication, "points"))
    add_point(rows, publication, entry, experiments);
  for (json& row : judge_statements(publication, experiments)) rows.push_back(std::move(row));
  return rows;
}

std::string published_csv(const json& rows) {
  std::string text =
      "figure,network,pattern,load,routing,quantity,source,published,measured,difference,verdict,"
      "experiment,tasks,seeds,accepted_at_1,worst_terminal_at_1\n";
  for (const json& row : rows) {
    const json& published = at(row, {"published"});
    const auto quoted = [](const std::string& value) {
      return value.find(',') == std::string::npos ? value : '"' + value + '"';
    };
    const auto cell = [&](const char* key) { return quoted(plain(at(row, {key}))); };
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell("figure"), cell("network"),
        cell("pattern"), cell("load"), cell("routing"), cell("quantity"), cell("source"),
        published.is_array() ? fmt::format("{} to {}", plain(published[0]), plain(published[1]))
                             : quoted(plain(published)),
        cell("measured"), cell("difference"), cell("verdict"), cell("experiment"),
        joined(at(row, {"tasks"})), joined(at(row, {"seeds"})), cell("accepted_at_1"),
        cell("worst_terminal_at_1"));
  }
  return text;
}

}  // namespace hopwise::report
