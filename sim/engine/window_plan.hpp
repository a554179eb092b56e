// SPDX-License-Identifier: Apache-2.0
// Which window of its terminal a receive of a rank has, and when it may be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/ids.hpp"
#include "traffic/jobs/job.hpp"

namespace hopwise::engine {

/// Receives of a rank have numbers in the order in which it comes to them, over all iterations. The
/// n-th has window 1 + n modulo the number of windows less one, and is opened when the receive that
/// had it before is done; window 0 stays open for packets that no rank waits for,
/// and for gets of other ranks.
///
/// Hosts know of each other how many receives are open, an epoch later and without traffic: a
/// message is handed over only when its window is open. So a sender far ahead of its receiver waits
/// rather than be refused.
class WindowPlan {
 public:
  /// `job`: nullptr where there is none; it outlives this.
  WindowPlan(const traffic::Job* job, std::size_t terminals, std::uint32_t windows,
             unsigned key_bits);

  static constexpr std::uint32_t kNoRank = ~std::uint32_t{0};
  std::uint32_t rank_at(std::uint32_t terminal) const { return rank_[terminal]; }
  std::uint32_t receive_windows() const { return windows_ - 1; }
  /// Of a rank: all receives of the run, the bytes of one, its step (see traffic::Rank), and back.
  std::uint64_t receives(std::uint32_t rank) const;
  std::uint64_t bytes(std::uint32_t rank, std::uint64_t receive) const;
  std::uint64_t step(std::uint32_t rank, std::uint64_t receive) const;
  std::uint64_t receive(std::uint32_t rank, std::uint64_t step) const;
  /// Of a rank's own get of this step.
  std::uint64_t get_bytes(std::uint32_t rank, std::uint64_t step) const;

  std::uint32_t window(std::uint64_t receive) const {
    return 1 + static_cast<std::uint32_t>(receive % receive_windows());
  }
  /// Changes with every use of a window, so that what comes late is refused.
  std::uint32_t key(std::uint64_t receive) const {
    return static_cast<std::uint32_t>(receive / receive_windows() + 1) & key_mask_;
  }

  /// Windows of a terminal that are open: those of its first receives, and window 0.
  struct Open {
    std::uint64_t receives = 0;
    bool base = false;
  };
  /// Told at the start of an epoch of this parity, and as was told at the start of that before.
  void tell(unsigned parity, std::uint32_t terminal, Open open) { open_[parity][terminal] = open; }
  Open open(unsigned parity, std::uint32_t terminal) const { return open_[parity ^ 1][terminal]; }

  /// Bytes of a message as they travel: one without data has one.
  static std::uint64_t carried(std::uint64_t bytes) { return bytes == 0 ? 1 : bytes; }

 private:
  const traffic::Job* job_;
  const std::uint32_t windows_;
  const std::uint32_t key_mask_;
  std::vector<std::uint32_t> rank_;                    // [terminal]
  std::vector<std::vector<std::uint32_t>> operation_;  // [rank][receive of an iteration]
  std::vector<std::vector<std::uint32_t>> number_;     // [rank][operation], of receives
  std::vector<Open> open_[2];                          // [parity][terminal]
};

}  // namespace hopwise::engine
