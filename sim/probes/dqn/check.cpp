// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/check.hpp"
#include "routing/dqn/dqn.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::probes::dqn {

std::string check_decision(const Shape& shape, const learn::IntegerNetwork& weights,
                           const Decision& d) {
  const std::uint32_t all = (1U << shape.actions()) - 1;
  const std::uint32_t without = d.in_port < shape.actions() ? all & ~(1U << d.in_port) : all;
  const bool mask_fits = shape.mask == routing::dqn::ActionMask::kNone ? d.allowed == all
                         : shape.mask == routing::dqn::ActionMask::kReceive
                             ? d.allowed == without
                             : (d.allowed & ~without) == 0;
  if (!mask_fits || d.allowed == 0) {
    return fmt::format("ports {:#b} are allowed for a packet from port {}", d.allowed, d.in_port);
  }
  const auto values = infer(weights, {d.observation.data(), shape.inputs()});
  const unsigned best = learn::argmax(values, d.allowed);
  if (d.greedy != best || d.value != values[best]) {
    return fmt::format("the best of {:#b} is port {} with {}; by the weights it is port {} with {}",
                       d.allowed, d.greedy, d.value, best, values[best]);
  }
  const std::uint32_t expected = d.explored ? d.random : d.greedy;
  if (d.action != expected || ((d.allowed >> d.action) & 1) == 0) {
    return fmt::format("port {} is proposed of {:#b}, not port {}{}", d.action, d.allowed, expected,
                       d.explored ? ", to explore" : "");
  }
  if (d.sampled && !d.accepted) return "a proposal that was not accepted waits for a reward";
  return "";
}

std::string check_place(const Shape& shape, std::uint32_t router, const Decision& d) {
  for (std::size_t dim = 0; dim < shape.dims.size(); ++dim) {
    const unsigned k = shape.dims[dim], expected = router % k * (255 / (k - 1));
    if (d.observation[dim] != expected) {
      return fmt::format("input {} is {}; this router is at {} of {}", dim, d.observation[dim],
                         router % k, k);
    }
    router /= k;
  }
  return "";
}

std::string check_reward(const Reward& reward, unsigned distance, unsigned hop_cycles) {
  if (reward.distance != distance)
    return fmt::format("a reward for {} hops; {} were seen", reward.distance, distance);
  if (reward.latency >= distance * hop_cycles) return "";
  return fmt::format("{} hops within {} cycles; a hop takes {}", distance, reward.latency,
                     hop_cycles);
}

unsigned observed_distance(const Shape& shape, const Decision& d) {
  unsigned sum = 0;
  for (std::size_t dim = 0; dim < shape.dims.size(); ++dim) {
    const unsigned offset = shape.observed_offset(d.observation, dim);
    sum += std::min(offset, shape.dims[dim] - offset);
  }
  return sum;
}

}  // namespace hopwise::probes::dqn
