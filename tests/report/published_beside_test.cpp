// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/published.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

/// dfly(4, 8, 4, 33) or dfly(4, 8, 4, 9) as Chaulagain & Yuan have them.
json network(int groups = 33, int links = 1) {
  return {{"kind", "dragonfly"},
          {"terminals_per_router", 4},
          {"cycles_per_flit", 2.5},
          {"link_latency_cycles", {25, 38}},
          {"max_flits", 1},
          {"topology",
           {{"routers_per_group", 8},
            {"global_ports", 4},
            {"groups", groups},
            {"links_per_group_pair", links},
            {"group_rows", 1},
            {"arrangement", "absolute"}}}};
}

/// Searches of routings whose labels are their algorithms.
json searched(const std::map<std::string, double>& throughputs,
              const std::string& pattern = "shift") {
  json results = {{"network", network()}, {"proofs", json::array()}, {"saturation", json::array()}};
  for (const auto& [routing, throughput] : throughputs) {
    results["proofs"].push_back({{"routing", routing}, {"algorithm", routing}});
    results["saturation"].push_back(
        {{"routing", routing}, {"pattern", pattern}, {"throughput", throughput}});
  }
  return results;
}

TEST(PublishedBeside, RowsAreWhatWasMeasured) {
  const json found =
      published_beside(searched({{"ugal_ln", 0.333}, {"ugal_le", 0.51}, {"par", 0.37}}));
  ASSERT_EQ(found.size(), 1u);
  std::map<std::string, json> verdicts;
  for (const json& row : found[0]["rows"]) verdicts[row["name"]] = row["verdict"];
  // 10 % of the published value, the limit included
  EXPECT_EQ(verdicts,
            (std::map<std::string, json>{
                {"UGAL-L", "within 10 %"}, {"UGAL-LE", "within 10 %"}, {"PAR", "differs"}}));
  EXPECT_EQ(found[0]["differences"], json::array());
}

TEST(PublishedBeside, OrdersAreThoseOfPublishedValuesThatAreApart) {
  const auto orders = [](const json& results) { return published_beside(results)[0]["orders"]; };
  // published: ugal_ln 0.37, par 0.42, ugal_global 0.47, dgb 0.48, ugal_le 0.51
  const json all = orders(searched({{"ugal_ln", 0.333}, {"ugal_le", 0.51}, {"par", 0.37}}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0], json({{"network", "dfly(4, 8, 4, 33)"},
                          {"pattern", "shift"},
                          {"pairs", 3},
                          {"wrong", json::array()}}));
  EXPECT_EQ(orders(searched({{"dgb", 0.4}, {"ugal_global", 0.5}})), json::array());
  EXPECT_EQ(orders(searched({{"ugal_ln", 0.5}, {"ugal_le", 0.45}}))[0]["wrong"],
            json::array({{"ugal_le", "ugal_ln"}}));
  // exactly 0.02 apart is not more than that: figure 7
  EXPECT_EQ(orders(searched({{"ugal_ln", 0.5}, {"dgb", 0.4}}, "permutation")), json::array());
}

TEST(PublishedBeside, AnotherSetUpIsSaid) {
  json results = searched({{"ugal_le", 0.5}});
  results["network"]["cycles_per_flit"] = 1;
  results["network"]["link_latency_cycles"] = {10, 10};
  EXPECT_EQ(published_beside(results)[0]["differences"],
            json({"core cycles per flit: 1 (published: 2.5)",
                  "link latencies in core cycles: 10 and 10 (published: 10 and 15)"}));
}

TEST(PublishedBeside, OfSeveralNetworksEachHasItsOwnNumbers) {
  json results = searched({{"ugal_le", 0.5}});
  results["proofs"].push_back({{"routing", "b/le"}, {"algorithm", "ugal_le"}});
  results["saturation"].push_back(
      {{"routing", "b/le"}, {"pattern", "shift"}, {"throughput", 0.54}, {"at_highest", true}});
  results["networks"] = {{{"routings", {"b/le"}}, {"network", network(9, 4)}}};
  const json rows = published_beside(results)[0]["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["published"], 0.51);
  EXPECT_FALSE(rows[0].contains("at_least"));
  EXPECT_EQ(rows[1]["published"], 0.54);
  EXPECT_EQ(rows[1]["routing"], "b/le");
  EXPECT_EQ(rows[1]["at_least"], true);
}

TEST(PublishedBeside, OtherNetworksPatternsAndRoutingsHaveNothing) {
  EXPECT_EQ(published_beside(json::object()), json::array());
  EXPECT_EQ(published_beside(searched({{"min", 0.1}})), json::array());
  EXPECT_EQ(published_beside(searched({{"ugal_le", 0.5}}, "tornado")), json::array());
  json other = searched({{"ugal_le", 0.5}});
  other["network"]["terminals_per_router"] = 2;
  EXPECT_EQ(published_beside(other), json::array());
}

/// The torus of DQN-Routing, with points of network latencies.
json torus(const std::map<std::string, double>& means, bool partial = false) {
  json results = {{"network",
                   {{"kind", "torus"},
                    {"dims", {4, 4}},
                    {"terminals_per_router", 1},
                    {"cycles_per_flit", 1},
                    {"max_flits", 64},
                    {"flit_bits", 128}}},
                  {"proofs", json::array()},
                  {"points", json::array()}};
  for (const auto& [algorithm, mean] : means) {
    results["proofs"].push_back({{"routing", algorithm}, {"algorithm", algorithm}});
    results["points"].push_back({{"routing", algorithm},
                                 {"pattern", "uniform"},
                                 {"offered_load", 0.8},
                                 {"saturated", algorithm == "dor"},
                                 {"partial", partial},
                                 {"network_latency_cycles", {{"mean", mean}}}});
  }
  return results;
}

TEST(PublishedBeside, RatiosAreToAnotherRoutingAtTheSameLoad) {
  const json found = published_beside(torus({{"dor", 2000}, {"star_channel", 1000}, {"dqn", 520}}));
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0]["rows"].size(), 2u);
  EXPECT_EQ(found[0]["rows"][0]["quantity"], "network_mean_of star_channel");
  EXPECT_EQ(found[0]["rows"][0]["measured"], 0.52);
  EXPECT_EQ(found[0]["rows"][1]["measured"], 0.26);
  EXPECT_EQ(found[0]["differences"], json({"flits per packet, at most: 64 (published: 258)"}));
  EXPECT_EQ(published_beside(torus({{"dqn", 520}})), json::array());
  // what an interruption cut short is no result
  EXPECT_EQ(published_beside(torus({{"dor", 2000}, {"dqn", 520}}, true)), json::array());
}

TEST(PublishedBeside, EveryPublishedNumberNamesItsRoutingAndIsPositive) {
  for (const std::string& name : publications()) {
    const json file = publication(name).value();
    for (const json& row : compare_published(file, json::array())) {
      if (row["source"] == "statement") continue;
      EXPECT_TRUE(row["name"].is_string()) << row.dump();
      for (const json& end :
           row["published"].is_array() ? row["published"] : json::array({row["published"]}))
        EXPECT_GT(end.get<double>(), 0) << row.dump();
    }
  }
}

}  // namespace
}  // namespace hopwise::report
