// SPDX-License-Identifier: Apache-2.0
#include "report/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "measure/search.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

json estimate(const char* routing, double load, json mean, json ci95, bool saturated = false) {
  return {{"routing", routing},
          {"pattern", "uniform"},
          {"offered_load", load},
          {"saturated", saturated},
          {"latency_cycles", {{"mean", std::move(mean)}, {"ci95", std::move(ci95)}}},
          {"stopped", "converged"}};
}

json limit(const char* routing, double throughput, bool at_highest = false) {
  return {{"routing", routing},
          {"pattern", "uniform"},
          {"throughput", throughput},
          {"at_highest", at_highest}};
}

json cost(const char* routing, double area, double mhz) {
  return {{"routing", routing}, {"target", "osu018"}, {"memories", "macros"},
          {"area", area},       {"area_unit", "um2"}, {"fmax_mhz", mhz}};
}

json results(json points, json saturation = json::array(), json costs = json::array()) {
  return {{"network", {{"name", "torus_4x4"}}},
          {"points", std::move(points)},
          {"saturation", std::move(saturation)},
          {"costs", std::move(costs)}};
}

json of_uniform(const json& all) { return verdict(all)["patterns"].at(0); }
std::string saturation_text(const json& limits) {
  return of_uniform(results(json::array(), limits))["saturation"]["text"];
}
std::string latency_text(const json& points) {
  return of_uniform(results(points))["latency"].at(0)["text"];
}

TEST(Verdict, uses_the_tolerance_that_the_search_has) {
  EXPECT_EQ(kSaturationTolerance, measure::SearchRange{}.tolerance);
}

TEST(Verdict, names_the_best_saturation_and_its_distance_from_the_next) {
  EXPECT_EQ(saturation_text({limit("dor", 0.62), limit("star", 0.78), limit("valiant", 0.4)}),
            "star 0.780, then dor 0.620: 0.160 (25.8 %) apart, more than the tolerance of the "
            "search, 0.010");
}

TEST(Verdict, calls_saturations_within_the_tolerance_of_the_search_a_tie) {
  EXPECT_EQ(saturation_text({limit("dor", 0.61), limit("star", 0.62), limit("valiant", 0.4)}),
            "star and dor tie at 0.620: 0.010 (1.6 %) apart, not more than the tolerance of the "
            "search, 0.010; then valiant 0.400: 0.220 (55.0 %) apart");
  EXPECT_EQ(saturation_text({limit("dor", 1, true), limit("star", 1, true)}),
            "dor and star tie at 1.000 or more");
}

TEST(Verdict, holds_a_difference_of_latencies_against_the_interval_of_the_difference) {
  EXPECT_EQ(latency_text({estimate("dor", 0.2, 42.0, 0.3), estimate("star", 0.2, 41.0, 0.4)}),
            "star 41.0, then dor 42.0 core cycles: 1.00 core cycles (2.4 %) apart, more than the "
            "95 % interval of the difference, +-0.50");
  EXPECT_EQ(latency_text({estimate("dor", 0.2, 41.4, 0.3), estimate("star", 0.2, 41.0, 0.4)}),
            "star and dor tie at 41.0 core cycles: 0.40 core cycles (1.0 %) apart, not more than "
            "the 95 % interval of the difference, +-0.50");
}

TEST(Verdict, judges_no_latency_without_an_interval_unless_it_is_the_same) {
  EXPECT_EQ(latency_text({estimate("dor", 0.2, 42.0, nullptr), estimate("star", 0.2, 41.0, 0.4)}),
            "star 41.0, then dor 42.0 core cycles: 1.00 core cycles (2.4 %) apart; no confidence "
            "interval, the runs are too short to judge");
  EXPECT_EQ(
      latency_text({estimate("dor", 0.2, 41.0, nullptr), estimate("star", 0.2, 41.0, nullptr)}),
      "dor and star tie at 41.0 core cycles");
}

TEST(Verdict, starts_at_the_highest_load_that_all_routings_sustain) {
  const json found = of_uniform(
      results({estimate("dor", 0.2, 40, 1), estimate("dor", 0.4, 50, 1),
               estimate("dor", 0.6, nullptr, nullptr, true), estimate("star", 0.2, 44, 1),
               estimate("star", 0.4, 54, 1), estimate("star", 0.6, 60, 1)}));
  EXPECT_EQ(found["default_load"], 0.4);
  ASSERT_EQ(found["latency"].size(), 3u);
  EXPECT_EQ(found["latency"][2]["text"],
            "star 60.0 core cycles; no other to compare with; saturated: dor");
  // Without a search, a load that one sustains and the other does not is a difference.
  EXPECT_EQ(found["saturation"]["searched"], false);
  EXPECT_EQ(found["saturation"]["text"],
            "not searched for; highest load measured and sustained: star at least 0.6, then dor "
            "0.4: 0.2 (50.0 %) apart");
  EXPECT_EQ(found["choice"]["routings"], json({"star"}));
  EXPECT_EQ(found["choice"]["why"],
            "saturates last and costs 4.00 core cycles (8.0 %) of latency at load 0.4 against dor");
}

