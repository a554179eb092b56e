// SPDX-License-Identifier: Apache-2.0
// The stream for hosts that train against a list of what was told: a record is the event that it
// says, and the records between are as many as it says were lost.
#include <deque>

#include "../rtl_common/bench.hpp"
#include "Vexperience.h"
#include "Vexperience_counts_late.h"
#include "Vexperience_large.h"
#include "Vexperience_overwrites.h"
#include "Vexperience_reverses.h"

namespace hopwise::test {
namespace {

constexpr unsigned kEventBits = 37, kDecisionLsb = 20;

struct Heard {
  std::uint64_t told = 0, records = 0, lost = 0, wrong = 0;
  bool failed = false;
};

/// `cycles` with events in so many of a hundred cycles, to a host that listens in so many; then
/// silence, until everything has come.
template <class Model>
Heard listen(unsigned events, unsigned ready, unsigned cycles) {
  std::mt19937_64 random(1000 * events + ready);
  Bench<Model> bench;
  bench->event_i = 0;
  bench->experience_tready_i = 0;
  bench.reset();
  Heard heard;
  std::deque<std::uint64_t> told;
  std::uint64_t before = 0;
  bool waits = false;
  for (unsigned n = 0; n < cycles + 1000 && !bench.failed(); ++n) {
    const bool tells = n < cycles && chance(random, events);
    std::uint64_t event = random() & ((std::uint64_t{1} << kEventBits) - 1);
    event &= ~((std::uint64_t{1} << kDecisionLsb) | 1);
    if (tells) event |= random() % 2 == 0 ? 1 : std::uint64_t{1} << kDecisionLsb | (random() & 1);
    bench->event_i = event;
    bench->experience_tready_i = n >= cycles || chance(random, ready);
    bench.settle();
    const std::uint64_t beat = bench->experience_tdata_o;
    heard.wrong += waits && (!bench->experience_tvalid_o || beat != before);  // a beat holds
    waits = bench->experience_tvalid_o && !bench->experience_tready_i;
    before = beat;
    if (bench->experience_tvalid_o && bench->experience_tready_i) {
      ++heard.records;
      for (; heard.lost % 65536 != (beat & 0xffff) && !told.empty(); told.pop_front()) ++heard.lost;
      heard.wrong += told.empty() || told.front() != beat >> 16;
      if (!told.empty()) told.pop_front();
    }
    if (tells) {
      told.push_back(event);
      ++heard.told;
    }
    bench.edge();
  }
  // Those that were lost behind the last record are told by the next one.
  heard.lost += told.size();
  heard.failed = bench.failed() || !bench->idle_o;
  return heard;
}

TEST(Experience, is_heard_or_counted_as_lost) {
  for (const unsigned events : {5U, 30U, 60U, 100U}) {
    for (const unsigned ready : {10U, 50U, 100U}) {
      for (const Heard& heard : {listen<Vexperience>(events, ready, 20000),
                                 listen<Vexperience_large>(events, ready, 20000)}) {
        EXPECT_EQ(heard.wrong, 0U) << events << " " << ready;
        EXPECT_EQ(heard.records + heard.lost, heard.told) << events << " " << ready;
        EXPECT_FALSE(heard.failed);
        if (ready == 100 && events < 40) {
          EXPECT_EQ(heard.lost, 0U);
        }
        if (events == 100) {
          EXPECT_GT(heard.lost, 1000U);
        }
        // A record every second cycle, as long as some wait.
        if (ready == 100 && events == 100) {
          EXPECT_GE(heard.records, 9990U);
        }
      }
    }
  }
}

TEST(Experience, seeded_faults_are_heard) {
  const auto heard = [](const Heard& h) {
    return h.failed || h.wrong > 0 || h.records + h.lost != h.told;
  };
  EXPECT_TRUE(heard(listen<Vexperience_overwrites>(60, 50, 2000)));
  EXPECT_TRUE(heard(listen<Vexperience_counts_late>(60, 50, 2000)));
  EXPECT_TRUE(heard(listen<Vexperience_reverses>(60, 50, 2000)));
}

}  // namespace
}  // namespace hopwise::test
