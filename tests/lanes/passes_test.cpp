// SPDX-License-Identifier: Apache-2.0
// Each pass from netlist to code on small netlists, with what it must refuse.
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "model/lanes/logic.hpp"
#include "model/lanes/machine.hpp"
#include "model/lanes/merge.hpp"
#include "model/lanes/netlist.hpp"
#include "model/lanes/payload.hpp"
#include "model/lanes/schedule.hpp"

namespace hopwise::lanes {
namespace {

/// The value of C++ that expression() writes, over one bit each.
class Evaluator {
 public:
  Evaluator(const std::string& text, unsigned inputs) : text_(text), inputs_(inputs) {}
  bool run() {
    const bool value = term();
    EXPECT_EQ(at_, text_.size()) << text_;
    return value;
  }

 private:
  bool term() {
    if (text_[at_] == '~') return ++at_, !term();
    if (text_.compare(at_, 4, "zero") == 0) return at_ += 4, false;
    if (text_[at_] != '(') return (inputs_ >> (text_[at_++] - 'a') & 1) != 0;
    ++at_;
    const bool left = term();
    const char op = text_[at_ + 1];
    at_ += 3;
    const bool right = term();
    ++at_;
    return op == '&' ? left && right : op == '|' ? left || right : left != right;
  }
  const std::string& text_;
  unsigned inputs_;
  std::size_t at_ = 0;
};

TEST(LaneLogic, TheExpressionOfEveryTableHasItsTruth) {
  for (unsigned inputs = 0; inputs <= 3; ++inputs) {
    for (unsigned truth = 0; truth < 1u << (1u << inputs); ++truth) {
      const Table table{{}, inputs, static_cast<std::uint8_t>(truth)};
      const std::string text = expression(table, {"a", "b", "c"});
      for (unsigned i = 0; i < 1u << inputs; ++i)
        EXPECT_EQ(Evaluator(text, i).run(), (truth >> i & 1) != 0) << text;
      EXPECT_LE(operators(table), 5u);
    }
  }
  EXPECT_EQ(operators({{}, 3, 0xca}), 3u);  // a multiplexer
}

std::string bits(std::uint64_t value) {
  std::string text;
  for (int i = 31; i >= 0; --i) text += (value >> i & 1) != 0 ? '1' : '0';
  return text;
}

Cell mux(Netlist& n, const Bits& a, const Bits& b, Bit s) {
  return {"mux" + std::to_string(n.cells.size()),
          "$mux",
          {{"WIDTH", bits(a.size())}},
          {{"A", a}, {"B", b}, {"S", {s}}, {"Y", n.fresh(a.size())}}};
}

Cell dff(Netlist& n, const Bits& d, Bit clock, Bit enable = kOne) {
  Cell cell{"dff" + std::to_string(n.cells.size()),
            "$dff",
            {{"WIDTH", bits(d.size())}, {"CLK_POLARITY", "1"}},
            {{"CLK", {clock}}, {"D", d}, {"Q", n.fresh(d.size())}}};
  if (enable != kOne) {
    cell.type = "$dffe";
    cell.parameters["EN_POLARITY"] = "1";
    cell.pins["EN"] = {enable};
  }
  return cell;
}

Cell binary(Netlist& n, const std::string& type, const Bits& a, const Bits& b) {
  return {type + std::to_string(n.cells.size()),
          type,
          {{"A_SIGNED", "0"},
           {"B_SIGNED", "0"},
           {"A_WIDTH", bits(a.size())},
           {"B_WIDTH", bits(b.size())},
           {"Y_WIDTH", bits(a.size())}},
          {{"A", a}, {"B", b}, {"Y", n.fresh(a.size())}}};
}

/// Two ports of flits of 8 bits that cross or not, through a register: `select` is bit 0 of flit 0.
struct Crossbar {
  static constexpr std::size_t kWidth = 8;
  Netlist n;
  Bit clock = 0, reset = 0;
  Bits in, out;

