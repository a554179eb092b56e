// SPDX-License-Identifier: Apache-2.0
#include "app/agents.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/files.hpp"
#include "routing/dqn/dqn.hpp"
#include "routing/dqn/schedule.hpp"
#include "support/hash.hpp"

namespace hopwise::app {

learn::DqnShape agent_shape(const deadlock::ProvenNetwork& network) {
  return learn::dqn_shape(network.spec().network, network.topology());
}

Result<learn::DqnAgents> read_agents(const learn::DqnShape& shape,
                                     const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return text.errors();
  auto agents = learn::parse_agents(text.value(), file.string());
  if (!agents) return agents.errors();
  if (const Diagnostics errors = learn::check_agents(agents.value(), shape, file.string());
      !errors.empty())
    return errors;
  return agents;
}

Result<std::shared_ptr<const learn::DqnAgents>> configured_agents(
    const deadlock::ProvenNetwork& network, const Input& input, const std::string& file) {
  const spec::Spec& spec = network.spec();
  const spec::Settings& settings = spec.network.routing.settings;
  if (!settings.has("agent") || settings.word("agent").empty())
    return std::shared_ptr<const learn::DqnAgents>();
  std::filesystem::path path = settings.word("agent");
  const bool from_command =
      std::any_of(input.overrides.begin(), input.overrides.end(),
                  [](const std::string& o) { return o.starts_with("routing.agent="); });
  if (path.is_relative() && !from_command) path = std::filesystem::path(file).parent_path() / path;
  auto agents = read_agents(agent_shape(network), path);
  if (!agents) return agents.errors();
  return std::shared_ptr<const learn::DqnAgents>(
      std::make_shared<learn::DqnAgents>(std::move(agents).value()));
}

probes::dqn::Options dqn_options(const deadlock::ProvenNetwork& network,
                                 const learn::DqnAgents* agents) {
  const routing::dqn::Settings d = routing::dqn::settings(network.spec().network.routing);
  const auto schedule = routing::dqn::schedule(agent_shape(network).layers, d.macs, d.zero_time);
  return {.lanes = schedule.lanes, .depth = schedule.depth, .agents = agents, .learner = nullptr};
}

std::string agents_hash(const learn::DqnAgents& agents) {
  return fmt::format("{:016x}", fnv1a(learn::format_agents(agents)));
}

}  // namespace hopwise::app
