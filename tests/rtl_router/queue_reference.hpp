// SPDX-License-Identifier: Apache-2.0
// The queue metrics of one output port, counted anew in every cycle from all that ever happened.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace hopwise::test {

class QueueReference {
 public:
  QueueReference(unsigned metric, unsigned flight_cycles)
      : metric_(metric), flight_cycles_(flight_cycles) {}

  /// What happened in one cycle, and the value that the unit shows after it.
  void step(bool crossed, bool sent, bool credit, unsigned shown) {
    cycles_.push_back({crossed, sent, credit});
    const long exact = value();
    const long due = std::max(0L, exact);
    if (due != static_cast<long>(shown) && disagreement_.empty()) {
      disagreement_ = "cycle " + std::to_string(cycles_.size()) + ": " + std::to_string(shown) +
                      " instead of " + std::to_string(due);
    }
    longest_ = std::max(longest_, due);
    negative_ += exact < 0;
  }

  /// The first disagreement, or nothing.
  const std::string& disagreement() const { return disagreement_; }
  long longest() const { return longest_; }        ///< largest value so far
  unsigned negative() const { return negative_; }  ///< cycles in which metric 4 would be negative
  bool in_flight() const { return window(flight_cycles_) > 0; }

 private:
  struct Cycle {
    bool crossed, sent, credit;
  };

  long window(std::size_t length) const {
    return std::count_if(cycles_.end() - static_cast<long>(std::min(length, cycles_.size())),
                         cycles_.end(), [](const Cycle& c) { return c.sent; });
  }

  long value() const {
    const auto count = [&](auto what) {
      return std::count_if(cycles_.begin(), cycles_.end(), what);
    };
    const long crossed = count([](const Cycle& c) { return c.crossed; });
    const long sent = count([](const Cycle& c) { return c.sent; });
    const long credits = count([](const Cycle& c) { return c.credit; });
    switch (metric_) {
      case 1: return crossed - sent;
      case 2: return sent - credits;
      case 3: return crossed - credits;
      case 4: return crossed - credits - window(flight_cycles_);
      default: return 0;
    }
  }

  unsigned metric_, flight_cycles_;
  std::vector<Cycle> cycles_;
  std::string disagreement_;
  long longest_ = 0;
  unsigned negative_ = 0;
};

}  // namespace hopwise::test
