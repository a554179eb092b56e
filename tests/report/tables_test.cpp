// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/report.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

constexpr const char* kHeader =
    "routing,pattern,offered_load,accepted_load,accepted_flits_per_core_cycle,saturated,latency_"
    "mean_cycles,latency_ci95_cycles,latency_p50_cycles,latency_p95_cycles,latency_p99_cycles,"
    "latency_p999_cycles,latency_max_cycles,network_latency_mean_cycles,network_latency_ci95_"
    "cycles,network_latency_p50_cycles,network_latency_p95_cycles,network_latency_p99_cycles,"
    "network_latency_p999_cycles,network_latency_max_cycles,hops_mean,cycles,warmup_cycles,packets_"
    "injected,packets_delivered,packets_in_flight,packets_lost,fairness_min,fairness_max,fairness_"
    "mean,fairness_jain,seed,stopped,measured_cycles,saturation_throughput,last_delivery_"
    "cycle,completion_cycles,nonminimal_share\n";

json two_points() {
  return json::parse(R"({
    "network": {"name": "n"},
    "points": [
      {"routing": "dor", "pattern": "uniform", "offered_load": 0.25, "accepted_load": 0.2498,
       "accepted_flits_per_core_cycle": 4, "saturated": false,
       "latency_cycles": {"mean": 41.5, "ci95": 0.5, "p50": 40, "p95": 60, "p99": 75, "p999": 90, "max": 131},
       "network_latency_cycles": {"mean": 39.5, "ci95": 0.25, "p50": 38, "p95": 57, "p99": 71, "p999": 88, "max": 120},
       "hops_mean": 2.125, "nonminimal_share": 0.125, "cycles": 20000, "warmup_cycles": 3000, "measured_cycles": 17000,
       "packets": {"injected": 1000, "delivered": 990, "in_flight": 10, "lost": 0},
       "fairness": {"min": 0.24, "max": 0.26, "mean": 0.25, "jain": 0.999}, "seed": 7, "stopped": "converged"},
      {"routing": "star, \"wide\"", "pattern": "tornado", "offered_load": 0.9, "accepted_load": 0.61,
       "saturated": true, "latency_cycles": {"mean": 9999.0}, "stopped": "cycles"}
    ],
    "saturation": [{"routing": "dor", "pattern": "uniform", "throughput": 0.62, "accepted_beyond": 0.6049,
                    "fairness_beyond": {"min": 0.411, "max": 1, "mean": 0.6, "jain": 0.97}}]
  })");
}

TEST(PointsCsv, holds_every_number_of_a_point_as_it_was_measured) {
  const std::string csv = points_csv(two_points());
  EXPECT_EQ(csv.substr(0, csv.find('\n', csv.find('\n') + 1) + 1),
            std::string(kHeader) +
                "dor,uniform,0.25,0.2498,4,false,41.5,0.5,40,60,75,90,131,39.5,0.25,38,57,71,88,"
                "120,2.125,20000,3000,1000,990,10,0,0.24,0.26,0.25,0.999,7,converged,17000,0.62,,,"
                "0.125\n");
}

TEST(PointsCsv, quotes_names_and_leaves_a_saturated_latency_empty_even_where_the_file_holds_one) {
  const std::string csv = points_csv(two_points());
  EXPECT_TRUE(csv.ends_with(
      "\n\"star, \"\"wide\"\"\",tornado,0.9,0.61,,true,,,,,,,,,,,,,,,,,,,,,,,,,,,cycles,,,,,\n"))
      << csv;
}

TEST(PointsCsv, says_nothing_that_looks_final_of_a_point_that_was_interrupted) {
  json results = two_points();
  results["points"][0]["partial"] = true;
  results["points"][0]["stopped"] = "interrupted";
  std::string dashes;
  for (int i = 0; i < 28; ++i) dashes += "-,";
  const std::string csv = points_csv(results);
  EXPECT_NE(csv.find("\ndor,uniform,0.25," + dashes + "7,interrupted,-,0.62,-,,-\n"),
            std::string::npos)
      << csv;
}

