// SPDX-License-Identifier: Apache-2.0
// Blocks of wires that many routers share, one lane each: the run is the same.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/blocks.hpp"
#include "fixture.hpp"
#include "forwarding_bank.hpp"

namespace hopwise::engine {
namespace {

constexpr std::uint32_t kLanes = 64;

/// The model that the adapters of the test at hand are made around.
const model::RouterModel* narrow_model = nullptr;

/// A bank of many lanes around one whose routers have blocks of their own: what is on the pins of a
/// lane is moved there in each cycle. Outputs go where their wires lead, without it.
class InLanes final : public ForwardingBank {
 public:
  InLanes(const model::RouterWiring* routers, std::size_t count, const model::WireShape& shape)
      : wide_(shape), narrow_(shape) {
    EXPECT_EQ(shape.lanes, kLanes);
    narrow_.lanes = 1;
    own_ = Blocks(count * narrow_.block_bytes());
    std::vector<model::RouterWiring> wiring(routers, routers + count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(routers[i].lane, i % kLanes);
      EXPECT_EQ(routers[i].block, routers[i / kLanes * kLanes].block);
      from_.push_back({wiring[i].block, &wide_, wiring[i].lane});
      to_.push_back({own_.data() + i * narrow_.block_bytes(), &narrow_, 0});
      wiring[i].block = to_[i].block;
      wiring[i].lane = 0;
    }
    bank_.reset(narrow_model->make_bank(wiring.data(), count, narrow_));
  }

  void step(std::uint64_t cycle, bool skip_idle) override {
    for (std::size_t i = 0; i < from_.size(); ++i) move(from_[i], to_[i], cycle);
    bank_->step(cycle, skip_idle);
  }
  double eval_seconds() const override { return 0.25; }

 private:
  static void move(const InputPins& from, const InputPins& to, std::uint64_t cycle) {
    const model::WireShape &wide = *from.shape, &narrow = *to.shape;
    std::byte *source = from.slot(cycle), *target = to.slot(cycle);
    for (std::uint32_t p = 0; p < wide.ports; ++p) {
      target[narrow.flit_meta(p, 0)] =
          std::exchange(source[wide.flit_meta(p, from.lane)], std::byte{0});
      target[narrow.credit_meta(p, 0)] =
          std::exchange(source[wide.credit_meta(p, from.lane)], std::byte{0});
      std::memcpy(target + narrow.flit_offset(p, 0), source + wide.flit_offset(p, from.lane),
                  wide.flit_bytes);
      std::memcpy(target + narrow.feedback_offset(p, 0),
                  source + wide.feedback_offset(p, from.lane), wide.feedback_bytes);
    }
  }

  model::WireShape wide_, narrow_;
  Blocks own_;
  std::vector<InputPins> from_, to_;
};

model::RouterBank* make_in_lanes(const model::RouterWiring* routers, std::size_t count,
                                 const model::WireShape& shape) {
  return new InLanes(routers, count, shape);
}

void expect_the_same(const char* yaml, std::vector<std::string> overrides) {
  app::Simulated network = compiled(yaml, overrides);
  ASSERT_EQ(network.setup->models.size(), 1u);
  narrow_model = network.setup->models.front();
  model::RouterModel wide = *narrow_model;
  wide.lanes = kLanes;
  wide.make_bank = make_in_lanes;
  ProbedRun run;
  static_cast<RunOptions&>(run) = short_run(network, 0.4, 1000);
  run.record_deliveries = true;
  run.probing.check = true;
  const RunResult one = simulated(network, run);
  expect_accounted(one);
  EXPECT_EQ(one.lanes, 1u);
  EXPECT_EQ(one.eval_seconds, 0);
  network.setup->models.front() = &wide;
  for (const unsigned threads : {1u, 3u}) {
    run.threads = threads;
    const RunResult many = simulated(network, run);
    expect_accounted(many);
    EXPECT_EQ(many.lanes, kLanes);
    EXPECT_EQ(many.eval_seconds, 0.25 * threads);
    EXPECT_EQ(many.deliveries, one.deliveries);
    EXPECT_EQ(many.latency.mean, one.latency.mean);
    EXPECT_EQ(many.checked, one.checked);
  }
}

TEST(Lanes, RoutersThatShareABlockOfWiresDoAsWithBlocksOfTheirOwn) {
  expect_the_same(kTorus, {"topology.dims=[9, 8]"});  // a full block, and one of 8 lanes
}

TEST(Lanes, FeedbackAndProbesFindTheLaneOfARouter) {
  expect_the_same(R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 4, global_ports: 1}
packet: {flit_bits: 64, max_flits: 1}
router: {vc_depth_flits: 16}
routing: {algorithm: q_adaptive}
)",
                  {});
}

TEST(Lanes, TheAreasOfABlockOf64LanesBeginAtCacheLines) {
  for (const std::uint32_t ports : {1u, 5u, 15u}) {
    const model::WireShape shape{
        .ports = ports, .lanes = kLanes, .flit_bytes = 8, .feedback_bytes = 8, .slot_mask = 3};
    EXPECT_EQ(shape.flit_meta(1, 0) % 64, 0u);
    EXPECT_EQ(shape.credit_meta(0, 0) % 64, 0u);
    EXPECT_EQ(shape.flit_offset(0, 0) % 64, 0u);
    EXPECT_EQ(shape.feedback_offset(0, 0) % 64, 0u);
    EXPECT_EQ(shape.slot_bytes() % 64, 0u);
    EXPECT_EQ(shape.credit_meta(0, 0), shape.flit_meta(ports, 0));
    EXPECT_EQ(shape.feedback_offset(ports, 0), shape.slot_bytes());
  }
}

}  // namespace
}  // namespace hopwise::engine
