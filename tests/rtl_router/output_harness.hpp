// SPDX-License-Identifier: Apache-2.0
// Random legal traffic through an output unit, queued or not, with an oracle of its space, queues,
// credits and link.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "bench.hpp"
#include "queue_reference.hpp"

namespace hopwise::test {

constexpr unsigned kOutVcs = 3, kSpaceBits = 4, kAdaptiveVc = 2;

template <class ModelType, bool Wormhole, unsigned Queue, bool Hold, unsigned Num, unsigned Den,
          unsigned D0, unsigned D1, unsigned D2>
struct Output {
  using Model = ModelType;
  static constexpr bool kWormhole = Wormhole, kHold = Hold;
  static constexpr unsigned kQueue = Queue, kNum = Num, kDen = Den;  ///< kQueue 0: input-queued
  static constexpr std::array<unsigned, kOutVcs> kDepths{D0, D1, D2};
  static constexpr unsigned kMaxFlits = 4, kMetric = 0, kFlight = 0;
};

/// The same unit with a queue metric.
template <class Unit, unsigned MaxFlits, unsigned Metric, unsigned Flight>
struct Metered : Unit {
  static constexpr unsigned kMaxFlits = MaxFlits, kMetric = Metric, kFlight = Flight;
};

/// A flit's data: packet length [2:0], VC [4:3], place in the packet [7:5], packet number above.
struct OutFlit {
  unsigned vc = 0, length = 1, place = 0;
  std::uint64_t number = 0;
  bool head() const { return place == 0; }
  bool tail() const { return place + 1 == length; }
  std::uint64_t data() const {
    return (length | vc << 3 | place << 5 | number << 8) & ((1ULL << 40) - 1);
  }
};

/// The switch's grant for a flit; the flit comes in the same cycle, or in the next one where
/// GrantCycles is 1.
template <class Model>
void grant(Model& unit, const OutFlit& flit) {
  unit.grant_valid_i = 1;
  unit.grant_vc_i = static_cast<std::uint8_t>(1U << flit.vc);
  unit.grant_head_i = flit.head();
  unit.grant_more_i = !flit.tail();
}

template <class Model>
void no_grant(Model& unit) {
  unit.grant_valid_i = unit.grant_vc_i = unit.grant_head_i = unit.grant_more_i = 0;
}

template <class Model>
void put(Model& unit, const OutFlit& flit, bool wormhole) {
  unit.flit_valid_i = 1;
  unit.flit_head_i = flit.head();
  unit.flit_tail_i = flit.tail();
  unit.flit_vc_i = static_cast<std::uint8_t>(flit.vc);
  unit.flit_need_i = static_cast<std::uint8_t>(wormhole ? 1 : flit.length);
  unit.flit_data_i = flit.data();
  grant(unit, flit);
}

template <class Model>
void idle_output(Model& unit) {
  unit.flit_valid_i = unit.flit_head_i = unit.flit_tail_i = unit.flit_vc_i = unit.flit_need_i = 0;
  unit.flit_data_i = 0;
  no_grant(unit);
  unit.out_credit_valid_i = unit.out_credit_vc_i = 0;
  unit.now_i = 0;
}

template <class T>
class OutputRun {
 public:
  OutputRun(std::uint64_t seed, unsigned flit_percent, unsigned credit_percent)
      : random_(seed), flit_percent_(flit_percent), credit_percent_(credit_percent) {
    idle_output(unit_.model());
    unit_.reset();
    credits_ = T::kDepths;
    room_ =
        T::kQueue > 0 ? std::array<unsigned, kOutVcs>{T::kQueue, T::kQueue, T::kQueue} : T::kDepths;
  }

  void run(unsigned cycles) {
    for (unsigned n = 0; n < cycles && !testing::Test::HasFatalFailure(); ++n) cycle();
  }
  unsigned delivered() const { return delivered_; }
  const QueueReference& metric() const { return metric_; }

 private:
  bool adaptive_blocked(unsigned v) const {
    return T::kWormhole && v == kAdaptiveVc &&
           (credits_[v] != T::kDepths[v] || (T::kQueue > 0 && room_[v] != T::kQueue));
  }

  void check_space() {
    for (unsigned v = 0; v < kOutVcs; ++v) {
      const unsigned space = open_[v].has_value() || adaptive_blocked(v) ? 0 : room_[v];
      ASSERT_EQ(get_bits(Words{unit_->space_o}, v * kSpaceBits, kSpaceBits), space) << "VC " << v;
      ASSERT_EQ(unit_->vc_free_o >> v & 1, space != 0);
      ASSERT_EQ(unit_->flit_fits_o >> v & 1, room_[v] != 0);
    }
  }

