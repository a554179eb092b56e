// SPDX-License-Identifier: Apache-2.0
#include "synth/src/liberty.hpp"

#include <gtest/gtest.h>

namespace hopwise::synth {
namespace {

const char* const kLibrary = R"(library(small) {
  time_unit : "1ns";
  lu_table_template(t) { variable_1 : input_net_transition; }
/* a comment */
cell (INV) {
  area : 16.5;
  cell_leakage_power : 0.1;
  pin(A) { direction : input; capacitance : 0.5; }
  pin(Y) { direction : output; timing() { related_pin : "A"; } }
}
cell (DFF) {
  area : 96;
  ff (IQ,IQN) { next_state : "D"; clocked_on : "CLK"; }
  pin(CLK) { direction : input; clock : true; capacitance : 0.02; }
  pin(D) {
    direction : input;
    rise_capacitance : 7;
    capacitance : 0.008;
    timing() { related_pin : "CLK"; timing_type : setup_rising; }
    timing() { related_pin : "CLK"; timing_type : hold_rising; }
  }
  pin(Q) { direction : output; timing() { related_pin : "CLK"; timing_type : rising_edge; } }
}
}
)";

TEST(Liberty, GivesAreasAndTellsFlipFlopsFromGates) {
  const auto read = read_liberty(kLibrary, "small.lib", "DFF");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().cells.size(), 2u);
  EXPECT_EQ(read.value().cells.at("INV").area, 16.5);
  EXPECT_FALSE(read.value().cells.at("INV").flip_flop);
  EXPECT_EQ(read.value().cells.at("DFF").area, 96);
  EXPECT_TRUE(read.value().cells.at("DFF").flip_flop);
}

TEST(Liberty, LendsTheTimingOfTheFlipFlop) {
  const auto read = read_liberty(kLibrary, "small.lib", "DFF");
  ASSERT_TRUE(read.ok());
  EXPECT_NE(read.value().input_timing.find("setup_rising"), std::string::npos);
  EXPECT_NE(read.value().input_timing.find("hold_rising"), std::string::npos);
  EXPECT_EQ(read.value().input_timing.find("rising_edge"), std::string::npos);
  EXPECT_NE(read.value().output_timing.find("rising_edge"), std::string::npos);
  EXPECT_EQ(read.value().input_pf, 0.008);
  EXPECT_NE(read.value().header.find("lu_table_template"), std::string::npos);
  EXPECT_EQ(read.value().header.find("INV"), std::string::npos);
}

TEST(Liberty, WithoutTheFlipFlopIsRefused) {
  const auto read = read_liberty(kLibrary, "small.lib", "DFFPOSX1");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.errors().front().code, "synth.liberty");
  EXPECT_FALSE(read_liberty("", "empty.lib", "DFF").ok());
}

}  // namespace
}  // namespace hopwise::synth
