// SPDX-License-Identifier: Apache-2.0
// What a host keeps aside under congestion control.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace hopwise::engine {

/// A queue for each destination that is, or was, stopped. They take turns, among each other and
/// with what is not aside.
template <class Queue>
struct AsideQueues {
  std::map<std::uint32_t, Queue> queues;  ///< [destination]
  std::uint32_t last = 0;                 ///< where the last one from here went
  bool went = false;                      ///< the last one of all was from here

  /// The first behind the last one for which may(destination, queue) holds; queues.end() where
  /// there is none.
  template <class F>
  auto next(F&& may) {
    auto place = queues.upper_bound(last);
    for (std::size_t tried = 0; tried < queues.size(); ++tried, ++place) {
      if (place == queues.end()) place = queues.begin();
      if (may(place->first, place->second)) return place;
    }
    return queues.end();
  }
};

}  // namespace hopwise::engine