  /// What stands on the output pins was sent in the cycle before.
  void check_link() {
    if (!unit_->out_valid_o) {
      debt_ = debt_ <= 0 ? 0 : debt_ - static_cast<int>(T::kDen);
      return;
    }
    const unsigned v = unit_->out_vc_o;
    ASSERT_LE(debt_, 0) << "the link is faster than its pace";
    debt_ += static_cast<int>(T::kNum) - static_cast<int>(T::kDen);
    ASSERT_LT(v, kOutVcs);
    ASSERT_FALSE(queue_[v].empty()) << "a flit out of nothing";
    const OutFlit flit = queue_[v].front();
    queue_[v].pop_front();
    ASSERT_EQ(unit_->out_data_o, flit.data()) << "VC " << v << " out of order";
    ASSERT_EQ(unit_->out_head_o, flit.head());
    ASSERT_EQ(unit_->out_tail_o, flit.tail());
    const unsigned downstream = buffer_[v];
    ASSERT_LE(downstream + (T::kWormhole || !flit.head() ? 1 : flit.length), T::kDepths[v])
        << "no room downstream";
    if (T::kHold) {
      ASSERT_TRUE(link_holder_ < 0 || link_holder_ == static_cast<int>(v))
          << "a packet in the middle of another";
      link_holder_ = flit.tail() ? -1 : static_cast<int>(v);
    }
    ++buffer_[v];
    ++delivered_;
  }

  void cycle() {
    unit_->flit_valid_i = 0;
    no_grant(unit_.model());
    unit_->out_credit_valid_i = 0;
    unit_.settle();
    check_link();
    if (testing::Test::HasFatalFailure()) return;
    // A flit on the pins left in the edge before: queue room is free and a credit is gone since
    // then.
    if (T::kQueue > 0 && unit_->out_valid_o) {
      ++room_[unit_->out_vc_o];
      --credits_[unit_->out_vc_o];
    }
    check_space();
    if (testing::Test::HasFatalFailure()) return;
    const unsigned c = static_cast<unsigned>(random_() % kOutVcs);
    bool credit = buffer_[c] > 0 && chance(random_, credit_percent_);
    if (credit) {
      unit_->out_credit_valid_i = 1;
      unit_->out_credit_vc_i = static_cast<std::uint8_t>(c);
      --buffer_[c];
    }
    const unsigned v = static_cast<unsigned>(random_() % kOutVcs);
    if (unit_->ready_o && chance(random_, flit_percent_)) {
      OutFlit flit{v, 1 + static_cast<unsigned>(random_() % T::kMaxFlits), 0, number_};
      bool go = false;
      if (open_[v]) {
        flit = *open_[v];
        ++flit.place;
        go = !T::kWormhole || room_[v] > 0;
      } else {
        ++number_;
        go = !adaptive_blocked(v) && room_[v] >= (T::kWormhole ? 1 : flit.length);
      }
      if (go) {
        put(unit_.model(), flit, T::kWormhole);
        open_[v] = flit.tail() ? std::nullopt : std::optional(flit);
        queue_[v].push_back(flit);
        if (T::kWormhole)
          --room_[v];
        else if (flit.head())
          room_[v] -= flit.length;
        if (T::kWormhole && T::kQueue == 0) --credits_[v];
      }
    }
    if (credit) {
      if (T::kQueue == 0) ++room_[c];
      if (T::kQueue > 0 || T::kWormhole) ++credits_[c];
    }
    unit_.settle();
    const bool quiet = unit_->idle_o && !unit_->flit_valid_i && !unit_->out_credit_valid_i;
    const unsigned queue = unit_->queue_o;
    unit_.edge();
    ASSERT_FALSE(unit_.failed());
    metric_.step(unit_->flit_valid_i, unit_->out_valid_o, unit_->out_credit_valid_i,
                 unit_->queue_o);
    ASSERT_TRUE(!quiet || unit_->queue_o == queue) << "idle_o, and yet the metric changes";
  }

  Bench<typename T::Model> unit_;
  std::mt19937_64 random_;
  unsigned flit_percent_, credit_percent_;
  // buffer_: flits in the downstream VC
  std::array<unsigned, kOutVcs> room_{}, credits_{}, buffer_{};
  // last flit of a packet whose tail has not crossed
  std::array<std::optional<OutFlit>, kOutVcs> open_;
  std::array<std::deque<OutFlit>, kOutVcs> queue_;  // crossed, not yet on the link
  QueueReference metric_{T::kMetric, T::kFlight};
  int link_holder_ = -1;
  int debt_ = 0;
  std::uint64_t number_ = 0;
  unsigned delivered_ = 0;
};

}  // namespace hopwise::test
