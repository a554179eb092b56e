// SPDX-License-Identifier: Apache-2.0
// Jobs: where ranks are, how messages are cut, and what a rank does when packets come as they like.
#include "traffic/jobs/job.hpp"

#include <gtest/gtest.h>

#include <set>

#include "topology/grid.hpp"
#include "traffic/jobs/rank.hpp"

namespace hopwise::traffic {
namespace {

using spec::JobSpec;

struct Net {
  spec::NetworkSpec network;
  topology::Topology topology;
};
Net net() {
  spec::NetworkSpec network;
  network.packet = {.flit_bits = 64, .max_flits = 5};
  spec::LinkSpec link;
  link.latency_cycles = {1, 1};
  return {network, topology::Topology(topology::builtin_kinds(), topology::torus({4, 4}, 1), link)};
}

JobSpec custom(std::uint64_t ranks, const std::vector<std::string>& lines) {
  JobSpec job;
  job.name = "job";
  job.program = JobSpec::Program::kCustom;
  job.ranks = ranks;
  job.iterations = 3;
  job.max_cycles = 1000;
  for (const std::string& line : lines) job.operations.push_back({line, {}});
  return job;
}

Job made_job(const JobSpec& spec) {
  const Net n = net();
  auto job = make_job(spec, n.network, n.topology);
  EXPECT_TRUE(job.ok()) << (job.ok() ? "" : format(job.errors()));
  return std::move(job).value();
}

TEST(MessagePackets, HoldAllBytesAndNoMoreFlitsThanThat) {
  const MessagePackets packets{.flit_bits = 64, .overhead = 1, .payload = 4};
  for (std::uint64_t bytes = 0; bytes < 200; ++bytes) {
    std::uint64_t data = 0;
    const std::uint64_t number = packets.packets(bytes);
    for (std::uint64_t i = 0; i < number; ++i) {
      const std::uint32_t flits = packets.flits(bytes, i);
      EXPECT_TRUE(flits == 5 || i + 1 == number);
      EXPECT_GE(flits, bytes == 0 ? 1u : 2u);
      data += flits - 1;
    }
    EXPECT_EQ(data, (bytes + 7) / 8);
  }
}

TEST(Job, PacketsWithoutRoomForDataAreRefused) {
  Net n = net();
  n.network.packet.max_flits = 1;
  const auto job = make_job(custom(2, {"all wait"}), n.network, n.topology);
  ASSERT_FALSE(job.ok());
  EXPECT_EQ(job.errors().front().code, "traffic.job-packets");
}

TEST(Job, MessageInterfacesTakeMessagesWholeUpToAMebibyte) {
  Net n = net();
  n.network.packet.max_flits = 5;
  n.network.terminal.messages = true;
  const auto job = make_job(custom(2, {"0 send 1 1048576", "1 recv 0"}), n.network, n.topology);
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job.value().packets().packets(1048576), 1u);
  EXPECT_EQ(job.value().packets().packets(0), 1u);
  const auto more = make_job(custom(2, {"0 send 1 1048577", "1 recv 0"}), n.network, n.topology);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.errors().front().code, "traffic.job-message");
}

TEST(Job, GetsTakeAMessageInterface) {
  const JobSpec spec = custom(3, {"0 get 1 8", "1-2 get +1 8", "all compute 5"});
  Net n = net();
  const auto streams = make_job(spec, n.network, n.topology);
  ASSERT_FALSE(streams.ok());
  ASSERT_EQ(streams.errors().size(), 2u);  // one for each line
  EXPECT_EQ(streams.errors()[1].code, "traffic.job-get");
  EXPECT_EQ(streams.errors()[1].key, "job.operations[1]");
  n.network.terminal.messages = true;
  EXPECT_TRUE(make_job(spec, n.network, n.topology).ok());
  const auto more = make_job(custom(2, {"0 get 1 1048577"}), n.network, n.topology);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.errors().front().code, "traffic.job-message");
}

TEST(Rank, WaitsForTheDataOfItsGets) {
  Net n = net();
  n.network.terminal.messages = true;
  auto job =
      make_job(custom(2, {"0 get 1 100", "0 get 1 8", "0 compute 3"}), n.network, n.topology);
  ASSERT_TRUE(job.ok());
  Rank rank(job.value(), 0), other(job.value(), 1);
  EXPECT_TRUE(other.done());  // it does nothing for them
  for (std::uint64_t iteration = 0; iteration < 3; ++iteration) {
    const std::uint64_t now = rank.next_cycle(), step = 4 * iteration + 1;
    for (const std::uint64_t get : {step, step + 1}) {
      const GeneratedPacket packet = rank.pop();
      EXPECT_TRUE(packet.get);
      EXPECT_EQ(packet.step, get);
      EXPECT_EQ(packet.dst, job.value().terminal(1));
    }
    EXPECT_EQ(rank.next_cycle(), kNoPacket);
    rank.receive(now + 50, step + 1);
    EXPECT_EQ(rank.next_cycle(), kNoPacket);
    rank.receive(now + 60, step);
    EXPECT_EQ(rank.ends().back(), now + 60);
  }
  EXPECT_TRUE(rank.done());
}

