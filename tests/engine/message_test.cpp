// SPDX-License-Identifier: Apache-2.0
// Networks whose terminals have message interfaces: their RTL runs, every byte is checked, and what
// goes wrong is told.
#include <fmt/format.h>

#include "app/results.hpp"
#include "fixture.hpp"
#include "traffic/jobs/job.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {
namespace {

const char* const kMessageTorus = R"(
topology: {kind: torus, dims: [2, 2]}
packet: {flit_bits: 128, max_flits: 5}
router: {vcs: 4, vc_depth_flits: 16}
terminal: {interface: messages, outstanding: 64, windows: 16}
)";
const char* const kMessageDragonfly = R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}
packet: {flit_bits: 128, max_flits: 5}
router: {vc_depth_flits: 16}
routing: {algorithm: ugal_ln, modes: true}
terminal: {interface: messages, outstanding: 64, windows: 16}
)";

/// A network with the job of its section, if there is one. The run points into it.
struct MessageRun {
  app::Simulated network;
  std::optional<traffic::Job> job;
  RunOptions run;
};

std::unique_ptr<MessageRun> message_run(const char* yaml, const std::vector<std::string>& settings,
                                        double load = 0) {
  auto all = std::make_unique<MessageRun>(
      MessageRun{compiled(yaml, with(settings, {"simulation.engine=verilator"})), {}, {}});
  all->run = short_run(all->network, load);
  if (!all->network.proven->spec().job.any()) return all;
  auto job = traffic::make_job(all->network.proven->spec().job, all->network.proven->spec().network,
                               all->network.setup->topology);
  EXPECT_TRUE(job.ok()) << (job.ok() ? "" : format(job.errors()));
  all->job.emplace(std::move(job).value());
  all->run.job = &*all->job;
  return all;
}

RunResult simulated(const MessageRun& r) { return simulated(r.network, r.run); }

std::string text(const MessageRun& r, const RunResult& result) {
  return app::point_json("r", "p", result, *r.network.proven).dump();
}

/// Every message was delivered, to the byte.
void expect_delivered(const RunResult& r) {
  expect_accounted(r);
  ASSERT_TRUE(r.messages);
  EXPECT_EQ(r.messages->sent, r.messages->completed);
  EXPECT_EQ(r.messages->bytes_sent, r.messages->bytes_written);
  EXPECT_EQ(r.by_class.at(0).delivered, r.by_class.at(1).delivered);  // a response for each
  EXPECT_EQ(r.messages->interfaces.request_packets, r.by_class.at(0).delivered);
  EXPECT_EQ(r.messages->interfaces.response_packets, r.by_class.at(1).delivered);
}

std::string all_failures(const RunResult& r) {
  std::string all;
  for (const auto& what : r.failures) all += what + "\n";
  return all;
}

const std::vector<std::string> kStalls = {"simulation.memory_stalls=0.3",
                                          "simulation.memory_latency_cycles=9"};

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
