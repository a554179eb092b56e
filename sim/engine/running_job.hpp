// SPDX-License-Identifier: Apache-2.0
// A job in a run: its ranks at their terminals, and what they took.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/options.hpp"
#include "traffic/jobs/job.hpp"
#include "traffic/jobs/rank.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::engine {

class RunningJob {
 public:
  /// Puts the ranks in the place of their terminals' sources. The job outlives this.
  RunningJob(const traffic::Job& job, std::vector<traffic::Source>& sources);

  /// Read between epochs, as all below.
  bool done() const;
  double part_done() const;  ///< of the iterations, those that all ranks have ended
  bool gives_up(std::uint64_t now) const { return now >= job_.max_cycles(); }
  /// Of ranks that are not done, the first that waits for others.
  std::string who_waits() const;
  /// Terminals that have a rank, or send under the pattern of the traffic's first phase.
  std::size_t senders(const traffic::Traffic& traffic, std::size_t terminals) const;
  /// All but the latencies.
  JobResult result() const;

 private:
  const traffic::Job& job_;
  std::vector<std::shared_ptr<traffic::Rank>> ranks_;
};

}  // namespace hopwise::engine
