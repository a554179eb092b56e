// SPDX-License-Identifier: Apache-2.0
// The agents of a network learn in a run of it.
#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "probes/dqn/files.hpp"
#include "probes/probes.hpp"

namespace hopwise::probes::dqn {

using Json = nlohmann::ordered_json;

namespace {

/// observations that integers are judged by
constexpr std::size_t kCompared = 4096;

/// Core cycles of a hop in an empty network, over the shortest links.
double hop_cycles(const spec::NetworkSpec& spec) {
  const auto& latency = spec.link.latency_cycles;
  return spec.router.pipeline_cycles + *std::min_element(latency.begin(), latency.end());
}

double part(double sum, std::uint64_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

class AgentsLesson final : public Lesson {
 public:
  explicit AgentsLesson(const Network& network)
      : shape_(shape_of(network.spec.network, network.topology)),
        label_(network.label),
        training_(routing::dqn::training(network.spec.network.routing)),
        engines_(engines_of(network)),
        learner_(shape_, training_, hop_cycles(network.spec.network),
                 network.spec.simulation.seed) {}

  double load() const override { return training_.load; }
  void join(probes::Options& options) override {
    options.dqn = engines_;
    options.dqn.learner = &learner_;
  }
  std::uint64_t decisions() const override { return learner_.fewest_decisions(); }
  std::uint64_t wanted() const override { return training_.decisions; }

  std::string text() override { return format_agents(learned()); }

  Json course() const override {
    Json course;
    for (const char* name : {"decisions", "cycle", "mean_value", "mean_reward", "loss", "epsilon",
                             "accepted", "nonminimal"}) {
      course[name] = Json::array();
    }
    const auto mean = [](double sum, std::uint64_t count) {
      return count == 0 ? Json(nullptr) : Json(part(sum, count));
    };
    for (const TrainingRow& row : learner_.course()) {
      course["decisions"].push_back(row.decisions);
      course["cycle"].push_back(row.cycle);
      course["mean_value"].push_back(mean(row.value, row.proposals));
      course["mean_reward"].push_back(mean(row.reward, row.rewards));
      course["loss"].push_back(mean(row.loss, row.steps));
      course["epsilon"].push_back(mean(row.epsilon, row.proposals));
      course["accepted"].push_back(mean(static_cast<double>(row.accepted), row.proposals));
      course["nonminimal"].push_back(mean(static_cast<double>(row.nonminimal), row.accepted));
    }
    return course;
  }

  std::string summary(std::uint64_t cycles) override {
    std::string text;
    for (std::uint32_t a = 0; a < learner_.agents(); ++a) {
      const Trainer& trainer = learner_.trainer(a);
      text += fmt::format("agent {}: {} decisions, {} samples, {} steps\n", a,
                          learner_.decisions(a), trainer.samples(), trainer.steps());
      if (const auto seen = trainer.observations(kCompared); !seen.empty())
        text += error_text(a, learned().agents[a], seen);
    }
    const auto course = learner_.course();
    if (course.empty()) return text;
    TrainingRow last;  // tenth of the decisions
    for (auto row = course.rbegin();
         row != course.rend() && 10 * last.proposals < course.back().decisions; ++row) {
      last.proposals += row->proposals;
      last.accepted += row->accepted;
      last.rewards += row->rewards;
      last.reward += row->reward;
      last.value += row->value;
    }
    return text + fmt::format(
                      "{} cycles; at the end: mean reward {:.4f}, mean value {:.4f}, {:.1f} % of "
                      "the proposals accepted\n",
                      cycles, part(last.reward, last.rewards), part(last.value, last.proposals),
                      100 * part(static_cast<double>(last.accepted), last.proposals));
  }

  Warnings doubts() const override { return few_decisions(label_, training_, decisions()); }

 private:
  /// Once the run is over.
  const Agents& learned() {
    if (learned_) return *learned_;
    learned_ =
        Agents{shape_.dims, shape_.layers, training_.share, shape_.coordinates, decisions(), {}};
    for (std::uint32_t a = 0; a < learner_.agents(); ++a)
      learned_->agents.push_back({learner_.trainer(a).network(), learner_.trainer(a).quantised()});
    return *learned_;
  }

  Shape shape_;
  std::string label_;
  routing::dqn::Training training_;
  Options engines_;
  Learner learner_;
  std::optional<Agents> learned_;
};

}  // namespace

std::string error_text(std::size_t number, const Agent& agent,
                       std::span<const std::uint8_t> observations) {
  const learn::QuantisationError e = learn::compare(agent.network, agent.quantised, observations);
  return fmt::format(
      "agent {}: integers choose as the reals in {:.2f} % of {} observations; values off by {:.5f} "
      "on average, {:.5f} at most; {:.6f} of reward lost\n",
      number, 100 * e.agreement, e.observations, e.mean_error, e.largest_error, e.regret);
}

Warnings few_decisions(const std::string& label, const routing::dqn::Training& training,
                       std::uint64_t decisions) {
  const auto& steps = training.epsilon_steps;
  const std::uint64_t end = steps.empty() ? 0 : steps.back();
  if (decisions >= end) return {};
  return {{"agent.few-decisions",
           fmt::format("an agent has learned from {} decisions, and still explores until {} "
                       "(training.epsilon_steps): more training.decisions would do",
                       decisions, end),
           {label},
           "",
           {}}};
}

std::unique_ptr<Lesson> make_lesson(const Network& network) {
  return std::make_unique<AgentsLesson>(network);
}

Result<Translated> import_model(const Network& network, std::string_view bytes,
                                const std::string& file) {
  const Shape shape = shape_of(network.spec.network, network.topology);
  auto model = exchange::read_onnx(bytes, file);
  if (!model) return model.errors();
  Agents agents{
      shape.dims, model.value().layers, routing::dqn::AgentSharing::kAll, shape.coordinates, 0, {}};
  const Diagnostics misfits = check_agents(agents, shape, file);
  if (!misfits.empty()) return misfits;
  // Nothing was seen yet: routers and offsets of the torus, all sizes and occupancies.
  std::vector<std::uint8_t> observations;
  traffic::Random random(1, 0);
  for (std::size_t n = 0; n < kCompared; ++n) {
    for (unsigned i = 0; i < shape.inputs(); ++i) {
      const std::size_t dims = shape.dims.size();
      const unsigned k = i < 2 * dims ? shape.dims[i % dims] : 0;
      observations.push_back(static_cast<std::uint8_t>(k != 0 ? random.below(k) * (255 / (k - 1))
                                                              : random.below(256)));
    }
  }
  const learn::Quantised integers = learn::quantise(model.value(), observations);
  agents.agents.push_back({std::move(model).value(), integers});
  return Translated{format_agents(agents), error_text(0, agents.agents.front(), observations)};
}

}  // namespace hopwise::probes::dqn
