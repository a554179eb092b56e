// SPDX-License-Identifier: Apache-2.0
#include "report/statements.hpp"

#include <gtest/gtest.h>

namespace hopwise::report {
namespace {

using nlohmann::json;

json job_point(const char* routing, double load, double median, double correlation = 0) {
  return {{"routing", routing},
          {"pattern", "uniform"},
          {"offered_load", load},
          {"tasks", {"0123"}},
          {"seeds", {1}},
          {"jobs",
           {{{"iteration_cycles", {{"median", median}}},
             {"qcd", median / 1000},
             {"model_correlation", correlation}}}}};
}

json judged(json statement, const json& points) {
  statement.update({{"figure", "7"}, {"says", "it is faster"}, {"experiment", "e"}});
  if (!statement.contains("pattern")) statement["pattern"] = "uniform";
  const json rows =
      judge_statements({{"network", "n"}, {"statements", {statement}}},
                       {{{"name", "other"}, {"results", {{"points", {job_point("a", 0.3, 1)}}}}},
                        {{"name", "e"}, {"results", {{"points", points}}}}});
  EXPECT_EQ(rows.size(), 1u);
  return rows.front();
}

TEST(Statements, ARoutingIsComparedWithTheBestOfOthers) {
  const json points = {job_point("a", 0.1, 1), job_point("a", 0.3, 210), job_point("b", 0.3, 200),
                       job_point("c", 0.3, 300)};
  json statement = {{"quantity", "iteration"}, {"of", "a"}, {"against", {"c", "b"}}, {"load", 0.3}};
  statement["at_most"] = 1.05;
  const json confirmed = judged(statement, points);
  EXPECT_DOUBLE_EQ(confirmed["measured"], 1.05);
  EXPECT_EQ(confirmed["verdict"], "confirmed");
  EXPECT_EQ(confirmed["published"], "at most 1.05 of c or b");
  EXPECT_EQ(confirmed["experiment"], "e");
  statement["at_most"] = 1.04;
  EXPECT_EQ(judged(statement, points)["verdict"], "refuted");
  statement.erase("at_most");
  statement["at_least"] = 1.06;
  EXPECT_EQ(judged(statement, points)["verdict"], "refuted");
}

TEST(Statements, WhatIsAsFastIsNeitherFasterNorSlower) {
  const json points = {job_point("a", 0.3, 200), job_point("b", 0.3, 200)};
  json statement = {{"quantity", "iteration"}, {"of", "a"}, {"against", {"b"}}};
  for (const auto& [key, verdict] : std::map<std::string, std::string>{
           {"below", "no difference"}, {"above", "no difference"}, {"at_most", "confirmed"}}) {
    statement[key] = 1;
    EXPECT_EQ(judged(statement, points)["verdict"], verdict) << key;
    statement.erase(key);
  }
}

TEST(Statements, ANumberStandsForItselfAndAJobAloneHasTheLoadThatItMade) {
  const json points = {job_point("a", 0.0123, 100, 0.85)};
  const json row = judged({{"quantity", "correlation"}, {"of", "a"}, {"at_least", 0.8}}, points);
  EXPECT_DOUBLE_EQ(row["measured"], 0.85);
  EXPECT_EQ(row["verdict"], "confirmed");
  EXPECT_EQ(row["published"], "at least 0.8");
}

TEST(Statements, SeveralStandForTheirMean) {
  const json points = {job_point("a", 0.3, 100, 0.9), job_point("b", 0.3, 100, 0.8)};
  json statement = {{"quantity", "correlation"}, {"of", {"a", "b"}}, {"at_least", 0.8}};
  const json row = judged(statement, points);
  EXPECT_DOUBLE_EQ(row["measured"], 0.85);
  EXPECT_EQ(row["routing"], "a; b");
  EXPECT_EQ(row["tasks"].size(), 2u);
  statement["of"].push_back("c");
  EXPECT_EQ(judged(statement, points)["verdict"], "not measured");
}

TEST(Statements, WhatIsMissingIsNotMeasured) {
  const json statement = {
      {"quantity", "qcd"}, {"of", "a"}, {"against", {"b"}}, {"load", 0.3}, {"at_most", 1}};
  for (const json& points : {json::array(), json{job_point("a", 0.3, 1)},
                             json{job_point("a", 0.1, 1), job_point("b", 0.3, 1)},
                             json{job_point("a", 0.3, 1), job_point("b", 0.3, 0)}}) {
    EXPECT_EQ(judged(statement, points)["verdict"], "not measured");
  }
  json unknown = statement;
  unknown["quantity"] = "beauty";
  EXPECT_EQ(judged(unknown, {job_point("a", 0.3, 1), job_point("b", 0.3, 1)})["verdict"],
            "not measured");
}

}  // namespace
}  // namespace hopwise::report
