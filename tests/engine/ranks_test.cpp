// SPDX-License-Identifier: Apache-2.0
#include "app/results.hpp"
#include "engine/boundary.hpp"
#include "fixture.hpp"
#include "thread_ranks.hpp"

namespace hopwise::engine {
namespace {

/// Of each rank, results.json's part and every delivered flit.
std::vector<std::string> bytes(const app::Simulated& network, const RunOptions& run,
                               unsigned ranks) {
  std::vector<RunResult> results(ranks);
  ThreadRanks threads(ranks);
  threads.run([&](Ranks& mine) {
    RunOptions options = run;
    options.record_deliveries = options.record_packets = true;
    options.ranks = ranks == 1 ? nullptr : &mine;
    results[mine.rank()] = simulated(network, options);
  });
  EXPECT_EQ(threads.left(), 0u);
  std::vector<std::string> texts;
  for (const RunResult& r : results) {
    expect_accounted(r);
    EXPECT_EQ(r.ranks.size(), ranks);
    std::string& text = texts.emplace_back(app::point_json("r", "p", r, *network.proven).dump());
    for (const Delivery& d : r.deliveries) {
      text += std::to_string(d.cycle) + " " + std::to_string(index(d.src)) + " " +
              std::to_string(index(d.dst)) + " " + std::to_string(d.packet_id) + "\n";
    }
    text += traffic::format_trace(r.packets);
  }
  return texts;
}

void expect_same_bytes(const app::Simulated& network, const std::vector<unsigned>& numbers) {
  for (const double load : {0.1, 0.8}) {
    const RunOptions run = short_run(network, load, 1000);
    const std::string one = bytes(network, run, 1).front();
    for (const unsigned ranks : numbers) {
      for (const std::string& text : bytes(network, run, ranks)) EXPECT_EQ(text, one) << ranks;
    }
  }
}

TEST(Ranks, LeaveEveryByteOfATorusAsItIs) { expect_same_bytes(compiled(kTorus), {2, 4}); }

class EveryNetworkOverRanks
    : public testing::TestWithParam<std::pair<const char*, std::vector<std::string>>> {};

TEST_P(EveryNetworkOverRanks, IsTheSameToTheByte) {
  expect_same_bytes(compiled(GetParam().first, GetParam().second), {2, 3, 4});
}

INSTANTIATE_TEST_SUITE_P(
    Networks, EveryNetworkOverRanks,
    testing::Values(
        // several flits, and their order
        std::pair(kTorus, std::vector<std::string>{"packet.max_flits=5",
                                                   "traffic.packet_flits={min: 1, max: 5}",
                                                   "link.latency_cycles=[2,9]",
                                                   "router.vc_depth_flits=32"}),
        // half an epoch, and all of one, for messages to come
        std::pair(kTorus, std::vector<std::string>{"link.latency_cycles=[7,11]",
                                                   "routing.algorithm=star_channel",
                                                   "router.vc_depth_flits=32"}),
        std::pair(kTorus, std::vector<std::string>{"link.latency_cycles=[3,20]",
                                                   "router.vc_depth_flits=32"}),
        // classes, replies, and destinations that are throttled
        std::pair(kTorus, std::vector<std::string>{"router.message_classes=[request,reply]",
                                                   "terminal.replies={request: reply}",
                                                   "traffic.reply_queue_packets=4",
                                                   "router.class_priority=[reply,request]"}),
        std::pair(kTorus, std::vector<std::string>{"congestion.enabled=true"}),
        std::pair(kIdealDragonfly, std::vector<std::string>{}),
        std::pair(kLearningDragonfly, std::vector<std::string>{})));

TEST(Ranks, AreCutBetweenGroups) {
  const app::Input input{.file = HOPWISE_SOURCE_DIR "/examples/dragonfly_1056.yaml",
                         .overrides = {}};
  const auto experiment = app::load_experiment(input);
  ASSERT_TRUE(experiment.ok());
  const spec::NetworkSpec& network = experiment.value().base.network;
  const topology::Topology topology(input.catalogue.kinds, network.topology, network.link);
  using Cuts = std::vector<std::uint32_t>;
  EXPECT_EQ(cut_routers(topology, 1), (Cuts{0, 264}));
  EXPECT_EQ(cut_routers(topology, 2), (Cuts{0, 128, 264}));
  EXPECT_EQ(cut_routers(topology, 4), (Cuts{0, 64, 128, 200, 264}));
}

TEST(Ranks, AFlitThatIsNotSentIsMissed) {
  const app::Simulated network = compiled(kTorus);
  RunOptions run = short_run(network, 0.3, 1000);
  run.fault = SeededFault{SeededFault::Kind::kUnsentFlit, 100};
  ThreadRanks threads(2);
  std::vector<RunResult> results(2);
  threads.run([&](Ranks& mine) {
    RunOptions options = run;
    options.ranks = &mine;
    results[mine.rank()] = simulated(network, options);
  });
  EXPECT_EQ(threads.left(), 0u);
  for (const RunResult& r : results) {
    EXPECT_EQ(r.failures, std::vector<std::string>{"1 packets are lost"});
    EXPECT_EQ(r.lost, 1u);
  }
}

}  // namespace
}  // namespace hopwise::engine
