// SPDX-License-Identifier: Apache-2.0
// Checks every decision, update, reward and feedback word of a run of routers against the model of
// their learners.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/options.hpp"
#include "model/router_bank.hpp"
#include "probes/failures.hpp"
#include "probes/q/agent_model.hpp"
#include "probes/q/probe.hpp"

namespace hopwise::probes::q {

/// When the head of every packet under way was last on the input pins of a router: [source][packet
/// id], one place for every packet that may be under way. Threads share it: a head is at one router
/// at a time, and they meet before it can be at the next.
using Arrivals = std::vector<std::vector<std::uint64_t>>;

/// Routers [first, end), stepped by one thread.
class Check {
 public:
  /// Tables start from `tables` or, without, from initialisation.
  Check(const engine::Setup& setup, const Shape& shape, std::uint32_t first, std::uint32_t end,
        const Tables* tables, Fault fault);

  /// The head flits on the input pins of `cycle`, whose rewards must be the times since their last
  /// arrivals.
  void look_at_wires(const engine::InputPins* pins, std::uint64_t cycle, Arrivals& arrivals);
  /// After the bank's step.
  void look_at_routers(const model::RouterBank& bank, std::uint64_t cycle);
  /// At the end: the whole table of router `local`, as its CSR block gives it.
  void compare_table(std::size_t local, const std::vector<std::uint32_t>& values,
                     std::uint64_t cycle);

  std::uint64_t decisions() const;
  std::uint64_t updates() const;
  std::uint64_t rewards() const { return rewards_; }
  /// Feedback words that its routers owe their neighbours: one for every head that came from a
  /// router, but with two levels none for a hop within the destination's group.
  std::uint64_t feedbacks() const { return feedbacks_; }
  /// What was found, at most one of each router.
  const std::vector<Failure>& failures() const { return failures_; }

 private:
  /// What a feedback word is about.
  struct Owed {
    std::uint32_t row = 0, reward = 0;
    bool operator==(const Owed&) const = default;
  };
  struct Router {
    AgentModel model;
    std::vector<std::vector<Owed>> owed;  ///< of heads that came, per network port
    std::vector<Sample> decided;          ///< in the last cycle, with feedback
    bool failed = false;
  };
  void fail(std::size_t local, std::uint64_t cycle, std::string what);
  std::uint32_t row_of(const std::uint64_t* head) const;
  void look_at_feedback(const model::RouterBank& bank, std::size_t local, std::uint64_t cycle);

  const engine::Setup& setup_;
  const Shape& shape_;
  Fault fault_;
  std::uint32_t first_;
  std::vector<Router> routers_;
  std::vector<std::uint32_t> words_;
  std::vector<Sample> samples_;  // of the banks
  std::vector<std::uint16_t> queues_;
  std::vector<std::uint64_t> flit_;
  std::vector<Failure> failures_;
  std::uint64_t rewards_ = 0, feedbacks_ = 0, heads_ = 0;
};

}  // namespace hopwise::probes::q
