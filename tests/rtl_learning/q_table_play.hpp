// SPDX-License-Identifier: Apache-2.0
// hw_q_table as its header tells it, cycle by cycle, and a bench that drives block and reference
// alike.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "Vq_table_odd.h"
#include "Vq_table_one_column.h"
#include "Vq_table_one_row.h"
#include "Vq_table_paper.h"
#include "Vq_table_small.h"
#include "bench.hpp"
#include "probes/q/table_model.hpp"

namespace hopwise::test {

constexpr unsigned index_bits(unsigned values) {
  return values <= 2 ? 1 : 1 + index_bits((values + 1) / 2);
}

/// With `Parity` what decisions read is looked at a cycle later.
template <class ModelType, unsigned Rows, unsigned Cols, unsigned Bits, unsigned Depth,
          bool Parity = false>
struct QShape {
  using Model = ModelType;
  static constexpr unsigned kRows = Rows, kCols = Cols, kBits = Bits, kDepth = Depth;
  static constexpr bool kParity = Parity;
  static constexpr unsigned kRowBits = index_bits(Rows), kWordBits = Bits + kRowBits,
                            kMax = (1U << Bits) - 1;
};
using QSmall = QShape<Vq_table_small, 6, 3, 18, 2>;
using QOdd = QShape<Vq_table_odd, 37, 5, 13, 3, true>;
using QPaper = QShape<Vq_table_paper, 132, 11, 18, 2>;
using QOneRow = QShape<Vq_table_one_row, 1, 4, 12, 1>;
using QOneColumn = QShape<Vq_table_one_column, 9, 1, 24, 4>;

enum class QFault {
  none,
  rounds_to_zero,
  one_rate,
  decisions_miss_their_cycle,
  updates_miss_their_cycle,
  a_row_not_initialised,
  a_row_too_few,
  lowest_first,
  drops_though_served,
  counts_frozen,
  learns_frozen,
  csr_write_is_an_update,
  csr_waits,
  csr_reads_what_it_wrote,
  no_wait_for_an_entry,
  waits_too_short_for_an_entry,
  idle_with_a_full_pipeline
};

struct QWord {
  unsigned row = 0, target = 0;
};
struct QRequest {
  bool write = false;
  unsigned row = 0, col = 0, value = 0;
};

template <class T>
struct QInputs {
  unsigned alpha = 0, beta = 0;
  bool freeze = false;
  std::optional<unsigned> read;
  std::array<std::optional<QWord>, T::kCols> feedback{};
  std::optional<QRequest> csr;
};

template <class T>
unsigned initial(unsigned row, unsigned col) {
  return (row * 7919 + col * 104729 + 12345) & T::kMax;
}

template <class T>
struct QReference {
  struct Op {
    bool csr, write;
    unsigned row, col, target, old;
    unsigned alpha = 0, beta = 0;  // of the cycle before the write
  };
  QFault fault = QFault::none;
  probes::q::TableModel table{T::kRows, T::kCols, T::kBits};
  bool init = true, looks = false;  // at what was read
  unsigned init_row = 0, start = 0;
  std::uint32_t updates = 0, dropped = 0, counted = 0;  // counted: dropped, a cycle ago
  std::array<std::deque<QWord>, T::kCols> fifo{};
  std::optional<Op> s1, s2, s3;
  std::vector<std::uint32_t> read;  // what the last decision read; empty where that is nothing

  bool pending() const {
    for (const auto& f : fifo) {
      if (!f.empty()) return true;
    }
    return false;
  }
  bool idle() const {
    return !init && !looks && !pending() &&
           ((!s1 && !s2 && !s3) || fault == QFault::idle_with_a_full_pipeline);
  }

  void write() {
    if (init) {
      for (unsigned c = 0; c < T::kCols; ++c) table.set(init_row, c, initial<T>(init_row, c));
      if (fault == QFault::a_row_not_initialised && init_row == T::kRows / 2)
        table.set(init_row, T::kCols - 1, 0);
    } else if (s3 && s3->write) {
      if (s3->csr) {
        table.set(s3->row, s3->col, s3->target);
      } else if (fault == QFault::rounds_to_zero || fault == QFault::updates_miss_their_cycle) {
        const std::uint32_t old =
            fault == QFault::rounds_to_zero ? table.value(s3->row, s3->col) : s3->old;
        const std::int64_t delta = std::int64_t{s3->target} - old,
                           moved = delta * (delta < 0 ? s3->alpha : s3->beta);
        const std::int64_t step = fault == QFault::rounds_to_zero ? moved / 65536 : moved >> 16;
        table.set(s3->row, s3->col, static_cast<std::uint32_t>(old + step));
      } else {
        table.update(s3->row, s3->col, s3->target, s3->alpha,
                     fault == QFault::one_rate ? s3->alpha : s3->beta);
      }
      if (!s3->csr || fault == QFault::csr_write_is_an_update) ++updates;
    }
  }

