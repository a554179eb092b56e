// SPDX-License-Identifier: Apache-2.0
#include "learn/dqn_check.hpp"

#include <fmt/format.h>

namespace hopwise::learn {

std::string check_decision(const DqnShape& shape, const DqnWeights& weights, const DqnDecision& d) {
  const std::uint32_t all = (1U << shape.actions()) - 1;
  const std::uint32_t without = d.in_port < shape.actions() ? all & ~(1U << d.in_port) : all;
  const bool mask_fits = shape.mask == config::DqnMask::kNone      ? d.allowed == all
                         : shape.mask == config::DqnMask::kReceive ? d.allowed == without
                                                                   : (d.allowed & ~without) == 0;
  if (!mask_fits || d.allowed == 0) {
    return fmt::format("ports {:#b} are allowed for a packet from port {}", d.allowed, d.in_port);
  }
  const auto values = infer(weights, {d.observation.data(), shape.inputs()});
  const unsigned best = argmax(values, d.allowed);
  if (d.greedy != best || d.value != values[best]) {
    return fmt::format("the best of {:#b} is port {} with {}; by the weights it is port {} with {}", d.allowed, d.greedy,
                       d.value, best, values[best]);
  }
  const std::uint32_t expected = d.explored ? d.random : d.greedy;
  if (d.action != expected || ((d.allowed >> d.action) & 1) == 0) {
    return fmt::format("port {} is proposed of {:#b}, not port {}{}", d.action, d.allowed, expected,
                       d.explored ? ", to explore" : "");
  }
  if (d.sampled && !d.accepted) return "a proposal that was not accepted waits for a reward";
  return "";
}

}  // namespace hopwise::learn
