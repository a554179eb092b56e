// SPDX-License-Identifier: Apache-2.0
// Which message class of a terminal sends the next flit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spec/spec.hpp"
#include "support/ids.hpp"

namespace hopwise::engine {

/// The classes of each terminal take turns, flit by flit; where some go first, they do so as
/// rtl/common/hw_class_turns.sv has it, but that a class counts as waiting until an attempt of it
/// has found no credit, where the RTL sees that at once.
class ClassTurns {
 public:
  using Order = std::array<std::uint8_t, kMaxMessageClasses>;

  ClassTurns(const spec::RouterSpec& router, std::size_t terminals)
      : classes_(router.num_message_classes()),
        most_(router.class_priority_packets),
        ranked_(router.class_priority.begin(), router.class_priority.end()),
        next_(ranked_.empty() ? terminals : 0),
        passed_(ranked_.empty() ? 0 : terminals * classes_) {}

  /// The classes in the order in which they may send: the first one that can, does.
  Order order(std::size_t terminal) const {
    Order order{};
    if (classes_ == 1) return order;
    if (ranked_.empty()) {
      for (unsigned i = 0; i < classes_; ++i)
        order[i] = static_cast<std::uint8_t>((next_[terminal] + i) % classes_);
      return order;
    }
    std::size_t front = 0, back = classes_ - 1;
    for (std::size_t rank = 0; front < back; ++rank)
      order[passed_[terminal * classes_ + rank] == most_ ? back-- : front++] = ranked_[rank];
    order[front] = ranked_.back();
    return order;
  }

  /// `waits`: whether a class has a flit that could go.
  template <class Waits>
  void sent(std::size_t terminal, unsigned message_class, Waits&& waits) {
    if (classes_ == 1) return;
    if (ranked_.empty()) {
      next_[terminal] = static_cast<std::uint8_t>((message_class + 1) % classes_);
      return;
    }
    std::uint8_t* const passed = &passed_[terminal * classes_];
    std::size_t rank = 0;
    for (; ranked_[rank] != message_class; ++rank) passed[rank] = 0;
    for (std::size_t behind = rank + 1; behind < classes_; ++behind) {
      if (!waits(ranked_[behind])) continue;
      if (passed[rank] < most_) ++passed[rank];
      return;
    }
  }

 private:
  unsigned classes_, most_;
  std::vector<std::uint8_t> ranked_;  // the classes, that which goes first first
  std::vector<std::uint8_t> next_;    // [terminal]: whose turn it is
  std::vector<std::uint8_t> passed_;  // [terminal][rank]: flits sent while one behind it waited
};

}  // namespace hopwise::engine
