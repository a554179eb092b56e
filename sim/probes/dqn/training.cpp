// SPDX-License-Identifier: Apache-2.0
#include "probes/dqn/training.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "probes/dqn/check.hpp"
#include "routing/dqn/dqn.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::probes::dqn {
namespace {

/// CSR: probability of exploring, 2^-32
constexpr std::uint32_t kEpsilon = 0x1008;
/// in use, on their way, and those of a decision that is not told yet
constexpr std::size_t kVersions = 3;
constexpr std::uint32_t kSwapsModulo = 16;  ///< of the version that a decision tells
constexpr std::uint32_t kLostModulo = 1 << 16;

std::string unknown_version(std::uint32_t loaded, std::uint32_t told) {
  return fmt::format("a decision by weights of version {}, loaded is {}", told, loaded);
}

unsigned shortest_hop(const engine::Setup& setup) {
  unsigned shortest = ~0U;
  for (const auto& channel : setup.topology.channels())
    shortest = std::min(shortest, channel.latency_cycles);
  return setup.network.router.pipeline_cycles + shortest;
}

}  // namespace

Training::Training(const engine::Scene& scene, bool check, const Options& options)
    : shape_(shape_of(scene.setup.network, scene.setup.topology)),
      options_(options),
      check_(check),
      hop_cycles_(shortest_hop(scene.setup)),
      routers_(scene.setup.topology.num_routers()),
      partitions_(scene.partitions) {
  const engine::Setup& setup = scene.setup;
  if (setup.models.front()->trace_bits != model_trace_bits(shape_)) {
    throw std::runtime_error(fmt::format("trace_o has {} bits, event and record {}",
                                         setup.models.front()->trace_bits,
                                         model_trace_bits(shape_)));
  }
  if (learns()) loads_of_.resize(options_.learner->agents());
  const unsigned pending = routing::dqn::settings(setup.network.routing).pending;
  for (Router& router : routers_) router.open.resize(pending);
}

/// The address is written where it does not follow the last one.
std::vector<Training::Write> Training::load_writes(const learn::IntegerNetwork& weights) const {
  std::vector<Write> writes;
  std::uint32_t next = ~0U;
  for (const auto& [address, data] : learn::load_words(weights, options_.lanes, options_.depth)) {
    if (address != next) writes.emplace_back(csr::kTableAddress, address);
    writes.emplace_back(csr::kTableData, data);
    next = address + 1;
  }
  return writes;
}

void Training::remember(Router& router, Weights weights) {
  router.swaps = (router.swaps + 1) % kSwapsModulo;
  router.versions.push_back({router.swaps, std::move(weights)});
  if (router.versions.size() > kVersions) router.versions.pop_front();
}

void Training::prepare(const engine::Section& section) {
  Partition& part = partitions_[section.partition];
  part.section = section;
  part.words.resize((model_trace_bits(shape_) + 31) / 32);
  model::RouterBank& bank = *section.bank;
  if (!learns() && options_.agents == nullptr) return;
  // Weights lie at the same addresses in all routers, so that each word goes to all of them at
  // once.
  std::vector<model::CsrAnswer> answers(section.end - section.first);
  const auto write = [&](std::uint32_t address) {
    bank.csr_write_each(address, answers);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].response == 0) continue;
      throw std::runtime_error(fmt::format("the CSR block of router {} refuses a write to {:#x}",
                                           section.first + i, address));
    }
  };
  std::vector<std::vector<Write>> words;
  for (std::uint32_t r = section.first; r < section.end; ++r) {
    Weights weights;
    if (learns()) {
      const std::uint32_t agent = options_.learner->agent_of(r);
      weights = options_.learner->weights(agent, 0);
      routers_[r].epsilon = options_.learner->epsilon_word(agent);
      answers[r - section.first].data = routers_[r].epsilon;
    } else {
      weights = std::make_shared<const learn::Quantised>(options_.agents->of(r));
    }
    words.push_back(load_writes(weights->weights));
    if (options_.believed != nullptr)
      weights = std::make_shared<const learn::Quantised>(options_.believed->of(r));
    remember(routers_[r], std::move(weights));
  }
  if (learns()) write(kEpsilon);
  for (std::size_t at = 0; !words.empty() && at < words.front().size(); ++at) {
    for (std::size_t i = 0; i < words.size(); ++i) answers[i].data = words[i][at].second;
    write(words.front()[at].first);
  }
}

void Training::observe_routers(const engine::Section& section, std::uint64_t cycle) {
  Partition& part = partitions_[section.partition];
  for (std::uint32_t r = section.first; r < section.end; ++r) {
    section.bank->trace(r - section.first, part.words.data());
    if (shape_.kept > 0) {
      if (check_ && (part.words.front() & 1) != 0)
        check(part, r, cycle, valuation_of(shape_, part.words));
      continue;
    }
    if (check_ && any_event(shape_, part.words))
      check(part, r, cycle, take_apart(shape_, part.words));
    if (any_record(shape_, part.words)) take(part, r, cycle, record_of(shape_, part.words));
  }
}

const Training::Version* Training::version_of(const Router& router, std::uint32_t version) const {
  const auto used = std::find_if(router.versions.begin(), router.versions.end(),
                                 [&](const Version& v) { return v.swaps == version; });
  return used == router.versions.end() ? nullptr : &*used;
}

