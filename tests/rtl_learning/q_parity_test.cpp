// SPDX-License-Identifier: Apache-2.0
// Bits that flip in the memories of a Q-table with parity: each is found when it is read, counted
// once, and believed by nobody.
#include <ostream>

#include "Vq_table_blind.h"
#include "Vq_table_blind___024root.h"
#include "Vq_table_counts_again.h"
#include "Vq_table_counts_again___024root.h"
#include "Vq_table_never_mends.h"
#include "Vq_table_never_mends___024root.h"
#include "Vq_table_odd.h"
#include "Vq_table_odd___024root.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kRows = 37, kCols = 5, kBits = 13, kRowBits = 6, kWord = kBits + 1,
                   kInfinity = (1U << kBits) - 1;

enum class Copy { kDecisions, kUpdates };

template <class Model>
class FlipPlay {
 public:
  FlipPlay() {
    drive({});
    bench.reset();
    bench.settle();
    while (bench->init_o) {
      Words values((kCols * kBits + 31) / 32);
      for (unsigned c = 0; c < kCols; ++c) {
        value(bench->init_row_o, c) = static_cast<unsigned>(random()) % kInfinity;
        set_bits(values, c * kBits, kBits, value(bench->init_row_o, c));
      }
      write_port(bench->init_values_i, values);
      step();
    }
  }

  unsigned& value(unsigned row, unsigned col) { return values_[row * kCols + col]; }

  void flip(Copy copy, unsigned row, unsigned col, unsigned bit) {
    auto& root = *bench.model().rootp;
    auto& word =
        copy == Copy::kUpdates
            ? root.hw_q_table__DOT__u_copies__DOT__u_updates__DOT__mem[row]
            : root.hw_q_table__DOT__u_copies__DOT__gen_decisions__BRA__0__KET____DOT__u_copy__DOT__mem
                  [row];
    const unsigned at = col * kWord + bit;
    word[at / 32] ^= 1U << at % 32;
  }

  /// A cycle with what is set; what it finds is counted, and must be where `place` is.
  void step() {
    bench.settle();
    for (unsigned half = 0; half < 2; ++half) {
      if ((bench->flips_o >> half & 1) == 0) continue;
      ++found[half];
      if (place && (get_bits({static_cast<std::uint32_t>(bench->flip_rows_o)}, half * kRowBits,
                             kRowBits) != place->first ||
                    get_bits({static_cast<std::uint32_t>(bench->flip_cols_o)}, half * 3, 3) !=
                        place->second))
        differ("another word is told");
    }
    bench.edge();
    bench.settle();
    if (bench.failed()) differ("an assertion fails");
  }
  void rest(unsigned cycles = 8) {
    drive({});
    for (unsigned n = 0; n < cycles; ++n) step();
    if (!bench->idle_o) differ("it does not come to rest");
  }

  /// What a decision reads.
  std::vector<unsigned> read(unsigned row, unsigned times = 1) {
    for (unsigned n = 0; n < times; ++n) {
      drive({});
      bench->read_valid_i = 1;
      bench->read_row_i = static_cast<std::uint8_t>(row);
      step();
    }
    drive({});
    const Words bits = read_port(bench->read_values_o, kCols * kBits);
    std::vector<unsigned> all(kCols);
    for (unsigned c = 0; c < kCols; ++c)
      all[c] = static_cast<unsigned>(get_bits(bits, c * kBits, kBits));
    return all;
  }
  std::vector<unsigned> row_of(unsigned row) {
    return {values_.begin() + row * kCols, values_.begin() + (row + 1) * kCols};
  }
  unsigned csr(bool write, unsigned row, unsigned col, unsigned data = 0) {
    drive({});
    bench->csr_req_i = 1;
    bench->csr_we_i = write;
    bench->csr_row_i = static_cast<std::uint8_t>(row);
    bench->csr_col_i = static_cast<std::uint8_t>(col);
    bench->csr_wdata_i = static_cast<std::uint16_t>(data);
    bench.settle();
    for (unsigned n = 0; n < 8 && !bench->csr_ack_o; ++n) step();
    if (!bench->csr_ack_o) differ("the CSR waits for ever");
    const unsigned got = bench->csr_rdata_o;
    step();
    drive({});
    return got;
  }
  void feed(unsigned col, unsigned row, unsigned target) {
    drive({});
    Words words((kCols * (kBits + kRowBits) + 31) / 32);
    set_bits(words, col * (kBits + kRowBits), kRowBits, row);
    set_bits(words, col * (kBits + kRowBits) + kRowBits, kBits, target);
    write_port(bench->feedback_i, words);
    bench->feedback_valid_i = static_cast<std::uint8_t>(1U << col);
    step();
  }

  void expect(unsigned decisions, unsigned updates, const char* what) {
    rest();
    if (found[0] != decisions || found[1] != updates) differ(what);
    found[0] = found[1] = 0;
  }
  void expect_row(unsigned row, const std::vector<unsigned>& values, const char* what) {
    if (read(row) != values) differ(what);
  }
  void differ(const char* what) {
    if (wrong.empty()) wrong = what;
  }

  Bench<Model> bench;
  std::mt19937_64 random{71};
  std::optional<std::pair<unsigned, unsigned>> place;
  std::array<unsigned, 2> found{};  // by decisions, by updates and the CSR
  std::string wrong;                // the first thing

 private:
  struct Nothing {};
  void drive(Nothing) {
    bench->alpha_i = bench->beta_i = 13107;
    bench->freeze_i = bench->read_valid_i = bench->feedback_valid_i = bench->csr_req_i = 0;
  }
  std::array<unsigned, kRows * kCols> values_{};
};

