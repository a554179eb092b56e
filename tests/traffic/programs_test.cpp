// SPDX-License-Identifier: Apache-2.0
// Programs of jobs, executed with data: who knows what in the end, whatever the number of ranks.
#include "traffic/jobs/programs.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "traffic/jobs/check.hpp"

namespace hopwise::traffic {
namespace {

using spec::JobSpec;
using Kind = Operation::Kind;

JobSpec job_of(JobSpec::Program program, std::uint64_t ranks, std::uint64_t bytes = 1000) {
  JobSpec job;
  job.name = "job";
  job.program = program;
  job.ranks = ranks;
  job.bytes = bytes;
  return job;
}

std::vector<Program> programs_of(const JobSpec& job) {
  auto programs = make_programs(job);
  EXPECT_TRUE(programs.ok()) << (programs.ok() ? "" : format(programs.errors()));
  const Diagnostics errors = match(job, programs.value());
  EXPECT_TRUE(errors.empty()) << format(errors);
  return std::move(programs).value();
}

TEST(Programs, ByGettingHaveTheBlocksOfThoseBySending) {
  for (const std::size_t n : {2, 5, 8}) {
    using Blocks = std::multiset<std::tuple<std::size_t, std::uint32_t, std::uint64_t>>;
    const auto blocks = [n](const char* line, Kind kind) {
      JobSpec job = job_of(JobSpec::Program::kCustom, n);
      job.operations.push_back({line, {}});
      Blocks all;
      const auto programs = programs_of(job);
      for (std::size_t rank = 0; rank < n; ++rank) {
        EXPECT_EQ(programs[rank].operations().back().kind, Kind::kWait);
        for (const Operation& o : programs[rank].operations())
          if (o.kind == kind) all.insert({rank, o.peer, o.amount});
      }
      return all;
    };
    EXPECT_EQ(blocks("all alltoall 77 get", Kind::kGet), blocks("all alltoall 77", Kind::kReceive));
  }
}

TEST(Programs, ThatGetBringTheSameBlocksAsThoseThatSend) {
  using Blocks = std::multiset<std::tuple<std::size_t, std::uint32_t, std::uint64_t>>;
  const auto blocks = [](JobSpec job, JobSpec::Transfer transfer) {
    job.transfer = transfer;
    const bool gets = transfer == JobSpec::Transfer::kGet;
    Blocks all;
    const auto programs = programs_of(job);
    for (std::size_t rank = 0; rank < job.ranks; ++rank) {
      for (const Operation& o : programs[rank].operations()) {
        if (o.kind == (gets ? Kind::kGet : Kind::kReceive)) all.insert({rank, o.peer, o.amount});
        EXPECT_FALSE(gets && (o.kind == Kind::kSend || o.kind == Kind::kReceive));
      }
      if (gets) {
        EXPECT_EQ(programs[rank].operations().back().kind, Kind::kWait);
      }
    }
    return all;
  };
  for (const auto program : {JobSpec::Program::kAlltoall, JobSpec::Program::kHalo3d,
                             JobSpec::Program::kFft, JobSpec::Program::kPingPong}) {
    JobSpec job = job_of(program, 12, 77);
    if (program == JobSpec::Program::kHalo3d) job.grid = {3, 2, 2};
    if (program == JobSpec::Program::kFft) job.grid = {4, 3};
    Blocks sent = blocks(job, JobSpec::Transfer::kSend);
    // Who gets sends nothing back.
    if (program == JobSpec::Program::kPingPong)
      std::erase_if(sent, [](const auto& b) { return std::get<0>(b) >= 6; });
    EXPECT_FALSE(sent.empty());
    EXPECT_EQ(blocks(job, JobSpec::Transfer::kGet), sent) << static_cast<int>(program);
  }
}

/// Executes programs, with data in the place of bytes: `send` says what a message holds, `take`
/// gets those of a wait in the order of its receives. Naive: it tries all ranks over and over, and
/// pairs sends with receives by queues.
template <class Data>
void execute(const std::vector<Program>& programs,
             const std::function<Data(std::size_t, const Operation&)>& send,
             const std::function<void(std::size_t, std::uint32_t, const Data&)>& take) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::deque<Data>> wires;
  std::vector<std::size_t> at(programs.size());
  std::vector<std::vector<Operation>> open(programs.size());
  const auto wire = [&](std::size_t rank, const Operation& o) -> std::deque<Data>& {
    return wires[{o.peer, static_cast<std::uint32_t>(rank), o.tag}];
  };
  for (bool moved = true; std::exchange(moved, false);) {
    for (std::uint32_t rank = 0; rank < programs.size(); ++rank) {
      const auto& operations = programs[rank].operations();
      for (; at[rank] < operations.size(); ++at[rank], moved = true) {
        const Operation& o = operations[at[rank]];
        if (o.kind == Kind::kSend) wires[{rank, o.peer, o.tag}].push_back(send(rank, o));
        if (o.kind == Kind::kReceive) open[rank].push_back(o);
        if (o.kind != Kind::kWait) continue;
        std::map<const std::deque<Data>*, std::size_t> wanted;
        bool here = true;
        for (const Operation& r : open[rank]) {
          const auto& queue = wire(rank, r);
          here = here && ++wanted[&queue] <= queue.size();
        }
        if (!here) break;
        for (const Operation& r : open[rank]) {
          take(rank, r.peer, wire(rank, r).front());
          wire(rank, r).pop_front();
        }
        open[rank].clear();
      }
    }
  }
  for (std::size_t rank = 0; rank < programs.size(); ++rank) {
    EXPECT_EQ(at[rank], programs[rank].operations().size()) << "rank " << rank << " is held up";
    EXPECT_TRUE(open[rank].empty()) << "rank " << rank << " ends with an open receive";
  }
  for (const auto& [place, queue] : wires) EXPECT_TRUE(queue.empty());
}

/// How often the value of each rank is in a sum.
using Sum = std::vector<unsigned>;
Sum sum(const Sum& a, const Sum& b) {
  Sum both(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) both[i] = a[i] + b[i];
  return both;
}
bool contains(const Sum& whole, const Sum& part) {
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (part[i] > whole[i]) return false;
  }
  return true;
}
Sum only(std::size_t n, std::size_t rank) {
  Sum one(n);
  one[rank] = 1;
  return one;
}