void Training::fail(Partition& part, std::uint32_t r, std::uint64_t cycle, std::string wrong) {
  if (wrong.empty() || std::exchange(routers_[r].failed, true)) return;
  part.failures.push_back({cycle, r, std::move(wrong)});  // whatever follows follows from it
}

void Training::check(Partition& part, std::uint32_t r, std::uint64_t cycle, const Event& event) {
  Router& router = routers_[r];
  std::string wrong;
  if (event.rewards) {
    const Reward& reward = event.reward;
    const Router::Open& open = router.open[reward.index];
    wrong = open.generation == reward.generation ? check_reward(reward, open.distance, hop_cycles_)
                                                 : "a reward for an entry of another generation";
  }
  if (event.decides) {
    ++part.decisions;
    const Decision& d = event.decision;
    const Version* used = version_of(router, d.version);
    if (used == nullptr) wrong = unknown_version(router.swaps, d.version);
    if (wrong.empty()) wrong = check_decision(shape_, used->weights->weights, d);
    if (wrong.empty()) wrong = check_place(shape_, r, d.observation);
    if (d.sampled) router.open[d.index] = {d.generation, observed_distance(shape_, d)};
  }
  fail(part, r, cycle, std::move(wrong));
  router.told.push_back(event);
}

void Training::check(Partition& part, std::uint32_t r, std::uint64_t cycle, const Valuation& v) {
  ++part.decisions;
  const Version* used = version_of(routers_[r], v.version);
  std::string wrong = used == nullptr ? unknown_version(routers_[r].swaps, v.version)
                                      : check_valuation(shape_, used->weights->weights, v);
  if (wrong.empty()) wrong = check_place(shape_, r, v.observation);
  fail(part, r, cycle, std::move(wrong));
}

void Training::take(Partition& part, std::uint32_t r, std::uint64_t cycle, const Record& record) {
  Router& router = routers_[r];
  const Event& event = record.event;
  if (check_) {
    // What was lost since the record before, then this one.
    for (; router.lost != record.lost && !router.told.empty(); router.told.pop_front())
      router.lost = (router.lost + 1) % kLostModulo;
    if (router.lost != record.lost || router.told.empty() || router.told.front() != event)
      fail(part, r, cycle, "a record of the agent's experience that is not what it told");
    if (!router.told.empty()) router.told.pop_front();
  }
  Seen seen{cycle, r, 0, event};
  if (event.decides) {
    const Version* used = version_of(router, event.decision.version);
    if (used == nullptr) {
      fail(part, r, cycle, unknown_version(router.swaps, event.decision.version));
    } else {
      seen.value = event.decision.value * used->weights->value_scale;
      while (&router.versions.front() != used)
        router.versions.pop_front();  // they do not come back
    }
  }
  if (learns()) part.seen.push_back(seen);
}

void Training::end_epoch(std::uint64_t now) {
  Learner& learner = *options_.learner;
  epoch_.clear();
  for (Partition& part : partitions_) {
    epoch_.insert(epoch_.end(), part.seen.begin(), part.seen.end());
    part.seen.clear();
  }
  std::stable_sort(epoch_.begin(), epoch_.end(), [](const Seen& a, const Seen& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.router < b.router;
  });
  for (const Seen& s : epoch_) learner.take(s.cycle, s.router, s.event, s.value);
  learner.publish();
  if (!loads_) return;
  for (const Partition& part : partitions_) {
    const engine::Section& section = part.section;
    for (std::uint32_t r = section.first; r < section.end; ++r) {
      const std::size_t local = r - section.first;
      if (section.bank->queued_csr(local) != 0) continue;
      Router& router = routers_[r];
      const std::uint32_t agent = learner.agent_of(r);
      if (const std::uint32_t epsilon = learner.epsilon_word(agent); epsilon != router.epsilon) {
        router.epsilon = epsilon;
        section.bank->queue_csr(local, kEpsilon, epsilon);
      }
      Weights weights = learner.weights(agent, now);
      if (weights == router.versions.back().weights) continue;
      Loads& loads = loads_of_[agent];
      if (loads.weights != weights) loads = {weights, load_writes(weights->weights)};
      for (const auto& [address, data] : loads.writes)
        section.bank->queue_csr(local, address, data);
      remember(router, std::move(weights));
    }
  }
}

bool Training::busy() const {
  for (const Partition& part : partitions_) {
    const engine::Section& section = part.section;
    for (std::uint32_t r = section.first; r < section.end; ++r) {
      if (section.bank->queued_csr(r - section.first) != 0) return true;
    }
  }
  return false;
}

void Training::report(engine::RunResult& result) const {
  std::vector<Failure> failures;
  std::uint64_t decisions = 0;
  for (const Partition& part : partitions_) {
    failures.insert(failures.end(), part.failures.begin(), part.failures.end());
    decisions += part.decisions;
  }
  if (check_) {
    result.checked.insert(result.checked.end(),
                          {{"decisions", decisions}, {"updates", 0}, {"rewards", 0}});
  }
  report_failures(std::move(failures), result);
}

std::unique_ptr<engine::Probe> make_probe(const engine::Scene& scene, bool check,
                                          const Options& options) {
  return std::make_unique<Training>(scene, check, options);
}

}  // namespace hopwise::probes::dqn
