// SPDX-License-Identifier: Apache-2.0
// Points and searches of several seeds as one: what failed counts for nothing, and what is said of
// all seeds is so of each.
#include "app/campaign_merge.hpp"

#include <gtest/gtest.h>

namespace hopwise::test {
namespace {

using Json = nlohmann::ordered_json;

Json seed_results(double accepted, const std::string& stopped, bool at_highest) {
  const Json latency = {{"mean", accepted * 200},
                        {"ci95", 1},
                        {"p50", 90},
                        {"p95", 100},
                        {"p99", 110},
                        {"p999", 120},
                        {"max", 130},
                        {"stdev", 5}};
  const Json share = {{"min", accepted}, {"max", 1}, {"mean", accepted}, {"jain", accepted}};
  const bool failed = stopped == "failed";
  return {{"network", {{"name", "small"}}},
          {"proofs", Json::array({{{"routing", "dor"}}})},
          {"points",
           Json::array(
               {{{"pattern", "uniform"},
                 {"offered_load", 0.5},
                 {"accepted_load", accepted},
                 {"latency_cycles", latency},
                 {"fairness", share},
                 {"packets", {{"injected", 10}, {"delivered", 10}, {"in_flight", 0}, {"lost", 0}}},
                 {"saturated", false},
                 {"stopped", stopped},
                 {"failures", failed ? Json::array({"an assertion"}) : Json::array()},
                 {"histogram", Json::array({Json::array({100, 10})})}}})},
          {"saturation", Json::array({{{"pattern", "uniform"},
                                       {"throughput", accepted},
                                       {"accepted_beyond", accepted},
                                       {"at_highest", at_highest},
                                       {"fairness_beyond", share}}})}};
}

Json merged(const std::vector<Json>& results) {
  std::vector<app::CampaignTask> tasks(results.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].key = "t" + std::to_string(i);
    tasks[i].routing = "dor";
    tasks[i].pattern = "uniform";
    tasks[i].seed = i + 1;
    tasks[i].loads = {0.5};
    tasks[i].search = true;
  }
  return app::merge_tasks(tasks, results);
}

TEST(CampaignMerge, WhatIsDroppedAddsUpAndEqualLoadsStayWhatTheyAre) {
  std::vector<Json> seeds(3, seed_results(0.9, "converged", true));
  for (Json& seed : seeds) {
    Json& point = seed["points"][0];
    point["offered_load"] = 0.9;
    point["packets"]["damaged"] = 2;
    point["packets"]["dropped"] = {{"parity", 3}, {"bad_length", 0}};
  }
  const Json all = merged(seeds);
  const Json& point = all["points"][0];
  EXPECT_EQ(point["offered_load"].get<double>(), 0.9);
  EXPECT_EQ(point["packets"]["damaged"], 6);
  EXPECT_EQ(point["packets"]["dropped"], Json({{"parity", 9}, {"bad_length", 0}}));
}

TEST(CampaignMerge, WhatASeedThatFailedShowsIsNotAveraged) {
  const Json good = seed_results(0.5, "converged", true),
             other = seed_results(0.4, "converged", true), bad = seed_results(0, "failed", true);
  const Json two = merged({bad, good, other})["points"][0];
  EXPECT_DOUBLE_EQ(two["accepted_load"].get<double>(), 0.45);
  EXPECT_DOUBLE_EQ(two["latency_cycles"]["mean"].get<double>(), 90);
  EXPECT_EQ(two["failures"], Json::array({"an assertion"}));
  EXPECT_EQ(two["seeds"], Json::array({2, 3}));
  const Json one = merged({good, bad})["points"][0];
  EXPECT_DOUBLE_EQ(one["accepted_load"].get<double>(), 0.5);
  EXPECT_EQ(one["failures"].size(), 1U);
  EXPECT_EQ(merged({bad, bad})["points"][0]["failures"].size(), 2U);
}

TEST(CampaignMerge, ModesOfAJobAreThoseOfAnySeed) {
  const auto job = [](const Json& share, const Json& modes) {
    Json seed = seed_results(0.5, "last-step", true);
    seed["points"][0]["jobs"] =
        Json::array({{{"mode_share", share}, {"modes", modes}, {"round_trip_cycles", 90}}});
    return seed;
  };
  const auto seen = [](unsigned requests, double latency, const Json& stalls) {
    return Json{
        {"requests", requests}, {"round_trip_cycles", latency}, {"stalls_per_flit", stalls}};
  };
  const Json both = job({{"adaptive_0", 0.5}, {"adaptive_3", 0.5}},
                        {{"adaptive_0", seen(4, 80, 0.5)}, {"adaptive_3", seen(2, 100, 1.0)}});
  const Json one = job({{"adaptive_3", 1.0}}, {{"adaptive_3", seen(6, 110, 3.0)}});
  for (const auto& order : {std::vector{both, one}, std::vector{one, both}}) {
    const Json all = merged(order)["points"][0]["jobs"][0];
    EXPECT_EQ(all["mode_share"], Json({{"adaptive_0", 0.25}, {"adaptive_3", 0.75}}));
    EXPECT_EQ(all["modes"],
              Json({{"adaptive_0", seen(4, 80, 0.5)}, {"adaptive_3", seen(8, 105, 2.0)}}));
  }
  // A seed of which no packet arrived has none.
  Json none = one;
  none["points"][0]["jobs"][0].erase("mode_share");
  none["points"][0]["jobs"][0].erase("modes");
  for (const auto& order : {std::vector{none, one}, std::vector{one, none}}) {
    const Json all = merged(order)["points"][0]["jobs"][0];
    EXPECT_EQ(all["mode_share"], Json({{"adaptive_3", 0.5}}));
    EXPECT_EQ(all["modes"], Json({{"adaptive_3", seen(6, 110, 3.0)}}));
  }
}

TEST(CampaignMerge, ASearchIsAtTheHighestLoadWhereThatOfEachSeedIs) {
  const Json above = seed_results(0.6, "converged", true),
             below = seed_results(0.4, "converged", false);
  for (const auto& order : {std::vector{above, below}, std::vector{below, above}}) {
    const Json search = merged(order)["saturation"][0];
    EXPECT_EQ(search["at_highest"], false);
    EXPECT_DOUBLE_EQ(search["fairness_beyond"]["jain"].get<double>(), 0.5);
    EXPECT_DOUBLE_EQ(search["throughput"].get<double>(), 0.5);
  }
  EXPECT_EQ(merged({above, above})["saturation"][0]["at_highest"], true);
}

}  // namespace
}  // namespace hopwise::test
