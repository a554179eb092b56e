// SPDX-License-Identifier: Apache-2.0
// Learns, from samples (observation, action, reward), what reward each action can be expected to
// bring.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/float_network.hpp"
#include "learn/perceptron.hpp"
#include "routing/dqn/dqn.hpp"
#include "traffic/random.hpp"

namespace hopwise::probes::dqn {

/// A perceptron before it has learned: weights uniform in +-sqrt(6 / inputs) (He et al. 2015), the
/// last layer's a tenth of that, so that it values all actions much the same; biases 0. At least
/// two sizes.
learn::FloatNetwork initial_network(std::span<const unsigned> layers, traffic::Random& random);

/// One agent. Every decision is an episode of its own: its reward is the whole return, nothing is
/// bootstrapped, and of the Q-network's target, discount and second network nothing is left. A ring
/// of the latest samples, batches drawn from it uniformly with replacement, Huber loss,
/// learn::Adam. The same samples in the same order give the same weights.
class Trainer {
 public:
  /// `spec` says sizes, rate, loss and when to step; `random` draws the batches.
  Trainer(const learn::FloatNetwork& start, const routing::dqn::Training& spec,
          traffic::Random random);

  /// Takes a sample in; makes a step where one is due, and says so. The observation has a byte per
  /// input.
  bool add(std::span<const std::uint8_t> observation, unsigned action, float reward);

  learn::FloatNetwork network() const { return perceptron_.network(); }
  /// The integers of the present weights: in the units of training, if that is aware of them, and
  /// else the best for the latest samples.
  learn::Quantised quantised() const;
  std::uint64_t samples() const { return samples_; }
  std::uint64_t steps() const { return steps_; }
  float last_loss() const { return loss_; }  ///< of the last step's batch, before the step
  /// Of the samples kept, up to `most` observations one after the other, evenly spread.
  std::vector<std::uint8_t> observations(std::size_t most) const;

 private:
  void step();
  std::size_t kept() const { return actions_.size(); }

  routing::dqn::Training spec_;
  traffic::Random random_;
  learn::Perceptron perceptron_;
  learn::Adam adam_;
  unsigned inputs_;
  std::vector<std::uint8_t> observations_;  // ring, with the next two
  std::vector<std::uint8_t> actions_;
  std::vector<float> rewards_;
  std::size_t next_ = 0;
  std::uint64_t samples_ = 0, steps_ = 0;
  float loss_ = 0;
  learn::Batch batch_;
  Eigen::VectorXf gradient_;
};

/// Probability of exploring at an agent's n-th decision: linear between the points of the schedule,
/// constant outside.
double exploration(const routing::dqn::Training& spec, std::uint64_t decisions);

}  // namespace hopwise::probes::dqn
