// SPDX-License-Identifier: Apache-2.0
// A word's worth of routers: their wires to pins and back, their clock and their CSR ports. Part of
// lanes_bank.hpp.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "model/lanes/lane_csr.hpp"
#include "model/lanes/lane_flits.hpp"
#include "model/router_bank.hpp"

namespace hopwise::lanes {
namespace {

using model::Meta;
using model::RouterWiring;
using model::Wire;
using model::WireShape;

constexpr std::uint32_t kPorts = HOPWISE_PORTS, kFeedbackPorts = HOPWISE_FEEDBACK_PORTS;

/// kLanes routers, or fewer.
class Block {
 public:
  Block(const RouterWiring* wiring, std::size_t count, const WireShape& shape)
      : shape_(shape), wires_(wiring->block), lanes_(static_cast<unsigned>(count)) {
    counts_.assign(std::size_t{kPorts} * kLanes, 0);
    flits_.resize(std::size_t{kPorts} * kLanes);
    credits_.resize(std::size_t{kPorts} * kLanes);
    feedbacks_.assign(kLanes, 0);
    offsets_.assign(kLanes, 0);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const RouterWiring& w = wiring[lane];
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        flits_[at(p, lane)] = w.flits[p];
        credits_[at(p, lane)] = w.credits[p];
      }
      offsets_[lane] = w.clock_offset;
      routers_.push_back(w.router);
      same_clock_ &= w.clock_offset == wiring->clock_offset;
      set_group(active_, lane / 64, group(active_, lane / 64) | std::uint64_t{1} << (lane % 64));
      for (unsigned i = 0; i < 64; ++i) put(kPin_coord_i[i], lane, w.coordinates >> i & 1);
    }
    csr_.idle(in_);
    start();
  }

  bool idle(const std::byte* slot) const {
    return quiescent() && csr_.queued() == 0 && !any_meta(slot, 2 * shape_.meta_bytes());
  }

  void step(std::uint64_t cycle, bool skip_idle, unsigned lose_one_in) {
    std::byte* slot = wires_ + std::size_t{shape_.slot_bytes()} * (cycle & shape_.slot_mask);
    stepped_ = !skip_idle || !idle(slot);
    if (!stepped_) return;
    take_flits(slot);
    take_credits(slot);
    std::memset(slot, 0, 2 * shape_.meta_bytes());
    set_clock(cycle);
    const bool measured = cycle % kSample == kSample - 1;
    const double start = measured ? cpu_seconds() : 0;
    csr_.before_clock(in_, [this] { return watched(); });
    clock(active_, cycle);
    csr_.after_clock(in_);
    if (measured) eval_ += kSample * (cpu_seconds() - start);
    give_flits(cycle);
    give_credits(cycle, lose_one_in);
  }

  bool quiescent() const { return !any(~shown_[kPin_quiescent_o[0]] & active_); }

  /// Clocks the lanes of which the router is not quiescent, until none is left.
  void initialise(std::uint64_t now) {
    still(now);
    for (unsigned wait = 0; !quiescent(); ++wait) {
      if (wait == kLongestStart)
        throw std::runtime_error("a router does not come to rest after reset");
      const Word busy = ~shown_[kPin_quiescent_o[0]] & active_;
      clock(busy, now);
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
  /// One transfer with every router.
  void csr_each(bool write, std::uint32_t address, std::span<model::CsrAnswer> answers,
                std::uint64_t now) {
    still(now);
    csr_.each(
        write, address, answers, in_,
        [&] {
          clock(active_, now);
          return watched();
        },
        [this] { return watched(); });
  }
  LaneCsr& csr() { return csr_; }
  const LaneCsr& csr() const { return csr_; }

  std::uint64_t count(std::uint32_t port, unsigned lane) const { return counts_[at(port, lane)]; }
  void clear_counts() { std::fill(counts_.begin(), counts_.end(), 0); }
  double eval_seconds() const { return eval_; }

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
  static double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  static constexpr unsigned kSample = 61;              ///< cycles from one measured to the next
  static constexpr unsigned kLongestStart = 1u << 20;  ///< cycles: more than the rows of any table

  static std::size_t at(std::uint32_t port, unsigned lane) {
    return std::size_t{port} * kLanes + lane;
  }

  static bool any_meta(const std::byte* bytes, std::size_t n) {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < n; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, bytes + i, 8);
      seen |= eight;
    }
    return seen != 0;
  }

  void put(int place, unsigned lane, bool value) {
    if (place < 0) return;
    Word& w = in_[place];
    const std::uint64_t bit = std::uint64_t{1} << (lane % 64), old = group(w, lane / 64);
    set_group(w, lane / 64, value ? old | bit : old & ~bit);
  }

  static std::uint64_t bits_of(const Word* words, const std::int16_t* pin, unsigned lane,
                               unsigned first, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
      if (pin[first + i] < 0) continue;
      value |= (group(words[pin[first + i]], lane / 64) >> (lane % 64) & 1) << i;
    }
    return value;
  }

  /// Reset for two edges, and four edges after it: as the verilated routers start.
  void start() {
    put_all(kPin_rst_ni[0], false);
    lanes::reset(state_);
    for (int edge = 0; edge < 2; ++edge) {
      next(state_, in_, active_);
      lanes::reset(state_);
    }
    put_all(kPin_rst_ni[0], true);
    for (int edge = 0; edge < 4; ++edge) next(state_, in_, active_);
    show(state_, in_, shown_);
  }

  void put_all(int place, bool value) {
    if (place >= 0) in_[place] = all_lanes(value);
  }

  void clock(const Word& lanes, std::uint64_t cycle) {
    const Word failed = next(state_, in_, lanes);
    if (any(failed)) fail(failed, cycle);
    show(state_, in_, shown_);
    watched_is_old_ = true;
  }

  [[noreturn]] void fail(const Word& failed, std::uint64_t cycle) const {
    unsigned lane = 0;
    while ((group(failed, lane / 64) >> (lane % 64) & 1) == 0) ++lane;
    throw model::AssertionFailed(routers_[lane], cycle);
  }

  const Word* clocked(unsigned lane, std::uint64_t now) {
    clock(one_lane(lane), now);
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

  void set_clock(std::uint64_t cycle) {
    if (same_clock_) {
      const std::uint64_t now = cycle + offsets_.front(), changed = now ^ now_;
      if (clock_is_set_ && changed == 0) return;
      for (unsigned i = 0; i < 64; ++i) {
        if (!clock_is_set_ || (changed >> i & 1) != 0) put_all(kPin_now_i[i], now >> i & 1);
      }
      now_ = now;
      clock_is_set_ = true;
      return;
    }
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      for (unsigned i = 0; i < 64; ++i) put(kPin_now_i[i], lane, (cycle + offsets_[lane]) >> i & 1);
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
        if (!any_meta(meta + 64 * k, 64)) {
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
  unsigned lanes_;
  bool stepped_ = false, watched_is_old_ = true, same_clock_ = true, clock_is_set_ = false;
  std::uint64_t now_ = 0;
  std::vector<std::uint32_t> routers_;  // [lane]
  std::vector<Wire> flits_, credits_;   // [port][lane]
  std::vector<std::uint64_t> counts_;   // [port][lane]
  std::vector<std::uint64_t> feedbacks_, offsets_;
  FlitPool pool_;
  LaneCsr csr_;
  double eval_ = 0;
};

}  // namespace
}  // namespace hopwise::lanes
