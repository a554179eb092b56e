// SPDX-License-Identifier: Apache-2.0
// What the family brings to a run.
#include <array>

#include <fmt/format.h>

#include "probes/dqn/files.hpp"
#include "probes/probes.hpp"
#include "routing/dqn/schedule.hpp"

namespace hopwise::probes::dqn {
namespace {

class LearnedAgents final : public Learned {
 public:
  explicit LearnedAgents(Agents agents) : agents_(std::move(agents)) {}
  void start(const Network& network, probes::Options& options) const override {
    options.dqn = engines_of(network);
    options.dqn.agents = &agents_;
  }
  void collect(probes::Options&) override {}
  bool empty() const override { return agents_.agents.empty(); }
  std::string text(const Network&) const override { return format_agents(agents_); }
  std::uint64_t decisions() const { return agents_.decisions; }

 private:
  Agents agents_;
};

/// Errors: agent.bad-file, agent.other-network.
Result<std::shared_ptr<const Learned>> parse(const Network& network, std::string_view text,
                                             const std::string& file) {
  auto agents = parse_agents(text, file);
  if (!agents) return agents.errors();
  const Shape shape = shape_of(network.spec.network, network.topology);
  if (Diagnostics errors = check_agents(agents.value(), shape, file); !errors.empty())
    return errors;
  return std::shared_ptr<const Learned>(std::make_shared<LearnedAgents>(std::move(agents).value()));
}

Warnings doubt(const Network& network, const probes::Learned* learned) {
  if (learned == nullptr) {
    return {{"agent.none",
             "no agent is loaded (routing.agent): all packets go in dimension order",
             {network.label},
             "",
             {}}};
  }
  const std::uint64_t decisions = static_cast<const LearnedAgents*>(learned)->decisions();
  if (decisions == 0) return {};  // of an imported model nobody knows
  return few_decisions(network.label, routing::dqn::training(network.spec.network.routing),
                       decisions);
}

Result<std::string> export_model(std::string_view text, const std::string& file,
                                 std::size_t agent) {
  const auto agents = parse_agents(text, file);
  if (!agents) return agents.errors();
  const std::size_t count = agents.value().agents.size();
  if (agent >= count) {
    return Diagnostic{"app.no-such-agent",
                      {file, 0, 0},
                      "--agent",
                      fmt::format("{}", agent),
                      fmt::format("0 to {}", count - 1),
                      ""};
  }
  return exchange::write_onnx(agents.value().agents[agent].network, "dqn");
}

CounterLayout layout(const spec::RoutingSpec& routing) {
  if (routing::dqn::settings(routing).preferences > 0) {
    return {.section = "preferences",
            .totals = {{"questions", "decisions"},
                       {"nonminimal_share", "nonminimal", "decisions"},
                       {"unknown", "unknown"},
                       {"valuations", "valuations"}},
            .series = {kPathQueue, {"nonminimal", "nonminimal", "decisions"}}};
  }
  return {.section = "proposals",
          .totals = {{"proposals", "decisions"},
                     {"accepted_share", "accepted", "decisions"},
                     {"nonminimal_share", "nonminimal", "decisions"},
                     {"explored_share", "explored", "decisions"},
                     {"engine_wait_cycles_mean", "waited", "decisions"},
                     {"turned", "turned"},
                     {"forced", "forced"},
                     {"rewards", "rewards"},
                     {"untracked", "untracked"},
                     {"acknowledges_dropped", "dropped"},
                     {"acknowledges_stale", "stale"},
                     {"entries_expired", "expired"}},
          .series = {kPathQueue, {"nonminimal", "nonminimal", "decisions"}}};
}

std::vector<engine::MakeProbe> probes_for(const probes::Options& options) {
  const bool check = options.check;
  if (!check && !asks(options.dqn)) return {};
  return {[check, dqn = options.dqn](const engine::Scene& scene) {
    return make_probe(scene, check, dqn);
  }};
}

/// Agents learn from what packets wait for.
constexpr std::array<std::string_view, 1> kLessonSettings{"routing.dqn_preferences=0"};

}  // namespace

Options engines_of(const Network& network) {
  const routing::dqn::Settings d = routing::dqn::settings(network.spec.network.routing);
  const Shape shape = shape_of(network.spec.network, network.topology);
  const auto schedule = routing::dqn::schedule(shape.layers, d.macs, d.zero_time);
  return {.lanes = schedule.lanes, .depth = schedule.depth};
}

constinit const FamilyProbes kProbes{.family = "dqn",
                                     .layout = layout,
                                     .longest_wait_cycles = kLongestWaitCycles,
                                     .probes = probes_for,
                                     .parse = parse,
                                     .file_key = "agent",
                                     .doubt = doubt,
                                     .lesson = make_lesson,
                                     .lesson_settings = kLessonSettings,
                                     .import_model = import_model,
                                     .export_model = export_model};

}  // namespace hopwise::probes::dqn
