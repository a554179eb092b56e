// SPDX-License-Identifier: Apache-2.0
// Between routers with a perceptron and those who follow them: loads weights, checks decisions,
// lets agents learn.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "probes/dqn/event.hpp"
#include "probes/dqn/learner.hpp"
#include "probes/dqn/probe.hpp"
#include "probes/failures.hpp"

namespace hopwise::probes::dqn {

/// Of a whole network. Partitions look at their routers each for itself; in between epochs one
/// thread lets the agents learn. Weights and exploration go to the routers as CSR writes among the
/// cycles of the run: time stands still for nobody. A router whose last weights are still on their
/// way gets the newest when they have arrived, and none of those in between.
class Training final : public engine::Probe {
 public:
  Training(const engine::Scene& scene, bool check, const Options& options);

  engine::Needs needs() const override {
    return {.routers = learns() || check_, .meetings = learns()};
  }

  /// The first weights of the section's routers.
  void prepare(const engine::Section& section) override;
  void observe_routers(const engine::Section& section, std::uint64_t cycle) override;
  /// What was seen goes to the learner in the order of (cycle, router), what it has learned to the
  /// routers.
  void end_epoch(std::uint64_t now) override;
  void stop() override { loads_ = false; }
  bool busy() const override;
  void report(engine::RunResult& result) const override;

 private:
  using Weights = std::shared_ptr<const learn::Quantised>;
  struct Version {
    std::uint32_t swaps = 0;  // modulo 16
    Weights weights;
  };
  struct Router {
    std::deque<Version> versions;  // the latest few
    std::uint32_t swaps = 0;
    std::uint32_t epsilon = 0;  // as written last
    struct Open {
      std::uint32_t generation = 0;
      unsigned distance = 0;
    };
    std::vector<Open> open;  // [entry]: the decision that its reward will be for
    bool failed = false;
    std::deque<Event> told;  // of which no record has come yet, where it is checked
    std::uint32_t lost = 0;  // records, modulo 2^16
  };
  struct Seen {
    std::uint64_t cycle = 0;
    std::uint32_t router = 0;
    double value = 0;
    Event event;
  };
  struct Partition {
    engine::Section section;
    std::vector<std::uint32_t> words;
    std::vector<Seen> seen;
    std::vector<Failure> failures;
    std::uint64_t decisions = 0;
  };
  using Write = std::pair<std::uint32_t, std::uint32_t>;
  bool learns() const { return options_.learner != nullptr; }
  std::vector<Write> load_writes(const learn::IntegerNetwork& weights) const;
  void remember(Router& router, Weights weights);
  const Version* version_of(const Router& router, std::uint32_t version) const;
  void fail(Partition& partition, std::uint32_t r, std::uint64_t cycle, std::string wrong);
  /// What the router's agent tells on its trace.
  void check(Partition& partition, std::uint32_t r, std::uint64_t cycle, const Event& event);
  void check(Partition& partition, std::uint32_t r, std::uint64_t cycle,
             const Valuation& valuation);
  /// What it exports for whoever trains it.
  void take(Partition& partition, std::uint32_t r, std::uint64_t cycle, const Record& record);

  Shape shape_;
  Options options_;
  bool check_;
  unsigned hop_cycles_;  // of the shortest hop
  bool loads_ = true;
  std::vector<Router> routers_;
  std::vector<Partition> partitions_;
  std::vector<Seen> epoch_;
  struct Loads {
    Weights weights;
    std::vector<Write> writes;
  };
  std::vector<Loads> loads_of_;  // [agent], of its latest weights
};

}  // namespace hopwise::probes::dqn
