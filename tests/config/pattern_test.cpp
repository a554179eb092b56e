// SPDX-License-Identifier: Apache-2.0
#include "spec/pattern.hpp"

#include <regex.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "config/keys.hpp"
#include "config/load.hpp"
#include "files.hpp"
#include "topology/dragonfly.hpp"
#include "topology/grid.hpp"

namespace hopwise::config {
namespace {

const std::string kNineGroups =
    "topology: {kind: dragonfly, routers_per_group: 4, global_ports: 2}\n"
    "routing: {algorithm: min}\n";

bool matches(const std::string& expression, const std::string& word) {
  regex_t compiled;
  EXPECT_EQ(regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB), 0) << expression;
  const bool found = regexec(&compiled, word.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

Diagnostics errors_of(const std::string& text, const Overrides& overrides) {
  const auto result = load_builtin(text, "net.yaml", overrides);
  return result.ok() ? Diagnostics{} : result.errors();
}

const spec::Patterns kPatterns = traffic::builtin_patterns();

Result<spec::PatternName> parsed(std::string_view word) {
  return spec::parse_pattern(kPatterns, word);
}

TEST(PatternName, EveryNameIsReadAndSpeltBackAsItWas) {
  const auto expect = [](const std::string& word, const spec::PatternDeclaration* pattern,
                         const std::vector<unsigned>& numbers) {
    const auto name = parsed(word);
    ASSERT_TRUE(name.ok()) << word;
    EXPECT_EQ(name.value(), (spec::PatternName{pattern, numbers})) << word;
    EXPECT_EQ(to_string(name.value()), word);
  };
  for (const spec::PatternDeclaration* pattern : kPatterns) {
    if (pattern->alone) expect(std::string(pattern->name), pattern, {});
    if (!pattern->form) continue;
    const spec::WordForm& form = *pattern->form;
    if (form.numbers == 3) {
      for (const std::vector<unsigned>& grid :
           {std::vector<unsigned>{1, 1, 1}, {5, 10, 51}, {999999, 1, 20}}) {
        expect(fmt::format("{}:{}", form.head, fmt::join(grid, "x")), pattern, grid);
      }
      continue;
    }
    for (unsigned value = form.min; value <= form.max; ++value)
      expect(fmt::format("{}{}{}", form.head, form.mark, value), pattern, {value});
  }
  EXPECT_EQ(to_string(parsed("neighbor").value()), "neighbour");
}

TEST(PatternName, AListMayBeLongerThanWhatIsBuiltIn) {
  constexpr spec::Key kKeys[] = {{.path = "traffic.mirror_part",
                                  .type = spec::KeyType::kReal,
                                  .range = {0, 1},
                                  .default_yaml = "0.5",
                                  .doc = "Part of the packets."}};
  const traffic::PatternKind mirror{{.name = "mirror", .doc = "the last terminal", .keys = kKeys}};
  std::vector<const spec::PatternDeclaration*> longer(kPatterns.begin(), kPatterns.end());
  longer.push_back(&mirror);
  const Catalogue catalogue = builtin_catalogue(longer);
  const auto result =
      load(kTorus, "net.yaml", Overrides{"traffic.pattern=mirror", "traffic.mirror_part=0.25"},
           catalogue);
  ASSERT_TRUE(result.ok()) << format(result.errors());
  EXPECT_EQ(result.value().traffic.pattern, "mirror");
  EXPECT_EQ(result.value().traffic.settings.real("traffic.mirror_part"), 0.25);
  EXPECT_NE(json_schema(catalogue).find("mirror_part"), std::string::npos);
  EXPECT_FALSE(load(kTorus, "net.yaml", Overrides{"traffic.pattern=mirror"}, builtin()).ok());
}

TEST(PatternName, AWrongParameterIsAnsweredWithItsRange) {
  for (const char* word : {"adv", "adv+", "adv+0", "adv+1025", "adv+-1", "adv+01", "adv:1",
                           "adv+1x", "adv+99999999999", "adv+1+1"}) {
    const auto name = parsed(word);
    ASSERT_FALSE(name.ok()) << word;
    ASSERT_EQ(name.errors().size(), 1u);
    EXPECT_EQ(name.errors()[0].code, "config.pattern-parameter") << word;
    EXPECT_EQ(name.errors()[0].found, "'" + std::string(word) + "'");
    EXPECT_EQ(name.errors()[0].allowed, "adv+I, I from 1 to 1024");
  }
  for (const char* word :
       {"mixed_node_shift", "mixed_node_shift:", "mixed_node_shift:101", "mixed_node_shift:00",
        "mixed_node_shift+5", "mixed_node_shift:50%", "mixed_node_shift:1.5"}) {
    const auto name = parsed(word);
    ASSERT_FALSE(name.ok()) << word;
    EXPECT_EQ(name.errors()[0].code, "config.pattern-parameter") << word;
    EXPECT_EQ(name.errors()[0].allowed, "mixed_node_shift:P, P from 0 to 100");
  }
  for (const char* word :
       {"stencil_3d:", "stencil_3d:4", "stencil_3d:4x4", "stencil_3d:4x4x4x4", "stencil_3d:4x4x",
        "stencil_3d:x4x4", "stencil_3d:4x0x4", "stencil_3d:04x4x4", "stencil_3d:4X4X4",
        "stencil_3d+4x4x4", "stencil_3d:4x4x1000000", "stencil_3d:4x4x-4"}) {
    const auto name = parsed(word);
    ASSERT_FALSE(name.ok()) << word;
    EXPECT_EQ(name.errors()[0].code, "config.pattern-parameter") << word;
    EXPECT_EQ(name.errors()[0].allowed, "stencil_3d:XxYxZ, each from 1 to 999999");
  }
}

TEST(PatternName, AMisspeltNameIsAnsweredWithTheNearestParameterOrNot) {
  const auto hint = [](const char* word) {
    const auto name = parsed(word);
    EXPECT_FALSE(name.ok()) << word;
    EXPECT_EQ(name.errors()[0].code, "config.unknown-name");
    return name.errors()[0].hint;
  };
  EXPECT_EQ(hint("unifrom"), "did you mean 'uniform'?");
  EXPECT_EQ(hint("avd+4"), "did you mean 'adv+I'?");
  EXPECT_EQ(hint("mixed_router_shfit:50"), "did you mean 'mixed_router_shift:P'?");
  EXPECT_EQ(hint("shift:50"), "did you mean 'shift'?");
  EXPECT_EQ(hint("random_neighbours"), "did you mean 'random_neighbors'?");
  EXPECT_EQ(hint("random_neighbors:fixd"), "did you mean 'random_neighbors'?");
  EXPECT_EQ(hint("many_2_many:4x4x4"), "did you mean 'many_to_many'?");
  EXPECT_EQ(hint("something else"), "");
  EXPECT_EQ(hint(""), "");
}

TEST(PatternName, TheSchemasExpressionsTakeWhatTheParserTakesAndNothingElse) {
  const auto schema = nlohmann::json::parse(json_schema(builtin()));
  const auto& any =
      schema.at("properties").at("traffic").at("properties").at("pattern").at("anyOf");
  const auto taken = [&any](const std::string& word) {
    for (const auto& one : any) {
      if (one.contains("enum")) {
        for (const auto& name : one["enum"]) {
          if (name == word) return true;
        }
      } else if (matches(one["pattern"].get<std::string>(), word)) {
        return true;
      }
    }
    return false;
  };
  for (const std::string_view head :
       {"uniform", "neighbor", "shift", "adv", "mixed_router_shift", "mixed_node_permutation",
        "stencil_3d", "many_to_many", "random_neighbors", "dpsnn"}) {
    for (const char* rest :
         {"",         "+",      ":",       "+0",          "+1",           "+01",
          "+9",       "+1024",  "+10000",  "+1x",         ":0",           ":00",
          ":7",       ":07",    ":50",     ":99",         ":100",         ":101",
          ":110",     ":-1",    ":5.5",    "x",           ":4x5x6",       ":4x5",
          ":4x5x6x7", ":0x5x6", ":04x5x6", ":999999x1x1", ":1x1x1000000", ":4x5x6 ",
          ":1000",    ":1001",  ":fixed",  ":fixe",       "+fixed"}) {
      const std::string word = std::string(head) + rest;
      EXPECT_EQ(taken(word), parsed(word).ok()) << word;
    }
  }
}

TEST(PatternName, AllKeysThatTakePatternsTakeThoseWithAParameter) {
  const auto result = load_builtin(
      kNineGroups, "net.yaml",
      Overrides{"traffic.pattern=adv+4", "experiment.patterns=[adv+1,mixed_node_shift:50,neighbor]",
                "traffic.switch_pattern=adv+8", "traffic.switch_at_link_cycles=10"});
  ASSERT_TRUE(result.ok()) << format(result.errors());
  EXPECT_EQ(result.value().traffic.pattern, "adv+4");
  EXPECT_EQ(result.value().traffic.switch_pattern, "adv+8");
  EXPECT_EQ(result.value().experiment.patterns,
            (Overrides{"adv+1", "mixed_node_shift:50", "neighbour"}));
}

TEST(PatternName, TheMessagesListEveryWord) {
  const auto errors = errors_of(kTorus, {"traffic.pattern=[]", "experiment.patterns={}"});
  ASSERT_EQ(errors.size(), 2u);
  for (const Diagnostic& error : errors) {
    EXPECT_NE(error.allowed.find("uniform, tornado"), std::string::npos);
    EXPECT_NE(error.allowed.find("adv+I, mixed_router_shift:P"), std::string::npos);
  }
}

TEST(PatternName, WhatDoesNotFitTheTopologyIsRefusedWhereItIsWritten) {
  const auto refused = [](const std::string& text, const char* pattern) {
    const auto errors = errors_of(text + "traffic:\n  pattern: " + pattern + "\n", {});
    if (errors.empty()) return std::string("good");
    EXPECT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, "config.pattern-topology");
    EXPECT_EQ(errors[0].key, "traffic.pattern");
    EXPECT_NE(errors[0].where.line, 0u);
    return errors[0].found + " / " + errors[0].allowed;
  };
  EXPECT_EQ(refused(kNineGroups, "adv+8"), "good");
  EXPECT_EQ(refused(kNineGroups, "adv+9"), "adv+9 on 9 groups of 4 routers / adv+1 to adv+8");
  EXPECT_EQ(refused(kNineGroups, "transpose"),
            "transpose on 9 groups of 4 routers / as many groups as a group has routers");
  EXPECT_EQ(refused(kNineGroups, "tornado"), "good");
  EXPECT_EQ(refused(kNineGroups, "mixed_router_shift:0"), "good");
  for (const char* pattern : {"shift", "adv+1", "mixed_router_shift:5", "mixed_node_shift:5"}) {
    EXPECT_EQ(refused(kTorus, pattern),
              std::string(pattern) + " on 4 x 4 / a topology with groups");
  }
  EXPECT_EQ(refused(kNineGroups, "stencil_3d"), "good");
  EXPECT_EQ(refused(kNineGroups, "many_to_many"), "good");
  EXPECT_EQ(refused(kNineGroups, "many_to_many:4x1x9"), "good");
  EXPECT_EQ(refused(kNineGroups, "stencil_3d:2x2x2"),
            "stencil_3d:2x2x2 on 9 groups of 4 routers / a grid of 36 places, one per terminal");
  EXPECT_EQ(refused(kTorus, "many_to_many"), "many_to_many on 4 x 4 / a topology with groups");
  EXPECT_EQ(refused(kTorus, "many_to_many:4x4x1"),
            "many_to_many:4x4x1 on 4 x 4 / Z of two or more");
  EXPECT_EQ(refused(kTorus, "stencil_3d:4x4x1"), "good");
  EXPECT_EQ(refused(kTorus, "random_neighbors:fixed"), "good");
  EXPECT_EQ(refused(kTorus, "mixed_router_permutation:5"), "good");
  EXPECT_EQ(refused(kTorus, "mixed_node_permutation:5"), "good");
  EXPECT_EQ(refused("topology: {kind: mesh, dims: [2, 2]}\n", "tornado"),
            "tornado on 2 x 2 / a dimension of three or more");
}

TEST(PatternName, TwoGroupsHaveOneOffsetAndNoTornado) {
  const spec::TopologySpec topology = topology::dragonfly({4, 1, 2}, 1);
  const auto fit = [&topology](const char* word) {
    const auto error = spec::misfit(parsed(word).value(), topology);
    return error ? error->found + " / " + error->allowed : "good";
  };
  EXPECT_EQ(fit("adv+1"), "good");
  EXPECT_EQ(fit("adv+2"), "adv+2 on 2 groups of 4 routers / adv+1");
  EXPECT_EQ(fit("tornado"), "tornado on 2 groups of 4 routers / three groups or more");
}

TEST(PatternName, AGridCountsTheTerminalsOfARouter) {
  const auto fit = [](const char* word) {
    return !spec::misfit(parsed(word).value(), topology::torus({4, 4}, 3)).has_value();
  };
  EXPECT_TRUE(fit("stencil_3d:3x4x4"));
  EXPECT_FALSE(fit("stencil_3d:1x4x4"));
}

TEST(Injection, EveryProcessAndABoundAreReadFromTheCommandLine) {
  const auto traffic = [](const Overrides& overrides) {
    const auto result = load_builtin(kTorus, "net.yaml", overrides);
    EXPECT_TRUE(result.ok()) << format(result.ok() ? Diagnostics{} : result.errors());
    return result.ok() ? result.value().traffic : spec::TrafficSpec{};
  };
  EXPECT_EQ(traffic({}).injection, spec::Injection::kBernoulli);
  EXPECT_EQ(traffic({}).source_queue_packets, 0u);
  EXPECT_EQ(traffic({"traffic.injection=bernoulli"}).injection, spec::Injection::kBernoulli);
  EXPECT_EQ(traffic({"traffic.injection=on_off"}).injection, spec::Injection::kOnOff);
  EXPECT_EQ(traffic({"traffic.injection=periodic"}).injection, spec::Injection::kPeriodic);
  EXPECT_EQ(traffic({"traffic.source_queue_packets=20"}).source_queue_packets, 20u);
}

TEST(TrafficSwitch, LinkCyclesBecomeCoreCyclesRoundedUp) {
  const auto cycle = [](const char* rate, const char* at) {
    const auto result = load_builtin(
        kTorus, "net.yaml",
        Overrides{std::string("link.cycles_per_flit=") + rate,
                  std::string("traffic.switch_at_link_cycles=") + at, "traffic.switch_load=0.7"});
    return result.ok() ? result.value().traffic.switch_cycle : 0;
  };
  EXPECT_EQ(cycle("1", "1000"), 1000u);
  EXPECT_EQ(cycle("5/2", "1000"), 2500u);
  EXPECT_EQ(cycle("5/2", "3"), 8u);
  EXPECT_EQ(cycle("17/16", "1000000000000"), 1062500000000u);
}

TEST(TrafficSwitch, PatternAndLoadMaySwitchTogetherOrAlone) {
  const auto traffic = [](Overrides overrides) {
    overrides.push_back("traffic.switch_at_link_cycles=7");
    const auto result = load_builtin(kTorus, "net.yaml", overrides);
    EXPECT_TRUE(result.ok()) << format(result.ok() ? Diagnostics{} : result.errors());
    return result.ok() ? result.value().traffic : spec::TrafficSpec{};
  };
  EXPECT_EQ(traffic({"traffic.switch_load=0.7"}).switch_load, 0.7);
  EXPECT_EQ(traffic({"traffic.switch_load=0.7"}).switch_pattern, "");
  EXPECT_EQ(traffic({"traffic.switch_pattern=neighbor"}).switch_pattern, "neighbour");
  EXPECT_EQ(traffic({"traffic.switch_pattern=tornado"}).switch_load, 0);
  const auto never = load_builtin(kTorus, "net.yaml", {});
  ASSERT_TRUE(never.ok());
  EXPECT_EQ(never.value().traffic.switch_cycle, 0u);
}

TEST(TrafficSwitch, AHalfWrittenSwitchAndATraceAreRefused) {
  const auto found = [](const Overrides& overrides) {
    const auto errors = errors_of(kTorus, overrides);
    if (errors.size() != 1) return std::to_string(errors.size()) + " errors";
    EXPECT_EQ(errors[0].code, "config.traffic-switch");
    return errors[0].key + ": " + errors[0].found;
  };
  EXPECT_EQ(found({"traffic.switch_pattern=tornado"}),
            "traffic.switch_pattern: a switch without its time");
  EXPECT_EQ(found({"traffic.switch_load=0.5"}), "traffic.switch_load: a switch without its time");
  EXPECT_EQ(found({"traffic.switch_at_link_cycles=5"}),
            "traffic.switch_at_link_cycles: a switch of nothing");
  EXPECT_EQ(found({"traffic.switch_at_link_cycles=5", "traffic.switch_pattern=trace"}),
            "traffic.switch_pattern: a switch from or to a trace");
  EXPECT_EQ(found({"traffic.switch_at_link_cycles=5", "traffic.switch_load=0.5",
                   "traffic.pattern=trace", "traffic.trace=t"}),
            "traffic.switch_at_link_cycles: a switch from or to a trace");
}

}  // namespace
}  // namespace hopwise::config
