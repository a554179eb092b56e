// SPDX-License-Identifier: Apache-2.0
// A word's worth of routers: their wires to pins and back, their clock and their CSR ports. Part of
// lanes_bank.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/lanes/lane_csr.hpp"
#include "model/lanes/lane_edge.hpp"
#include "model/lanes/lane_flits.hpp"
#include "model/lanes/lane_pins.hpp"
#include "model/router_bank.hpp"

namespace hopwise::lanes {
namespace {

using model::Meta;
using model::RouterWiring;
using model::Wire;
using model::WireShape;

constexpr std::uint32_t kPorts = HOPWISE_PORTS, kFeedbackPorts = HOPWISE_FEEDBACK_PORTS;

/// kLanes routers, or fewer: lanes are vacant until a router is put there.
class Block {
 public:
  Block(std::byte* wires, const WireShape& shape) : shape_(shape), wires_(wires) {
    counts_.assign(std::size_t{kPorts} * kLanes, 0);
    flits_.resize(std::size_t{kPorts} * kLanes);
    credits_.resize(std::size_t{kPorts} * kLanes);
    feedbacks_.assign(kLanes, 0);
    routers_.assign(kLanes, 0);
  }

  /// Puts routers into vacant lanes from `first` on and resets them; their clocks count from
  /// `cycle` on.
  void occupy(unsigned first, std::span<const RouterWiring> routers, std::uint64_t cycle) {
    const Word lanes = lanes_from(first, static_cast<unsigned>(routers.size()));
    active_ |= lanes;
    for (Word& pin : in_) pin &= ~lanes;
    for (unsigned i = 0; i < routers.size(); ++i) {
      const unsigned lane = first + i;
      const RouterWiring& w = routers[i];
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        flits_[at(p, lane)] = w.flits[p];
        credits_[at(p, lane)] = w.credits[p];
        counts_[at(p, lane)] = 0;
      }
      feedbacks_[lane] = 0;
      routers_[lane] = w.router;
      pool_.clear(lane);
      state_.host.set_oracle(lane, nullptr);
      csr_.idle(lane, in_);
      pins_.clear(lane);
      for (unsigned b = 0; b < 64; ++b) put(kPin_coord_i[b], lane, w.coordinates >> b & 1);
    }
    start(lanes);
    for (unsigned i = 0; i < routers.size(); ++i) {
      const std::uint64_t now = clock_now_ - cycle + routers[i].clock_offset;
      for (unsigned b = 0; b < 64; ++b) set_lane(clock_[b], first + i, now >> b & 1);
    }
    show_clock();
  }

  void vacate(unsigned first, unsigned count) {
    active_ &= ~lanes_from(first, count);
    set_oracle(first, count, nullptr);
    for (std::uint32_t s = 0; s <= shape_.slot_mask; ++s) {
      std::byte* slot = wires_ + std::size_t{shape_.slot_bytes()} * s;
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        std::memset(slot + shape_.flit_meta(p, first), 0, count);
        std::memset(slot + shape_.credit_meta(p, first), 0, count);
      }
    }
  }

  bool idle(const std::byte* slot) const {
    return quiescent() && csr_.queued() == 0 && !pins_.stimulated() &&
           !model::any_meta(slot, 2 * shape_.meta_bytes());
  }

  /// The first half of a cycle: what is on the wires comes to the pins. False: all is idle, and the
  /// cycle is skipped.
  bool begin_step(std::uint64_t cycle, bool skip_idle) {
    std::byte* slot = wires_ + std::size_t{shape_.slot_bytes()} * (cycle & shape_.slot_mask);
    stepped_ = !skip_idle || !idle(slot);
    if (!stepped_) return false;
    take_flits(slot);
    take_credits(slot);
    std::memset(slot, 0, 2 * shape_.meta_bytes());
    pins_.take(in_);
    set_clock(cycle);
    csr_.before_clock(in_, [this] { return watched(); });
    return true;
  }

  bool stepped() const { return stepped_; }  ///< in the cycle that was begun last

