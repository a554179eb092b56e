// SPDX-License-Identifier: Apache-2.0
// Code for small machines: what stands in which function, and what the host is asked.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/lanes/machine.hpp"
#include "model/lanes/netlist.hpp"
#include "model/lanes/writer.hpp"

namespace hopwise::lanes {
namespace {

/// Nets of a machine without an assertion, whose cells a test adds.
struct Builder {
  Netlist n;
  Bit clock = n.fresh(), reset = n.fresh(), in = n.fresh();

  Bits add(const std::string& type, std::map<std::string, std::string> parameters,
           std::map<std::string, Bits> pins, const std::string& output, std::size_t width) {
    const Bits made = n.fresh(width);
    pins[output] = made;
    n.cells.push_back(
        {type + std::to_string(n.cells.size()), type, std::move(parameters), std::move(pins)});
    return made;
  }
  Bit flop(Bit d) {
    return add("$dff", {{"CLK_POLARITY", "1"}}, {{"CLK", {clock}}, {"D", {d}}}, "Q", 1).front();
  }
  Machine machine(const Bits& out) {
    n.ports = {{"clk", true, {clock}},
               {"rst", true, {reset}},
               {"in", true, {in}},
               {"out", false, out},
               {"check", false, {kZero}}};
    return take_apart(n, "clk", "rst", [](const std::string&, std::size_t) { return true; });
  }
};

/// Sinks are sources, or else the inverse of the first one, which table 0 makes.
Logic logic_of(const Machine& m) {
  const Bits from = m.sources();
  std::vector<Value> sinks;
  for (const Bit bit : m.sinks()) {
    const auto at = std::find(from.begin(), from.end(), bit);
    sinks.push_back(static_cast<Value>(2 + (at - from.begin())));
  }
  return make_logic(m, {{{2}, 1, 1}}, sinks);
}

/// The number of the first part that has the text.
std::size_t part_with(const Sources& sources, const std::string& text) {
  const auto at =
      std::find_if(sources.parts.begin(), sources.parts.end(),
                   [&](const std::string& part) { return part.find(text) != std::string::npos; });
  EXPECT_NE(at, sources.parts.end()) << text;
  return static_cast<std::size_t>(at - sources.parts.begin());
}

Machine with_oracle(bool of_a_pin, const std::string& type = "hw_sim_global_queues") {
  Builder b;
  const Bit valid = of_a_pin ? b.in : b.flop(b.in);
  return b.machine(b.add(type, {{"Width", "10"}}, {{"valid_i", {valid}}}, "queue_o", 2));
}

TEST(LaneWriter, TheHostIsAskedBehindTheEdge) {
  const Machine m = with_oracle(false);
  ASSERT_EQ(m.hosted.size(), 1u);
  const Sources sources = write_model(m, logic_of(m), {.check = "check", .shown = {"out"}});
  EXPECT_NE(sources.header.find("Word h0_queue_o[2]"), std::string::npos);
  const std::string& ask = sources.parts[part_with(sources, "void ask_0(")];
  EXPECT_NE(ask.find("s.host.hw_sim_global_queues({.Width = 0b10, .queue_o = s.h0_queue_o, "
                     ".valid_i = h0_valid_i, }, active);"),
            std::string::npos)
      << ask;
  const std::string& show = sources.parts[part_with(sources, "void show_0(")];
  EXPECT_NE(show.find("out[1] = s.h0_queue_o[1];"), std::string::npos) << show;
}

TEST(LaneWriter, TheHostIsNotAskedForWhatChangesWithoutAnEdge) {
  const Machine m = with_oracle(true);
  EXPECT_THROW(write_model(m, logic_of(m), {.check = "check", .shown = {}}), std::runtime_error);
}

TEST(LaneWriter, AModuleThatTheHostDoesNotKnowIsRefused) {
  EXPECT_THROW(with_oracle(false, "hw_another"), std::runtime_error);
}

TEST(LaneWriter, ARegisterTakesWhatAMemoryShowsAfterItIsRead) {
  Builder b;
  const Bit address = b.flop(b.in), enable = b.n.fresh();  // `enable`: what no source is
  const Bits data = b.add("$mem_v2",
                          {{"WIDTH", "1"},
                           {"SIZE", "10"},
                           {"ABITS", "1"},
                           {"RD_PORTS", "1"},
                           {"WR_PORTS", "0"},
                           {"OFFSET", "0"},
                           {"INIT", "x"},
                           {"RD_CLK_ENABLE", "0"}},
                          {{"RD_ADDR", {address}}, {"WR_ADDR", {}}}, "RD_DATA", 1);
  const Bits q = b.add("$dffe", {{"CLK_POLARITY", "1"}, {"EN_POLARITY", "1"}},
                       {{"CLK", {b.clock}}, {"D", data}, {"EN", {enable}}}, "Q", 1);
  const Machine m = b.machine(q);
  const Sources sources =
      write_model(m, logic_of(m), {.check = "check", .shown = {"out"}, .part = 1});
  EXPECT_LE(part_with(sources, "s.m0.read(0"), part_with(sources, "^ ((cur"));
}

TEST(LaneNetlist, AModuleWithoutContentsHasItsNameAndItsParameters) {
  const Netlist n = read_netlist(R"({"modules": {
    "top": {"ports": {}, "cells": {"u": {
      "type": "$paramod\\hw_hosted\\Width=2", "parameters": {}, "connections": {"queue_o": [2, 3]}}}},
    "$paramod\\hw_hosted\\Width=2": {
      "attributes": {"hdlname": "\\hw_hosted"}, "parameter_default_values": {"Width": "10"}}}})",
                                 "top");
  ASSERT_EQ(n.cells.size(), 1u);
  EXPECT_EQ(n.cells.front().type, "hw_hosted");
  EXPECT_EQ(n.cells.front().number("Width"), 2u);
  EXPECT_TRUE(is_hosted(n.cells.front()));
  EXPECT_TRUE(drives(n.cells.front(), "queue_o"));
}

}  // namespace
}  // namespace hopwise::lanes