  Crossbar() {
    n.top = "crossbar";
    clock = n.fresh();
    reset = n.fresh();
    in = n.fresh(2 * kWidth);
    const Bits one(in.begin(), in.begin() + kWidth), two(in.begin() + kWidth, in.end());
    for (const auto& [a, b] : {std::pair{one, two}, {two, one}}) {
      add(mux(n, a, b, in[0]));
      add(dff(n, n.cells.back().pin("Y"), clock));
      const Bits& q = n.cells.back().pin("Q");
      out.insert(out.end(), q.begin(), q.end());
    }
    finish();
  }
  void add(Cell cell) { n.cells.push_back(std::move(cell)); }
  void finish() {
    n.ports = {
        {"clk", true, {clock}}, {"rst", true, {reset}}, {"in", true, in}, {"out", false, out}};
  }
  Payload payload() const { return find_payload(n, {"in", "out", 2, kWidth, kWidth}); }
};

TEST(LanePayload, BitsThatOnlyMoveArePayload) {
  const Payload found = Crossbar().payload();
  EXPECT_EQ(found.control, std::vector<std::size_t>{0});
  EXPECT_EQ(found.payload.size(), 7u);
  EXPECT_EQ(found.capacity, 2u);  // a register each
}

TEST(LanePayload, ABitThatAnAdderReadsIsControl) {
  Crossbar x;
  x.add(binary(x.n, "$add", {x.in[3]}, {x.in[8 + 5]}));
  EXPECT_EQ(x.payload().control, (std::vector<std::size_t>{0, 3, 5}));
}

TEST(LanePayload, BitsThatChangePlacesAreControl) {
  Crossbar x;
  std::swap(x.out[2], x.out[6]);
  x.finish();
  EXPECT_EQ(x.payload().control, (std::vector<std::size_t>{0, 2, 6}));
}

TEST(LanePayload, ABitThatIsInvertedIsControl) {
  Crossbar x;
  const Bit inverse = x.n.fresh();
  x.add({"not", "$not", {{"A_SIGNED", "0"}}, {{"A", {x.out[4]}}, {"Y", {inverse}}}});
  x.out[4] = inverse;
  x.finish();
  EXPECT_EQ(x.payload().control, (std::vector<std::size_t>{0, 4}));
}

TEST(LanePayload, ABitThatIsSelectedOtherwiseIsControl) {
  Crossbar x;
  x.add(mux(x.n, {x.in[7]}, {x.in[8 + 7]}, x.in[8]));  // by bit 0 of the other flit
  x.add(dff(x.n, x.n.cells.back().pin("Y"), x.clock));
  x.out[7] = x.n.cells.back().pin("Q").front();
  x.finish();
  EXPECT_EQ(x.payload().control, (std::vector<std::size_t>{0, 7}));
}

TEST(LaneMerge, AnEnableThatStandsInEveryBitIsOneNet) {
  Netlist n;
  const Bit push = n.fresh();
  n.cells.push_back(mux(n, {kZero, kZero, kZero}, {kOne, kOne, kOne}, push));
  const Bits enables = n.cells.back().pin("Y");
  n.ports = {{"push", true, {push}}, {"y", false, enables}};
  merge_bits(n);
  EXPECT_EQ(n.port("y")->bits, (Bits{push, push, push}));
}

TEST(LaneMerge, EqualGatesBecomeOneAndOthersDoNot) {
  Netlist n;
  const Bit a = n.fresh(), b = n.fresh(), c = n.fresh();
  n.cells.push_back(binary(n, "$and", {a}, {b}));
  n.cells.push_back(binary(n, "$and", {b}, {a}));
  n.cells.push_back(binary(n, "$and", {a}, {c}));
  n.cells.push_back(binary(n, "$or", {a}, {b}));
  Bits y;
  for (const Cell& cell : n.cells) y.push_back(cell.pin("Y").front());
  n.ports = {{"a", true, {a, b, c}}, {"y", false, y}};
  merge_bits(n);
  const Bits& merged = n.port("y")->bits;
  EXPECT_EQ(merged[0], merged[1]);
  EXPECT_NE(merged[0], merged[2]);
  EXPECT_NE(merged[0], merged[3]);
}

TEST(LaneNetlist, WhatIsWrittenIsReadAgain) {
  const Crossbar x;
  const Netlist read = read_netlist(write_netlist(x.n), "crossbar");
  EXPECT_EQ(write_netlist(read), write_netlist(x.n));
  EXPECT_THROW(read_netlist(write_netlist(x.n), "another"), std::runtime_error);
  EXPECT_THROW(read_netlist("{", "crossbar"), std::runtime_error);
}

Machine taken_apart(const Netlist& n, bool all = true) {
  return take_apart(n, "clk", "rst",
                    [all](const std::string&, std::size_t bit) { return all || bit == 1; });
}

TEST(LaneMachine, OnlyWhatAnOutputNeedsIsLeft) {
  const Crossbar x;
  EXPECT_EQ(taken_apart(x.n).registers.size(), 16u);
  const Machine one = taken_apart(x.n, false);
  ASSERT_EQ(one.registers.size(), 1u);
  EXPECT_EQ(one.registers.front().q, x.out[1]);
  EXPECT_EQ(one.logic.cells.size(), 1u);
}

TEST(LaneMachine, AnotherClockAndUnknownRegistersAreRefused) {
  Crossbar x;
  x.n.cells.back().pins["CLK"] = {x.in[0]};
  EXPECT_THROW(taken_apart(x.n), std::runtime_error);
  Crossbar y;
  y.n.cells.back().type = "$sdff";
  EXPECT_THROW(taken_apart(y.n), std::runtime_error);
}

TEST(LaneMachine, AnEnableThatIsLowBecomesOneThatIsHigh) {
  Netlist n;
  const Bit clock = n.fresh(), reset = n.fresh(), in = n.fresh(), stall = n.fresh();
  n.cells.push_back(dff(n, {in}, clock, stall));
  n.cells.back().parameters["EN_POLARITY"] = "0";
  n.ports = {{"clk", true, {clock}},
             {"rst", true, {reset}},
             {"in", true, {in, stall}},
             {"out", false, n.cells.back().pin("Q")}};
  const Machine m = taken_apart(n);
  ASSERT_EQ(m.logic.cells.size(), 1u);
  EXPECT_EQ(m.logic.cells.front().type, "$not");
  EXPECT_EQ(m.logic.cells.front().pin("A"), Bits{stall});
  EXPECT_EQ(m.registers.front().enable, m.logic.cells.front().pin("Y").front());
}

/// A memory of 6 words of 2 bits that are written apart.
Cell memory(Netlist& n, Bit clock, const Bits& address, const Bits& enables) {
  return {"memory",
          "$mem_v2",
          {{"WIDTH", bits(2)},
           {"SIZE", bits(6)},
           {"ABITS", bits(3)},
           {"RD_PORTS", bits(1)},
           {"WR_PORTS", bits(1)},
           {"OFFSET", bits(0)},
           {"INIT", "x"},
           {"RD_CLK_ENABLE", "0"},
           {"WR_CLK_ENABLE", "1"},
           {"WR_CLK_POLARITY", "1"}},
          {{"RD_ADDR", address},
           {"RD_DATA", n.fresh(2)},
           {"WR_ADDR", address},
           {"WR_DATA", n.fresh(2)},
           {"WR_EN", enables},
           {"WR_CLK", {clock}}}};
}

TEST(LaneMachine, MemoriesAreSplitByWhatWritesTheirBits) {
  for (const bool apart : {false, true}) {
    Netlist n;
    const Bit clock = n.fresh(), reset = n.fresh(), one = n.fresh(), other = n.fresh();
    const Bits address = n.fresh(3);
    n.cells.push_back(memory(n, clock, address, {one, apart ? other : one}));
    n.ports = {{"clk", true, {clock}},
               {"rst", true, {reset}},
               {"in", true, {one, other}},
               {"address", true, address},
               {"out", false, n.cells.back().pin("RD_DATA")}};
    const Machine m = taken_apart(n);
    ASSERT_EQ(m.memories.size(), apart ? 2u : 1u);
    EXPECT_EQ(m.memories.front().reads.front().data.size(), apart ? 1u : 2u);
    EXPECT_EQ(m.memories.front().size, 6u);
    n.cells.back().parameters["INIT"] = "01";
    EXPECT_THROW(taken_apart(n), std::runtime_error);
    n.cells.back().parameters["INIT"] = "x";
    n.cells.back().parameters["RD_CLK_ENABLE"] = "1";
    EXPECT_THROW(taken_apart(n), std::runtime_error);
  }
}

TEST(LaneMachine, AnAssertionThatFailsIsAnOutput) {
  Crossbar x;
  x.add({"holds", "$assert", {}, {{"A", {x.in[1]}}, {"EN", {x.in[2]}}}});
  x.add({"covered", "$cover", {}, {{"A", {x.in[1]}}, {"EN", {x.in[2]}}}});
  EXPECT_EQ(watch_assertions(x.n, "check"), 1u);
  ASSERT_NE(x.n.port("check"), nullptr);
  const Machine m = take_apart(x.n, "clk", "rst",
                               [](const std::string& pin, std::size_t) { return pin == "check"; });
  EXPECT_TRUE(m.registers.empty());
  EXPECT_EQ(m.logic.cells.size(), 3u);  // not, and, or
}

/// A machine of `tables`, whose sources are nets 10 and on and whose sinks are nets 20 and on.
struct Small {
  Machine machine;
  Logic logic;