std::vector<std::size_t> places(const Job& job) {
  std::vector<std::size_t> all;
  for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) all.push_back(index(job.terminal(rank)));
  return all;
}

TEST(Job, RanksHaveTerminalsOfTheirOwnByOrderByChanceOrByList) {
  JobSpec spec = custom(5, {"all wait"});
  EXPECT_EQ(places(made_job(spec)), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  spec.placement = JobSpec::Placement::kRandom;
  std::set<std::vector<std::size_t>> seen;
  std::set<std::size_t> used;
  for (spec.placement_seed = 1; spec.placement_seed <= 20; ++spec.placement_seed) {
    const auto here = places(made_job(spec));
    EXPECT_EQ(here, places(made_job(spec)));
    EXPECT_EQ(std::set(here.begin(), here.end()).size(), 5u);
    seen.insert(here);
    used.insert(here.begin(), here.end());
  }
  EXPECT_GE(seen.size(), 19u);
  EXPECT_EQ(used.size(), 16u);
  spec.placement = JobSpec::Placement::kList;
  spec.terminals = {9, 3, 12, 0, 15};
  const Job listed = made_job(spec);
  EXPECT_EQ(places(listed), (std::vector<std::size_t>{9, 3, 12, 0, 15}));
  EXPECT_TRUE(listed.has(TerminalId{12}));
  EXPECT_FALSE(listed.has(TerminalId{13}));
}

/// All packets that the rank hands over in a cycle.
std::vector<GeneratedPacket> sent(Rank& rank) {
  std::vector<GeneratedPacket> packets;
  while (rank.next_cycle() != kNoPacket) packets.push_back(rank.pop());
  return packets;
}

TEST(Rank, TakesPacketsInAnyOrderAndThoseOfLaterIterationsFirst) {
  // 80 bytes: ten flits of data in three packets.
  const Job job = made_job(custom(
      2, {"0 send 1 80", "0 send 1 8 1", "1 recv 0", "1 recv 0 1", "1 wait", "1 compute 7"}));
  const auto ranks = job.start();
  Rank &from = *ranks[0], &to = *ranks[1];
  const auto packets = sent(from);  // of all iterations: nothing holds it up
  ASSERT_EQ(packets.size(), 12u);
  EXPECT_TRUE(from.done());
  EXPECT_EQ(from.ends(), (std::vector<std::uint64_t>{0, 0, 0}));
  EXPECT_EQ(to.next_cycle(), kNoPacket);
  // The last iteration comes first.
  for (std::size_t i = 8; i < 12; ++i) to.receive(100 + i, packets[i].step);
  EXPECT_TRUE(to.ends().empty());
  for (const std::size_t i : {3, 2, 0}) to.receive(200 + i, packets[i].step);
  to.receive(300, 0);  // somebody else's
  EXPECT_TRUE(to.ends().empty());
  to.receive(400, packets[1].step);
  EXPECT_EQ(to.ends(), (std::vector<std::uint64_t>{407}));
  // While it computes the second is complete: it goes on when it has computed.
  for (std::size_t i = 4; i < 8; ++i) to.receive(400, packets[i].step);
  EXPECT_EQ(to.ends(), (std::vector<std::uint64_t>{407, 414, 421}));
  EXPECT_TRUE(to.done());
}

TEST(Rank, ComputesBeforeItSendsAndSaysWhatItWaitsFor) {
  const Job job = made_job(
      custom(2, {"all compute 50", "0 send 1 80", "1 recv 0", "1 wait", "1 send 0 0", "0 recv 1"}));
  const auto ranks = job.start();
  EXPECT_EQ(ranks[0]->next_cycle(), 50u);
  ranks[0]->postpone(60);  // the queue is full
  const auto packets = sent(*ranks[0]);
  EXPECT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets.front().cycle, 60u);
  EXPECT_EQ(packets.front().dst, TerminalId{1});
  // What they did: rank 1 still computes when its message begins to come.
  ASSERT_EQ(ranks[0]->course().size(), 2u);
  EXPECT_EQ(ranks[0]->course()[0].doing, Rank::Doing::kCompute);
  EXPECT_EQ(ranks[0]->course()[0].to, 50u);
  EXPECT_EQ(ranks[0]->course()[1].doing, Rank::Doing::kSend);
  EXPECT_EQ(ranks[0]->course()[1].to, 60u);
  ranks[1]->receive(90, packets[0].step);
  EXPECT_EQ(ranks[1]->state(),
            "rank 1 waits in iteration 0, operation 1: 1 of 3 packets from rank 0");
}

}  // namespace
}  // namespace hopwise::traffic