TEST(PointsCsv, gives_every_line_the_same_number_of_fields) {
  const json results = json::parse(
      R"({"points": [{}, {"routing": "dor", "latency_cycles": null}, {"packets": 3}]})");
  const std::string csv = points_csv(results);
  const auto fields = std::count(kHeader, kHeader + std::string_view(kHeader).size(), ',');
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), ','), 4 * fields);
}

TEST(PointsCsv, has_the_saturation_throughput_of_the_pattern_and_routing_on_every_line) {
  json results = two_points();
  results["points"].push_back(results["points"][0]);
  results["points"][2]["offered_load"] = 0.5;
  results["points"][2]["pattern"] = "tornado";
  results["saturation"].push_back(
      {{"routing", "dor"}, {"pattern", "tornado"}, {"throughput", 0.375}});
  const std::string csv = points_csv(results);
  EXPECT_NE(csv.find("converged,17000,0.62,,,0.125\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("converged,17000,0.375,,,0.125\n"), std::string::npos) << csv;
}

TEST(PointsCsv, is_the_header_alone_without_points) {
  EXPECT_EQ(points_csv(json::object()), kHeader);
  EXPECT_EQ(points_csv(json()), kHeader);
  EXPECT_EQ(points_csv(json::parse(R"({"points": "none"})")), kHeader);
}

TEST(PointsCsv, shows_a_saturated_latency_where_source_queues_are_bounded) {
  json results = two_points();
  results["points"][1]["source_queue_packets"] = 20;
  EXPECT_NE(points_csv(results).find("true,9999.0,,"), std::string::npos);
  EXPECT_NE(points_table(results).find("9999.0"), std::string::npos);
  results["points"][1]["source_queue_packets"] = 0;
  EXPECT_EQ(points_table(results).find("9999.0"), std::string::npos);
}

TEST(PointsTable, says_how_long_workloads_took_that_ended_by_themselves) {
  json results = two_points();
  results["points"][1]["completion_cycles"] = 12345;
  const std::string table = points_table(results);
  EXPECT_NE(table.find("hops  completion    outcome\n"), std::string::npos) << table;
  EXPECT_NE(table.find("9999.0      -    -    -    -     -       12345  saturated\n"),
            std::string::npos)
      << table;
  EXPECT_NE(points_csv(results).find("cycles,,,,12345,\n"), std::string::npos);
}

TEST(PointsTable, says_when_routings_with_tables_have_settled) {
  json results = two_points();
  EXPECT_EQ(points_table(results).find("settled"), std::string::npos);
  results["points"][0]["learning"] = json::object();
  results["points"][0]["settling"] = json::parse(
      R"([{"latency": {"cycles": 62500}, "accepted": {"cycles": null}}, {"latency": {"cycles": 7}}])");
  const std::string table = points_table(results);
  EXPECT_NE(table.find("hops  latency settled  accepted settled    outcome\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("2.12            62500                 -  converged\n"), std::string::npos)
      << table;
}

TEST(PointsTable, aligns_its_columns_and_shows_no_latency_of_a_saturated_point) {
  EXPECT_EQ(
      points_table(two_points()),
      "Loads: fraction of a terminal link's capacity. Latencies: core cycles, from generation.\n"
      "routing       pattern  offered  accepted  latency  +-95%  p50  p99  max  hops    outcome\n"
      "dor           uniform    0.250     0.250     41.5    0.5   40   75  131  2.12  converged\n"
      "star, \"wide\"  tornado    0.900     0.610        -      -    -    -    -     -  saturated\n"
      "\n"
      "routing  pattern  saturation throughput  accepted at 1.0  worst terminal\n"
      "dor      uniform                  0.620            0.605           0.411\n");
}

TEST(PointsTable, says_nothing_that_looks_final_of_a_point_that_was_interrupted) {
  json results = two_points();
  for (json& point : results["points"]) {
    point["partial"] = true;
    point["stopped"] = "interrupted";
  }
  const std::string table = points_table(results);
  for (const char* point : {"dor +uniform +0.250", "\"wide\" +tornado +0.900"}) {
    EXPECT_TRUE(
        std::regex_search(table, std::regex(point + std::string("( +-){7} +interrupted\n"))))
        << table;
  }
}

}  // namespace
}  // namespace hopwise::report