  /// The edge of the cycle, and the second half behind it.
  Edge edge() { return {&state_, in_, active_, Word{}}; }
  void end_step(const Edge& edge, std::uint64_t cycle, unsigned lose_one_in) {
    after_edge(edge, cycle);
    csr_.after_clock(in_);
    give_flits(cycle);
    give_credits(cycle, lose_one_in);
    pins_.give(shown_);
  }

  bool quiescent() const { return !any(~shown_[kPin_quiescent_o[0]] & active_); }
  bool quiescent(unsigned first, unsigned count) const {
    return !any(~shown_[kPin_quiescent_o[0]] & lanes_from(first, count));
  }

  /// Clocks the routers that are not quiescent, until none is left.
  void initialise(unsigned first, unsigned count, std::uint64_t now) {
    still(now);
    const Word lanes = lanes_from(first, count);
    for (unsigned wait = 0; !quiescent(first, count); ++wait) {
      if (wait == kLongestStart)
        throw std::runtime_error("a router does not come to rest after reset");
      clock(~shown_[kPin_quiescent_o[0]] & lanes, now);
    }
  }

  unsigned csr_write(unsigned lane, std::uint32_t address, std::uint32_t data, std::uint64_t now) {
    still(now);
    return csr_.write(
        lane, address, data, in_, [&] { return clocked(lane, now); }, [this] { return watched(); });
  }
  unsigned csr_read(unsigned lane, std::uint32_t address, std::uint32_t& data, std::uint64_t now) {
    still(now);
    return csr_.read(
        lane, address, data, in_, [&] { return clocked(lane, now); }, [this] { return watched(); });
  }
  /// One transfer with each router from lane `first` on.
  void csr_each(bool write, unsigned first, std::uint32_t address,
                std::span<model::CsrAnswer> answers, std::uint64_t now) {
    still(now);
    const Word lanes = lanes_from(first, static_cast<unsigned>(answers.size()));
    csr_.each(
        write, first, address, answers, in_,
        [&] {
          clock(lanes, now);
          return watched();
        },
        [this] { return watched(); });
  }
  /// Of the routers from lane `first` on; nullptr: none.
  void set_oracle(unsigned first, unsigned count, const model::QueueOracle* oracle) {
    for (unsigned i = 0; i < count; ++i) state_.host.set_oracle(first + i, oracle);
  }

  LanePins& pins() { return pins_; }
  LaneCsr& csr() { return csr_; }
  const LaneCsr& csr() const { return csr_; }

  std::uint64_t count(std::uint32_t port, unsigned lane) const { return counts_[at(port, lane)]; }
  void clear_counts(unsigned first, unsigned count) {
    for (std::uint32_t p = 0; p < kPorts; ++p)
      std::fill_n(counts_.begin() + static_cast<std::ptrdiff_t>(at(p, first)), count, 0);
  }

  /// Bits [first, first + width) of a watched pin in one lane.
  std::uint64_t watched_bits(const std::int16_t* pin, unsigned lane, unsigned first,
                             unsigned width) {
    return bits_of(watched(), pin, lane, first, width);
  }

  /// The feedback word that left through `port` in the last step; 0: none.
  std::uint64_t feedback(unsigned lane, std::uint32_t port) const {
    if (!stepped_ || bits_of(shown_, kPin_in_feedback_o, lane, 64 * port, 1) == 0) return 0;
    return bits_of(shown_, kPin_in_feedback_o, lane, 64 * port, HOPWISE_FEEDBACK_BITS);
  }

 private:
  static constexpr unsigned kLongestStart = 1u << 20;  ///< cycles: more than the rows of any table

  static std::size_t at(std::uint32_t port, unsigned lane) {
    return std::size_t{port} * kLanes + lane;
  }

  void put(int place, unsigned lane, bool value) {
    if (place >= 0) set_lane(in_[place], lane, value);
  }

