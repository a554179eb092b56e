// SPDX-License-Identifier: Apache-2.0
// Congestion control of a terminal: exact models of rtl/terminal/hw_congestion_throttle and
// hw_congestion_notifier, which a test compares with them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "spec/spec.hpp"

namespace hopwise::engine {

/// The destinations to which a terminal sends less. Cycles only go forward; what happens in a cycle
/// is seen from the next on. A cycle in which nothing happens costs nothing.
class Throttle {
 public:
  explicit Throttle(const spec::CongestionSpec& spec) : spec_(spec), flows_(spec.flows) {}

  /// A notification of `dst` comes, a flit to each of `sent` goes, in `cycle`; O(flows x flits).
  void step(std::uint64_t cycle, std::optional<std::uint32_t> dst,
            std::span<const std::uint32_t> sent);
  /// In `cycle` no packet to `dst` is to begin.
  bool stops(std::uint64_t cycle, std::uint32_t dst);
  bool active() const { return used_ != 0; }  ///< some destination is throttled

  struct Flow {
    bool valid = false;
    bool noted = false;  ///< since the last change of the rate
    std::uint32_t dst = 0;
    std::uint32_t rate = 0;        ///< 2^-16 flits per core cycle
    std::uint64_t debt = 0;        ///< 2^-16 flits, sent ahead of the rate
    std::uint64_t first_turn = 0;  ///< cycle from which on the rate changes
  };
  const std::vector<Flow>& flows(std::uint64_t cycle) {
    advance(cycle);
    return flows_;
  }

 private:
  void advance(std::uint64_t cycle);
  std::uint64_t next_turn(std::size_t f, std::uint64_t from) const;
  void advance_flow(std::size_t f, std::uint64_t from, std::uint64_t to);
  static void pay(Flow& flow, std::uint64_t cycles);
  void change_rate(Flow& flow);

  spec::CongestionSpec spec_;
  std::vector<Flow> flows_;
  unsigned used_ = 0;
  std::uint64_t now_ = 0;   // flows_ are those at the beginning of this cycle
  std::uint64_t tick_ = 0;  // where used_: the cycle at whose end the first flow's rate changes;
                            // the others' change before it, one a cycle
};

/// The notification that a terminal sends next, to the source of a marked packet: one at a time,
/// other marks are forgotten.
class Notifier {
 public:
  explicit Notifier(const spec::CongestionSpec& spec) : gap_(spec.note_cycles) {}

  /// A marked packet comes from `source` in `cycle`. True where it will be notified.
  bool mark(std::uint64_t cycle, std::uint32_t source) {
    if (pending_ || cycle < free_) return false;
    pending_ = source;
    since_ = cycle + 1;
    return true;
  }
  /// Of `cycle`.
  std::optional<std::uint32_t> pending(std::uint64_t cycle) const {
    return pending_ && since_ <= cycle ? pending_ : std::nullopt;
  }
  bool waits() const { return pending_.has_value(); }
  /// It goes in `cycle`, in which it is pending.
  void take(std::uint64_t cycle) {
    pending_.reset();
    free_ = cycle + 1 + gap_;
  }

 private:
  std::uint64_t gap_;
  std::optional<std::uint32_t> pending_;
  std::uint64_t since_ = 0, free_ = 0;
};

}  // namespace hopwise::engine
