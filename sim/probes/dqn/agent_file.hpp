// SPDX-License-Identifier: Apache-2.0
// Trained agents as a file's text (JSON); the layout is in docs/reference/routing-dqn.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "learn/float_network.hpp"
#include "probes/dqn/event.hpp"
#include "routing/dqn/dqn.hpp"
#include "support/result.hpp"

namespace hopwise::probes::dqn {

/// One agent: what it learned, and what is loaded into the routers.
struct Agent {
  learn::FloatNetwork network;
  learn::Quantised quantised;
  friend bool operator==(const Agent&, const Agent&) = default;
};

/// All agents of a network.
struct Agents {
  std::vector<unsigned> dims;  ///< of the torus that they are for
  std::vector<unsigned> layers;
  routing::dqn::AgentSharing sharing = routing::dqn::AgentSharing::kAll;
  bool coordinates = false;     ///< how they see destinations
  std::uint64_t decisions = 0;  ///< that each has learned from, at least
  std::vector<Agent> agents;

  const learn::Quantised& of(std::uint32_t router) const {
    return agents[agent_of(sharing, dims, router)].quantised;
  }
  friend bool operator==(const Agents&, const Agents&) = default;
};

/// Agents as text, ended by a newline; the same agents give the same bytes.
std::string format_agents(const Agents& agents);

/// Agents from the text of `file`. Errors: agent.bad-file where it is no such file, or holds what
/// no engine could load.
Result<Agents> parse_agents(std::string_view text, const std::string& file);

/// agent.other-network where the agents of `file` do not fit the routers: other layers,
/// observations or, unless one agent serves all, another torus. A torus of other sizes takes a
/// shared agent along.
Diagnostics check_agents(const Agents& agents, const Shape& shape, const std::string& file);

}  // namespace hopwise::probes::dqn
