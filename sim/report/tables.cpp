// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/fields.hpp"
#include "report/report.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

/// Beyond saturation latency grows for ever, unless packets wait in bounded queues only, or come to
/// an end.
bool has_latency(const json& point) {
  const json& queue = at(point, {"source_queue_packets"});
  return !is_saturated(point) || (queue.is_number() && queue.get<double>() > 0) ||
         completion(point).is_number();
}

std::string fixed(const json& value, int decimals) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), decimals) : "-";
}

bool learns(const json& point) { return at(point, {"learning"}).is_object(); }

/// Core cycles until a quantity settled, the first time span's.
std::string settled(const json& point, std::string_view quantity) {
  const json& spans = elements(point, "settling");
  return spans.empty() ? "-" : fixed(at(spans.front(), {quantity, "cycles"}), 0);
}

std::string quoted(const json& value) {
  std::string text = plain(value);
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

constexpr std::array<std::string_view, 7> kStatistics = {"mean", "ci95", "p50", "p95",
                                                         "p99",  "p999", "max"};
constexpr std::array<std::string_view, 2> kLatencies = {"latency_cycles", "network_latency_cycles"};

std::string text_of(const json& value) {
  const std::string text = plain(value);
  return text.empty() ? "-" : text;
}

/// Columns as wide as their widest cell, two spaces apart; the first `left` columns are flush left,
/// the others right.
std::string aligned(const std::vector<Row>& rows, std::size_t left) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += i < left ? fmt::format("{:<{}}", row[i], widths[i])
                       : fmt::format("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

/// What the search for saturation found for the point's routing and pattern; null without one.
const json& throughput_of(const json& results, const json& point) {
  static const json none;
  for (const json& entry : elements(results, "saturation")) {
    if (at(entry, {"routing"}) == at(point, {"routing"}) &&
        at(entry, {"pattern"}) == at(point, {"pattern"}))
      return at(entry, {"throughput"});
  }
  return none;
}

std::string outcome(const json& point) {
  return is_saturated(point) && !is_partial(point) ? "saturated" : text_of(at(point, {"stopped"}));
}

}  // namespace

std::string points_csv(const json& results) {
  std::string out =
      "routing,pattern,offered_load,accepted_load,accepted_flits_per_core_cycle,saturated";
  for (const auto latency : kLatencies) {
    const auto name = latency.substr(0, latency.size() - std::string_view("_cycles").size());
    for (const auto statistic : kStatistics) out += fmt::format(",{}_{}_cycles", name, statistic);
  }
  out +=
      ",hops_mean,cycles,warmup_cycles,packets_injected,packets_delivered,packets_in_flight,"
      "packets_lost,fairness_min,fairness_max,fairness_mean,fairness_jain,seed,stopped,"
      "measured_cycles,saturation_throughput,last_delivery_cycle,completion_cycles,"
      "nonminimal_share\n";

  for (const auto& point : elements(results, "points")) {
    Row row;
    for (const auto key :
         {"routing", "pattern", "offered_load", "accepted_load", "accepted_flits_per_core_cycle"}) {
      row.push_back(quoted(at(point, {key})));
    }
    row.push_back(is_saturated(point) ? "true" : "false");
    for (const auto latency : kLatencies) {
      for (const auto statistic : kStatistics) {
        row.push_back(has_latency(point) ? quoted(at(point, {latency, statistic})) : "");
      }
    }
    for (const auto key : {"hops_mean", "cycles", "warmup_cycles"})
      row.push_back(quoted(at(point, {key})));
    for (const auto key : {"injected", "delivered", "in_flight", "lost"}) {
      row.push_back(quoted(at(point, {"packets", key})));
    }
    for (const auto key : {"min", "max", "mean", "jain"})
      row.push_back(quoted(at(point, {"fairness", key})));
    if (is_partial(point)) std::fill(row.begin() + 3, row.end(), "-");
    for (const auto key : {"seed", "stopped"}) row.push_back(quoted(at(point, {key})));
    row.push_back(is_partial(point) ? "-" : quoted(at(point, {"measured_cycles"})));
    row.push_back(quoted(throughput_of(results, point)));
    row.push_back(is_partial(point) ? "-" : quoted(at(point, {"last_delivery_cycle"})));
    row.push_back(quoted(completion(point)));
    row.push_back(is_partial(point) ? "-" : quoted(at(point, {"nonminimal_share"})));
    out += fmt::format("{}\n", fmt::join(row, ","));
  }
  return out;
}

std::string points_table(const json& results) {
  std::vector<Row> rows = {{"routing", "pattern", "offered", "accepted", "latency", "+-95%", "p50",
                            "p99", "max", "hops", "outcome"}};
  const json& points = elements(results, "points");
  const bool learned = std::any_of(points.begin(), points.end(), learns);
  const bool completed = std::any_of(points.begin(), points.end(),
                                     [](const json& p) { return completion(p).is_number(); });
  if (completed) rows[0].insert(rows[0].end() - 1, "completion");
  if (learned) rows[0].insert(rows[0].end() - 1, {"latency settled", "accepted settled"});
  for (const auto& point : points) {
    Row row = {text_of(at(point, {"routing"})), text_of(at(point, {"pattern"})),
               fixed(at(point, {"offered_load"}), 3), fixed(at(point, {"accepted_load"}), 3)};
    const json nothing;
    const json& latency = has_latency(point) ? at(point, {"latency_cycles"}) : nothing;
    row.push_back(fixed(at(latency, {"mean"}), 1));
    row.push_back(fixed(at(latency, {"ci95"}), 1));
    for (const auto key : {"p50", "p99", "max"}) row.push_back(fixed(at(latency, {key}), 0));
    row.push_back(fixed(at(point, {"hops_mean"}), 2));
    if (completed) row.push_back(fixed(completion(point), 0));
    if (learned) row.insert(row.end(), {settled(point, "latency"), settled(point, "accepted")});
    if (is_partial(point)) std::fill(row.begin() + 3, row.end(), "-");
    row.push_back(outcome(point));
    rows.push_back(std::move(row));
  }
  std::string out =
      "Loads: fraction of a terminal link's capacity. Latencies: core cycles, from generation.\n";
  out += aligned(rows, 2);

  const json& saturation = elements(results, "saturation");
  if (saturation.empty()) return out;
  std::vector<Row> limits = {
      {"routing", "pattern", "saturation throughput", "accepted at 1.0", "worst terminal"}};
  for (const auto& entry : saturation) {
    limits.push_back({text_of(at(entry, {"routing"})), text_of(at(entry, {"pattern"})),
                      fixed(at(entry, {"throughput"}), 3), fixed(at(entry, {"accepted_beyond"}), 3),
                      fixed(at(entry, {"fairness_beyond", "min"}), 3)});
  }
  return out + '\n' + aligned(limits, 2);
}

}  // namespace hopwise::report
