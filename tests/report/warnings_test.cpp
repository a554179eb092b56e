// SPDX-License-Identifier: Apache-2.0
#include "report/warnings.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hopwise::report {
namespace {

using nlohmann::json;

json point(const char* routing, double load, double latency, bool saturated = false) {
  return {{"routing", routing},     {"pattern", "uniform"},
          {"offered_load", load},   {"accepted_load", saturated ? load / 2 : load},
          {"saturated", saturated}, {"latency_cycles", {{"mean", latency}}},
          {"stopped", "converged"}};
}

/// Of a routing with tables: settled after so many cycles (null: never), measured from 1000 to
/// 3000 on, with these values in the two halves.
json learning(json settled, double first = 40, double second = 40) {
  json p = point("q", 0.5, 42);
  p["learning"] = json::object();
  p["warmup_cycles"] = 1000;
  p["cycles"] = 3000;
  p["settling"] = {{{"latency", {{"cycles", settled}}}, {"accepted", {{"cycles", 0}}}}};
  for (const int cycle : {500, 1000, 1500, 2000, 2500, 3000}) {
    const double value = cycle <= 1000 ? 90 : cycle <= 2000 ? first : second;
    p["time_series"].push_back({{"cycle", cycle}, {"best_value", value}, {"decisions", 10}});
  }
  return p;
}

Warnings of(json points, const json& more = json::object()) {
  json results = {{"points", std::move(points)}};
  results.update(more);
  return point_warnings(results);
}
std::string text_of(json points) { return format(of(std::move(points))); }

const std::string kWouldDo =
    "; a longer simulation.warmup_cycles, or tables to start from (--load-tables), would do\n";
const std::string kEarly =
    "warning[run.not-settled]: q, uniform, at 0.5: routers may still learn while they are "
    "measured: at 0.5 ";

TEST(PointWarnings, ALearnerThatHadNotSettledIsSaid) {
  EXPECT_EQ(text_of({learning(nullptr)}),
            kEarly + "it had not settled when the last quarter of the run began" + kWouldDo);
  EXPECT_EQ(
      text_of({learning(1001)}),
      kEarly + "the latest had settled after 1001 core cycles, and measuring had begun" + kWouldDo);
  EXPECT_EQ(text_of({learning(900, 44, 40)}),
            kEarly + "what tables promise moves by up to 10.0 % while it is measured" + kWouldDo);
  json brief = learning(0);
  brief["settling"] = json::array();
  EXPECT_EQ(text_of({brief}), kEarly + "the run is too short to tell" + kWouldDo);
}

TEST(PointWarnings, ALearnerThatIsMeasuredOnceItHasSettledIsNotSaid) {
  EXPECT_TRUE(of({learning(1000)}).empty());
  EXPECT_TRUE(of({learning(0, 41, 40)}).empty());
}

TEST(PointWarnings, OneOfEachRoutingAndPatternHasAllItsLoads) {
  json high = learning(nullptr), low = learning(2000);
  high["offered_load"] = 0.9;
  const auto found = of({low, learning(0, 30, 40), high});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].loads, (std::vector<double>{0.5, 0.5, 0.9}));
}

TEST(PointWarnings, BeyondSaturationAcceptedLoadSettles) {
  json p = learning(nullptr);
  p["saturated"] = true;
  EXPECT_TRUE(of({p}).empty());
  p["settling"][0]["accepted"]["cycles"] = nullptr;
  EXPECT_EQ(of({p}).size(), 1u);
}

TEST(PointWarnings, LearnersMayMoveWhereThatIsMeasuredAndOthersHaveNothingToLearn) {
  EXPECT_TRUE(of({learning(nullptr)}, {{"traffic_switch_cycle", 1000}}).empty());
  json fixed = learning(nullptr), partial = learning(nullptr), trace = learning(nullptr);
  fixed.erase("learning");
  partial["partial"] = true;
  trace["stopped"] = "trace-end";
  EXPECT_TRUE(of({fixed}).empty());
  EXPECT_TRUE(of({partial}).empty());
  EXPECT_TRUE(of({trace}).empty());
}

TEST(PointWarnings, LoadsThatTellNoRoutingFromAnotherAreSaid) {
  const auto found = of({point("dor", 0.1, 20), point("dor", 0.2, 21), point("star", 0.1, 20.5),
                         point("star", 0.2, 22)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "run.no-difference");
  EXPECT_EQ(found[0].routings, (std::vector<std::string>{"dor", "star"}));
  EXPECT_EQ(found[0].pattern, "uniform");
  EXPECT_EQ(found[0].loads, (std::vector<double>{0.1, 0.2}));
}

TEST(PointWarnings, ALoadThatTellsThemApartIsEnough) {
  const json same[] = {point("dor", 0.1, 20), point("star", 0.1, 20.5)};
  const auto with = [&](const json& a, const json& b, const json& more = json::object()) {
    return of({same[0], same[1], a, b}, more).size();
  };
  EXPECT_EQ(with(point("dor", 0.2, 21), point("star", 0.2, 21)), 1u);
  EXPECT_EQ(with(point("dor", 0.2, 21), point("star", 0.2, 22.1)), 0u);      // latency
  EXPECT_EQ(with(point("dor", 0.2, 21), point("star", 0.2, 21, true)), 0u);  // saturated
  EXPECT_EQ(with(point("dor", 1.0, 21), point("star", 1.0, 21)), 0u);        // no higher load
  EXPECT_EQ(with(point("dor", 0.2, 21), point("dor", 0.3, 21)), 0u);         // not the same loads
  const json search = {{{"routing", "dor"}, {"pattern", "uniform"}, {"throughput", 0.5}}};
  EXPECT_EQ(with(point("dor", 0.2, 21), point("star", 0.2, 21), {{"saturation", search}}), 0u);
  EXPECT_EQ(with(point("dor", 0.2, 21), point("star", 0.2, 21), {{"interrupted", true}}), 0u);
  json less = point("star", 0.2, 21);
  less["accepted_load"] = 0.19;
  EXPECT_EQ(with(point("dor", 0.2, 21), less), 0u);
  EXPECT_TRUE(of({point("dor", 0.1, 20), point("dor", 0.2, 20)}).empty());  // nothing to compare
}

TEST(PointWarnings, JsonBringsThemBack) {
  const Warnings all = {{"a.b", "text", {"dor"}, "uniform", {0.5}}, {"c.d", "more", {}, "", {}}};
  const json list = warnings_json(all);
  EXPECT_EQ(list.dump(),
            R"([{"code":"a.b","loads":[0.5],"pattern":"uniform","routings":["dor"],"text":"text"},)"
            R"({"code":"c.d","text":"more"}])");
  EXPECT_EQ(format(read_warnings(list)), format(all));
  EXPECT_EQ(warnings_text({{"warnings", list}}), format(all));
  EXPECT_EQ(warnings_text(json::object()), "");
}

}  // namespace
}  // namespace hopwise::report
