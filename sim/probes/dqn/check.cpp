// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/check.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "routing/dqn/dqn.hpp"

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

std::string check_valuation(const Shape& shape, const learn::IntegerNetwork& weights,
                            const Valuation& v) {
  std::uint32_t destination = 0;
  for (std::size_t dim = 0; dim < shape.dims.size(); ++dim) {
    const unsigned k = shape.dims[dim], here = v.observation[dim] / (255 / (k - 1));
    const unsigned there = (here + shape.observed_offset(v.observation, dim)) % k;
    destination |= there << routing::dqn::destination_bits({shape.dims.data(), dim});
  }
  if (v.destination != destination)
    return fmt::format("kept for destination {:#x}; {:#x} was observed", v.destination,
                       destination);
  const auto values = infer(weights, {v.observation.data(), shape.inputs()});
  std::vector<unsigned> order(shape.actions());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](unsigned a, unsigned b) { return values[a] > values[b]; });
  const std::int32_t best = values[order.front()];
  std::uint64_t kept = 0;
  for (unsigned r = 0; r < shape.kept; ++r) {
    const bool preferred = r == 0 || shape.margin == 0 ||
                           (best >= 0 && values[order[r]] >= best - (best >> shape.margin));
    kept |= std::uint64_t{order[r] << 1 | (preferred ? 1U : 0U)} << (r * (shape.action_bits + 1));
  }
  if (v.kept == kept) return "";
  return fmt::format("of a destination {:#x} is kept; by the weights it is {:#x}", v.kept, kept);
}

std::string check_place(const Shape& shape, std::uint32_t router,
                        std::span<const std::uint8_t> observation) {
  for (std::size_t dim = 0; dim < shape.dims.size(); ++dim) {
    const unsigned k = shape.dims[dim], expected = router % k * (255 / (k - 1));
    if (observation[dim] != expected) {
      return fmt::format("input {} is {}; this router is at {} of {}", dim, observation[dim],
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
