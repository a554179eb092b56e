// SPDX-License-Identifier: Apache-2.0
#include "engine/congestion.hpp"

#include <gtest/gtest.h>

#include "message_run.hpp"

namespace hopwise::engine {
namespace {

spec::CongestionSpec throttle_settings() {
  spec::CongestionSpec spec;
  spec.enabled = true;
  spec.flows = 2;
  spec.period_cycles = 100;
  spec.increase = 1U << 14;
  spec.decrease_shift = 1;
  return spec;
}

TEST(Throttle, AFlitStopsItsThrottledDestinationAndNoOtherUntilTheRateHasPaidForIt) {
  Throttle throttle(throttle_settings());
  throttle.step(10, 5, {});  // half a flit per cycle
  EXPECT_FALSE(throttle.stops(11, 5));
  const std::uint32_t five = 5;
  throttle.step(11, std::nullopt, {&five, 1});
  EXPECT_TRUE(throttle.stops(12, 5));
  EXPECT_FALSE(throttle.stops(12, 6));
  EXPECT_TRUE(throttle.stops(13, 5));
  EXPECT_FALSE(throttle.stops(14, 5));
}

TEST(Throttle, RatesFallOncePerPeriodWithNotificationsAndRiseWithout) {
  Throttle throttle(throttle_settings());
  throttle.step(0, 5, {});
  throttle.step(20, 5, {});
  throttle.step(30, 5, {});
  EXPECT_EQ(throttle.flows(101).at(0).rate, 1U << 14);
  EXPECT_EQ(throttle.flows(201).at(0).rate, 1U << 15);
  EXPECT_TRUE(throttle.active());
  EXPECT_FALSE(throttle.flows(401).at(0).valid);
  EXPECT_FALSE(throttle.active());
}

TEST(Throttle, FurtherDestinationsAreForgottenWhereAllFlowsAreTaken) {
  Throttle throttle(throttle_settings());
  for (std::uint32_t dst : {1U, 2U, 3U}) throttle.step(dst, dst, {});
  EXPECT_EQ(throttle.flows(4).at(0).dst, 1U);
  EXPECT_EQ(throttle.flows(4).at(1).dst, 2U);
}

TEST(Notifier, MarksAreForgottenWhileANotificationWaitsAndForTheGapBehindIt) {
  spec::CongestionSpec spec = throttle_settings();
  spec.note_cycles = 3;
  Notifier notifier(spec);
  EXPECT_TRUE(notifier.mark(1, 7));
  EXPECT_FALSE(notifier.pending(1));
  EXPECT_EQ(notifier.pending(2), 7U);
  EXPECT_FALSE(notifier.mark(3, 8));
  notifier.take(4);
  EXPECT_FALSE(notifier.mark(7, 8));
  EXPECT_TRUE(notifier.mark(8, 9));
}

/// Where a quarter of the packets goes to one terminal of 16, far more than it can take: the load
/// that the others accept.
double load_of_others(bool throttled, double load, std::vector<std::string> overrides) {
  overrides.push_back(std::string("congestion.enabled=") + (throttled ? "true" : "false"));
  const app::Simulated network = compiled(kTorus, overrides);
  RunOptions run = short_run(network, load, 10000);
  run.simulation.warmup_cycles = 10000;
  run.traffic.pattern = "hot_spot";
  run.traffic.settings.set("traffic.hot_fraction", 0.25);
  const RunResult r = simulated(network, run);
  expect_accounted(r);
  EXPECT_TRUE(r.hot_and_others.has_value());
  return r.hot_and_others->second;
}

/// As a share of what is offered to them.
double share_of_others(bool throttled, std::vector<std::string> overrides) {
  constexpr double kLoad = 0.6;
  return load_of_others(throttled, kLoad, std::move(overrides)) / (kLoad * 0.75);
}

TEST(Throttle, AHotSpotCostsTheOthersLittle) {
  EXPECT_LT(share_of_others(false, {}), 0.6);
  EXPECT_GT(share_of_others(true, {}), 0.9);
  // Of longer packets most cycles see no request but that of the one that crosses.
  const std::vector<std::string> longer{"packet.max_flits=4", "traffic.packet_flits=4",
                                        "router.vc_depth_flits=16"};
  EXPECT_LT(share_of_others(false, longer), 0.6);
  EXPECT_GT(share_of_others(true, longer), 0.8);
}

/// Requests and replies: of either class 0.3 are offered to the others.
TEST(Throttle, AHotServerCostsTheClientsOfOthersLittle) {
  const std::vector<std::string> classes{"router.message_classes=[request,reply]", "router.vcs=4",
                                         "terminal.replies={request: reply}",
                                         "traffic.reply_queue_packets=4"};
  EXPECT_LT(load_of_others(false, 0.4, classes), 0.3);
  EXPECT_GT(load_of_others(true, 0.4, classes), 0.5);
}

const char* const kHotMessages = R"(
topology: {kind: torus, dims: [4, 4]}
packet: {flit_bits: 128, max_flits: 5}
router: {vcs: 4, vc_depth_flits: 16}
terminal: {interface: messages, outstanding: 64, windows: 16}
traffic: {packet_flits: 5}
)";

RunResult hot_messages(bool throttled, std::vector<std::string> overrides) {
  overrides.push_back(std::string("congestion.enabled=") + (throttled ? "true" : "false"));
  const auto r = message_run(kHotMessages, overrides, 0.6);
  r->run.simulation.warmup_cycles = 6000;
  r->run.simulation.cycles = 4000;
  r->run.traffic.pattern = "hot_spot";
  r->run.traffic.settings.set("traffic.hot_fraction", 0.25);
  RunResult result = simulated(*r);
  expect_delivered(result);
  return result;
}

/// PUTs of one packet; to the others 0.45 are offered.
TEST(Throttle, AHotMemoryCostsMessagesToOthersLittle) {
  const RunResult off = hot_messages(false, {}), on = hot_messages(true, {});
  EXPECT_LT(off.hot_and_others->second, 0.25);
  EXPECT_GT(on.hot_and_others->second, 0.35);
  EXPECT_EQ(off.congestion.sent, 0U);
  EXPECT_GT(on.congestion.sent, 10U);
  EXPECT_EQ(on.congestion.sent, on.congestion.heard);
  EXPECT_LE(on.congestion.sent, on.congestion.marked);
}

/// Where memory is seldom written, hosts see which destinations are stopped all the same.
TEST(Throttle, HotMessagesAreTheSameInLanes) {
  std::vector<std::string> texts;
  for (const char* engine : {"verilator", "lanes"}) {
    const app::Simulated network = compiled(
        kHotMessages, {"congestion.enabled=true", std::string("simulation.engine=") + engine});
    RunOptions run = short_run(network, 0.2, 4000);
    run.simulation.warmup_cycles = 3000;
    run.traffic.pattern = "hot_spot";
    run.traffic.settings.set("traffic.hot_fraction", 1.0);
    const RunResult result = simulated(network, run);
    expect_delivered(result);
    EXPECT_GT(result.congestion.heard, 0U);
    texts.push_back(app::point_json("r", "p", result, *network.proven).dump());
  }
  EXPECT_EQ(texts[0], texts[1]);
}

/// Messages of the job are many packets long, so that the interfaces put them aside, and are GETs
/// and PUTs; its network ends at rest.
TEST(Throttle, AJobOfLongMessagesEndsBesideAHotMemory) {
  for (const char* transfer : {"send", "get"}) {
    const auto r = message_run(
        kHotMessages,
        {"congestion.enabled=true", "job.program=alltoall", "job.ranks=8", "job.bytes=6000",
         "job.iterations=2", "job.placement=random", std::string("job.transfer=") + transfer,
         "traffic.pattern=hot_spot", "traffic.hot_fraction=1"},
        0.6);
    const RunResult result = simulated(*r);
    expect_delivered(result);
    ASSERT_EQ(result.jobs.size(), 1U);
    EXPECT_EQ(result.jobs.front().iteration_cycles.size(), 2U) << transfer;
    EXPECT_GT(result.congestion.heard, 0U);
  }
}

}  // namespace
}  // namespace hopwise::engine
