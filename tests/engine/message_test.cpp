// SPDX-License-Identifier: Apache-2.0
// Networks whose terminals have message interfaces: their RTL runs, every byte is checked, and what
// goes wrong is told.
#include <fmt/format.h>

#include "app/job_results.hpp"
#include "engine/request_modes.hpp"
#include "message_run.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {
namespace {

TEST(Messages, AnAllToAllIsDeliveredToTheByteWhateverTheMemoriesDo) {
  for (const unsigned bytes : {1, 16, 63, 64, 65, 777, 9000}) {
    SCOPED_TRACE(bytes);
    const auto r =
        message_run(kMessageTorus, with(kStalls, {"job.program=alltoall", "job.iterations=3",
                                                  "job.bytes=" + std::to_string(bytes)}));
    const RunResult result = simulated(*r);
    expect_delivered(result);
    EXPECT_EQ(result.stopped, "last-step");
    EXPECT_EQ(result.messages->sent, 4u * 3 * 4);  // with the warm-up
    EXPECT_EQ(result.messages->bytes_written, 4u * 3 * 4 * bytes);
  }
}

/// Messages of many sizes to all others, of which none waits for another.
std::vector<std::string> random_sizes(unsigned ranks) {
  traffic::Random random(5, 1);
  std::string lines;
  const auto add = [&lines](const std::string& line) {
    lines += (lines.empty() ? "" : ",") + line;
  };
  for (unsigned i = 0; i < 40; ++i) {
    const auto from = static_cast<unsigned>(random.below(ranks));
    const auto to = static_cast<unsigned>((from + 1 + random.below(ranks - 1)) % ranks);
    const std::uint64_t bytes = random.below(std::uint64_t{1} << random.below(14));
    add(fmt::format("{} send {} {} {}", from, to, bytes, i));
    add(fmt::format("{} recv {} {}", to, from, i));
  }
  return {"job.program=custom", "job.operations=[" + lines + "]", "job.iterations=3"};
}

TEST(Messages, RandomSizesOnADragonflyThreadsAndIdleTerminalsLeaveEveryByteAsItIs) {
  const auto r = message_run(kMessageDragonfly, with(kStalls, random_sizes(6)));
  const RunResult one = simulated(*r);
  expect_delivered(one);
  EXPECT_EQ(one.messages->sent, 40u * 4);
  r->run.threads = 2;
  EXPECT_EQ(text(*r, simulated(*r)), text(*r, one));
  r->run.threads = 1;
  r->run.skip_idle = false;
  EXPECT_EQ(text(*r, simulated(*r)), text(*r, one));
}

TEST(Messages, ASenderFarAheadWaitsForWindows) {
  // 200 messages for which 15 windows are open at a time, while the receiver computes.
  std::string lines = "1 compute 3000";
  for (unsigned i = 0; i < 50; ++i) lines += ",0 send 1 100,1 recv 0";
  const auto r = message_run(kMessageTorus, {"job.program=custom", "job.operations=[" + lines + "]",
                                             "job.iterations=4", "job.warmup_iterations=0"});
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_EQ(result.messages->sent, 200u);
}

TEST(Messages, ARankThatOnlyReceivesSeesMessagesWithoutDataToo) {
  const auto r = message_run(kMessageTorus, {"job.program=barrier", "job.iterations=5"});
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_EQ(result.messages->bytes_written, 4u * 2 * 6);  // a byte each
}

TEST(Messages, PatternsSendTheirPacketsAsMessages) {
  const auto r = message_run(kMessageTorus, {"traffic.packet_flits={min: 2, max: 5}"}, 0.3);
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_NEAR(result.accepted_load, 0.3, 0.03);
  EXPECT_FALSE(result.saturated);
  EXPECT_GT(result.latency.mean, result.network_latency.mean);
}

TEST(Messages, PacketsThatFindNoPlaceCountInTheOfferedLoad) {
  const auto r = message_run(kMessageTorus, {"traffic.source_queue_packets=1"}, 1);
  const RunResult result = simulated(*r);
  expect_accounted(result);
  EXPECT_NEAR(result.offered_load, 1, 0.05);
  EXPECT_LT(result.accepted_load, 0.9);
}

/// Rank 0 has more messages for rank 1 than there are windows, and rank 1 takes them when it has
/// heard of rank 2, who waits for a message behind all of them.
TEST(Messages, ThoseThatWaitForWindowsHoldUpNoOtherRankHoweverManyTheyAre) {
  constexpr unsigned kMany = 200;
  std::string lines = "1 recv 2,1 wait";
  for (unsigned i = 0; i < kMany; ++i) lines += ",0 send 1 64 1";
  lines += ",0 send 2 64,2 recv 0,2 wait,2 send 1 64";
  for (unsigned i = 0; i < kMany; ++i) lines += ",1 recv 0 1";
  const auto r =
      message_run(kMessageTorus, {"job.program=custom", "job.ranks=3", "job.iterations=1",
                                  "job.operations=[" + lines + ",1 wait]",
                                  "traffic.source_queue_packets=4", "job.max_cycles=100000"});
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_EQ(result.stopped, "last-step");
}

TEST(Messages, SlowMemoriesAreNoSaturation) {
  const auto r = message_run(kMessageTorus, {"simulation.memory_latency_cycles=300"}, 0.05);
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_GT(result.latency.mean, 600);
  EXPECT_FALSE(result.saturated);
}

/// Two messages, a request and a response each, the last of which may come when the job is done;
/// others ask the ranks' terminals meanwhile.
TEST(Messages, WhatRanksAnswerOthersIsNoneOfTheirJob) {
  const auto r =
      message_run(kMessageTorus,
                  {"job.program=ping_pong", "job.ranks=2", "job.bytes=64", "job.iterations=1",
                   "job.warmup_iterations=0", "traffic.packet_flits=5"},
                  0.5);
  const RunResult result = simulated(*r);
  expect_accounted(result);
  ASSERT_EQ(result.jobs.size(), 1u);
  EXPECT_GE(result.jobs.front().network_latency.packets, 3u);
  EXPECT_LE(result.jobs.front().network_latency.packets, 4u);
}

/// Messages of many sizes there and back, one at a time.
std::vector<std::string> serial(const char* mode) {
  std::string lines;
  for (unsigned i = 0; i < 24; ++i) {
    const unsigned bytes = i % 3 == 0 ? 20000 : i % 3 == 1 ? 600 : 4000 + 900 * i;
    lines += fmt::format("{0}0 send 1 {1},1 recv 0,1 wait,1 send 0 {1},0 recv 1,0 wait",
                         i == 0 ? "" : ",", bytes);
  }
  return {"job.program=custom", "job.operations=[" + lines + "]", "job.iterations=4",
          "terminal.mode_selector=true", std::string("job.mode=") + mode};
}

TEST(Messages, HardwareAndSoftwareChooseTheSameModes) {
  const auto hardware = message_run(kMessageDragonfly, serial("auto"));
  hardware->run.check_selectors = true;
  const RunResult chosen = simulated(*hardware);
  expect_delivered(chosen);
  // Both modes were taken.
  ASSERT_TRUE(chosen.jobs.front().mode_share);
  EXPECT_GT((*chosen.jobs.front().mode_share)[0], 0);
  EXPECT_GT((*chosen.jobs.front().mode_share)[3], 0);
  expect_modes_add_up(*chosen.messages);
  const auto job = app::jobs_json(chosen.jobs, 1, chosen.messages).at(0);
  ASSERT_EQ(job.at("modes").size(), 2u);
  for (const char* mode : {"adaptive_0", "adaptive_3"})
    EXPECT_GT(job.at("modes").at(mode).at("round_trip_cycles"), 0.0);
}

TEST(Messages, ModesOfRequestsAddUpWhereTheyWaitForCredits) {
  const auto r =
      message_run(kMessageDragonfly,
                  with(kStalls, {"job.program=alltoall", "job.bytes=9000", "job.iterations=2",
                                 "terminal.mode_selector=true", "job.mode=auto"}));
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_GT(result.messages->of_ranks.request_stalled, 0u);
  expect_modes_add_up(*result.messages);
}

TEST(Messages, AResponseToARequestThatIsOverCountsForNoMode) {
  RequestModes modes(16);
  modes.head(3, 1, 100);
  modes.tail(5, 7);
  modes.response(3 + 16, 130);  // of the generation before
  EXPECT_EQ(modes.counts()[1].response_packets, 0u);
  modes.response(3, 140);
  modes.response(3, 150);
  EXPECT_EQ(modes.counts()[1].response_packets, 1u);
  EXPECT_EQ(modes.counts()[1].response_latency, 40u);
  EXPECT_EQ(modes.counts()[1].request_stalled, 7u);
}

TEST(Messages, SoftwareThatReadsCountersTakesItsTime) {
  const auto software = [](const char* cycles) {
    const auto r = message_run(
        kMessageDragonfly,
        with(serial("software"), {std::string("terminal.counter_read_cycles=") + cycles}));
    const RunResult result = simulated(*r);
    expect_delivered(result);
    return result;
  };
  const RunResult free = software("0"), slow = software("1000");
  EXPECT_FALSE(free.messages->decisions.empty());
  EXPECT_GT(slow.jobs.front().end_cycle, free.jobs.front().end_cycle + 4 * 1000);
}

TEST(Messages, AByteThatIsFlippedInMemoryIsReported) {
  const auto r = message_run(kMessageTorus, {"job.program=alltoall", "job.bytes=640"});
  r->run.fault = SeededFault{.kind = SeededFault::Kind::kFlippedByte, .ejected_flit = 50};
  const RunResult result = simulated(*r);
  EXPECT_NE(all_failures(result).find("are not what was sent"), std::string::npos)
      << all_failures(result);
}

TEST(Messages, AWindowThatIsTooSmallIsReportedBySenderAndRank) {
  const auto r = message_run(kMessageTorus, {"job.program=alltoall", "job.bytes=640"});
  r->run.fault = SeededFault{.kind = SeededFault::Kind::kSmallWindow, .ejected_flit = 2};
  const std::string all = all_failures(simulated(*r));
  EXPECT_NE(all.find("ends with status 4"), std::string::npos) << all;
  EXPECT_NE(all.find("ranks are not done; rank 0 waits"), std::string::npos) << all;
}

}  // namespace
}  // namespace hopwise::engine
