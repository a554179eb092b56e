// SPDX-License-Identifier: Apache-2.0
// What terminals are made of, against naive models.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <vector>

#include "engine/alarms.hpp"
#include "engine/pacer.hpp"
#include "engine/packet_records.hpp"
#include "engine/source_queues.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {
namespace {

/// The rule of rtl/link/hw_link_pacer, cycle by cycle.
struct SteppedPacer {
  int num, den, debt = 0;
  bool ready() const { return debt <= 0; }
  void tick(bool send) {
    if (send)
      debt += num - den;
    else
      debt = debt > 0 ? debt - den : 0;
  }
};

TEST(Pacer, IsThatOfTheLinkInEveryCycle) {
  traffic::Random random(1, 1);
  for (const auto& [num, den] : {std::pair{1u, 1u}, {5u, 2u}, {10u, 1u}, {7u, 3u}, {1000u, 999u}}) {
    for (const unsigned one_in : {1u, 2u, 20u}) {
      Pacer pacer;
      SteppedPacer model{static_cast<int>(num), static_cast<int>(den)};
      for (std::uint64_t cycle = 0; cycle < 20000; ++cycle) {
        ASSERT_EQ(pacer.ready(cycle), model.ready()) << num << '/' << den << ' ' << cycle;
        if (model.ready()) {
          ASSERT_LE(pacer.ready_cycle(), cycle);
        }
        const bool send = model.ready() && random.below(one_in) == 0;
        if (send) pacer.send(cycle, {num, den});
        model.tick(send);
      }
    }
  }
}

TEST(Alarms, RingInTheirCycleAlsoWhereTheClockOf32BitsComesRound) {
  constexpr std::size_t kCount = 13;
  for (const std::uint64_t begin : {std::uint64_t{0}, (std::uint64_t{1} << 32) - 500}) {
    Alarms alarms(kCount);
    traffic::Random random(2, 1);
    std::vector<std::uint64_t> at(kCount);
    for (std::size_t i = 0; i < kCount; ++i) alarms.set(i, begin, at[i] = begin);
    for (std::uint64_t now = begin; now < begin + 1000; ++now) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < kCount; ++i) {
        if (at[i] <= now) expected.push_back(i);
      }
      const auto ringing = alarms.ringing(now);
      ASSERT_TRUE(std::equal(ringing.begin(), ringing.end(), expected.begin(), expected.end()));
      for (const std::uint32_t i : expected) {
        if (random.below(4) == 0) continue;  // not set anew: rings again
        at[i] = random.below(8) == 0 ? Alarms::kNever : now + random.below(30);
        alarms.set(i, now, at[i]);
      }
    }
  }
}

TEST(PacketRecords, HoldAsManyAsTheyMayAndWaitForTheOneThatHasTheId) {
  constexpr std::uint32_t kMost = 256, kIds = 1024;
  PacketRecords records(3, kMost, {0, 3});
  traffic::Random random(3, 1);
  std::map<std::uint32_t, std::uint64_t> under_way;  // id modulo kMost -> time of generation
  std::uint32_t next_id = 0, refused = 0;
  for (std::uint64_t time = 0; time < 100'000; ++time) {
    // Long times of filling up, and of emptying.
    if (random.below(4) < (time / 2000 % 2 == 0 ? 3u : 1u)) {
      PacketRecord* record = records.next(1, next_id);
      ASSERT_EQ(record == nullptr, under_way.contains(next_id % kMost)) << time;
      if (record == nullptr) {
        ++refused;
        continue;
      }
      *record = {.generated = time, .id = static_cast<std::uint16_t>(next_id), .flits = 1};
      records.step(1, next_id) = ~time;
      under_way[next_id % kMost] = time;
      next_id = (next_id + 1) % kIds;
    } else if (!under_way.empty()) {
      auto it = under_way.lower_bound(static_cast<std::uint32_t>(random.below(kMost)));
      if (it == under_way.end()) it = under_way.begin();
      // the id, of which the place says what is left of kMost
      std::uint32_t id = it->first;
      while (records.of(1, id).id != id) id += kMost;
      ASSERT_LT(id, kIds);
      ASSERT_EQ(records.of(1, id).generated, it->second);
      ASSERT_EQ(records.step(1, id), ~it->second);
      records.of(1, id).flits = 0;
      under_way.erase(it);
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_EQ(records.of(0, 5).flits, 0);
}

TEST(SourceQueues, ThatShareTheirMemoryAreQueues) {
  SourceQueues queues;
  std::vector<SourceQueues::Queue> queue(5);
  std::vector<std::deque<std::uint64_t>> model(queue.size());
  traffic::Random random(4, 1);
  for (std::uint64_t time = 0; time < 50'000; ++time) {
    const std::size_t i = random.below(queue.size());
    ASSERT_EQ(queue[i].packets, model[i].size());
    if (random.below(2) == 0) {
      queues.push(queue[i], {.cycle = time});
      model[i].push_back(time);
    } else if (!queue[i].empty()) {
      ASSERT_EQ(queues.front(queue[i]).cycle, model[i].front());
      queues.pop(queue[i]);
      model[i].pop_front();
    }
  }
}

}  // namespace
}  // namespace hopwise::engine
