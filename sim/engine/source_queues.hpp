// SPDX-License-Identifier: Apache-2.0
// Packets that wait at their sources.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/process.hpp"

namespace hopwise::engine {

/// Queues of generated packets in common memory: a place that a packet leaves is the next to be
/// taken, by whatever queue, so short queues stay in the cache.
class SourceQueues {
 public:
  /// A queue; its packets are in the common memory.
  struct Queue {
    std::uint32_t first = 0, last = 0;  // of no meaning in an empty queue
    std::uint32_t packets = 0;
    bool empty() const { return packets == 0; }
  };

  void push(Queue& queue, const traffic::GeneratedPacket& packet) {
    std::uint32_t place = free_;
    if (place == kNone) {
      place = static_cast<std::uint32_t>(waiting_.size());
      waiting_.emplace_back();
    } else {
      free_ = waiting_[place].next;
    }
    waiting_[place].packet = packet;
    (queue.packets++ == 0 ? queue.first : waiting_[queue.last].next) = place;
    queue.last = place;
  }

  /// Valid until the next push.
  const traffic::GeneratedPacket& front(const Queue& queue) const {
    return waiting_[queue.first].packet;
  }

  template <class F>
  void for_each(const Queue& queue, F&& f) const {
    for (std::uint32_t i = 0, place = queue.first; i < queue.packets; ++i) {
      f(waiting_[place].packet);
      place = waiting_[place].next;
    }
  }

  void pop(Queue& queue) {
    const std::uint32_t place = queue.first;
    queue.first = waiting_[place].next;
    --queue.packets;
    waiting_[place].next = free_;
    free_ = place;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Waiting {
    traffic::GeneratedPacket packet;
    std::uint32_t next = kNone;  // in its queue, or among the free places
  };
  std::vector<Waiting> waiting_;
  std::uint32_t free_ = kNone;
};

}  // namespace hopwise::engine
