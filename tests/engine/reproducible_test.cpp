// SPDX-License-Identifier: Apache-2.0
#include "app/results.hpp"
#include "fixture.hpp"
#include "traffic/trace.hpp"

namespace hopwise::engine {
namespace {

std::string bytes(const app::Simulated& network, RunOptions run) {
  run.record_deliveries = true;
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  std::string text = app::point_json("r", "p", r, *network.proven).dump();
  for (const Delivery& d : r.deliveries) {
    text += std::to_string(d.cycle) + " " + std::to_string(index(d.src)) + " " +
            std::to_string(index(d.dst)) + " " + std::to_string(d.packet_id) + "\n";
  }
  return text;
}

class Reproducible : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Reproducible, ThreadsAndSkippingOfIdleRoutersLeaveEveryByteAsItIs) {
  const app::Simulated network = compiled(kTorus, GetParam());
  for (const double load : {0.05, 0.6}) {
    RunOptions run = short_run(network, load, 1500);
    const std::string one = bytes(network, run);
    run.threads = 2;
    EXPECT_EQ(bytes(network, run), one);
    run.threads = 5;
    EXPECT_EQ(bytes(network, run), one);
    run.threads = 1;
    run.skip_idle = false;
    EXPECT_EQ(bytes(network, run), one);
    run.simulation.seed = 2;
    EXPECT_NE(bytes(network, run), one);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Reproducible,
    testing::Values(std::vector<std::string>{},
                    std::vector<std::string>{"routing.algorithm=star_channel", "packet.max_flits=4",
                                             "link.latency_cycles=[3,1]"},
                    // a partition that is an epoch ahead goes once round a ring of 16 slots
                    std::vector<std::string>{"link.latency_cycles=10", "router.vc_depth_flits=32"},
                    std::vector<std::string>{"router.output_queue_flits=16",
                                             "link.cycles_per_flit=5/2", "packet.max_flits=5",
                                             "routing.algorithm=star_channel"}));

TEST(Reproducible, ARecordedTraceReplaysToTheSameDeliveries) {
  const app::Simulated network =
      compiled(kTorus, {"packet.max_flits=4", "traffic.packet_flits={min: 1, max: 4}"});
  RunOptions run = short_run(network, 0.3, 1500);
  run.record_packets = run.record_deliveries = true;
  const RunResult first = simulated(network, run);
  const auto trace =
      traffic::parse_trace(traffic::format_trace(first.packets), "trace", {16, 1, 4});
  ASSERT_TRUE(trace.ok()) << format(trace.errors());
  run.trace = &trace.value();
  const RunResult second = simulated(network, run);
  expect_accounted(second);
  ASSERT_GE(second.deliveries.size(), first.deliveries.size());
  // Recording stops with the run, replay goes on until all has arrived: the first is a prefix of
  // the second.
  std::size_t same = 0;
  while (same < first.deliveries.size() && first.deliveries[same] == second.deliveries[same] &&
         first.deliveries[same].cycle < first.cycles) {
    ++same;
  }
  EXPECT_GT(same, 5000u);
  EXPECT_TRUE(same == first.deliveries.size() || first.deliveries[same].cycle >= first.cycles);
}

}  // namespace
}  // namespace hopwise::engine
