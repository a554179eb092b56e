// SPDX-License-Identifier: Apache-2.0
#include "report/published.hpp"

#include <gtest/gtest.h>

namespace hopwise::report {
namespace {

using nlohmann::json;

/// An experiment on dfly(4, 8, 4, 33) with one routing and one point.
json experiment(const std::string& name, json point, json search = nullptr) {
  json results = {{"network",
                   {{"kind", "dragonfly"},
                    {"terminals_per_router", 4},
                    {"topology",
                     {{"routers_per_group", 8},
                      {"global_ports", 4},
                      {"groups", 33},
                      {"links_per_group_pair", 1}}}}},
                  {"proofs", {{{"routing", "a label"}, {"algorithm", "q_adaptive"}}}},
                  {"points", json::array()},
                  {"saturation", json::array()}};
  for (json* entry : {&point, &search}) {
    if (entry->is_null()) continue;
    entry->update({{"routing", "a label"}, {"tasks", {"0123"}}, {"seeds", {1}}});
  }
  if (!point.is_null()) results["points"].push_back(point);
  if (!search.is_null()) results["saturation"].push_back(search);
  return {{"name", name}, {"results", results}};
}

json publication_with(json entry) {
  entry.update({{"figure", "5"}, {"network", "n"}, {"pattern", "uniform"}});
  return {
      {"core_cycle_ns", 3.2},
      {"networks", {{"n", {{"p", 4}, {"a", 8}, {"h", 4}, {"g", 33}, {"links_per_group_pair", 1}}}}},
      {"points", {entry}}};
}

json measured_point(double load) {
  return {{"pattern", "uniform"},
          {"offered_load", load},
          {"accepted_load", load - 0.01},
          {"saturated", false},
          {"hops_mean", 2.5},
          {"latency_cycles", {{"mean", 250.0}, {"p99", 400.0}}},
          {"network_latency_cycles", {{"mean", 125.0}, {"stdev", 10.0}, {"max", 500.0}}},
          {"settling",
           {{{"latency", {{"cycles", 625}, {"final", 240.0}}},
             {"accepted", {{"cycles", 312.5}, {"final", 0.5}}}},
            {{"accepted", {{"cycles", 1250}, {"final", 0.5}}}}}},
          {"histogram", {{600, 80}, {625, 10}, {5000, 10}}}};
}

json only_row(const json& entry, const json& experiments) {
  const json rows = compare_published(publication_with(entry), experiments);
  EXPECT_EQ(rows.size(), 1u);
  return rows.front();
}

TEST(Published, QuantitiesAreInTheUnitsOfThePublication) {
  const json e = json::array({experiment("e", measured_point(0.8))});
  for (const auto& [quantity, value] : std::map<std::string, double>{{"mean_ns", 800},
                                                                     {"p99_ns", 1280},
                                                                     {"accepted", 0.79},
                                                                     {"hops", 2.5},
                                                                     {"below_2us", 0.9},
                                                                     {"settled_latency_us", 2},
                                                                     {"settled_accepted_us", 1},
                                                                     {"final_latency_ns", 768},
                                                                     {"step_accepted_us", 4},
                                                                     {"network_mean_us", 0.4},
                                                                     {"network_stdev_us", 0.032},
                                                                     {"network_max_us", 1.6}}) {
    const json row =
        only_row({{"load", 0.8}, {"quantity", quantity}, {"text", {{"q_adaptive", value}}}}, e);
    ASSERT_TRUE(row["measured"].is_number()) << quantity;
    EXPECT_NEAR(row["measured"].get<double>(), value, 1e-9 * value) << quantity;
    EXPECT_EQ(row["verdict"], "within 10 %") << quantity;
    EXPECT_EQ(row["experiment"], "e");
    EXPECT_EQ(row["routing"], "a label");
    EXPECT_EQ(row["tasks"], json::array({"0123"}));
  }
}

TEST(Published, MoreThanATenthDiffers) {
  const json e = json::array({experiment("e", measured_point(0.8))});
  const auto verdict = [&](double published) {
    return only_row({{"load", 0.8}, {"quantity", "hops"}, {"text", {{"q_adaptive", published}}}},
                    e)["verdict"];
  };
  EXPECT_EQ(verdict(2.5 / 1.09), "within 10 %");
  EXPECT_EQ(verdict(2.5 / 1.11), "differs");
  EXPECT_EQ(verdict(2.5 / 0.91), "within 10 %");
  EXPECT_EQ(verdict(2.5 / 0.89), "differs");
}

TEST(Published, OfASeveralExperimentsTheFirstThatHasTheNumberCounts) {
  json other = measured_point(0.8);
  other["hops_mean"] = 3.0;
  const json entry = {{"load", 0.8}, {"quantity", "hops"}, {"derived", {{"q_adaptive", 2.5}}}};
  const json row = only_row(
      entry, json::array({experiment("none", measured_point(0.5)),
                          experiment("first", measured_point(0.8)), experiment("second", other)}));
  EXPECT_EQ(row["experiment"], "first");
  EXPECT_EQ(row["source"], "derived");
}

TEST(Published, WhatIsNotMeasuredHasARow) {
  json saturated = measured_point(0.8);
  saturated["saturated"] = true;
  const json entry = {{"load", 0.8}, {"quantity", "mean_ns"}, {"text", {{"q_adaptive", 800}}}};
  EXPECT_EQ(only_row(entry, json::array())["verdict"], "not measured");
  // beyond saturation there is no latency, unless source queues are bounded
  EXPECT_EQ(only_row(entry, json::array({experiment("e", saturated)}))["verdict"], "not measured");
  saturated["source_queue_packets"] = 20;
  EXPECT_EQ(only_row(entry, json::array({experiment("e", saturated)}))["verdict"], "within 10 %");
  // another network, another algorithm, another load, a step
  json small = experiment("e", measured_point(0.8));
  small["results"]["network"]["topology"]["groups"] = 9;
  EXPECT_EQ(only_row(entry, json::array({small}))["verdict"], "not measured");
  json min = experiment("e", measured_point(0.8));
  min["results"]["proofs"][0]["algorithm"] = "min";
  EXPECT_EQ(only_row(entry, json::array({min}))["verdict"], "not measured");
  EXPECT_EQ(only_row(entry, json::array({experiment("e", measured_point(0.81))}))["verdict"],
            "not measured");
  json step = experiment("e", measured_point(0.8));
  step["results"]["traffic_switch_cycle"] = 1000;
  step["results"]["traffic_switch_load"] = 0.4;
  EXPECT_EQ(only_row(entry, json::array({step}))["verdict"], "not measured");
  json of_step = entry;
  of_step["switch_load"] = 0.4;
  EXPECT_EQ(only_row(of_step, json::array({step}))["verdict"], "within 10 %");
}

TEST(Published, ARangeIsMetAnywhereInside) {
  json publication = publication_with({});
  publication.erase("points");
  publication["entries"] = {{{"figure", 6},
                             {"network", publication["networks"]["n"]},
                             {"pattern", "uniform"},
                             {"values", {{"q_adaptive", {0.7, 0.8}}}}}};
  const auto row = [&](double throughput) {
    const json search = {{"pattern", "uniform"},
                         {"throughput", throughput},
                         {"accepted_beyond", 0.5},
                         {"fairness_beyond", {{"min", 0.125}}}};
    return compare_published(publication, json::array({experiment("e", nullptr, search)})).front();
  };
  EXPECT_EQ(row(0.75)["difference"], 0);
  EXPECT_NEAR(row(0.63)["difference"].get<double>(), -0.1, 1e-9);
  EXPECT_EQ(row(0.63)["verdict"], "within 10 %");
  EXPECT_EQ(row(0.62)["verdict"], "differs");
  EXPECT_EQ(row(0.89)["verdict"], "differs");
  EXPECT_NE(published_csv(json::array({row(0.75)}))
                .find(",0.7 to 0.8,0.75,0.0,within 10 %,e,0123,1,0.5,0.125\n"),
            std::string::npos)
      << published_csv(json::array({row(0.75)}));
}

TEST(Published, AfterAChangeOfTrafficValuesHaveAPeakAndSettle) {
  // a change at cycle 1000, 2.5 core cycles a flit; a value rises to 90 and stays at 40
  json p = measured_point(0.6);
  p["time_series"] = {{{"cycle", 1000}, {"path_queue", 500.0}}};
  const std::vector<double> values = {60, 90, 50, 44, 46, 42, 40, 40, 39, 41, 40, 40};
  for (std::size_t i = 0; i < values.size(); ++i)
    p["time_series"].push_back({{"cycle", 1250 + 250 * i}, {"path_queue", values[i]}});
  json e = experiment("e", p);
  e["results"]["network"]["cycles_per_flit"] = 2.5;
  e["results"]["traffic_switch_cycle"] = 1000;
  e["results"]["traffic_switch_load"] = 0.25;
  e["results"]["traffic_switch_pattern"] = "shift";
  const auto row = [&](const char* quantity, double value, const char* pattern) {
    return only_row({{"load", 0.6},
                     {"switch_load", 0.25},
                     {"switch_pattern", pattern},
                     {"quantity", quantity},
                     {"text", {{"q_adaptive", value}}}},
                    json::array({e}));
  };
  EXPECT_EQ(row("path_queue_final_flits", 40, "shift")["measured"], 121.0 / 3);
  EXPECT_EQ(row("path_queue_peak_flits", 90, "shift")["measured"], 90);
  // 46 is within 15 % of 40.33, 50 is not: from the fourth point on, 1000 core cycles after
  EXPECT_EQ(row("path_queue_settled_link_cycles", 400, "shift")["measured"], 400);
  EXPECT_EQ(row("path_queue_peak_flits", 90, "tornado")["verdict"], "not measured");
  // not settled when the last quarter begins
  e["results"]["points"][0]["time_series"][10]["path_queue"] = 80.0;
  EXPECT_EQ(row("path_queue_settled_link_cycles", 400, "shift")["verdict"], "not measured");
  e["results"]["points"][0].erase("time_series");
  for (const char* quantity :
       {"path_queue_final_flits", "path_queue_peak_flits", "path_queue_settled_link_cycles"})
    EXPECT_EQ(row(quantity, 1, "shift")["verdict"], "not measured");
}

TEST(Published, TheMinimalShareIsOfThePointWithTheHighestAcceptedLoad) {
  json low = measured_point(0.4), high = measured_point(0.5);
  low["nonminimal_share"] = 0.5;
  high["nonminimal_share"] = 0.94;
  json e = experiment("e", low);
  high.update({{"routing", "a label"}, {"tasks", {"4567"}}, {"seeds", {1}}});
  e["results"]["points"].push_back(high);
  const json row =
      only_row({{"load", nullptr}, {"quantity", "minimal_share"}, {"text", {{"q_adaptive", 0.06}}}},
               json::array({e}));
  EXPECT_NEAR(row["measured"].get<double>(), 0.06, 1e-9);
  EXPECT_EQ(row["tasks"], json::array({"4567"}));
}

TEST(Published, EveryNumberOfEveryPublicationHasARow) {
  ASSERT_EQ(publications(), (std::vector<std::string>{"chaulagain_2024", "desensi_2019",
                                                      "kang_2021", "lonardo_2019"}));
  EXPECT_FALSE(publication("nobody_1900"));
  for (const std::string& name : publications()) {
    const json file = publication(name).value();
    std::size_t numbers = 0;
    for (const char* list : {"entries", "points"}) {
      if (!file.contains(list)) continue;
      for (const json& entry : file[list]) {
        for (const char* source : {"values", "text", "derived", "rerun"})
          numbers += entry.contains(source) ? entry[source].size() : 0;
      }
    }
    if (file.contains("statements")) numbers += file["statements"].size();
    const json rows = compare_published(file, json::array());
    EXPECT_EQ(rows.size(), numbers) << name;
    EXPECT_GT(numbers, 20u) << name;
  }
}

}  // namespace
}  // namespace hopwise::report
