// SPDX-License-Identifier: Apache-2.0
// The agents of a network while they learn: what routers tell of decisions and rewards goes in,
// weights come out.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "probes/dqn/event.hpp"
#include "probes/dqn/trainer.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::probes::dqn {

/// A stretch of the training: counts and sums, all agents together.
struct TrainingRow {
  std::uint64_t decisions = 0, cycle = 0;  ///< since the beginning, at its end
  std::uint64_t proposals = 0, accepted = 0, nonminimal = 0, rewards = 0, steps = 0;
  /// sums over proposals, rewards, steps, proposals
  double value = 0, reward = 0, loss = 0, epsilon = 0;
  /// The stretch after this one, too.
  TrainingRow& operator+=(const TrainingRow& next);
};

/// All agents. Events come in one order, that of (cycle, router): the result is a function of them
/// and of the seed.
class Learner {
 public:
  /// A reward is distance * hop_cycles / latency, at most 1: hop_cycles are those of a hop in an
  /// empty network.
  Learner(const Shape& shape, const routing::dqn::Training& spec, double hop_cycles,
          std::uint64_t seed);

  std::size_t agents() const { return agents_.size(); }
  std::uint32_t agent_of(std::uint32_t router) const { return routers_[router].agent; }

  /// What `router` did in `cycle`; `value` is that of a decision's greedy action, in units of
  /// reward.
  void take(std::uint64_t cycle, std::uint32_t router, const Event& event, double value);
  /// After the events of a while: agents that have made a step since the last time have new weights
  /// from now on.
  void publish();

  /// The newest weights of which the training's delay is over in `cycle`. Cycles ascend per agent.
  std::shared_ptr<const learn::Quantised> weights(std::uint32_t agent, std::uint64_t cycle);
  /// Probability of exploring, and as the routers' register has it: in 2^-32, of 2^-12 granularity
  /// so that it is written rarely.
  double epsilon(std::uint32_t agent) const;
  std::uint32_t epsilon_word(std::uint32_t agent) const;

  std::uint64_t decisions(std::uint32_t agent) const { return agents_[agent].decisions; }
  std::uint64_t fewest_decisions() const;
  bool done() const { return fewest_decisions() >= spec_.decisions; }
  const Trainer& trainer(std::uint32_t agent) const { return agents_[agent].trainer; }

  /// The course of the training in at most 256 stretches of equally many decisions.
  std::vector<TrainingRow> course() const;

 private:
  struct Version {
    std::uint64_t cycle = 0;
    std::shared_ptr<const learn::Quantised> weights;
  };
  struct Agent {
    Trainer trainer;
    std::uint64_t decisions = 0;
    std::uint64_t last_step = 0;   ///< cycle
    bool stepped = false;          ///< since the last publish()
    std::deque<Version> versions;  ///< ascending cycles; the first is due
  };
  struct Open {  ///< a decision that waits for its reward
    bool waits = false;
    std::uint32_t generation = 0;
    std::uint32_t action = 0;
    std::array<std::uint8_t, kMostInputs> observation{};
  };
  struct Router {
    std::uint32_t agent = 0;
    std::vector<Open> open;  ///< per entry of the pending table
  };

  Shape shape_;
  routing::dqn::Training spec_;
  double hop_cycles_;
  std::vector<Agent> agents_;
  std::vector<Router> routers_;
  std::uint64_t total_ = 0;  ///< decisions
  std::vector<TrainingRow> rows_;
  std::uint64_t row_decisions_ = 64;
};

}  // namespace hopwise::probes::dqn
