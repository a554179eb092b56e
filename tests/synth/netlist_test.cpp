// SPDX-License-Identifier: Apache-2.0
#include "synth/src/netlist.hpp"

#include <gtest/gtest.h>

namespace hopwise::synth {
namespace {

TEST(Netlist, CellsOfEachModuleAreReadAndTheHierarchyIsNotCountedTwice) {
  const auto counts = read_stat(R"(
7. Printing statistics.

=== $paramod\leaf\Width=s32'00000000000000000000000000000010 ===

   Number of wires:                  4
   Number of cells:                  3
     DFFPOSX1                        1
     INVX1                           2

   Chip area for module 'leaf': 12.0

=== top ===

   Number of cells:                  2
     $paramod\leaf\Width=s32'00000000000000000000000000000010      2

=== design hierarchy ===

   top                               1
     leaf                            2

   Number of cells:                  6
     INVX1                           4
)");
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.begin()->second,
            (std::map<std::string, std::uint64_t>{{"DFFPOSX1", 1}, {"INVX1", 2}}));
  EXPECT_EQ(counts.at("top").begin()->second, 2u);
}

const nlohmann::json kDesign = nlohmann::json::parse(R"({"modules": {
  "$paramod$1\\fifo": {"attributes": {"hdlname": "\\fifo"}, "cells": {},
    "parameter_default_values": {"Depth": "00000000000000000000000000000100", "Width": "1000"}},
  "$paramod$2\\fifo": {"attributes": {"hdlname": "\\fifo"}, "cells": {},
    "parameter_default_values": {"Depth": "00000000000000000000000000000100", "Width": "1001"}},
  "$paramod$3\\unit": {"attributes": {"hdlname": "\\unit"},
    "cells": {"u_a": {"type": "$paramod$1\\fifo"}, "u_ab": {"type": "$paramod$2\\fifo"}, "$1": {"type": "$and"}}},
  "top": {"attributes": {}, "cells": {"gen[0].u": {"type": "$paramod$3\\unit"}, "gen[1].u": {"type": "$paramod$3\\unit"}}}}})");

TEST(Netlist, CellsOfInstancesCountAsOftenAsTheyAreThere) {
  const CellCounts counts = {{"top", {{"LUT4", 1}, {"part", 3}}},
                             {"part", {{"LUT4", 2}, {"leaf", 2}}},
                             {"leaf", {{"FDRE", 5}}}};
  const std::map<std::string, std::uint64_t> all = {{"FDRE", 30}, {"LUT4", 7}};
  EXPECT_EQ(all_cells(counts, "top"), all);
}

TEST(Netlist, VariantsOfAModuleAreNamedByWhatDiffers) {
  const auto hierarchy = read_hierarchy(kDesign, "top");
  EXPECT_EQ(hierarchy.at("$paramod$1\\fifo").label, "fifo(Width=8)");
  EXPECT_EQ(hierarchy.at("$paramod$2\\fifo").label, "fifo(Width=9)");
  EXPECT_EQ(hierarchy.at("$paramod$3\\unit").label, "unit");
  EXPECT_EQ(hierarchy.at("$paramod$1\\fifo").count, 2u);
  EXPECT_EQ(hierarchy.at("top").count, 1u);
}

TEST(Netlist, ARegisterIsPlacedInTheDeepestInstanceThatHoldsIt) {
  const auto hierarchy = read_hierarchy(kDesign, "top");
  EXPECT_EQ(place_of(hierarchy, "top", "gen[1].u.u_ab.mem_q[3]").instance, "gen[1].u.u_ab");
  EXPECT_EQ(place_of(hierarchy, "top", "gen[1].u.u_ab.mem_q[3]").module, "fifo(Width=9)");
  EXPECT_EQ(place_of(hierarchy, "top", "gen[1].u.u_abc").module, "unit");
  EXPECT_EQ(place_of(hierarchy, "top", "_12_").instance, "");
}

const char* const kReport = R"(Startpoint: _1_ (rising edge-triggered flip-flop clocked by clock)
Endpoint: u.mem (rising edge-triggered flip-flop clocked by clock)
   0.0000    0.0000 ^ _1_/CLK (DFFPOSX1)
   0.3000    0.3000 v _1_/Q (DFFPOSX1)
   0.2000    0.5000 ^ _7_/Y (NAND2X1)
   0.2000    0.7000 v _8_/Y (INVX1)
   0.0000    0.7000 v u.mem/write_data[3] (hopwise_memory)
             0.7000   data arrival time
            10.0000 ^ u.mem/clk (hopwise_memory)
  -0.2000    9.8000   library setup time
             9.1000   slack (MET)
)";