TEST(Programs, AllreduceByDoublingGivesEverybodyTheSumOfAllExactlyOnce) {
  for (std::size_t n = 1; n <= 17; ++n) {
    SCOPED_TRACE(n);
    std::vector<Sum> value;
    for (std::size_t rank = 0; rank < n; ++rank) value.push_back(only(n, rank));
    execute<Sum>(
        programs_of(job_of(JobSpec::Program::kAllreduce, n)),
        [&](std::size_t rank, const Operation&) { return value[rank]; },
        [&](std::size_t rank, std::uint32_t, const Sum& got) {
          // A sum with its own in it is the result; all others are added.
          value[rank] = contains(got, value[rank]) ? got : sum(value[rank], got);
        });
    for (const Sum& v : value) EXPECT_EQ(v, Sum(n, 1));
  }
}

TEST(Programs, AllreduceByRingCombinesEveryPartAndGivesItToAll) {
  for (std::size_t n = 1; n <= 17; ++n) {
    SCOPED_TRACE(n);
    JobSpec job = job_of(JobSpec::Program::kAllreduce, n, 1003);
    job.algorithm = JobSpec::Algorithm::kRing;
    // [rank][part]
    std::vector<std::vector<Sum>> value(n);
    for (std::size_t rank = 0; rank < n; ++rank) value[rank].assign(n, only(n, rank));
    std::vector<std::size_t> sent(n), taken(n);
    using Part = std::pair<std::size_t, Sum>;
    execute<Part>(
        programs_of(job),
        [&](std::size_t rank, const Operation& o) {
          const std::size_t step = sent[rank]++;
          const std::size_t part =
              step + 1 < n ? (rank + n - step) % n : (rank + 1 + 2 * n - (step - (n - 1))) % n;
          EXPECT_EQ(o.amount, 1003 / n + (part < 1003 % n ? 1 : 0));
          return Part{part, value[rank][part]};
        },
        [&](std::size_t rank, std::uint32_t, const Part& got) {
          Sum& mine = value[rank][got.first];
          mine = taken[rank]++ + 1 < n ? sum(mine, got.second) : got.second;
        });
    for (const auto& parts : value) {
      for (const Sum& v : parts) EXPECT_EQ(v, Sum(n, 1));
    }
  }
}

