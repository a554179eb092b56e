// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/learner.hpp"
#include "routing/dqn/dqn.hpp"

#include <algorithm>
#include <cmath>

#include "measure/window.hpp"

namespace hopwise::probes::dqn {
namespace {

constexpr std::uint64_t kStartStream = std::uint64_t{0x64716e2d73740000},
                        kBatchStream = std::uint64_t{0x64716e2d62610000};
constexpr std::size_t kMostRows = 256;

}  // namespace

TrainingRow& TrainingRow::operator+=(const TrainingRow& next) {
  decisions = next.decisions;
  cycle = next.cycle;
  proposals += next.proposals;
  accepted += next.accepted;
  nonminimal += next.nonminimal;
  rewards += next.rewards;
  steps += next.steps;
  value += next.value;
  reward += next.reward;
  loss += next.loss;
  epsilon += next.epsilon;
  return *this;
}

Learner::Learner(const Shape& shape, const routing::dqn::Training& spec, double hop_cycles,
                 std::uint64_t seed)
    : shape_(shape), spec_(spec), hop_cycles_(hop_cycles), rows_(1) {
  std::uint32_t agents = 0;
  for (std::uint32_t r = 0; r < shape.routers(); ++r) {
    const std::uint32_t agent = dqn::agent_of(spec.share, shape.dims, r);
    agents = std::max(agents, agent + 1);
    routers_.push_back({agent, std::vector<Open>(std::size_t{1} << shape.entry_bits)});
  }
  for (std::uint32_t a = 0; a < agents; ++a) {
    traffic::Random start(seed, kStartStream + a);
    Trainer trainer(initial_network(shape.layers, start), spec,
                    traffic::Random(seed, kBatchStream + a));
    auto first = std::make_shared<const learn::Quantised>(trainer.quantised());
    agents_.push_back({std::move(trainer), 0, 0, false, {{0, std::move(first)}}});
  }
}

void Learner::take(std::uint64_t cycle, std::uint32_t router, const Event& event, double value) {
  Router& from = routers_[router];
  Agent& agent = agents_[from.agent];
  // The entry that a reward frees may be taken by the decision of the same cycle, not the other way
  // round.
  if (event.rewards) {
    Open& open = from.open[event.reward.index];
    if (open.waits && open.generation == event.reward.generation) {
      open.waits = false;
      const double reward =
          std::min(1.0, event.reward.distance * hop_cycles_ / std::max(1U, event.reward.latency));
      TrainingRow& row = rows_.back();
      ++row.rewards;
      row.reward += reward;
      if (agent.trainer.add({open.observation.data(), shape_.inputs()}, open.action,
                            static_cast<float>(reward))) {
        agent.stepped = true;
        agent.last_step = cycle;
        ++row.steps;
        row.loss += double{agent.trainer.last_loss()};
      }
    }
  }
  if (!event.decides) return;
  const Decision& d = event.decision;
  if (d.sampled) from.open[d.index] = {true, d.generation, d.action, d.observation};
  TrainingRow& row = rows_.back();
  row.decisions = ++total_;
  row.cycle = cycle;
  ++row.proposals;
  row.value += value;
  row.epsilon += std::ldexp(epsilon_word(from.agent), -32);
  if (d.accepted) {
    ++row.accepted;
    row.nonminimal += 1 ^ ((shape_.minimal_actions(d.observation) >> d.action) & 1);
  }
  ++agent.decisions;
  if (row.proposals < row_decisions_) return;
  if (rows_.size() == kMostRows) {
    measure::join_neighbours(rows_);
    row_decisions_ *= 2;
  }
  rows_.emplace_back();
}

void Learner::publish() {
  for (Agent& agent : agents_) {
    if (!std::exchange(agent.stepped, false)) continue;
    agent.versions.push_back(
        {agent.last_step, std::make_shared<const learn::Quantised>(agent.trainer.quantised())});
  }
}

std::shared_ptr<const learn::Quantised> Learner::weights(std::uint32_t agent, std::uint64_t cycle) {
  auto& versions = agents_[agent].versions;
  while (versions.size() > 1 && versions[1].cycle + spec_.swap_delay_cycles <= cycle)
    versions.pop_front();
  return versions.front().weights;
}

double Learner::epsilon(std::uint32_t agent) const {
  return exploration(spec_, agents_[agent].decisions);
}

std::uint32_t Learner::epsilon_word(std::uint32_t agent) const {
  constexpr double kSteps = 4096;
  const double wanted = epsilon(agent);
  // What is above 0 stays so.
  const double steps = wanted > 0 ? std::max(1.0, std::round(wanted * kSteps)) : 0;
  const double units = steps * (4294967296.0 / kSteps);
  return static_cast<std::uint32_t>(std::min(units, 4294967295.0));
}

std::uint64_t Learner::fewest_decisions() const {
  std::uint64_t fewest = ~std::uint64_t{0};
  for (const Agent& agent : agents_) fewest = std::min(fewest, agent.decisions);
  return fewest;
}

std::vector<TrainingRow> Learner::course() const {
  std::vector<TrainingRow> rows = rows_;
  while (!rows.empty() && rows.back().proposals == 0) {  // what came after the last decision
    const TrainingRow rest = rows.back();
    rows.pop_back();
    if (rows.empty()) break;
    rows.back().rewards += rest.rewards;
    rows.back().reward += rest.reward;
    rows.back().steps += rest.steps;
    rows.back().loss += rest.loss;
  }
  return rows;
}

}  // namespace hopwise::probes::dqn
