// SPDX-License-Identifier: Apache-2.0
#include "config/tree.hpp"

#include <gtest/gtest.h>

#include "config/load.hpp"
#include "files.hpp"

namespace hopwise::config {
namespace {

Node parse(const std::string& text) {
  Diagnostics errors;
  auto node = parse_tree(text, "t", "config.syntax", false, errors);
  EXPECT_TRUE(node.has_value()) << format(errors);
  return node.value_or(Node{});
}

TEST(Tree, FlowTextParsesBackToTheSameTree) {
  for (const char* text : {"{a: 1, b: [x, \"y z\", {c: null}]}", "{a: \"5\"}",
                           "{a: \"1, 2\", b: \"q\\\"q\"}", "[]", "{}"}) {
    const std::string flow = to_flow(parse(text));
    EXPECT_EQ(to_flow(parse(flow)), flow);
    EXPECT_EQ(flow, text);
  }
}

TEST(Tree, AnAnchorCanBeUsedAgain) {
  const auto result = load_builtin(
      "topology: {kind: torus, dims: &d [4, 4]}\nlink: {latency_cycles: *d}\n", "t", {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().network.link.latency_cycles, (std::vector<unsigned>{4, 4}));
}

TEST(Tree, AnAliasInsideItsOwnValueIsASyntaxErrorAndNoEndlessLoop) {
  const auto result = load_builtin("topology: &t {kind: torus, dims: *t}\n", "t", {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors()[0].code, "config.syntax");
}

TEST(Tree, AliasesThatMultiplyAreStoppedBeforeTheyFillTheMemory) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string prev = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + prev;
    for (int j = 0; j < 9; ++j) text += ", " + prev;
    text += "]\n";
  }
  const auto result = load_builtin(text, "t", {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors()[0].code, "config.syntax");
}

TEST(Tree, DeepNestingIsAnErrorAndNoStackOverflow) {
  const auto result = load_builtin(std::string(100000, '['), "t", {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors()[0].code, "config.syntax");
}

}  // namespace
}  // namespace hopwise::config