using Known = std::set<std::uint32_t>;

/// What every rank knows in the end, where each sends all that it knows.
std::vector<Known> gossip(const std::vector<Program>& programs, const std::vector<Known>& start) {
  std::vector<Known> known = start;
  execute<Known>(
      programs, [&](std::size_t rank, const Operation&) { return known[rank]; },
      [&](std::size_t rank, std::uint32_t, const Known& got) {
        known[rank].insert(got.begin(), got.end());
      });
  return known;
}

std::vector<Known> own(std::size_t n) {
  std::vector<Known> known(n);
  for (std::uint32_t rank = 0; rank < n; ++rank) known[rank] = {rank};
  return known;
}

TEST(Programs, NobodyLeavesABarrierBeforeAllAreIn) {
  for (std::size_t n = 1; n <= 17; ++n) {
    for (const Known& k : gossip(programs_of(job_of(JobSpec::Program::kBarrier, n)), own(n)))
      EXPECT_EQ(k.size(), n);
  }
}

TEST(Programs, BroadcastBringsTheDataOfRank0ToAll) {
  for (std::size_t n = 1; n <= 17; ++n) {
    SCOPED_TRACE(n);
    std::vector<Known> start(n);
    start[0] = {0};
    const auto programs = programs_of(job_of(JobSpec::Program::kBroadcast, n));
    for (const Known& k : gossip(programs, start)) EXPECT_EQ(k, Known{0});
  }
}

TEST(Programs, AllgatherBringsEveryBlockToAllOneAfterTheOther) {
  for (std::size_t n = 1; n <= 17; ++n) {
    SCOPED_TRACE(n);
    std::vector<Known> known = own(n);
    std::vector<std::uint32_t> last(n);  // the block that goes on
    std::iota(last.begin(), last.end(), 0U);
    execute<std::uint32_t>(
        programs_of(job_of(JobSpec::Program::kAllgather, n)),
        [&](std::size_t rank, const Operation&) { return last[rank]; },
        [&](std::size_t rank, std::uint32_t, const std::uint32_t& block) {
          last[rank] = block;
          EXPECT_TRUE(known[rank].insert(block).second);
        });
    for (const Known& k : known) EXPECT_EQ(k.size(), n);
  }
}

/// Bytes that each rank gets from each other one, and how often.
using Received = std::map<std::pair<std::size_t, std::uint32_t>, std::pair<std::uint64_t, int>>;
Received received_by(const std::vector<Program>& programs) {
  Received received;
  execute<std::uint64_t>(
      programs, [](std::size_t, const Operation& o) { return o.amount; },
      [&](std::size_t rank, std::uint32_t from, const std::uint64_t& bytes) {
        auto& [sum, times] = received[{rank, from}];
        sum += bytes;
        ++times;
      });
  return received;
}

TEST(Programs, AlltoallMovesABlockFromEachToEachOther) {
  for (std::size_t n = 1; n <= 17; ++n) {
    SCOPED_TRACE(n);
    const Received received = received_by(programs_of(job_of(JobSpec::Program::kAlltoall, n, 77)));
    EXPECT_EQ(received.size(), n * (n - 1));
    for (const auto& [pair, got] : received) EXPECT_EQ(got, std::pair(std::uint64_t{77}, 1));
  }
}

TEST(Programs, FftExchangesWithinRowsAndWithinColumns) {
  JobSpec job = job_of(JobSpec::Program::kFft, 12, 8);
  job.grid = {4, 3};
  job.compute_cycles = 5;
  const auto programs = programs_of(job);
  const Received received = received_by(programs);
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::uint32_t b = 0; b < 12; ++b) {
      const bool line = a != b && (a / 4 == b / 4 || a % 4 == b % 4);
      EXPECT_EQ(received.contains({a, b}), line);
    }
    std::uint64_t cycles = 0;
    for (const Operation& o : programs[a].operations())
      cycles += o.kind == Kind::kCompute ? o.amount : 0;
    EXPECT_EQ(cycles, 10u);
  }
}

