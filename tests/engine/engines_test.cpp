// SPDX-License-Identifier: Apache-2.0
// Routers in lanes against the same routers by Verilator: every pin in every cycle, and the
// results.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/blocks.hpp"
#include "fixture.hpp"
#include "forwarding_bank.hpp"

namespace hopwise::engine {
namespace {

/// Side by side at two loads, and then on their own: with and without skipping, in one and three
/// threads.
void expect_engines_to_agree(const std::string& yaml, unsigned lanes) {
  app::Simulated network = in_lanes(yaml, lanes);
  for (const double load : {0.05, 0.7}) {
    ProbedRun run = busy_run(network, load);
    run.shadow_all = true;
    expect_accounted(simulated(network, run));
  }
  const app::Simulated reference = compiled(yaml, {"simulation.engine=verilator"});
  EXPECT_EQ(reference.lanes, 0u);
  ProbedRun run = busy_run(network, 0.4);
  const RunResult expected = simulated(reference, run);
  expect_accounted(expected);
  for (const unsigned threads : {1u, 3u}) {
    for (const bool skip : {true, false}) {
      run.threads = threads;
      run.skip_idle = skip;
      const RunResult found = simulated(network, run);
      EXPECT_EQ(found.lanes, lanes);
      expect_equal(found, expected);
    }
  }
}

TEST(Engines, LanesAgreeWithVerilatorOnATorus) { expect_engines_to_agree(kTorus, 64); }

TEST(Engines, AWordMayHaveMoreLanesThanThereAreRouters) { expect_engines_to_agree(kTorus, 256); }

TEST(Engines, LanesAgreeWithVerilatorWhereRoutersAskForRemoteQueues) {
  expect_engines_to_agree(kIdealDragonfly, 64);
}

/// What a run finds, and what its routers end with.
struct Lesson {
  RunResult result;
  probes::q::Tables tables;
};

Lesson lesson(const app::Simulated& network, ProbedRun run) {
  Lesson l;
  run.probing.check = true;
  run.probing.q.learned = &l.tables;
  l.result = simulated(network, run);
  return l;
}

TEST(Engines, RoutersInLanesLearnWhatTheyLearnByVerilator) {
  const app::Simulated lanes = in_lanes(kLearningDragonfly, 64),
                       verilator = compiled(kLearningDragonfly, {"simulation.engine=verilator"});
  const auto expect_the_same = [&](const ProbedRun& run) {
    const Lesson a = lesson(lanes, run), b = lesson(verilator, run);
    expect_accounted(a.result);
    expect_equal(a.result, b.result);
    EXPECT_TRUE(a.tables == b.tables);
    EXPECT_GT(checked_of(a.result, "decisions"), 500u);
    return a.tables;
  };
  ProbedRun run = busy_run(lanes, 0.5);
  run.traffic.pattern = "adv+1";
  const probes::q::Tables learned = expect_the_same(run);
  run.threads = 2;
  run.probing.q.start = &learned;
  EXPECT_FALSE(expect_the_same(run) == learned);
  run.lose_one_in = 5;
  run.skew_clocks = true;
  expect_the_same(run);
  run.probing.q.freeze = true;
  EXPECT_TRUE(expect_the_same(run) == learned);
}

TEST(Engines, TheCheckOfLearnersCatchesAWrongModelInLanesToo) {
  const app::Simulated lanes = in_lanes(kLearningDragonfly, 64),
                       verilator = compiled(kLearningDragonfly, {"simulation.engine=verilator"});
  ProbedRun run = busy_run(lanes, 0.4);
  run.traffic.pattern = "adv+1";
  using Fault = probes::q::Fault;
  for (const Fault fault : {Fault::kGroup, Fault::kThreshold, Fault::kRounding, Fault::kPort}) {
    run.probing.q.fault = fault;
    const auto failures = lesson(lanes, run).result.failures;
    EXPECT_FALSE(failures.empty()) << static_cast<int>(fault);
    EXPECT_EQ(failures, lesson(verilator, run).result.failures);
  }
  run.probing.q.fault = Fault::kLateHop;
  const RunResult late = lesson(lanes, run).result;
  ASSERT_FALSE(late.failures.empty());
  EXPECT_NE(late.failures.front().find("an assertion of the RTL fails in router"),
            std::string::npos)
      << late.failures.front();
}

/// A bank that changes the first flit of a router after cycle 100: the fault that a comparison of
/// engines is there to find.
class Faulty final : public ForwardingBank {
 public:
  Faulty(std::unique_ptr<model::RouterBank> bank, const model::RouterWiring* routers)
      : ForwardingBank(std::move(bank)), wiring_(routers[5]) {}
  void step(std::uint64_t cycle, bool skip_idle) override {
    bank_->step(cycle, skip_idle);
    for (const model::Wire& wire : wiring_.flits) {
      if (done_ || cycle < 100 || wire.block == nullptr) continue;
      std::byte* slot = wire.slot(cycle);
      if (slot[wire.meta_offset] == std::byte{0}) continue;
      slot[wire.data_offset] ^= std::byte{1};
      done_ = true;
    }
  }

