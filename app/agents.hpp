// SPDX-License-Identifier: Apache-2.0
// Trained agents of DQN-Routing: files of them, and the engines that they go to.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/network.hpp"
#include "learn/dqn_agent_file.hpp"
#include "probes/probes.hpp"

namespace hopwise::app {

/// The numbers of a network's agents; its routing is `dqn`.
learn::DqnShape agent_shape(const deadlock::ProvenNetwork& network);

/// The agents of a file, which must fit. Errors: app.cannot-read, agent.bad-file,
/// agent.other-network.
Result<learn::DqnAgents> read_agents(const learn::DqnShape& shape,
                                     const std::filesystem::path& file);

/// What routing.agent names, from the directory of `input.file` on unless it is an override;
/// nullptr where the network has no such routing or names none.
Result<std::shared_ptr<const learn::DqnAgents>> configured_agents(
    const deadlock::ProvenNetwork& network, const Input& input, const std::string& file);

/// How the engine loads and hears the routers of a network with routing `dqn`; `agents` outlives
/// it.
probes::dqn::Options dqn_options(const deadlock::ProvenNetwork& network,
                                 const learn::DqnAgents* agents);

/// 16 hex digits of what the agents propose.
std::string agents_hash(const learn::DqnAgents& agents);

}  // namespace hopwise::app