TEST(Programs, Halo3dExchangesFacesWithTheNeighboursOfAnOpenGrid) {
  JobSpec job = job_of(JobSpec::Program::kHalo3d, 2 * 3 * 4, 500);
  job.grid = {2, 3, 4};
  const Received received = received_by(programs_of(job));
  const auto distance = [](std::size_t a, std::size_t b) {
    const auto d = [](std::size_t x, std::size_t y) { return x > y ? x - y : y - x; };
    return d(a % 2, b % 2) + d(a / 2 % 3, b / 2 % 3) + d(a / 6, b / 6);
  };
  for (std::size_t a = 0; a < 24; ++a) {
    for (std::uint32_t b = 0; b < 24; ++b)
      EXPECT_EQ(received.contains({a, b}), distance(a, b) == 1) << a << " " << b;
  }
  for (const auto& [pair, got] : received) EXPECT_EQ(got, std::pair(std::uint64_t{500}, 1));
}

TEST(Programs, Sweep3dCrossesTheGridFromEachCornerTwice) {
  JobSpec job = job_of(JobSpec::Program::kSweep3d, 15, 40);
  job.grid = {5, 3};
  job.blocks = 4;
  const auto programs = programs_of(job);
  for (const Known& k : gossip(programs, own(15))) EXPECT_EQ(k.size(), 15u);
  // Every edge is crossed in each direction by half of the eight sweeps, in four blocks.
  const Received received = received_by(programs);
  EXPECT_EQ(received.size(), 2u * (4 * 3 + 5 * 2));
  for (const auto& [pair, got] : received) EXPECT_EQ(got.second, 16);
  // From the corner of rank 0 on, the first sweep reaches the one opposite last: ranks whose first
  // operation is no receive begin.
  for (std::size_t rank = 0; rank < 15; ++rank)
    EXPECT_EQ(programs[rank].operations().front().kind == Kind::kReceive, rank != 0);
}

TEST(Programs, PingPongPairsTheHalves) {
  const Received received = received_by(programs_of(job_of(JobSpec::Program::kPingPong, 6, 9)));
  EXPECT_EQ(received.size(), 6u);
  for (const auto& [pair, got] : received) EXPECT_EQ(pair.second, (pair.first + 3) % 6);
}

// ---- custom programs and their check

JobSpec custom_in_file(std::uint64_t ranks, const std::vector<std::string>& lines) {
  JobSpec job = job_of(JobSpec::Program::kCustom, ranks);
  for (unsigned i = 0; i < lines.size(); ++i)
    job.operations.push_back({lines[i], {"net.yaml", i + 1, 5}});
  return job;
}

/// What is wrong with the program, in its words.
std::string faults(std::uint64_t ranks, const std::vector<std::string>& lines) {
  const JobSpec job = custom_in_file(ranks, lines);
  auto programs = make_programs(job);
  return format(programs ? match(job, programs.value()) : programs.errors());
}

TEST(CustomPrograms, LinesSayWhichRanksDoWhat) {
  JobSpec job = custom_in_file(4, {"all compute 10", "0-2 send +1 64 7", "1-3 recv -1 7",
                                   "all wait", "3 compute 100ns", "all alltoall 8"});
  job.clock_ghz = 1.5;
  const auto programs = programs_of(job);
  const Operation send{.kind = Kind::kSend, .peer = 2, .tag = 7, .match = 2, .amount = 64};
  EXPECT_EQ(programs[1].operations()[1], send);
  EXPECT_EQ(programs[0].operations()[2].kind, Kind::kWait);
  EXPECT_EQ(programs[3].operations()[3].amount, 150u);
  EXPECT_EQ(received_by(programs).size(), 12u);
}

TEST(CustomPrograms, ReceivesThatNobodyWaitsForAreCompleteAtTheEnd) {
  const auto programs = programs_of(custom_in_file(2, {"0 send 1 8", "1 recv 0"}));
  EXPECT_EQ(programs[1].operations().back().kind, Kind::kWait);
}

TEST(CustomPrograms, ALineThatSaysNothingIsNamedWithItsPlace) {
  for (const char* line : {"all", "7 wait", "0-9 wait", "2-1 wait", "all sent 1 8", "0 send 1",
                           "0 send 0 8", "0 send 4 8", "0 send 1 -8", "0 send 1 8 x", "0 recv +4",
                           "all compute soon", "all barrier 3", "all allreduce"}) {
    const std::string said = faults(4, {"all wait", line});
    EXPECT_NE(said.find("net.yaml:2:5: error[traffic.job-operation]: job.operations[1]: found '"),
              said.npos)
        << line << ": " << said;
    EXPECT_EQ(said.find("error"), said.rfind("error")) << said;
  }
}

