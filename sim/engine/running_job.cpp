// SPDX-License-Identifier: Apache-2.0
#include "engine/running_job.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::engine {

RunningJob::RunningJob(const traffic::Job& job, std::vector<traffic::Source>& sources)
    : job_(job), ranks_(job.start()) {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    sources[index(job.terminal(rank))] = traffic::Source(ranks_[rank]);
}

bool RunningJob::done() const {
  return std::ranges::all_of(ranks_, [](const auto& rank) { return rank->done(); });
}

double RunningJob::part_done() const {
  std::size_t ended = job_.iterations();  // by all ranks
  for (const auto& rank : ranks_) ended = std::min(ended, rank->ends().size());
  return static_cast<double>(ended) / static_cast<double>(job_.iterations());
}

std::string RunningJob::who_waits() const {
  const auto left = std::ranges::count_if(ranks_, [](const auto& rank) { return !rank->done(); });
  const auto first = std::ranges::find_if(ranks_, [](const auto& rank) { return !rank->done(); });
  return fmt::format("job {}: {} of {} ranks are not done; {}", job_.name(), left, ranks_.size(),
                     (*first)->state());
}

std::size_t RunningJob::senders(const traffic::Traffic& traffic, std::size_t terminals) const {
  std::size_t active = ranks_.size();
  for (std::uint32_t t = 0; t < terminals; ++t) {
    const TerminalId terminal{t};
    if (!job_.has(terminal) && !traffic.phases().front().pattern->silent(terminal)) ++active;
  }
  return active;
}

JobResult RunningJob::result() const {
  JobResult result;
  result.name = job_.name();
  result.ranks = ranks_.size();
  std::size_t complete = job_.iterations();  // by all ranks
  for (const auto& rank : ranks_) {
    result.course.push_back(rank->course());
    complete = std::min(complete, rank->ends().size());
    if (!rank->ends().empty()) result.end_cycle = std::max(result.end_cycle, rank->ends().back());
  }
  const std::size_t warmup = job_.warmup();
  if (complete <= warmup) return result;
  const auto last_end = [&](std::size_t iteration) {  // 0: none
    std::uint64_t last = 0;
    for (const auto& rank : ranks_) last = std::max(last, rank->ends()[iteration]);
    return last;
  };
  std::uint64_t before = warmup == 0 ? 0 : last_end(warmup - 1);
  for (std::size_t i = warmup; i < complete; ++i) {
    const std::uint64_t end = last_end(i);
    result.iteration_cycles.push_back(end - before);
    before = end;
  }
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!job_.communicates(rank)) continue;
    const auto& ends = ranks_[rank]->ends();
    const std::uint64_t begin = warmup == 0 ? 0 : ends[warmup - 1];
    result.communication_cycles.push_back(ends[complete - 1] - begin -
                                          (complete - warmup) * job_.compute_cycles(rank));
  }
  return result;
}

}  // namespace hopwise::engine