  static std::uint64_t bits_of(const Word* words, const std::int16_t* pin, unsigned lane,
                               unsigned first, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
      if (pin[first + i] < 0) continue;
      value |= std::uint64_t{lane_of(words[pin[first + i]], lane)} << i;
    }
    return value;
  }

  /// Reset for two edges, and four edges after it: as the verilated routers start.
  void start(const Word& lanes) {
    clear(state_, lanes);
    lanes::reset(state_, lanes);
    for (int edge = 0; edge < 2; ++edge) {
      clock(lanes);
      lanes::reset(state_, lanes);
    }
    if (kPin_rst_ni[0] >= 0) in_[kPin_rst_ni[0]] |= lanes;
    for (int edge = 0; edge < 4; ++edge) clock(lanes);
    show(state_, in_, shown_);
    pins_.give(shown_);
    watched_is_old_ = true;
  }

  void put_all(int place, bool value) {
    if (place >= 0) in_[place] = all_lanes(value);
  }

  /// An edge in these lanes alone.
  Edge clock(const Word& lanes) {
    Edge edge{&state_, in_, lanes, ~lanes};
    rising_edge({&edge, 1});
    return edge;
  }
  void after_edge(const Edge& edge, std::uint64_t cycle) {
    if (any(edge.failed)) fail(edge.failed, cycle);
    show(state_, in_, shown_);
    watched_is_old_ = true;
  }

  void clock(const Word& lanes, std::uint64_t cycle) { after_edge(clock(lanes), cycle); }

  [[noreturn]] void fail(const Word& failed, std::uint64_t cycle) const {
    unsigned lane = 0;
    while (!lane_of(failed, lane)) ++lane;
    throw model::AssertionFailed(routers_[lane], cycle);
  }

  const Word* clocked(unsigned lane, std::uint64_t now) {
    clock(lanes_from(lane, 1), now);
    return watched();
  }

  const Word* watched() {
    if (watched_is_old_) watch(state_, in_, watched_);
    watched_is_old_ = false;
    return watched_;
  }

  /// Nothing on the input pins, and the clock as it stands.
  void still(std::uint64_t now) {
    for (std::uint32_t i = 0; i < 8 * kPorts; ++i) {
      put_all(kPin_in_meta_i[i], false);
      put_all(kPin_out_credit_i[i], false);
    }
    set_clock(now);
    show(state_, in_, shown_);
    watched_is_old_ = true;
  }

  /// Adds what has gone by to the clocks of all lanes.
  void set_clock(std::uint64_t cycle) {
    const std::uint64_t passed = cycle - std::exchange(clock_now_, cycle);
    Word carry{};
    for (unsigned b = 0; b < 64 && ((passed >> b) != 0 || any(carry)); ++b) {
      const Word add = all_lanes(passed >> b & 1), old = clock_[b];
      clock_[b] = old ^ add ^ carry;
      carry = (old & add) | ((old ^ add) & carry);
      if (kPin_now_i[b] >= 0) in_[kPin_now_i[b]] = clock_[b];
    }
  }
  void show_clock() {
    for (unsigned b = 0; b < 64; ++b) {
      if (kPin_now_i[b] >= 0) in_[kPin_now_i[b]] = clock_[b];
    }
  }

  /// The Meta bytes of a port to its pins; returns the lanes of group `k` that have any.
  std::uint64_t take_meta(const std::byte* bytes, const std::int16_t* pins, unsigned k) {
    Word slices[8];
    to_slices(reinterpret_cast<const std::uint8_t*>(bytes), 8, k, slices);
    std::uint64_t seen = 0;
    for (unsigned j = 0; j < 8; ++j) {
      const std::uint64_t lanes = group(slices[j], k);
      seen |= lanes;
      if (pins[j] >= 0) set_group(in_[pins[j]], k, lanes);
    }
    return seen;
  }

  void take_flits(const std::byte* slot) {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      const std::byte* meta = slot + shape_.flit_meta(p, 0);
      for (unsigned k = 0; k < kGroups; ++k) {
        if (!model::any_meta(meta + 64 * k, 64)) {
          for (unsigned j = 0; j < 8; ++j) {
            const int place = kPin_in_meta_i[8 * p + j];
            if (place >= 0) set_group(in_[place], k, 0);
          }
          continue;
        }
        const std::uint64_t lanes = take_meta(meta + 64 * k, kPin_in_meta_i + 8 * p, k);
        pool_.take(lanes, k, slot + shape_.flit_offset(p, 64 * k), shape_.flit_bytes,
                   kPin_in_data_i + kFlitStride * p, in_);
      }
    }
  }

  void take_credits(const std::byte* slot) {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      const std::byte* meta = slot + shape_.credit_meta(p, 0);
      for (unsigned k = 0; k < kGroups; ++k) {
        take_meta(meta + 64 * k, kPin_out_credit_i + 8 * p, k);
        if (p >= kFeedbackPorts) continue;
        for (unsigned l = 0; l < 64; ++l) {
          if ((static_cast<Meta>(meta[64 * k + l]) & model::kFeedback) == 0) continue;
          std::uint64_t word;
          std::memcpy(&word, slot + shape_.feedback_offset(p, 64 * k + l), 8);
          for (unsigned i = 0; i < HOPWISE_FEEDBACK_BITS; ++i)
            put(kPin_out_feedback_i[64 * p + i], 64 * k + l, word >> i & 1);
        }
      }
    }
  }

  /// The pins of a port's Meta in bytes; returns the lanes of group `k` that have any.
  std::uint64_t give_meta(const std::int16_t* pins, unsigned k, std::uint8_t* bytes) const {
    Word slices[8];
    std::uint64_t seen = 0;
    for (unsigned j = 0; j < 8; ++j) {
      const std::uint64_t lanes = pins[j] < 0 ? 0 : group(shown_[pins[j]], k) & group(active_, k);
      set_group(slices[j], k, lanes);
      seen |= lanes;
    }
    if (seen != 0) to_bytes(slices, 8, k, bytes);
    return seen;
  }

  void give_flits(std::uint64_t cycle) {
    std::uint8_t bytes[64];
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      for (unsigned k = 0; k < kGroups; ++k) {
        const std::uint64_t lanes = give_meta(kPin_out_meta_o + 8 * p, k, bytes);
        if (lanes == 0) continue;
        FlitReader flits(pool_, shown_, kPin_out_data_o + kFlitStride * p, k);
        for_lanes(lanes, [&](unsigned l) { flits.fetch(l); });
        for_lanes(lanes, [&](unsigned l) {
          const Wire& wire = flits_[at(p, 64 * k + l)];
          if (wire.block == nullptr)
            throw std::runtime_error("a flit leaves through a port without a channel");
          std::byte* to = wire.slot(cycle);
          to[wire.meta_offset] = static_cast<std::byte>(bytes[l]);
          flits.give(l, to + wire.data_offset);
          ++counts_[at(p, 64 * k + l)];
        });
      }
    }
  }

  void give_credits(std::uint64_t cycle, unsigned lose_one_in) {
    std::uint8_t bytes[64];
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      for (unsigned k = 0; k < kGroups; ++k) {
        const std::uint64_t lanes = give_meta(kPin_in_credit_o + 8 * p, k, bytes);
        for_lanes(lanes, [&](unsigned l) {
          const unsigned lane = 64 * k + l;
          const Wire& wire = credits_[at(p, lane)];
          std::byte* to = wire.slot(cycle);
          Meta meta = bytes[l];
          if (p < kFeedbackPorts && (meta & model::kFeedback) != 0) {
            if (lose_one_in != 0 && ++feedbacks_[lane] % lose_one_in == 0) {
              meta &= static_cast<Meta>(~model::kFeedback);
            } else {
              const std::uint64_t word =
                  bits_of(shown_, kPin_in_feedback_o, lane, 64 * p, HOPWISE_FEEDBACK_BITS);
              std::memcpy(to + wire.data_offset, &word, 8);
            }
          }
          if (meta != 0) to[wire.meta_offset] = static_cast<std::byte>(meta);
        });
      }
    }
  }

  State state_;
  Word in_[kInputs + 1] = {}, shown_[kShown + 1] = {}, watched_[kWatched + 1] = {};
  Word active_{};
  const WireShape& shape_;
  std::byte* wires_;
  bool stepped_ = false, watched_is_old_ = true;
  Word clock_[64] = {};  // of the lanes, in cycle clock_now_
  std::uint64_t clock_now_ = 0;
  std::vector<std::uint32_t> routers_;  // [lane]
  std::vector<Wire> flits_, credits_;   // [port][lane]
  std::vector<std::uint64_t> counts_;   // [port][lane]
  std::vector<std::uint64_t> feedbacks_;
  FlitPool pool_;
  LanePins pins_;
  LaneCsr csr_;
};

}  // namespace
}  // namespace hopwise::lanes