/// Flips of single values, whoever reads them; `flips` is how many there were.
template <class Model>
std::string flips_are_found(unsigned rounds, unsigned& flips) {
  FlipPlay<Model> play;
  for (unsigned n = 0; n < rounds && play.wrong.empty(); ++n) {
    const unsigned row = static_cast<unsigned>(play.random()) % kRows,
                   col = static_cast<unsigned>(play.random()) % kCols,
                   bit = static_cast<unsigned>(play.random()) % kWord,
                   fresh = static_cast<unsigned>(play.random()) % kInfinity;
    play.place = {row, col};
    std::vector<unsigned> unknown = play.row_of(row);
    unknown[col] = kInfinity;
    ++flips;
    switch (n % 5) {
      case 0:  // decisions, one behind the other: the copy of the updates has the value
        play.flip(Copy::kDecisions, row, col, bit);
        if (play.read(row, 1 + n % 3) != unknown) play.differ("a decision believes it");
        play.expect(1, 0, "not counted once by decisions");
        play.expect_row(row, play.row_of(row), "not mended");
        play.expect(0, 0, "counted again");
        break;
      case 1:
        play.flip(Copy::kUpdates, row, col, bit);
        play.feed(col, row, fresh);
        play.expect(0, 1, "not counted once by an update");
        play.value(row, col) = fresh;
        play.expect_row(row, play.row_of(row), "learned from what is wrong");
        break;
      case 2:
        play.flip(Copy::kUpdates, row, col, bit);
        if (play.csr(false, row, col) != kInfinity) play.differ("the CSR believes it");
        play.expect(0, 1, "not counted once by the CSR");
        play.expect_row(row, unknown, "the copies differ");
        play.csr(true, row, col, fresh);
        play.value(row, col) = fresh;
        play.expect_row(row, play.row_of(row), "the CSR does not write");
        play.expect(0, 0, "counted again");
        break;
      case 3:  // in both copies
        ++flips;
        play.flip(Copy::kDecisions, row, col, bit);
        play.flip(Copy::kUpdates, row, col, kWord - 1 - bit);
        if (play.read(row) != unknown) play.differ("a decision believes it");
        play.expect(1, 1, "not counted once in each copy");
        play.expect_row(row, unknown, "a lost value is not unknown");
        play.csr(true, row, col, fresh);
        play.value(row, col) = fresh;
        play.expect(0, 0, "counted again");
        break;
      default: {  // two values of a row
        ++flips;
        const unsigned other =
            (col + 1 + static_cast<unsigned>(play.random()) % (kCols - 1)) % kCols;
        unknown[other] = kInfinity;
        play.place.reset();
        play.flip(Copy::kDecisions, row, col, bit);
        play.flip(Copy::kDecisions, row, other, bit);
        if (play.read(row) != unknown) play.differ("a decision believes them");
        play.expect(1, 0, "not counted one by one");
        play.read(row);
        play.expect(1, 0, "the second is not counted");
        play.expect_row(row, play.row_of(row), "not both mended");
      }
    }
  }
  return play.wrong;
}

TEST(QParity, OfTenThousandFlipsEachIsCountedOnceAndNoneIsBelieved) {
  unsigned flips = 0;
  EXPECT_EQ(flips_are_found<Vq_table_odd>(8000, flips), "");
  EXPECT_GT(flips, 10000u);
}

TEST(QParity, SeededFaultsAreSeen) {
  unsigned flips = 0;
  EXPECT_EQ(flips_are_found<Vq_table_blind>(5, flips), "a decision believes it");
  EXPECT_EQ(flips_are_found<Vq_table_never_mends>(5, flips), "it does not come to rest");
  EXPECT_EQ(flips_are_found<Vq_table_counts_again>(20, flips), "not counted once by decisions");
}

/// Under traffic a flip may be overwritten before anybody reads it.
TEST(QParity, UnderTrafficTheCopiesAgreeInTheEnd) {
  FlipPlay<Vq_table_odd> play;
  unsigned flips = 0;
  for (unsigned n = 0; n < 40000; ++n) {
    const auto row = static_cast<unsigned>(play.random()) % kRows,
               col = static_cast<unsigned>(play.random()) % kCols;
    if (chance(play.random, 20)) {
      // A second flip of a value, before anybody reads it, undoes the first.
      play.flip(chance(play.random, 50) ? Copy::kDecisions : Copy::kUpdates, row, col,
                (row + 3 * col) % kWord);
      ++flips;
    }
    play.feed(static_cast<unsigned>(play.random()) % kCols,
              static_cast<unsigned>(play.random()) % kRows,
              static_cast<unsigned>(play.random()) % kInfinity);
    play.read(static_cast<unsigned>(play.random()) % kRows);
  }
  play.rest();
  EXPECT_GT(play.found[0] + play.found[1], flips / 2);
  EXPECT_LE(play.found[0] + play.found[1], flips);
  // What is left over is found now; a row may have several.
  for (unsigned r = 0; r < kRows; ++r) {
    for (unsigned c = 0; c < kCols; ++c) {
      play.read(r);
      play.rest();
      play.csr(false, r, c);
    }
  }
  play.rest();
  play.found = {};
  for (unsigned r = 0; r < kRows; ++r) {
    const std::vector<unsigned> values = play.read(r);
    for (unsigned c = 0; c < kCols; ++c) EXPECT_EQ(play.csr(false, r, c), values[c]);
  }
  play.expect(0, 0, "something is left");
  EXPECT_EQ(play.wrong, "");
}

}  // namespace
}  // namespace hopwise::test