  Small(std::size_t sources, std::vector<Table> tables) {
    logic.sources = sources;
    logic.tables = std::move(tables);
    logic.value = {{kZero, 0}, {kOne, 1}};
    for (std::size_t i = 0; i < sources; ++i)
      logic.value[static_cast<Bit>(10 + i)] = static_cast<Value>(2 + i);
    for (std::size_t t = 0; t < logic.tables.size(); ++t)
      logic.value[static_cast<Bit>(20 + t)] = logic.first_table() + static_cast<Value>(t);
  }
};

TEST(LaneSchedule, OperandsComeFirstAndLoopsAreRefused) {
  // t0 needs t2, t2 needs t1.
  Small good(1, {{{5}, 1, 1}, {{2}, 1, 1}, {{4}, 1, 1}});
  const std::vector<Step> steps = order(good.machine, good.logic, {3});
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].table, 4u);
  EXPECT_EQ(steps[1].table, 5u);
  EXPECT_EQ(steps[2].table, 3u);
  Small loop(1, {{{4}, 1, 1}, {{3}, 1, 1}});
  EXPECT_THROW(order(loop.machine, loop.logic, {3}), std::runtime_error);
}

TEST(LaneSchedule, LogicOfOneEnableIsGuardedAndSharedLogicIsNot) {
  // Sources: enable (net 10) and a register (net 11) whose next value is t1 of t0; t2 serves
  // another register (net 12) that is always written.
  Small s(3, {{{3, 4}, 2, 6}, {{5, 3}, 2, 6}, {{4}, 1, 1}});
  s.machine.registers = {{11, 21, 10, false, false, "guarded"},
                         {12, 22, kOne, false, false, "plain"}};
  Schedule schedule = schedule_cycle(s.machine, s.logic, kZero, 2);
  ASSERT_EQ(schedule.guarded.size(), 1u);
  EXPECT_EQ(schedule.guarded.front().steps.size(), 2u);
  EXPECT_EQ(schedule.steps.size(), 1u);
  EXPECT_TRUE(schedule_cycle(s.machine, s.logic, kZero, 3).guarded.empty());
  s.machine.registers[1].d = 20;  // t0 serves both now
  schedule = schedule_cycle(s.machine, s.logic, kZero, 1);
  ASSERT_EQ(schedule.guarded.size(), 1u);
  EXPECT_EQ(schedule.guarded.front().steps.size(), 1u);
}

TEST(LaneSchedule, WhatTwoGuardedRegistersShareIsGuardedByNeither) {
  Small s(4, {{{3, 4}, 2, 6}, {{6, 3}, 2, 6}, {{6, 4}, 2, 6}});
  s.machine.registers = {{11, 21, 10, false, false, "one"}, {12, 22, 13, false, false, "other"}};
  const Schedule schedule = schedule_cycle(s.machine, s.logic, kZero, 1);
  ASSERT_EQ(schedule.guarded.size(), 2u);
  EXPECT_EQ(schedule.steps.size(), 1u);
  for (const Guarded& g : schedule.guarded) EXPECT_EQ(g.steps.size(), 1u);
}

}  // namespace
}  // namespace hopwise::lanes
