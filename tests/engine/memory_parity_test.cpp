// SPDX-License-Identifier: Apache-2.0
// Networks in whose memories bits flip, with router.memory_parity: every flip that is met is
// counted, and harms no packet but, where it is in a packet's route or head, its own.
#include <fmt/format.h>

#include "emit/bundle.hpp"
#include "engine/probe.hpp"
#include "fixture.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::engine {
namespace {

struct Change {
  const char *file, *from, *to;
};

/// Makes these changes to the RTL of models that are compiled while it lives.
class ChangedRtl {
 public:
  explicit ChangedRtl(const std::vector<Change>& changes) : kept_(library()) {
    for (const Change& c : changes) {
      std::string& text = library().at(c.file);
      const std::size_t at = text.find(c.from);
      EXPECT_NE(at, std::string::npos) << c.file << ": " << c.from;
      if (at != std::string::npos) text.replace(at, std::string_view(c.from).size(), c.to);
    }
  }
  ~ChangedRtl() { library() = kept_; }
  ChangedRtl(const ChangedRtl&) = delete;
  ChangedRtl& operator=(const ChangedRtl&) = delete;

 private:
  static std::map<std::string, std::string>& library() {
    return const_cast<std::map<std::string, std::string>&>(emit::rtl_library());
  }
  std::map<std::string, std::string> kept_;
};

// A register that looks random, and takes part in what the module does, so that no two instances
// have the same.
#define DICE(seen)                                                                                 \
  "\n  logic [31:0] dice_q;\n"                                                                     \
  "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"                                         \
  "    if (!rst_ni) dice_q <= 32'h9e3779b9;\n"                                                     \
  "    else dice_q <= {dice_q[30:0], dice_q[31] ^ dice_q[21] ^ dice_q[1] ^ dice_q[0]} ^ 32'(" seen \
  ");\n  end\n"

/// One in sixteen values is written with a flipped bit, in each copy of a Q-table by itself.
const std::vector<Change> kTableFlips = {
    {"routing/q/hw_q_ram.sv", "  logic [NumCols-1:0] written_cols_q;",
     DICE("read_row_i") "  logic [NumCols-1:0] written_cols_q;"},
    {"routing/q/hw_q_ram.sv", "<= words[c*WordBits+:WordBits];",
     "<= words[c*WordBits+:WordBits] ^ (WordBits'(dice_q[3:0] == 4'd5) << (32'(dice_q[12:8]) % "
     "WordBits));"}};

/// What the registers say of flips, all routers together.
class FlipReader final : public Probe {
 public:
  struct Found {
    std::uint64_t flips = 0;
    std::vector<std::string> wrong;
  };
  explicit FlipReader(Found& found) : found_(found) {}
  Needs needs() const override { return {}; }
  void prepare(const Section& section) override { section_ = section; }
  void read(std::uint64_t, bool, RunResult&) override {
    for (std::uint32_t r = 0; r < section_.end - section_.first; ++r) {
      const auto word = [&](std::string_view name, std::uint32_t more = 0) {
        std::uint32_t data = 0;
        if (section_.bank->csr_read(r, csr::offset_of(name) + more, data) != 0)
          found_.wrong.push_back(std::string(name));
        return data;
      };
      const std::uint32_t flips = word("EVENT", 4 * csr::stride(csr::Per::kEvent)),
                          place = word("FLIPPED");
      found_.flips += flips;
      if ((word("STATUS") >> 4 & 1) != (flips > 0)) found_.wrong.push_back("STATUS");
      if (flips > 0 ? place < 64 || place >= word("TABLE_WORDS") : place != 0)
        found_.wrong.push_back(fmt::format("FLIPPED {}", place));
    }
  }