  std::optional<Op> serve(const QInputs<T>& in) {
    if (init) return std::nullopt;
    const bool csr = in.csr && !(s1 && s1->csr) && !(s2 && s2->csr) && !(s3 && s3->csr) &&
                     !(fault == QFault::csr_waits && pending());
    std::optional<Op> op;
    if (csr) {
      op = Op{true, in.csr->write, in.csr->row, in.csr->col, in.csr->value, 0};
    } else {
      for (unsigned i = 0; i < T::kCols && !op; ++i) {
        const unsigned c = fault == QFault::lowest_first ? i : (start + i) % T::kCols;
        if (!fifo[c].empty())
          op = Op{false, true, fifo[c].front().row, c, fifo[c].front().target, 0};
      }
    }
    if (!op) return std::nullopt;
    const auto is_its_entry = [&op](const std::optional<Op>& o) {
      return o && o->row == op->row && o->col == op->col;
    };
    if ((is_its_entry(s1) && fault != QFault::no_wait_for_an_entry) ||
        (is_its_entry(s2) && fault != QFault::waits_too_short_for_an_entry))
      return std::nullopt;
    if (!op->csr) {
      fifo[op->col].pop_front();
      start = (op->col + 1) % T::kCols;
    }
    return op;
  }

  void clock(const QInputs<T>& in) {
    const probes::q::TableModel before = table;
    counted = dropped;
    looks = T::kParity && in.read;
    write();
    if (in.read) {
      const auto row = (fault == QFault::decisions_miss_their_cycle ? before : table).row(*in.read);
      read.assign(row.begin(), row.end());
    }
    std::array<std::size_t, T::kCols> held;
    for (unsigned c = 0; c < T::kCols; ++c) held[c] = fifo[c].size();
    std::optional<Op> op = serve(in);
    if (op) op->old = before.value(op->row, op->col);
    for (unsigned c = 0; c < T::kCols; ++c) {
      if (!in.feedback[c]) continue;
      if (in.freeze && fault != QFault::learns_frozen) {
        if (fault == QFault::counts_frozen) ++dropped;
      } else if ((fault == QFault::drops_though_served ? held[c] : fifo[c].size()) >= T::kDepth) {
        ++dropped;
      } else {
        fifo[c].push_back(*in.feedback[c]);
      }
    }
    s3 = s2;
    if (s3) {
      s3->alpha = in.alpha;
      s3->beta = in.beta;
    }
    s2 = s1;
    s1 = op;
    if (init && ++init_row == T::kRows - (fault == QFault::a_row_too_few)) init = false;
  }
};

/// Random stimulus: percentages of the cycles (of the ports, for feedback).
struct QLoad {
  unsigned alpha = 13107, beta = 2621;
  unsigned feedback = 30, reads = 50, csr = 5, freeze = 0, same_row = 30, extremes = 5;
};

template <class T>
class QPlay {
 public:
  explicit QPlay(QFault fault = QFault::none) { reset(fault); }

  void reset(QFault fault = QFault::none) {
    in = {};
    drive();
    bench.reset();
    expected = {};
    expected.fault = fault;
  }

  /// One cycle with `in`; what differs from the reference is in `wrong`.
  void step() {
    drive();
    const auto& ends = expected.s3;
    const bool update = ends && !ends->csr, ack = ends && ends->csr;
    check(bench->init_o == expected.init, "init_o");
    if (expected.init) check(bench->init_row_o == expected.init_row, "init_row_o");
    check(bench->write_valid_o == update, "write_valid_o");
    if (update) {
      check(bench->write_row_o == ends->row && bench->write_col_o == ends->col &&
                bench->write_target_o == ends->target,
            "write");
    }
    check(bench->csr_ack_o == ack, "csr_ack_o");
    if (ack && !ends->write) {
      const bool wrong_data = expected.fault == QFault::csr_reads_what_it_wrote;
      check(bench->csr_rdata_o ==
                (wrong_data ? ends->target : expected.table.value(ends->row, ends->col)),
            "csr_rdata_o");
    }
    check(bench->flips_o == 0, "flips_o");
    check(bench->idle_o == expected.idle(), "idle_o");
    check(bench->updates_o == expected.updates, "updates_o");
    check(bench->dropped_o == expected.counted, "dropped_o");
    acked = bench->csr_ack_o;
    rdata = bench->csr_rdata_o;
    expected.clock(in);
    bench.edge();
    bench.settle();
    if (!expected.read.empty()) {
      const Words values = read_port(bench->read_values_o, T::kCols * T::kBits);
      for (unsigned c = 0; c < T::kCols; ++c) {
        check(get_bits(values, c * T::kBits, T::kBits) == expected.read[c], "read_values_o");
      }
    }
  }