TEST(JobCheck, AMissingReceiveIsFoundWithRankAndOperation) {
  EXPECT_EQ(faults(3, {"0 send 1 8", "0 send 1 8", "1 recv 0"}),
            "net.yaml:2:5: error[traffic.job-match]: job.operations[1]: found rank 0, operation 1 "
            "sends to rank 1, which does not receive it, allowed: a receive for every send, and a "
            "send for every receive\n  hint: rank 0 to rank 1: 2 sends, 1 receives\n");
}

TEST(JobCheck, AMissingSendIsFound) {
  const std::string said = faults(3, {"0 send 1 8 2", "1 recv 0 3"});
  EXPECT_NE(said.find("rank 0, operation 0 sends to rank 1 with tag 2, which does not receive"),
            said.npos);
  EXPECT_NE(said.find("rank 1, operation 0 receives from rank 0 with tag 3, which sends nothing"),
            said.npos);
}

TEST(JobCheck, ACircleOfWaitsIsFoundAndTold) {
  EXPECT_EQ(faults(4, {"0-2 compute 5", "1 recv 0", "2 recv 1", "0 recv 2", "0-2 wait",
                       "0 send 1 8", "1 send 2 8", "2 send 0 8"}),
            "net.yaml:4:5: error[traffic.job-deadlock]: job.operations[3]: found rank 0, operation "
            "1 waits for rank 2; rank 2, operation 1 waits for rank 1; rank 1, operation 1 waits "
            "for rank 0, allowed: ranks that do not wait for each other\n"
            "  hint: a send before a wait breaks the circle\n");
  // A send before the wait, at one of them, breaks it.
  EXPECT_EQ(faults(4, {"0 send 1 8", "0-2 compute 5", "1 recv 0", "2 recv 1", "0 recv 2",
                       "0-2 wait", "1 send 2 8", "2 send 0 8"}),
            "");
}

TEST(JobCheck, RanksBehindACircleAreNotBlamed) {
  const std::string said = faults(4, {"0 recv 1", "0 wait", "1 recv 2", "2 recv 1 1", "1-2 wait",
                                      "1 send 0 8", "2 send 1 8", "1 send 2 8 1"});
  EXPECT_NE(said.find("rank 1, operation 0 waits for rank 2"), said.npos) << said;
  EXPECT_EQ(said.find("rank 0, "), said.npos) << said;
}

/// A receive is lost from every collective in turn: each loss is seen.
TEST(JobCheck, EveryReceiveOfACollectiveIsMissed) {
  for (const auto program : {JobSpec::Program::kBarrier, JobSpec::Program::kBroadcast,
                             JobSpec::Program::kAllreduce, JobSpec::Program::kAlltoall}) {
    const JobSpec job = job_of(program, 6);
    const auto whole = make_programs(job).value();
    for (std::size_t rank = 0; rank < whole.size(); ++rank) {
      for (std::size_t i = 0; i < whole[rank].operations().size(); ++i) {
        if (whole[rank].operations()[i].kind != Kind::kReceive) continue;
        auto faulty = whole;
        faulty[rank].at(i) = {};  // a wait
        const Diagnostics errors = match(job, faulty);
        ASSERT_EQ(errors.size(), 1u);
        EXPECT_EQ(errors.front().code, "traffic.job-match");
      }
    }
  }
}

TEST(JobCheck, TooManyOperationsAreRefusedBeforeTheyFillTheMemory) {
  const auto programs = make_programs(job_of(JobSpec::Program::kAlltoall, 65536));
  ASSERT_FALSE(programs.ok());
  EXPECT_EQ(programs.errors().front().code, "traffic.job-size");
  JobSpec custom = job_of(JobSpec::Program::kCustom, 1056);
  for (unsigned line = 0; line < 40; ++line) custom.operations.push_back({"all alltoall 8", {}});
  const auto lines = make_programs(custom);
  ASSERT_FALSE(lines.ok());
  EXPECT_EQ(lines.errors().front().code, "traffic.job-size");
}

}  // namespace
}  // namespace hopwise::traffic