 private:
  Section section_;
  Found& found_;
};

app::Simulated learning() {
  return compiled(kLearningDragonfly, {"router.checks=true", "router.memory_parity=true"});
}

RunResult with_flips(const app::Simulated& network, std::uint64_t cycles,
                     FlipReader::Found& found) {
  RunOptions run = short_run(network, 0.4, cycles);
  run.threads = 1;
  run.probes = {[&](const Scene&) { return std::make_unique<FlipReader>(found); }};
  return simulated(network, run);
}

TEST(MemoryParity, OfTablesFindsTenThousandFlipsAndEveryPacketArrives) {
  const ChangedRtl changed(kTableFlips);
  FlipReader::Found found;
  const RunResult r = with_flips(learning(), 20000, found);
  expect_accounted(r);
  EXPECT_GT(found.flips, 10000u);
  EXPECT_EQ(found.wrong, std::vector<std::string>{});
}

TEST(MemoryParity, FindsNothingWhereNothingFlips) {
  FlipReader::Found found;
  expect_accounted(with_flips(learning(), 2000, found));
  EXPECT_EQ(found.flips, 0u);
  EXPECT_EQ(found.wrong, std::vector<std::string>{});
}

TEST(MemoryParity, OfTablesThatNobodyLooksAtIsNoticed) {
  std::vector<Change> changes = kTableFlips;
  changes.push_back(
      {"routing/q/hw_q_ram.sv", "assign bad_o[c] = ^", "assign bad_o[c] = 1'b0 && ^"});
  const ChangedRtl changed(changes);
  FlipReader::Found found;
  expect_accounted(with_flips(learning(), 2000, found));
  EXPECT_EQ(found.flips, 0u);
}

/// Routes that wait in a queue's memory, and tail marks and heads in that of the flits.
const std::vector<Change> kRouteFlips = {
    {"router/hw_packet_queue.sv", "    logic [WordBits-1:0] ram_word;\n",
     DICE("any_read ? push_data_i : from") "    logic [WordBits-1:0] ram_word;\n"},
    {"router/hw_packet_queue.sv", ".write_data_i(WordBits'({^push_data_i, push_data_i}))",
     ".write_data_i(WordBits'({^push_data_i, push_data_i}) ^ (WordBits'(Parity && dice_q[2:0] == "
     "3'd5) << (32'(dice_q[12:8]) % WordBits)))"}};
const std::vector<Change> kFlitFlips = {
    {"router/hw_flit_store.sv",
     "  assign pushed = StoredBits'({{2{push_data_i[FlitBits-1]}}, "
     "push_data_i});\n",
     DICE("push_data_i") "  assign pushed = StoredBits'({{2{push_data_i[FlitBits-1]}}, "
                         "push_data_i}) ^ "
                         "(StoredBits'(VotesTop && dice_q[1:0] == 2'd1) << (StoredBits - 1 - "
                         "32'(dice_q[9:8]) % 3));\n"},
    {"router/hw_input_unit.sv", "  // What goes nowhere -",
     DICE("in_data_i") "  // What goes nowhere -"},
    {"router/hw_input_unit.sv", ".push_data_i(StoreBits'({in_tail_i, push_data}))",
     ".push_data_i(StoreBits'({in_tail_i, push_data}) ^ (StoreBits'(in_head_i && dice_q[2:0] == "
     "3'd3) << (32'(dice_q[12:8]) % RouteBits)))"}};

/// What flips in memories the engine has not flipped, so that each packet that is dropped for it is
/// told as a failure; and where no head may flip on a link, it waits for such packets. Here one in
/// a thousand million may.
app::Simulated guarded(const char* algorithm) {
  return compiled(kTorus, with(kChecked, {"router.header_parity=true", "router.memory_parity=true",
                                          "fault.header_flips=0.000000001",
                                          fmt::format("routing.algorithm={}", algorithm)}));
}

/// Drops for other causes than parity.
std::uint64_t others(const RunResult& r) {
  return std::accumulate(r.dropped.begin(), r.dropped.end(), std::uint64_t{0}) -
         r.dropped[kDropParity];
}

/// Packets are dropped for parity alone, the engine says so, and all are accounted for.
void expect_only_parity_drops(const RunResult& r) {
  const std::uint64_t dropped = r.dropped[kDropParity];
  EXPECT_EQ(r.failures,
            std::vector{fmt::format("{} packets are dropped or damaged, 0 were injected with a bad "
                                    "head and 0 heads were flipped",
                                    dropped)});
  EXPECT_EQ(others(r), 0u);
  EXPECT_EQ(r.damaged, 0u);
  EXPECT_EQ(r.lost, 0u);
  EXPECT_EQ(r.injected, r.delivered + r.in_flight + dropped);
}

/// The engine takes a packet that vanishes in a router for one that is under way, and a terminal
/// has 128 of these: so many short runs.
TEST(MemoryParity, OfRoutesDropsThosePacketsAlone) {
  const ChangedRtl changed(kRouteFlips);
  for (const auto& [algorithm, runs, least] :
       {std::tuple{"dor", 40u, 10000u}, std::tuple{"star_channel", 12u, 1000u}}) {
    const app::Simulated network = guarded(algorithm);
    std::uint64_t found = 0, delivered = 0;
    for (unsigned seed = 1; seed <= runs; ++seed) {
      RunOptions run = short_run(network, 0.7, 5000);
      run.simulation.seed = seed;
      const RunResult r = simulated(network, run);
      expect_only_parity_drops(r);
      found += r.dropped[kDropParity];
      delivered += r.delivered;
    }
    EXPECT_GT(found, least) << algorithm;
    EXPECT_GT(delivered, 10 * found) << algorithm;
  }
}

TEST(MemoryParity, OfHeadsAndTailsDropsThosePacketsAlone) {
  const ChangedRtl changed(kFlitFlips);
  const app::Simulated network = guarded("dor");
  const RunResult r = simulated(network, short_run(network, 0.4, 30000));
  expect_only_parity_drops(r);
  EXPECT_GT(r.dropped[kDropParity], 10000u);
}

/// Whatever goes wrong: something does.
TEST(MemoryParity, OfRoutesThatNobodyLooksAtIsNoticed) {
  std::vector<Change> changes = kRouteFlips;
  changes.push_back({"router/hw_packet_queue.sv", "assign ram_bad = Parity &&",
                     "assign ram_bad = 1'b0 && Parity &&"});
  const ChangedRtl changed(changes);
  const app::Simulated network = guarded("dor");
  const auto result = simulate(*network.setup, short_run(network, 0.8, 3000));
  EXPECT_TRUE(!result.ok() || !result.value().failures.empty() || others(result.value()) > 0);
}

TEST(MemoryParity, OfOneTailMarkAloneIsNotEnough) {
  std::vector<Change> changes = kFlitFlips;
  changes.push_back({"router/hw_flit_store.sv",
                     "(votes[0] && votes[1]) || (votes[2] && votes[1:0] != '0)",
                     "(votes[2] && votes[1:0] != 2'd3) || votes[2]"});
  const ChangedRtl changed(changes);
  const app::Simulated network = guarded("dor");
  const auto result = simulate(*network.setup, short_run(network, 0.4, 3000));
  EXPECT_TRUE(!result.ok() || !result.value().failures.empty() || result.value().damaged > 0 ||
              others(result.value()) > 0);
}

}  // namespace
}  // namespace hopwise::engine