TEST(Verdict, asks_of_workloads_that_end_which_completes_first) {
  const auto done = [](const char* routing, int cycles, double mean) {
    json p = estimate(routing, 0.3, mean, nullptr, true);
    p["completion_cycles"] = cycles;
    return p;
  };
  const json found = of_uniform(results({done("dor", 12500, 40.0), done("star", 10000, 50.0)}));
  EXPECT_TRUE(found["saturation"].is_null());
  EXPECT_EQ(found["completion"]["text"],
            "star 10,000, then dor 12,500 core cycles: 2,500 core cycles (20.0 %) apart, more than "
            "a hundredth, 100");
  EXPECT_EQ(found["choice"]["routings"], json({"star"}));
  EXPECT_EQ(found["choice"]["why"],
            "completes first and costs 10.0 core cycles (25.0 %) of latency at load 0.3 against "
            "dor");
  const std::string close = verdict_text(results({done("dor", 10050, 1), done("star", 10000, 1)}));
  EXPECT_NE(close.find("star and dor tie at 10,000 core cycles"), std::string::npos) << close;
}

TEST(Verdict, says_where_every_measured_load_is_saturated) {
  const json found = of_uniform(results({estimate("dor", 0.6, nullptr, nullptr, true),
                                         estimate("star", 0.6, nullptr, nullptr, true)}));
  EXPECT_EQ(found["saturation"]["text"], "not searched for; every measured load is beyond it");
  EXPECT_TRUE(found["saturation"]["best"].empty());
  EXPECT_TRUE(found["choice"].is_null());
  EXPECT_TRUE(found["latency"].empty());
}

TEST(Verdict, counts_no_point_that_failed_or_was_interrupted) {
  json cut = estimate("star", 0.2, 1, 0.1), failed = estimate("valiant", 0.2, 2, 0.1);
  cut["partial"] = true;
  failed["stopped"] = "failed";
  EXPECT_EQ(latency_text({estimate("dor", 0.2, 42.0, 0.3), cut, failed}),
            "dor 42.0 core cycles; no other to compare with");
}

TEST(Verdict, leaves_to_chance_what_seeds_scatter_over) {
  const auto spread = [](json limit, double ci95) {
    limit["throughput_ci95"] = ci95;
    return limit;
  };
  EXPECT_EQ(
      saturation_text({spread(limit("dor", 0.52), 0.16), spread(limit("star", 0.5), 0.12)}),
      "dor and star tie at 0.520: 0.020 (4.0 %) apart, not more than the 95 % interval of the "
      "difference, +-0.200");
  EXPECT_EQ(saturation_text({spread(limit("dor", 0.52), 0.003), spread(limit("star", 0.5), 0.004)}),
            "dor 0.520, then star 0.500: 0.020 (4.0 %) apart, more than the tolerance of the "
            "search, 0.010");
}

TEST(Verdict, lets_the_smaller_router_decide_between_equals) {
  const json found = verdict(results({estimate("dor", 0.2, 41, 1), estimate("star", 0.2, 40.5, 1)},
                                     {limit("dor", 0.62), limit("star", 0.62)},
                                     {cost("dor", 1300000, 300), cost("star", 1495000, 250)}));
  EXPECT_EQ(found["patterns"][0]["choice"]["routings"], json({"dor"}));
  EXPECT_EQ(found["patterns"][0]["choice"]["why"],
            "saturates no earlier than any other, is no slower than any other at load 0.2 and is "
            "the smallest of those that tie");
  ASSERT_EQ(found["cost"].size(), 2u);
  EXPECT_EQ(found["cost"][0]["text"],
            "dor 1,300,000, then star 1,495,000 um2: 195,000 um2 (13.0 %) apart");
  EXPECT_EQ(found["cost"][1]["text"], "dor 300.0, then star 250.0 MHz: 50.0 MHz (20.0 %) apart");
}

TEST(Verdict, names_all_between_which_nothing_decides) {
  const json choice =
      of_uniform(results({estimate("dor", 0.2, 41, 1), estimate("star", 0.2, 40.5, 1)},
                         {limit("dor", 0.62), limit("star", 0.62)}))["choice"];
  EXPECT_EQ(choice["routings"], json({"dor", "star"}));
  EXPECT_EQ(choice["why"],
            "saturate no earlier than any other and are no slower than any other at load 0.2");
}