TEST(Netlist, APathIsAsLongAsTheLeastClockPeriod) {
  const auto path = read_path(kReport, 10);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->from, "_1_");
  EXPECT_EQ(path->to, "u.mem");
  EXPECT_NEAR(path->ns, 0.9, 1e-9);
  EXPECT_EQ(path->levels, 2u);
  EXPECT_FALSE(read_path("No paths found.\n", 10));
}

TEST(Netlist, ARegisterHasTheNameOfTheNetThatItDrives) {
  const std::string netlist =
      "  DFFPOSX1 _11_ (\n    .CLK(clk_i),\n    .D(_3_),\n    .Q(\\u.gen[0].state_q[1] )\n  );\n"
      "  DFFPOSX1 _1_ (\n    .CLK(clk_i),\n    .D(_4_),\n    .Q(_5_)\n  );\n"
      "  DFFPOSX1 _2_ (\n    .CLK(clk_i),\n    .D(_4_),\n    .Q(_6_)\n  );\n"
      "  BUFX2 _7_ (\n    .A(_6_),\n    .Y(_8_)\n  );\n"
      "  MUX2X1 _9_ (\n    .A(\\u.ram.mem[3][0] ),\n    .B(_10_),\n    .S(_6_),\n    .Y(_12_)\n  "
      ");\n"
      "  DFFPOSX1 _20_ (\n    .CLK(clk_i),\n    .D(_4_),\n    .Q(_21_)\n  );\n"
      "  BUFX4 _22_ (\n    .A(_21_),\n    .Y(_23_)\n  );\n"
      "  INVX1 _24_ (\n    .A(_23_),\n    .Y(_25_)\n  );\n"
      "  NAND2X1 _26_ (\n    .A(\\u.far.mem[0][0] ),\n    .B(_25_),\n    .Y(_27_)\n  );\n";
  EXPECT_EQ(register_name(netlist, "_11_"), "u.gen[0].state_q[1]");
  EXPECT_EQ(register_name(netlist, "_1_"), "_1_");
  EXPECT_EQ(register_name(netlist, "_2_"), "u.ram.mem");
  EXPECT_EQ(register_name(netlist, "_20_"), "u.far.mem");  // behind a buffer and an inverter
  EXPECT_EQ(register_name(netlist, "u.mem"), "u.mem");
}

TEST(Netlist, EveryRegisterHasItsLongestPathAndItsName) {
  const auto ends = read_ends(
      "Endpoint          Required    Actual\n                     Delay     Delay     Slack\n"
      "----\n_11_/D (DFFSR)   9.908    4.587    5.250 (MET)\n"
      "u.mem/read_enable[0] (memory)   9.8   4.3   5.5 (MET)\nu.mem/write_data[2] (memory)   9.8   "
      "4.8   5 (MET)\n_1_/D (DFFSR)   1.0   10.5  -0.5 (VIOLATED)\n"
      "Sequential   1.8e-01   1.6e-02   2.4e-06   1.9e-01 100.0%\n",
      10);
  EXPECT_EQ(ends, (std::map<std::string, double>{{"_11_", 4.75}, {"u.mem", 5}, {"_1_", 10.5}}));
  const std::string netlist =
      "  DFFPOSX1 _11_ (\n    .CLK(clk_i),\n    .D(_3_),\n    .Q(\\u.gen[0].state_q[1] )\n  );\n"
      "  DFFPOSX1 _1_ (\n    .CLK(clk_i),\n    .D(_4_),\n    .Q(_5_)\n  );\n"
      "  DFFSR _2_ (\n    .CLK(clk_i),\n    .D(_4_),\n    .Q(valid_q),\n    .R(rst_ni)\n  );\n";
  EXPECT_EQ(register_names(netlist), (std::map<std::string, std::string>{
                                         {"_11_", "u.gen[0].state_q[1]"}, {"_2_", "valid_q"}}));
}

TEST(Netlist, PowerIsTheLineOfTotals) {
  const auto power = read_power(
      "Group x\nSequential 1 2 3 6 50%\nTotal                  1.81e-01   1.68e-02   2.40e-06   "
      "1.97e-01 100.0%\n");
  ASSERT_TRUE(power);
  EXPECT_EQ(power->internal, 0.181);
  EXPECT_EQ(power->switching, 0.0168);
  EXPECT_EQ(power->leakage, 2.4e-6);
  EXPECT_FALSE(read_power("Error: no clock\n"));
}

}  // namespace
}  // namespace hopwise::synth
