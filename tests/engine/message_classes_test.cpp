// SPDX-License-Identifier: Apache-2.0
// Message classes, and terminals that reply: networks that are proved for them go on for ever;
// without classes they stand still, as the proof that is refused says.
#include "fixture.hpp"

namespace hopwise::engine {
namespace {

/// Requests and replies, with a proof that covers them.
const char* const kReplies = R"(
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 128, max_flits: 4}
router: {vc_depth_flits: 8, message_classes: [request, reply]}
terminal: {replies: {request: reply}}
traffic: {reply_queue_packets: 4, packet_flits: {min: 1, max: 4}}
)";

void expect_replies(const RunResult& r) {
  expect_accounted(r);
  ASSERT_EQ(r.by_class.size(), 2u);
  EXPECT_GT(r.by_class[0].injected, 0u);
  for (const ClassPackets& packets : r.by_class) {
    EXPECT_EQ(packets.injected, r.by_class[0].injected) << "every request has its reply";
    EXPECT_EQ(packets.delivered, packets.injected);
  }
}

TEST(Replies, GoOnAtAnyLoadWithClassesOfTheirOwn) {
  const app::Simulated network = compiled(kReplies);
  for (const double load : {0.5, 1.0})
    expect_replies(simulated(network, short_run(network, load, 20000)));
}

/// The proof of this network says nothing of replies: with them it is refused. So does the network.
TEST(Replies, InTheSameClassBringTheNetworkToAStop) {
  const std::vector<std::string> one = {"router.message_classes=[message]", "terminal.replies=null",
                                        "traffic.reply_queue_packets=0"};
  const app::Simulated network = compiled(kReplies, one);
  RunOptions run = short_run(network, 1.0, 40000);
  run.traffic.reply_queue_packets = 4;
  run.traffic.replies = {{0, 0}};
  const RunResult r = simulated(network, run);
  ASSERT_FALSE(r.failures.empty());
  EXPECT_GT(r.lost, 0u);

  auto spec = config::load(kReplies, "test.yaml",
                           std::vector<std::string>{"router.message_classes=[request]",
                                                    "terminal.replies={request: request}"},
                           app::builtin_catalogue());
  ASSERT_TRUE(spec.ok());
  const auto outcome = app::prove(spec.value(), app::builtin_catalogue());
  ASSERT_TRUE(std::holds_alternative<deadlock::ProofFailure>(outcome));
  EXPECT_NE(std::get<deadlock::ProofFailure>(outcome).text.find("ejection of request"),
            std::string::npos);
}

TEST(Replies, OrderOfAFlowIsKeptInEachClass) {
  const app::Simulated network = compiled(kReplies);
  ASSERT_TRUE(network.setup->in_order);
  EXPECT_EQ(network.setup->injection_vc_modulus, 2u);
}

TEST(Replies, AreTheSameInLanes) {
  const app::Simulated lanes = compiled(kReplies, {"simulation.engine=lanes"}),
                       one = compiled(kReplies, {"simulation.engine=verilator"});
  ASSERT_GT(lanes.lanes, 0u);
  RunOptions run = short_run(one, 1.0, 2000);
  run.record_deliveries = true;
  const RunResult a = simulated(one, run);
  expect_replies(a);
  expect_equal(a, simulated(lanes, run));
  run.threads = 2;
  expect_equal(a, simulated(one, run));
}

TEST(MessageClasses, WithoutRepliesTakeTurnsInWhatTheSourcesSend) {
  const app::Simulated network =
      compiled(kReplies, {"terminal.replies=null", "traffic.reply_queue_packets=0"});
  const RunResult r = simulated(network, short_run(network, 0.3));
  expect_accounted(r);
  EXPECT_NEAR(static_cast<double>(r.by_class[0].injected),
              static_cast<double>(r.by_class[1].injected), 9);
}

double mean_latency(const ClassPackets& packets) {
  return static_cast<double>(packets.latency_sum) / static_cast<double>(packets.delivered);
}

/// Beyond what the network carries, with as many packets of each class at every source.
TEST(ClassPriority, IsFasterAndLeavesTheOthersTheirShare) {
  const std::vector<std::string> alone = {"terminal.replies=null", "traffic.reply_queue_packets=0",
                                          "topology.dims=[4,4]"};
  std::vector<std::string> first = alone;
  first.insert(first.end(),
               {"router.class_priority=[reply, request]", "router.class_priority_packets=3"});
  const app::Simulated equal = compiled(kReplies, alone), ordered = compiled(kReplies, first);
  RunOptions run = short_run(equal, 1.0, 6000);
  const RunResult before = simulated(equal, run), after = simulated(ordered, run);
  expect_accounted(before);
  expect_accounted(after);
  const ClassPackets &request = after.by_class[0], &reply = after.by_class[1];
  EXPECT_LT(mean_latency(reply), 0.8 * mean_latency(before.by_class[1]));
  EXPECT_GT(reply.delivered, before.by_class[1].delivered);
  // Of four packets at every arbiter one at least.
  EXPECT_GE(4 * request.delivered, request.delivered + reply.delivered);
  EXPECT_LT(request.delivered, reply.delivered);
  run.threads = 2;
  expect_equal(after, simulated(ordered, run));
}

class RepliesInEveryMode : public testing::TestWithParam<Mode> {};

TEST_P(RepliesInEveryMode, GoOnBeyondFullLoad) {
  const app::Simulated network = compiled(kReplies, GetParam().overrides);
  expect_replies(simulated(network, short_run(network, 1.0, 6000)));
}

std::vector<std::string> dragonfly(const std::string& routing) {
  return {"topology.kind=dragonfly", "topology.dims=null", "topology.routers_per_group=2",
          "topology.global_ports=1", "routing.algorithm=" + routing};
}

INSTANTIATE_TEST_SUITE_P(
    , RepliesInEveryMode,
    testing::Values(
        Mode{"dor_balanced", {"routing.dateline=balanced", "router.vcs=4"}},
        Mode{"star_channel", {"routing.algorithm=star_channel"}},
        Mode{"wormhole", {"routing.algorithm=star_channel", "router.switching=wormhole"}},
        Mode{"flit_by_flit",
             {"routing.algorithm=star_channel", "router.allocator.granularity=flit"}},
        Mode{"output_queues",
             {"router.output_queue_flits=8", "link.cycles_per_flit=5/2",
              "router.pipeline_cycles=5"}},
        Mode{"priority", {"router.class_priority=[request, reply]"}},
        Mode{"priority_at_output_queues",
             {"router.output_queue_flits=8", "link.cycles_per_flit=2", "router.pipeline_cycles=4",
              "router.class_priority=[reply, request]", "router.class_priority_packets=1"}},
        Mode{"valiant", {"routing.algorithm=valiant"}},
        Mode{"q_routing", {"routing.algorithm=q_routing"}}, Mode{"dqn", {"routing.algorithm=dqn"}},
        Mode{"min", dragonfly("min")}, Mode{"ugal_ln", dragonfly("ugal_ln")},
        Mode{"par", dragonfly("par")}, Mode{"ugal_le", dragonfly("ugal_le")},
        Mode{"edgb", dragonfly("edgb")}, Mode{"q_adaptive", dragonfly("q_adaptive")}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace hopwise::engine
