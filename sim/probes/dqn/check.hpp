// SPDX-License-Identifier: Apache-2.0
// Whether a router's decision is what its weights say.
#pragma once

#include <span>
#include <string>

#include "learn/integer_network.hpp"
#include "probes/dqn/event.hpp"

namespace hopwise::probes::dqn {

/// What is wrong with a decision that was made with `weights`, bit by bit; empty where nothing is.
/// Compared are the value and the greedy action of the observation, the mask as far as the
/// observation does not decide it, and what was proposed.
std::string check_decision(const Shape& shape, const learn::IntegerNetwork& weights,
                           const Decision& decision);

/// The same for a valuation: what is kept of its observation, and for which destination.
std::string check_valuation(const Shape& shape, const learn::IntegerNetwork& weights,
                            const Valuation& valuation);

/// The observation is that of another router than `router`: what is wrong, or empty.
std::string check_place(const Shape& shape, std::uint32_t router,
                        std::span<const std::uint8_t> observation);

/// What is wrong with the reward of a decision that saw its destination `distance` hops away, none
/// of which takes less than `hop_cycles`; empty where nothing is.
std::string check_reward(const Reward& reward, unsigned distance, unsigned hop_cycles);

/// Hops to the destination that is observed.
unsigned observed_distance(const Shape& shape, const Decision& decision);

}  // namespace hopwise::probes::dqn
