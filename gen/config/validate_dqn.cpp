// SPDX-License-Identifier: Apache-2.0
// The keys of DQN-Routing and of its training (docs/reference/routing-dqn.md).
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kMostHops = 62;  // packet classes of 6 bits

void refuse(Diagnostics& errors, const char* code, const SourceLocation& where, std::string key,
            std::string found, std::string allowed, std::string hint) {
  errors.push_back(
      {code, where, std::move(key), std::move(found), std::move(allowed), std::move(hint)});
}

void power_of_two(const Field<std::uint64_t>& field, const char* key, Diagnostics& errors) {
  if (field.bad() || std::has_single_bit(field.value)) return;
  refuse(errors, "config.not-a-power-of-two", field.where, key, fmt::format("{}", field.value),
         fmt::format("a power of two, such as {}", std::bit_floor(field.value)), "");
}

}  // namespace

spec::DqnSpec validate_dqn(const NetworkConfig& c, const spec::NetworkSpec& network,
                           Diagnostics& errors) {
  spec::DqnSpec d;
  if (network.routing.algorithm != spec::Algorithm::kDqn) return d;
  d.hidden = to_unsigned(c.dqn_hidden.value.values);
  d.macs = to_unsigned(c.dqn_macs);
  d.zero_time = c.dqn_zero_time.value;
  d.observation = to_enum<spec::DqnObservation>(kDqnObservations, c.dqn_observation);
  d.mask = to_enum<spec::DqnMask>(kDqnMasks, c.dqn_mask);
  d.pending = to_unsigned(c.dqn_pending);
  d.ack_ratio = to_unsigned(c.dqn_ack_ratio);
  d.epsilon = c.dqn_epsilon.value;
  d.patient = c.dqn_patient.value;
  power_of_two(c.dqn_macs, "routing.dqn_macs", errors);
  power_of_two(c.dqn_pending, "routing.dqn_pending", errors);
  unsigned diameter = 0;
  for (const unsigned size : network.topology.dims) diameter += size / 2;
  d.max_hops = c.dqn_max_hops.written() ? to_unsigned(c.dqn_max_hops)
                                        : std::clamp(2 * diameter, 1U, kMostHops);
  if (!c.switching.bad() && name_index(kSwitchings, c.switching.value) !=
                                static_cast<std::size_t>(spec::Switching::kVirtualCutThrough)) {
    refuse(errors, "config.dqn-switching", c.switching.where, "router.switching", c.switching.value,
           "vct with dqn", "a proposal is accepted where the whole packet fits");
  }
  if (!c.output_queue.bad() && c.output_queue.value > 1) {
    refuse(errors, "config.dqn-output-queue", c.output_queue.where, "router.output_queue_flits",
           fmt::format("{}", c.output_queue.value), "0 or 1 with dqn",
           "acceptance looks at the buffers of the next router");
  }
  return d;
}

spec::TrainingSpec validate_training(const NetworkConfig& c, Diagnostics& errors) {
  spec::TrainingSpec t;
  t.share = to_enum<spec::AgentSharing>(kAgentSharings, c.training_share);
  t.decisions = c.training_decisions.value;
  t.load = c.training_load.value;
  t.batch = to_unsigned(c.training_batch);
  t.start_samples = to_unsigned(c.training_start);
  t.samples_per_step = to_unsigned(c.training_interval);
  t.replay = to_unsigned(c.training_replay);
  t.learning_rate = c.training_rate.value;
  t.huber_delta = c.training_huber.value;
  t.epsilon_steps = c.training_epsilon_steps.value.values;
  t.epsilon_values = c.training_epsilon.value;
  t.swap_delay_cycles = c.training_delay.value;
  t.quantisation_aware = c.training_quantised.value;
  if (c.training_epsilon_steps.bad() || c.training_epsilon.bad()) return t;
  const Field<UIntList>& steps = c.training_epsilon_steps;
  if (t.epsilon_steps.size() != t.epsilon_values.size()) {
    refuse(errors, "config.wrong-length", steps.written() ? steps.where : c.training_epsilon.where,
           "training.epsilon_steps", count_entries(t.epsilon_steps.size()),
           count_entries(t.epsilon_values.size()) + ", one for each value of training.epsilon", "");
  } else if (!std::is_sorted(t.epsilon_steps.begin(), t.epsilon_steps.end())) {
    refuse(errors, "config.not-ascending", steps.where, "training.epsilon_steps",
           "a step before the one that it follows", "numbers in ascending order",
           "two equal ones make a jump");
  }
  return t;
}

}  // namespace hopwise::config
