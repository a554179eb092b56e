// SPDX-License-Identifier: Apache-2.0
// A rank of a job at its terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "traffic/jobs/job.hpp"
#include "traffic/process.hpp"

namespace hopwise::traffic {

/// Runs its program over and over. Its clock is in front of the network's while it computes: what
/// comes in meanwhile is there when it looks.
///
/// Packets carry the receive that they are for: `step` is 1 + its number among all that the
/// destination ever opens, so that packets of a message may come in any order, those of later
/// iterations first. A get has a step of the rank's own, in which it hears that the data are there.
class Rank final : public Process {
 public:
  /// What it did for a time, core cycles: computed, waited for messages, or waited for room to hand
  /// one over.
  enum class Doing : std::uint8_t { kCompute, kWait, kSend };
  struct Span {
    Doing doing = Doing::kCompute;
    std::uint64_t from = 0, to = 0;
  };

  Rank(const Job& job, std::uint32_t rank);

  std::uint64_t next_cycle() const override { return next_; }
  GeneratedPacket pop() override;
  void postpone(std::uint64_t cycle) override;
  /// O(1), but for what the rank does then. Step 0 is a packet of somebody else.
  void receive(std::uint64_t cycle, std::uint64_t step) override;

  bool done() const { return ends_.size() == job_->iterations(); }
  /// When its iterations ended, core cycles.
  const std::vector<std::uint64_t>& ends() const { return ends_; }
  /// The first of what it did, one behind the other, as many as the job asks for.
  const std::vector<Span>& course() const { return course_; }
  /// Of a rank that is not done: what it does, and what has not come.
  std::string state() const;

 private:
  const std::vector<Operation>& operations() const { return job_->program(rank_).operations(); }
  /// The step of packets for a receive of the rank `of` in the iteration under way.
  std::uint64_t step_of(std::uint32_t of, std::uint32_t receive) const {
    return ends_.size() * job_->program(of).operations().size() + receive + 1;
  }
  bool complete(std::uint32_t receive) const;
  bool all_here();
  void run();
  void pass(Doing doing, std::uint64_t until);

  const Job* job_;
  std::uint32_t rank_;
  std::uint32_t at_ = 0;     // operation under way
  std::uint64_t clock_ = 0;  // when it is
  std::uint64_t next_ = kNoPacket;
  std::uint64_t packet_ = 0;  // of the message that is handed over
  std::vector<std::uint64_t> ends_;
  std::vector<Span> course_;
  std::vector<std::uint32_t> open_;  // receives and gets
  // by step: packets of messages, and gets, that have not been waited for
  std::unordered_map<std::uint64_t, std::uint64_t> arrived_;
};

}  // namespace hopwise::traffic