TEST(Verdict, chooses_nothing_where_there_is_one_routing) {
  EXPECT_TRUE(
      of_uniform(results({estimate("dor", 0.2, 41, 1)}, {limit("dor", 0.62)}))["choice"].is_null());
}

TEST(Verdict, compares_workloads_that_set_their_own_load_at_the_load_of_each) {
  const json found =
      of_uniform(results({estimate("dor", 0.21, 41, 1), estimate("star", 0.25, 30, 1)}));
  ASSERT_EQ(found["latency"].size(), 1u);
  EXPECT_TRUE(found["latency"][0]["load"].is_null());
  EXPECT_EQ(found["latency"][0]["best"], json({"star"}));
  EXPECT_TRUE(found["saturation"].is_null());
}

TEST(Verdict, survives_results_that_hold_nothing_or_something_else) {
  for (const auto* text : {"{}", "null", R"({"points": 3, "saturation": {}, "costs": "none"})",
                           R"({"points": [{}, null, {"offered_load": "x"}], "saturation": [{}]})",
                           R"({"points": [{"offered_load": 0.1, "latency_cycles": 4}]})"}) {
    const json found = verdict(json::parse(text));
    EXPECT_TRUE(found["patterns"].is_array()) << text;
    verdict_text(json::parse(text));
  }
  EXPECT_EQ(verdict_text(json::object()), "");
}

TEST(VerdictText, stands_in_lines_and_ends_with_the_command) {
  EXPECT_EQ(
      verdict_text(results({estimate("dor", 0.2, 42.0, 0.3), estimate("star", 0.2, 41.0, 0.4)},
                           {limit("dor", 0.62), limit("star", 0.78)})),
      "Verdict\n"
      "uniform\n"
      "  choose           star: saturates last and has the lowest latency at load 0.2\n"
      "  saturation       star 0.780, then dor 0.620: 0.160 (25.8 %) apart, more than the "
      "tolerance of the search, 0.010\n"
      "  latency at 0.2   star 41.0, then dor 42.0 core cycles: 1.00 core cycles (2.4 %) "
      "apart, more than the 95 % interval of the difference, +-0.50\n"
      "again: hopwise run torus_4x4.yaml -o out/torus_4x4\n");
}

std::string line(const json& all) { return reproducing_command(all)["line"]; }

TEST(ReproducingCommand, has_the_overrides_as_words_of_a_shell) {
  json all = results(json::array());
  all["overrides"] = {"simulation.cycles=300", "experiment.loads=[0.2, 0.9]", "network.name=it's"};
  EXPECT_EQ(line(all),
            "hopwise run torus_4x4.yaml --set simulation.cycles=300 "
            "--set 'experiment.loads=[0.2, 0.9]' --set 'network.name=it'\\''s' -o out/torus_4x4");
}

TEST(ReproducingCommand, names_the_routings_the_target_and_the_tables) {
  json all = results(json::array(), json::array(), {cost("dor", 1, 1)});
  all["proofs"] = json::parse(R"([{"routing": "dor"}])");
  all["loaded_tables"] = "tables.json";
  EXPECT_EQ(line(all),
            "hopwise run torus_4x4.yaml --routing dor --load-tables tables.json --target osu018 "
            "-o out/torus_4x4");
}

TEST(ReproducingCommand, names_the_extensions) {
  json all = results(json::array());
  all["extensions"] = {"my_ugal", "two words"};
  EXPECT_EQ(line(all),
            "hopwise --with my_ugal --with 'two words' run torus_4x4.yaml -o out/torus_4x4");
  all["campaign"] = {{"name", "c"}, {"file", "c.yaml"}, {"experiment", "e"}, {"quick", true}};
  EXPECT_EQ(line(all),
            "hopwise --with my_ugal --with 'two words' campaign run c.yaml --quick -o out/c");
}

TEST(ReproducingCommand, names_the_files_of_a_comparison_and_says_what_is_not_there) {
  json all = results(json::array());
  all["networks"] = json::parse(R"([{"routings": ["long/dor"]}])");
  all["proofs"] =
      json::parse(R"([{"routing": "net/dor"}, {"routing": "net/star"}, {"routing": "long/dor"}])");
  EXPECT_EQ(line(all), "hopwise compare net.yaml long.yaml --routing dor,star -o out/net");
  EXPECT_EQ(reproducing_command(all)["note"],
            "net.yaml is the text under Configuration (config_yaml of results.json); the results "
            "do not hold the text of long.yaml.");
}

TEST(ReproducingCommand, trains_where_there_was_a_training) {
  json all = results(json::array());
  all["training"] = json::object();
  EXPECT_EQ(line(all),
            "hopwise agent train torus_4x4.yaml -o torus_4x4_agent.json --results out/torus_4x4");
}

}  // namespace
}  // namespace hopwise::report
