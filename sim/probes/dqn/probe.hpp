// SPDX-License-Identifier: Apache-2.0
// Routers with a perceptron: their engines are loaded, their decisions checked, their agents
// trained.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/probe.hpp"
#include "probes/dqn/agent_file.hpp"
#include "probes/dqn/learner.hpp"
#include "probes/family.hpp"
#include "routing/dqn/dqn.hpp"

namespace hopwise::probes::dqn {

extern const FamilyProbes kProbes;

/// Entries whose acknowledge is lost keep their routers awake until they expire, after so many core
/// cycles at most.
inline constexpr std::uint64_t kLongestWaitCycles = std::uint64_t{3} << routing::dqn::kTickBits;

/// What the routers' engines are loaded with. Without agents and learner they propose nothing.
struct Options {
  unsigned lanes = 0, depth = 0;  ///< of the engines
  /// loaded before the first cycle; they fit the network (check_agents)
  const Agents* agents = nullptr;
  /// instead: learns during the run, and is loaded as it learns
  Learner* learner = nullptr;
  /// for tests: what the check takes the engines to be loaded with
  const Agents* believed = nullptr;
};

/// Whether a run wants anything but the check.
inline bool asks(const Options& o) { return o.agents != nullptr || o.learner != nullptr; }

/// `check`: every decision is compared with what the loaded integers make of its observation;
/// `checked` of the result counts them as decisions. What the options point to outlives the probe.
/// Throws std::runtime_error where the routers are not those of the network's agents.
std::unique_ptr<engine::Probe> make_probe(const engine::Scene& scene, bool check,
                                          const Options& options);

}  // namespace hopwise::probes::dqn
