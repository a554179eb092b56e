// SPDX-License-Identifier: Apache-2.0
#include "synth/src/memories.hpp"

#include <bitset>

#include <gtest/gtest.h>

namespace hopwise::synth {
namespace {

using Json = nlohmann::json;

std::string bits(unsigned n) { return std::bitset<32>(n).to_string(); }

/// A memory with one port each; bit i of the write enables is net `enables[i]`.
Json memory(unsigned width, unsigned words, const std::vector<int>& enables,
            unsigned write_ports = 1) {
  return {{"type", "$mem_v2"},
          {"parameters",
           {{"WIDTH", bits(width)},
            {"SIZE", bits(words)},
            {"ABITS", bits(5)},
            {"RD_PORTS", bits(1)},
            {"WR_PORTS", bits(write_ports)},
            {"RD_CLK_ENABLE", "0"}}},
          {"connections", {{"WR_EN", enables}}}};
}

Json design(const std::vector<Json>& cells) {
  Json module = {{"cells", Json::object()}};
  for (std::size_t i = 0; i < cells.size(); ++i)
    module["cells"]["m" + std::to_string(i)] = cells[i];
  return {{"modules", {{"top", module}}}};
}

TEST(Memories, OfOneShapeShareAMacro) {
  const std::vector<int> one(16, 7);
  const auto shapes =
      find_memories(design({memory(16, 32, one), memory(16, 32, one), memory(16, 64, one)}));
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].bits(), 512u);
  EXPECT_EQ(shapes[0].lane_bits, 16u);
  EXPECT_NE(shapes[0].macro(), shapes[1].macro());
}

TEST(Memories, SmallOnesAndThoseThatAreNeverWrittenStayLogic) {
  EXPECT_TRUE(find_memories(design({memory(8, 31, std::vector<int>(8, 7))})).empty());
  EXPECT_EQ(find_memories(design({memory(8, 32, std::vector<int>(8, 7))})).size(), 1u);
  EXPECT_TRUE(find_memories(design({memory(8, 64, {}, 0)})).empty());
}

TEST(Memories, LanesAreTheNarrowestOfAllMemoriesOfTheShape) {
  std::vector<int> halves(16, 7), quarters(16, 7);
  for (int i = 8; i < 16; ++i) halves[static_cast<std::size_t>(i)] = 8;
  for (int i = 0; i < 16; ++i) quarters[static_cast<std::size_t>(i)] = 10 + i / 4;
  EXPECT_EQ(find_memories(design({memory(16, 32, halves)})).front().lane_bits, 8u);
  const auto both = find_memories(design({memory(16, 32, halves), memory(16, 32, quarters)}));
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both.front().lane_bits, 4u);
  EXPECT_NE(techmap(both).find("{WR_EN[12], WR_EN[8], WR_EN[4], WR_EN[0]}"), std::string::npos);
}

TEST(Memories, PinsHaveTheTimesOfTheFlipFlop) {
  Liberty liberty;
  liberty.header = "library(cells) {\n";
  liberty.input_timing = "timing() { related_pin : \"CLK\"; timing_type : setup_rising; }";
  liberty.output_timing = "timing() { related_pin : \"CLK\"; timing_type : rising_edge; }";
  const std::string text =
      macro_liberty(find_memories(design({memory(16, 32, std::vector<int>(16, 7))})), liberty);
  EXPECT_TRUE(text.starts_with("library(hopwise_memories) {"));
  EXPECT_EQ(text.find("\"CLK\""), std::string::npos);
  const auto data = text.find("bus (read_data)");
  ASSERT_NE(data, std::string::npos);
  EXPECT_LT(text.find("rising_edge", data), text.find("bus (", data + 1));
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

}  // namespace
}  // namespace hopwise::synth
