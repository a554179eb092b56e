// SPDX-License-Identifier: Apache-2.0
// Files of agents: nothing is lost in them, and what is not one of them is refused with its place.
#include <gtest/gtest.h>

#include "fixture.hpp"
#include "probes/dqn/agent_file.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::probes::dqn::test {
namespace {

Agents some_agents() {
  traffic::Random random(1, 0);
  Agents all;
  all.dims = {2, 3};
  all.layers = {13, 6, 4};
  all.sharing = routing::dqn::AgentSharing::kRow;
  all.decisions = 1234;
  for (int a = 0; a < 3; ++a) {
    const learn::FloatNetwork network = learn::test::random_network(all.layers, 0.7, random);
    all.agents.push_back({network, quantise(network, learn::test::random_bytes(13 * 20, random))});
  }
  return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Diagnostic refusal(const std::string& text) {
  const auto read = parse_agents(text, "a.json");
  EXPECT_FALSE(read.ok());
  if (read.ok() || read.errors().size() != 1) return {};
  EXPECT_EQ(read.errors()[0].code, "agent.bad-file");
  EXPECT_EQ(read.errors()[0].where.file, "a.json");
  return read.errors()[0];
}

TEST(AgentFile, gives_back_what_was_written) {
  const Agents all = some_agents();
  const std::string text = format_agents(all);
  const auto read = parse_agents(text, "a.json");
  ASSERT_TRUE(read.ok()) << format(read.errors());
  EXPECT_EQ(read.value(), all);
  EXPECT_EQ(format_agents(read.value()), text);
  EXPECT_EQ(&read.value().of(5), &read.value().agents[2].quantised);
}

TEST(AgentFile, refuses_what_it_cannot_be) {
  const std::string text = format_agents(some_agents());
  EXPECT_EQ(refusal("not json").found, "no JSON");
  EXPECT_EQ(refusal("[]").found, "no object");
  EXPECT_EQ(refusal(replaced(text, "dqn-agent", "q-tables")).key, "format");
  EXPECT_EQ(refusal(replaced(text, "\"version\": 1", "\"version\": 2")).key, "version");
  EXPECT_EQ(refusal(replaced(text, "\"row\"", "\"column\"")).allowed, "router, row, all");
  EXPECT_EQ(refusal(replaced(text, "\"row\"", "\"router\"")).allowed, "6 agents");
  EXPECT_EQ(refusal(replaced(text, "\"dims\": [2,3]", "\"dims\": [2,1]")).key, "dims[1]");
  EXPECT_EQ(refusal(replaced(text, "[13,6,4]", "[13,7,4]")).key, "agents[0].layers[0].weights");
  EXPECT_EQ(refusal(replaced(text, "\"shift\": ", "\"shift\": 1")).key.substr(0, 27),
            "agents[0].quantised[0].shif");
  EXPECT_EQ(refusal(replaced(text, "\"shift\"", "\"shove\"")).found, "nothing");
  EXPECT_EQ(refusal(replaced(text, "\"value_scale\": ", "\"value_scale\": -")).key,
            "agents[0].value_scale");
  const auto bias = text.rfind("\"bias\": [");
  const std::string large =
      text.substr(0, bias + 9) + "8388607," + text.substr(text.find(',', bias) + 1);
  EXPECT_EQ(refusal(large).found, "sums that leave 24 bits");
}

TEST(AgentFile, of_another_network_is_refused) {
  const Agents all = some_agents();
  Shape shape;
  shape.dims = {2, 3};
  shape.layers = {13, 6, 4};
  EXPECT_TRUE(check_agents(all, shape, "a.json").empty());
  shape.dims = {3, 3};
  shape.layers = {13, 8, 4};
  shape.coordinates = true;
  const Diagnostics errors = check_agents(all, shape, "a.json");
  ASSERT_EQ(errors.size(), 3U);
  for (const auto& e : errors) EXPECT_EQ(e.code, "agent.other-network");
  EXPECT_EQ(errors[0].found, "[13, 6, 4]");
  Agents shared = all;
  shared.sharing = routing::dqn::AgentSharing::kAll;
  shape.layers = all.layers;
  shape.coordinates = false;
  EXPECT_TRUE(check_agents(shared, shape, "a.json").empty());  // of any size
}

}  // namespace
}  // namespace hopwise::probes::dqn::test