 private:
  model::RouterWiring wiring_;
  bool done_ = false;
};

TEST(Engines, AComparisonNamesTheFirstPinThatDiffers) {
  app::Simulated network = in_lanes(kTorus, 64);
  const model::RouterModel faulty = around<Faulty>(*network.setup->models.front());
  network.setup->models.front() = &faulty;
  ProbedRun run = busy_run(network, 0.4);
  run.shadow_all = true;
  const RunResult r = simulated(network, run);
  ASSERT_FALSE(r.failures.empty());
  EXPECT_NE(r.failures.front().find("engines differ: cycle 1"), std::string::npos)
      << r.failures.front();
  EXPECT_NE(r.failures.front().find("router 5, data of out_"), std::string::npos)
      << r.failures.front();
}

/// Minimal paths have one flit more than they have.
class WrongOracle final : public model::QueueOracle {
 public:
  explicit WrongOracle(const model::QueueOracle& right) : right_(right) {}
  unsigned path_queue(unsigned from, unsigned via, unsigned to, unsigned link) const override {
    return right_.path_queue(from, via, to, link) + (via == to ? 1 : 0);
  }

 private:
  const model::QueueOracle& right_;
};

class Misled final : public ForwardingBank {
 public:
  using ForwardingBank::ForwardingBank;
  void set_oracle(const model::QueueOracle* oracle) override {
    wrong_ = std::make_unique<WrongOracle>(*oracle);
    bank_->set_oracle(wrong_.get());
  }

 private:
  std::unique_ptr<WrongOracle> wrong_;
};

TEST(Engines, AComparisonNoticesThatLanesAreToldOtherQueues) {
  app::Simulated network = in_lanes(kIdealDragonfly, 64);
  const model::RouterModel misled = around<Misled>(*network.setup->models.front());
  network.setup->models.front() = &misled;
  ProbedRun run = busy_run(network, 0.4);
  run.shadow_all = true;
  const RunResult r = simulated(network, run);
  ASSERT_FALSE(r.failures.empty());
  EXPECT_NE(r.failures.front().find("engines differ"), std::string::npos) << r.failures.front();
}

/// More flits than the buffer of a VC holds, into lane 3: what credits rule out in a network.
TEST(Engines, AnAssertionThatFailsInALaneNamesItsRouter) {
  app::Simulated network = in_lanes(kTorus, 64);
  const auto overflow = [&](const model::RouterModel& model) -> std::string {
    const model::WireShape shape{.ports = model.ports,
                                 .lanes = model.lanes,
                                 .flit_bytes = 8,
                                 .feedback_bytes = 0,
                                 .slot_mask = 7};
    std::vector<Blocks> blocks;
    std::vector<model::RouterWiring> wiring;
    const Blocks sink(shape.block_bytes());
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (i % model.lanes == 0) blocks.emplace_back(shape.block_bytes());
      const InputPins out{sink.data(), &shape, 0};
      model::RouterWiring w;
      w.block = blocks.back().data();
      w.lane = i % model.lanes;
      w.router = 40 + i;
      for (std::uint32_t p = 0; p < model.ports; ++p) {
        w.flits.push_back(out.wire_to(p, false, 1));
        w.credits.push_back(out.wire_to(p, true, 1));
      }
      wiring.push_back(w);
    }
    const std::unique_ptr<model::RouterBank> bank(
        model.make_bank(wiring.data(), wiring.size(), shape));
    const InputPins pins{wiring[3].block, &shape, wiring[3].lane};
    try {
      for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
        pins.flit_meta(cycle, 0) =
            static_cast<std::byte>(model::kValid | model::kHead | model::kTail);
        bank->step(cycle, true);
      }
    } catch (const model::AssertionFailed& failed) {
      return std::to_string(failed.router());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(overflow(*network.setup->models.front()), "43");
  EXPECT_NE(overflow(*network.setup->shadows.front()).find("assertion of the RTL failed"),
            std::string::npos);
}

}  // namespace
}  // namespace hopwise::engine
