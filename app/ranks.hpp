// SPDX-License-Identifier: Apache-2.0
// The processes of `--mpi`: they run one command together, and the first speaks and writes for all.
#pragma once

#include <cstdio>
#include <memory>
#include <vector>

#include "app/plan.hpp"
#include "engine/ranks.hpp"
#include "support/result.hpp"

namespace hopwise::app {

class Processes {
 public:
  /// This one alone.
  Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  /// Those that mpirun has started. From now on only the first is heard. app.no-mpi where the
  /// library is not there.
  Diagnostics join();

  unsigned size() const { return ranks_ ? ranks_->size() : 1; }
  bool first() const { return !ranks_ || ranks_->rank() == 0; }
  /// For engine::RunOptions.
  engine::Ranks* several() const { return size() > 1 ? ranks_.get() : nullptr; }

  /// The status with which all go on, or end: not kGood where one of them is not. What an other
  /// than the first had to say of that is heard then.
  int agree(int status);
  /// The work of the first, then that of all others: what they make is there by then.
  template <class F>
  int in_turn(F&& work) {
    const int status = agree(first() ? work() : kGood);
    return status != kGood ? status : agree(first() ? kGood : work());
  }
  bool any(bool here) { return several() != nullptr ? engine::any(*ranks_, here) : here; }
  /// Of each, the most memory that it has had, bytes.
  std::vector<std::uint64_t> peak_memory();

 private:
  struct Silence;
  std::unique_ptr<engine::Ranks> ranks_;
  std::unique_ptr<Silence> silence_;
};

/// What several processes do not simulate together: app.mpi for each.
Diagnostics check_ranks(const Plan& plan, unsigned ranks);

}  // namespace hopwise::app
