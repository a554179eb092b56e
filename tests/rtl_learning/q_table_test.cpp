// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ostream>

#include "Vq_table_overshoots.h"
#include "q_table_play.hpp"

namespace hopwise::test {
namespace {

template <class T>
class QTable : public testing::Test {};
using QShapes = testing::Types<QSmall, QOdd, QPaper, QOneRow, QOneColumn>;
TYPED_TEST_SUITE(QTable, QShapes);

constexpr unsigned kRates[][2] = {
    {13107, 2621}, {0xffff, 0xffff}, {0xffff, 1}, {1, 0xffff}, {0, 0}};

TYPED_TEST(QTable, FollowsTheReferenceForEveryRateAndLoad) {
  for (const auto& [alpha, beta] : kRates) {
    for (const unsigned feedback : {3u, 15u, 40u, 100u}) {
      QPlay<TypeParam> play;
      play.run({.alpha = alpha,
                .beta = beta,
                .feedback = feedback,
                .extremes = alpha == 13107 ? 5u : 40u},
               3000);
      play.settle_down();
      EXPECT_TRUE(play.table_agrees());
      ASSERT_EQ(play.wrong, "") << "alpha " << alpha << ", beta " << beta << ", " << feedback
                                << " %";
      EXPECT_GT(play.expected.updates, 3000 * std::min(feedback * TypeParam::kCols, 100u) / 300);
      EXPECT_TRUE(feedback < 100 || play.expected.dropped > 0);
    }
  }
}

TYPED_TEST(QTable, FollowsTheReferenceWithFreezesAndManyCsrAccesses) {
  QPlay<TypeParam> play;
  for (const unsigned freeze : {0u, 20u, 100u})
    play.run({.feedback = 50, .csr = 60, .freeze = freeze}, 3000);
  play.settle_down();
  EXPECT_TRUE(play.table_agrees());
  EXPECT_EQ(play.wrong, "");
}

TYPED_TEST(QTable, InitialisationTakesOneCyclePerRowAndWritesAllOfThem) {
  QPlay<TypeParam> play;
  unsigned cycles = 0;
  for (; play.bench->init_o; ++cycles) play.step();
  EXPECT_EQ(cycles, TypeParam::kRows);
  for (unsigned r = 0; r < TypeParam::kRows; ++r) {
    for (unsigned c = 0; c < TypeParam::kCols; ++c)
      EXPECT_EQ(play.peek(r, c), initial<TypeParam>(r, c));
  }
  EXPECT_EQ(play.wrong, "");
}

TYPED_TEST(QTable, KnowsNothingAfterReset) {
  QPlay<TypeParam> play;
  play.run({.feedback = 60}, 500);
  play.reset();
  play.initialise();
  EXPECT_TRUE(play.bench->idle_o);
  EXPECT_TRUE(play.table_agrees());
  EXPECT_EQ(play.wrong, "");
  EXPECT_EQ(play.peek(0, 0), initial<TypeParam>(0, 0));
}

/// Independent of the reference: what a decision reads in the cycle of a write lies between the old
/// value and the target.
TYPED_TEST(QTable, ValuesNeverLeaveTheirOldValueAndTheTarget) {
  QPlay<TypeParam> play;
  play.initialise();
  std::vector<unsigned> values(TypeParam::kRows * TypeParam::kCols);
  for (unsigned i = 0; i < values.size(); ++i)
    values[i] = initial<TypeParam>(i / TypeParam::kCols, i % TypeParam::kCols);
  std::mt19937_64 random{5};
  unsigned seen = 0;
  for (unsigned n = 0; n < 4000; ++n) {
    play.in.alpha = play.in.beta =
        chance(random, 50) ? 0xffff : static_cast<unsigned>(random() & 0xffff);
    for (auto& f : play.in.feedback) {
      f.reset();
      if (chance(random, 30))
        f = QWord{static_cast<unsigned>(random() % TypeParam::kRows),
                  chance(random, 50) ? 0 : TypeParam::kMax};
    }
    play.in.read.reset();
    play.bench.settle();
    const bool written = play.bench->write_valid_o;
    const unsigned row = play.bench->write_row_o, col = play.bench->write_col_o,
                   target = play.bench->write_target_o;
    if (written) play.in.read = row;
    play.step();
    if (!written) continue;
    unsigned& old = values[row * TypeParam::kCols + col];
    const unsigned now = play.decision(col);
    ASSERT_TRUE(std::min(old, target) <= now && now <= std::max(old, target))
        << old << " to " << target << ": " << now;
    old = now;
    ++seen;
  }
  EXPECT_GT(seen, 1000u);
  EXPECT_EQ(play.wrong, "");
}

struct SeededFault {
  QFault fault;
  const char* seen_at;
};
void PrintTo(const SeededFault& seeded, std::ostream* out) {
  *out << static_cast<int>(seeded.fault) << " at " << seeded.seen_at;
}
class QTableFault : public testing::TestWithParam<SeededFault> {};
TEST_P(QTableFault, OfTheReferenceIsSeenWhereItShould) {
  QPlay<QSmall> play(GetParam().fault);
  play.run({.feedback = 40, .csr = 20, .freeze = 10}, 3000);
  EXPECT_EQ(play.wrong.substr(0, play.wrong.find(' ')), GetParam().seen_at);
}
INSTANTIATE_TEST_SUITE_P(
    Every, QTableFault,
    testing::Values(SeededFault{QFault::none, ""},
                    SeededFault{QFault::rounds_to_zero, "read_values_o"},
                    SeededFault{QFault::one_rate, "read_values_o"},
                    SeededFault{QFault::decisions_miss_their_cycle, "read_values_o"},
                    SeededFault{QFault::updates_miss_their_cycle, "read_values_o"},
                    SeededFault{QFault::a_row_not_initialised, "read_values_o"},
                    SeededFault{QFault::a_row_too_few, "init_o"},
                    SeededFault{QFault::lowest_first, "write"},
                    SeededFault{QFault::drops_though_served, "dropped_o"},
                    SeededFault{QFault::counts_frozen, "dropped_o"},
                    SeededFault{QFault::learns_frozen, "dropped_o"},
                    SeededFault{QFault::csr_write_is_an_update, "updates_o"},
                    SeededFault{QFault::csr_waits, "dropped_o"},
                    SeededFault{QFault::csr_reads_what_it_wrote, "csr_rdata_o"},
                    SeededFault{QFault::no_wait_for_an_entry, "csr_ack_o"},
                    SeededFault{QFault::waits_too_short_for_an_entry, "write_valid_o"},
                    SeededFault{QFault::idle_with_a_full_pipeline, "idle_o"}));

TEST(QTableFaults, TheFinalTableShowsWhatNoDecisionRead) {
  for (const QFault fault : {QFault::none, QFault::rounds_to_zero, QFault::a_row_not_initialised}) {
    QPlay<QPaper> play(fault);
    play.run({.reads = 0, .csr = 0}, 1000);
    play.settle_down();
    EXPECT_EQ(play.wrong, "");
    EXPECT_EQ(play.table_agrees(), fault == QFault::none);
  }
}

TEST(QTablePaper, AWordOfCycleTCountsForDecisionsFromT4On) {
  QPlay<QPaper> play;
  play.initialise();
  play.preset(70, 4, 1000);
  play.in.alpha = 0x8000;
  play.in.feedback[4] = QWord{70, 500};
  std::vector<unsigned> read;
  for (unsigned t = 0; t < 6; ++t) {
    play.in.read = 70;
    play.step();
    play.in.feedback[4].reset();
    read.push_back(play.decision(4));
  }
  EXPECT_EQ(read, (std::vector<unsigned>{1000, 1000, 1000, 1000, 750, 750}));
  EXPECT_EQ(play.wrong, "");
}

TEST(QTablePaper, ADecisionKeepsItsValuesUntilTheNext) {
  QPlay<QPaper> play;
  play.initialise();
  play.preset(3, 0, 4096);
  play.in.read = 3;
  play.step();
  play.in.read.reset();
  play.preset(3, 0, 0);
  EXPECT_EQ(play.decision(0), 4096u);
  EXPECT_EQ(play.wrong, "");
}

/// One word per cycle, of all columns in turn or of one with changing rows: none is lost, none
/// waits.
TEST(QTablePaper, OneUpdatePerCycleIsSustained) {
  for (const bool one_column : {false, true}) {
    QPlay<QPaper> play;
    play.initialise();
    for (unsigned n = 0; n < 2000; ++n) {
      for (auto& f : play.in.feedback) f.reset();
      play.in.feedback[one_column ? 3 : n % QPaper::kCols] = QWord{one_column ? n % 3 : 5, n};
      play.step();
    }
    EXPECT_EQ(play.bench->updates_o, 1996u);
    play.settle_down();
    EXPECT_EQ(play.bench->updates_o, 2000u);
    EXPECT_EQ(play.bench->dropped_o, 0u);
    EXPECT_EQ(play.wrong, "");
  }
}

TEST(QTablePaper, AFullFifoDropsAndHoldsUpNothingElse) {
  QPlay<QPaper> play;
  play.initialise();
  constexpr unsigned kCycles = 3000;
  unsigned others = 0, written = 0;
  for (unsigned n = 0; n < kCycles; ++n) {
    play.in.feedback = {};
    play.in.feedback[0] = QWord{9, n};  // one entry: served every third cycle
    if (n % 5 == 0) {
      play.in.feedback[1 + n % 10] = QWord{n % QPaper::kRows, n};
      ++others;
    }
    play.step();
    written += play.bench->write_valid_o && play.bench->write_col_o != 0;
  }
  play.settle_down();
  EXPECT_GE(written + 1, others);
  EXPECT_EQ(play.bench->updates_o + play.bench->dropped_o, kCycles + others);
  EXPECT_GE(play.bench->updates_o, others + (kCycles - others) / 3 - 1);
  EXPECT_EQ(play.wrong, "");
}

TEST(QTablePaper, ColumnsAreServedAlikeUnderOverload) {
  QPlay<QPaper> play;
  play.initialise();
  std::array<unsigned, QPaper::kCols> served{};
  for (unsigned n = 0; n < 1100; ++n) {
    for (auto& f : play.in.feedback) f = QWord{7, 0};
    play.step();
    if (play.bench->write_valid_o) ++served[play.bench->write_col_o];
  }
  const auto [least, most] = std::minmax_element(served.begin(), served.end());
  EXPECT_GE(*least, 99u);
  EXPECT_LE(*most - *least, 1u);
  EXPECT_EQ(play.wrong, "");
}

TEST(QTablePaper, ACsrAccessTakesAtMostSixCyclesUnderOverload) {
  QPlay<QPaper> play;
  play.initialise();
  for (auto& f : play.in.feedback) f = QWord{7, 0};
  for (unsigned n = 0; n < 500; ++n) {
    const auto before = play.bench.cycle();
    play.csr({n % 2 == 0, 7, n % QPaper::kCols, n});
    ASSERT_LE(play.bench.cycle() - before, 6u);
  }
  EXPECT_EQ(play.wrong, "");
}

TEST(QTablePaper, FeedbackUnderFreezeChangesAndCountsNothing) {
  QPlay<QPaper> play;
  play.initialise();
  play.in.alpha = play.in.beta = 0xffff;
  play.in.freeze = true;
  for (unsigned n = 0; n < 200; ++n) {
    for (auto& f : play.in.feedback) f = QWord{n % QPaper::kRows, 0};
    play.step();
    ASSERT_TRUE(play.bench->idle_o);
  }
  EXPECT_EQ(play.bench->updates_o, 0u);
  EXPECT_EQ(play.bench->dropped_o, 0u);
  EXPECT_EQ(play.peek(5, 5), initial<QPaper>(5, 5));
  EXPECT_EQ(play.wrong, "");
}

TEST(QTablePaper, NothingChangesWithoutInput) {
  QPlay<QPaper> play;
  play.run({.feedback = 50}, 500);
  play.settle_down();
  const auto outputs = [&play] {
    auto& m = play.bench.model();
    Words all = read_port(m.read_values_o, QPaper::kCols * QPaper::kBits);
    for (const std::uint32_t x :
         {m.updates_o, m.dropped_o, std::uint32_t{m.write_valid_o}, std::uint32_t{m.csr_ack_o},
          std::uint32_t{m.init_o}, std::uint32_t{m.idle_o}}) {
      all.push_back(x);
    }
    return all;
  };
  const Words before = outputs();
  for (unsigned n = 0; n < 100; ++n) {
    play.step();
    ASSERT_EQ(outputs(), before);
  }
  EXPECT_EQ(play.wrong, "");
}

/// Feedback a little above a value does not raise it: a rise below 2^16 / beta is lost; a fall
/// never is.
TEST(QTablePaper, SmallRisesAreLostAndSmallFallsAreNot) {
  QPlay<QPaper> play;
  play.initialise();
  play.in.alpha = 1;
  play.in.beta = 2621;  // 65536 / 2621 = 25.004
  const auto after = [&play](unsigned value, unsigned target) {
    play.preset(1, 2, value);
    play.in.feedback[2] = QWord{1, target};
    play.step();
    play.in.feedback[2].reset();
    for (unsigned n = 0; n < 5; ++n) play.step();
    return play.peek(1, 2);
  };
  EXPECT_EQ(after(1000, 1000), 1000u);
  EXPECT_EQ(after(1000, 1025), 1000u);
  EXPECT_EQ(after(1000, 1026), 1001u);
  EXPECT_EQ(after(1000, 999), 999u);
  EXPECT_EQ(after(1, 0), 0u);
  EXPECT_EQ(play.bench->updates_o, 5u);
  EXPECT_EQ(play.wrong, "");
}

TEST(QTableChecks, ARowThatDoesNotExistEndsTheSimulation) {
  expect_assertion("a_row_read_exists", [] {
    QPlay<QSmall> play;
    play.initialise();
    play.bench->read_valid_i = 1;
    play.bench->read_row_i = 6;
    play.bench.edge();
    return play.bench.failed();
  });
  expect_assertion("a_feedback_row_exists", [] {
    QPlay<QSmall> play;
    play.initialise();
    play.bench->feedback_valid_i = 2;
    play.bench->feedback_i = std::uint64_t{7} << QSmall::kWordBits;
    play.bench.edge();
    return play.bench.failed();
  });
}

TEST(QTableChecks, ACsrRequestToNowhereOrGivenUpEndsTheSimulation) {
  expect_assertion("a_csr_word_exists", [] {
    QPlay<QSmall> play;
    play.bench->csr_req_i = 1;
    play.bench->csr_col_i = 3;
    play.bench.edge();
    return play.bench.failed();
  });
  expect_assertion("a_csr_request_holds", [] {
    QPlay<QSmall> play;
    play.initialise();
    play.in.csr = QRequest{};
    play.step();
    play.bench->csr_req_i = 0;
    play.bench.edge();
    return play.bench.failed();
  });
}

/// The table with a step twice as long (see CMakeLists.txt).
TEST(QTableChecks, AStepBeyondTheTargetEndsTheSimulation) {
  expect_assertion("a_value_between", [] {
    Bench<Vq_table_overshoots> bench;
    bench->alpha_i = bench->beta_i = 0xffff;
    bench.reset();
    bench->feedback_valid_i = 1;
    bench->feedback_i = std::uint64_t{1000} << QSmall::kRowBits;
    for (unsigned n = 0; n < QSmall::kRows + 5; ++n) {
      bench.settle();
      bench.edge();
    }
    return bench.failed();
  });
}

TEST(QTableModel, StepsByTheFloorOfTheProduct) {
  for (const auto& [alpha, beta] : kRates) {
    for (unsigned old = 0; old < 300; old += 7) {
      for (unsigned target = 0; target < 300; ++target) {
        const double delta = static_cast<double>(target) - static_cast<double>(old);
        const double exact = old + std::floor(delta * (delta < 0 ? alpha : beta) / 65536.0);
        ASSERT_EQ(probes::q::step(old, target, alpha, beta), exact) << old << " to " << target;
      }
    }
  }
  static_assert(probes::q::step(0xffffffff, 0, 0x10000, 0) == 0);
  static_assert(probes::q::step(0, 0xffffffff, 0, 0x10000) == 0xffffffff);
}

TEST(QTableModelDeathTest, OutOfRangeAborts) {
  probes::q::TableModel table(3, 2, 12);
  EXPECT_DEATH(table.value(3, 0), "row");
  EXPECT_DEATH(table.value(0, 2), "column");
  EXPECT_DEATH(table.set(0, 0, 4096), "value");
  EXPECT_DEATH(table.update(0, 0, 4096, 1, 1), "target");
}

}  // namespace
}  // namespace hopwise::test
