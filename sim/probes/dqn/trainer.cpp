// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/trainer.hpp"
#include "routing/dqn/dqn.hpp"

#include <algorithm>
#include <cmath>

namespace hopwise::probes::dqn {
namespace {

/// observations that choose the units where training does not
constexpr std::size_t kCalibration = 256;

}  // namespace

learn::FloatNetwork initial_network(std::span<const unsigned> layers, traffic::Random& random) {
  learn::FloatNetwork network{{layers.begin(), layers.end()}, {}};
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const double limit = std::sqrt(6.0 / layers[l]) * (l + 2 == layers.size() ? 0.1 : 1);
    learn::FloatLayer& layer = network.layer.emplace_back();
    layer.bias.assign(layers[l + 1], 0);
    for (std::size_t i = 0; i < std::size_t{layers[l]} * layers[l + 1]; ++i) {
      const double part = std::ldexp(static_cast<double>(random.next() >> 11), -52) - 1;  // [-1, 1)
      layer.w.push_back(static_cast<float>(part * limit));
    }
  }
  return network;
}

Trainer::Trainer(const learn::FloatNetwork& start, const routing::dqn::Training& spec,
                 traffic::Random random)
    : spec_(spec),
      random_(random),
      perceptron_(start),
      adam_(perceptron_.parameters().size(), static_cast<float>(spec.learning_rate)),
      inputs_(start.layers.front()) {
  batch_.observations.resize(inputs_, spec.batch);
  batch_.actions.resize(spec.batch);
  batch_.rewards.resize(spec.batch);
}

bool Trainer::add(std::span<const std::uint8_t> observation, unsigned action, float reward) {
  if (kept() < spec_.replay) {
    observations_.insert(observations_.end(), observation.begin(), observation.begin() + inputs_);
    actions_.push_back(static_cast<std::uint8_t>(action));
    rewards_.push_back(reward);
  } else {
    std::copy_n(observation.begin(), inputs_,
                observations_.begin() + static_cast<std::ptrdiff_t>(next_ * inputs_));
    actions_[next_] = static_cast<std::uint8_t>(action);
    rewards_[next_] = reward;
    next_ = (next_ + 1) % spec_.replay;
  }
  ++samples_;
  if (samples_ < spec_.start_samples || samples_ % spec_.samples_per_step != 0) return false;
  step();
  return true;
}

void Trainer::step() {
  for (unsigned n = 0; n < spec_.batch; ++n) {
    const std::size_t at = random_.below(kept());
    const std::uint8_t* from = observations_.data() + at * inputs_;
    std::copy(from, from + inputs_, batch_.observations.col(n).data());
    batch_.actions[n] = actions_[at];
    batch_.rewards[n] = rewards_[at];
  }
  loss_ = perceptron_.loss(batch_, static_cast<float>(spec_.huber_delta), spec_.quantisation_aware,
                           gradient_);
  adam_.step(perceptron_.parameters(), gradient_);
  ++steps_;
}

learn::Quantised Trainer::quantised() const {
  const learn::FloatNetwork network = perceptron_.network();
  if (spec_.quantisation_aware && steps_ > 0) {
    std::vector<learn::Scale> scales = perceptron_.scales();
    // the last step may have left a smaller or a larger weight
    for (std::size_t l = 0; l < scales.size(); ++l) {
      float largest = 0;
      for (const float w : network.layer[l].w) largest = std::max(largest, std::abs(w));
      scales[l].weight_bits =
          std::min(learn::finest_weight_bits(largest), scales[l].weight_bits + 1);
    }
    return quantise(network, std::move(scales));
  }
  if (kept() > 0) return quantise(network, observations(kCalibration));
  std::vector<std::uint8_t> any;
  for (std::uint64_t i = 0; i < kCalibration * inputs_; ++i)
    any.push_back(static_cast<std::uint8_t>(traffic::mix64(i + 1)));
  return quantise(network, any);
}

std::vector<std::uint8_t> Trainer::observations(std::size_t most) const {
  const std::size_t count = std::min(most, kept());
  std::vector<std::uint8_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* from = observations_.data() + i * kept() / count * inputs_;
    chosen.insert(chosen.end(), from, from + inputs_);
  }
  return chosen;
}

double exploration(const routing::dqn::Training& spec, std::uint64_t decisions) {
  const auto& steps = spec.epsilon_steps;
  const auto& values = spec.epsilon_values;
  const auto after = static_cast<std::size_t>(
      std::upper_bound(steps.begin(), steps.end(), decisions) - steps.begin());
  if (after == 0) return values.front();
  if (after == steps.size()) return values.back();
  const double part = static_cast<double>(decisions - steps[after - 1]) /
                      static_cast<double>(steps[after] - steps[after - 1]);
  return values[after - 1] + part * (values[after] - values[after - 1]);
}

}  // namespace hopwise::probes::dqn
