// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "Vbias_learner.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kPorts = 5, kTerminals = 2, kGroups = 6, kStampBits = 11, kLatencyBits = 8,
                   kBiasMax = 20, kGroupBits = 3;
constexpr unsigned kFeedbackBits = kLatencyBits + 2;
constexpr unsigned kStamps = 1u << kStampBits, kLongest = (1u << kLatencyBits) - 1;

/// The block as its header tells it, one event at a time; latencies and biases in plain numbers.
struct BiasReference {
  using Latest = std::array<std::optional<unsigned>, kGroups>;
  struct Event {
    unsigned group, kind, latency;
  };
  Latest came[2], read[2];                   // [0] minimal, [1] non-minimal
  std::array<std::int64_t, kGroups> bias{};  // 2^-12 flits
  std::array<unsigned, kGroups> kind{};
  unsigned start = 0;
  std::optional<Event> sample, reading;  // taken in the last cycle
  // Seeded faults
  bool steps_on_every_reading = false, wraps = false, tells_again = false, one_turn_for_all = false;

  unsigned latency(unsigned cycles) const {
    return wraps ? cycles % (kLongest + 1) : std::min(cycles, kLongest);
  }

  int flits(unsigned group) const { return static_cast<int>((bias[group] + 2048) >> 12); }

  /// {latency, kind, valid} for a packet to a group.
  unsigned feedback(unsigned group) const {
    unsigned k = kind[group];
    if (!came[k][group]) k = 1 - k;
    if (!came[k][group]) return 0;
    return *came[k][group] << 2 | k << 1 | 1;
  }

  void clock(const std::optional<Event>& new_sample, const std::optional<Event>& new_reading,
             const std::vector<unsigned>& taken, unsigned rate) {
    std::vector<std::pair<unsigned, unsigned>> told;  // {group, kind}: all see what stood there
    for (const unsigned group : taken)
      if (const unsigned f = feedback(group); f != 0) told.emplace_back(group, f >> 1 & 1);
    for (const auto& [group, k] : told) {
      if (!tells_again) came[k][group] = std::nullopt;
      kind[group] = 1 - k;
      if (one_turn_for_all) kind.fill(1 - k);
    }
    if (sample) came[sample->kind][sample->group] = sample->latency;
    if (reading) {
      const Event e = *reading;
      read[e.kind][e.group] = e.latency;
      if (read[0][e.group] && read[1][e.group]) {
        const std::int64_t difference = static_cast<std::int64_t>(*read[1][e.group]) -
                                        static_cast<std::int64_t>(*read[0][e.group]);
        const std::int64_t most = std::int64_t{kBiasMax} << 12;
        bias[e.group] = std::clamp(bias[e.group] + (difference * rate >> 4), -most, most / 2);
        if (!steps_on_every_reading) read[0][e.group] = read[1][e.group] = std::nullopt;
      }
    }
    sample = new_sample;
    reading = new_reading;
  }
};

class BiasLearner : public testing::Test {
 protected:
  void idle() {
    bench->rate_i = 0;
    bench->now_i = 0;
    bench->end_valid_i = 0;
    bench->turn_valid_i = 0;
    bench->nonminimal_i = 0;
    bench->look_valid_i = 0;
    bench->take_valid_i = 0;
  }