  unsigned decision(unsigned col) {
    return static_cast<unsigned>(
        get_bits(read_port(bench->read_values_o, T::kCols * T::kBits), col * T::kBits, T::kBits));
  }

  void initialise() {
    while (expected.init && wrong.empty()) step();
  }

  /// Nothing comes any more; until the block is idle.
  void settle_down() {
    in.freeze = false;
    in.read.reset();
    in.feedback = {};
    in.csr.reset();
    for (unsigned n = 0; n < 3 * T::kDepth * T::kCols + 5; ++n) step();
    check(bench->idle_o != 0, "not idle at the end");
  }

  unsigned csr(const QRequest& request) {
    in.csr = request;
    for (acked = false; !acked && wrong.empty();) step();
    in.csr.reset();
    return rdata;
  }
  void preset(unsigned row, unsigned col, unsigned value) { csr({true, row, col, value}); }
  unsigned peek(unsigned row, unsigned col) { return csr({false, row, col, 0}); }

  /// The whole table, read through the CSR port, is the reference's.
  bool table_agrees() {
    for (unsigned r = 0; r < T::kRows; ++r) {
      for (unsigned c = 0; c < T::kCols; ++c) {
        if (peek(r, c) != expected.table.value(r, c)) return false;
      }
    }
    return wrong.empty();
  }

  void run(const QLoad& load, unsigned cycles) {
    in.alpha = load.alpha;
    in.beta = load.beta;
    for (unsigned n = 0; n < cycles && wrong.empty(); ++n) {
      in.freeze = chance(random, load.freeze);
      in.read.reset();
      if (!expected.init && chance(random, load.reads)) in.read = any_row(load);
      for (auto& f : in.feedback) {
        f.reset();
        if (chance(random, load.feedback)) f = QWord{any_row(load), any_value(load)};
      }
      if (in.csr && acked) in.csr.reset();
      if (!in.csr && chance(random, load.csr)) {
        in.csr = QRequest{chance(random, 50), any_row(load),
                          static_cast<unsigned>(random() % T::kCols), any_value(load)};
      }
      step();
    }
    if (in.csr && !acked && wrong.empty()) csr(*in.csr);
  }

  Bench<typename T::Model> bench;
  QReference<T> expected;
  QInputs<T> in;
  std::string wrong;  // the first disagreement: what, and where
  bool acked = false;

 private:
  void check(bool agrees, const char* what) {
    if (!agrees && wrong.empty())
      wrong = what + std::string(" in cycle ") + std::to_string(bench.cycle());
  }
  /// Often the row of the write to come, which is where reads and updates meet.
  unsigned any_row(const QLoad& load) {
    if (expected.s3 && chance(random, load.same_row)) return expected.s3->row;
    if (chance(random, load.same_row)) return 0;
    return static_cast<unsigned>(random() % T::kRows);
  }
  unsigned any_value(const QLoad& load) {
    if (chance(random, load.extremes)) return chance(random, 50) ? 0 : T::kMax;
    return static_cast<unsigned>(random()) & T::kMax;
  }

  void drive() {
    auto& m = bench.model();
    m.alpha_i = static_cast<std::uint16_t>(in.alpha);
    m.beta_i = static_cast<std::uint16_t>(in.beta);
    m.freeze_i = in.freeze;
    m.read_valid_i = in.read.has_value();
    write_port(m.read_row_i, {in.read.value_or(0)});
    Words valid((T::kCols + 31) / 32), words((T::kCols * T::kWordBits + 31) / 32),
        values((T::kCols * T::kBits + 31) / 32);
    for (unsigned c = 0; c < T::kCols; ++c) {
      if (!in.feedback[c]) continue;
      set_bits(valid, c, 1, 1);
      set_bits(words, c * T::kWordBits, T::kRowBits, in.feedback[c]->row);
      set_bits(words, c * T::kWordBits + T::kRowBits, T::kBits, in.feedback[c]->target);
    }
    write_port(m.feedback_valid_i, valid);
    write_port(m.feedback_i, words);
    const QRequest request = in.csr.value_or(QRequest{});
    m.csr_req_i = in.csr.has_value();
    m.csr_we_i = request.write;
    write_port(m.csr_row_i, {request.row});
    write_port(m.csr_col_i, {request.col});
    write_port(m.csr_wdata_i, {request.value});
    bench.settle();
    for (unsigned c = 0; c < T::kCols && m.init_o; ++c)
      set_bits(values, c * T::kBits, T::kBits, initial<T>(m.init_row_o, c));
    write_port(m.init_values_i, values);
    bench.settle();
  }

  std::mt19937_64 random{29};
  unsigned rdata = 0;
};

}  // namespace hopwise::test