  /// Random arrivals, lookups and departures; true where everything agreed.
  bool run(unsigned rate, int cycles, unsigned percent) {
    bool agreed = true;
    for (int n = 0; n < cycles && agreed; ++n) {
      const auto now = static_cast<unsigned>(random() % kStamps);
      Words groups(1), stamps(2), feedback(2);
      unsigned end = 0, turn = 0, nonminimal = 0;
      std::array<unsigned, kPorts> group{}, stamp{}, told{};
      for (unsigned p = 0; p < kPorts; ++p) {
        group[p] = static_cast<unsigned>(random() % kGroups);
        // Some are longer than what comes back can say; the longest that there may be are among
        // them.
        const auto most = chance(random, 20) ? kStamps / 8 * 7 : kLongest + 1;
        stamp[p] = static_cast<unsigned>(now - random() % most) % kStamps;
        told[p] = static_cast<unsigned>(random() % (1u << kFeedbackBits));
        if (chance(random, percent)) {
          turn |= 1u << p;
          if (chance(random, 60)) end |= 1u << p;
        }
        if (chance(random, 50)) nonminimal |= 1u << p;
        set_bits(groups, p * kGroupBits, kGroupBits, group[p]);
        set_bits(stamps, p * kStampBits, kStampBits, stamp[p]);
        set_bits(feedback, p * kFeedbackBits, kFeedbackBits, told[p]);
      }
      bench->rate_i = static_cast<std::uint16_t>(rate);
      bench->now_i = static_cast<std::uint16_t>(now);
      bench->end_valid_i = static_cast<std::uint8_t>(end);
      bench->turn_valid_i = static_cast<std::uint8_t>(turn);
      bench->nonminimal_i = static_cast<std::uint8_t>(nonminimal);
      write_port(bench->from_group_i, groups);
      write_port(bench->stamp_i, stamps);
      write_port(bench->feedback_i, feedback);
      Words looked(1), taken(1);
      unsigned look = 0, take = 0;
      std::array<unsigned, kTerminals> look_group{}, take_group{};
      for (unsigned t = 0; t < kTerminals; ++t) {
        look_group[t] = static_cast<unsigned>(random() % kGroups);
        take_group[t] = static_cast<unsigned>(random() % kGroups);
        set_bits(looked, t * kGroupBits, kGroupBits, look_group[t]);
        set_bits(taken, t * kGroupBits, kGroupBits, take_group[t]);
        if (chance(random, 50)) look |= 1u << t;
        if (chance(random, 30)) take |= 1u << t;
      }
      bench->look_valid_i = static_cast<std::uint8_t>(look);
      bench->take_valid_i = static_cast<std::uint8_t>(take);
      write_port(bench->look_group_i, looked);
      write_port(bench->take_group_i, taken);
      bench.settle();
      const Words bias = read_port(bench->look_bias_o, 16 * kTerminals),
                  given = read_port(bench->take_feedback_o, kFeedbackBits * kTerminals);
      for (unsigned t = 0; t < kTerminals; ++t) {
        const auto found = static_cast<std::int16_t>(get_bits(bias, 16 * t, 16));
        agreed &= found == ((look >> t & 1) != 0 ? expected.flits(look_group[t]) : 0);
        const auto fed = static_cast<unsigned>(get_bits(given, kFeedbackBits * t, kFeedbackBits));
        // Without a latency the valid bit alone counts.
        const unsigned want = (take >> t & 1) != 0 ? expected.feedback(take_group[t]) : 0;
        agreed &= (want & 1) != 0 ? fed == want : (fed & 1) == 0;
      }
      std::optional<BiasReference::Event> sample, reading;
      for (unsigned i = 0; i < kPorts; ++i) {
        const unsigned p = (expected.start + i) % kPorts;
        if (!sample && (end >> p & 1) != 0)
          sample = {group[p], nonminimal >> p & 1, expected.latency((now - stamp[p]) % kStamps)};
        if (!reading && (turn >> p & 1) != 0 && (told[p] & 1) != 0)
          reading = {group[p], told[p] >> 1 & 1, told[p] >> 2};
      }
      std::vector<unsigned> left;
      for (unsigned t = 0; t < kTerminals; ++t)
        if ((take >> t & 1) != 0) left.push_back(take_group[t]);
      expected.clock(sample, reading, left, rate);
      if (sample || reading) expected.start = (expected.start + 1) % kPorts;
      bench.edge();
    }
    return agreed;
  }

  Bench<Vbias_learner> bench;
  BiasReference expected;
  std::mt19937_64 random{11};
};

TEST_F(BiasLearner, FollowsTheReferenceForEveryRate) {
  for (const unsigned rate : {0u, 66u, 1311u, 6554u, 65535u}) {
    for (const unsigned percent : {5u, 30u, 100u}) {
      idle();
      bench.reset();
      expected = {};
      EXPECT_TRUE(run(rate, 5000, percent))
          << "rate " << rate << ", " << percent << " % at cycle " << bench.cycle();
    }
  }
}

TEST_F(BiasLearner, AReferenceThatStepsOnEveryReadingDisagrees) {
  idle();
  bench.reset();
  expected.steps_on_every_reading = true;
  EXPECT_FALSE(run(6554, 5000, 30));
}

TEST_F(BiasLearner, AReferenceWhoseLongestLatenciesLookShortDisagrees) {
  idle();
  bench.reset();
  expected.wraps = true;
  EXPECT_FALSE(run(6554, 5000, 30));
}

TEST_F(BiasLearner, AReferenceThatTellsALatencyAgainDisagrees) {
  idle();
  bench.reset();
  expected.tells_again = true;
  EXPECT_FALSE(run(6554, 5000, 30));
}

TEST_F(BiasLearner, AReferenceWithOneTurnForAllGroupsDisagrees) {
  idle();
  bench.reset();
  expected.one_turn_for_all = true;
  EXPECT_FALSE(run(6554, 5000, 30));
}

TEST_F(BiasLearner, KnowsNothingAfterReset) {
  idle();
  bench.reset();
  ASSERT_TRUE(run(6554, 500, 50));
  idle();
  bench.reset();
  expected = {};
  EXPECT_TRUE(run(6554, 500, 50));
}

}  // namespace
}  // namespace hopwise::test
