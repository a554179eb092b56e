// SPDX-License-Identifier: Apache-2.0
// hw_q_agent against a naive agent, and hw_q_counters behind decisions at random.
#include <algorithm>
#include <cmath>
#include <utility>

#include "Vagent_dragonfly.h"
#include "Vagent_everything.h"
#include "Vagent_greedy_ties.h"
#include "Vagent_mixed_thresholds.h"
#include "Vagent_par.h"
#include "Vagent_restless.h"
#include "Vagent_torus.h"
#include "Vagent_unfair.h"
#include "Vagent_wide.h"
#include "Vagent_wide_explorer.h"
#include "Vq_counters.h"
#include "Vq_counters_small.h"
#include "Vq_counters_wrong.h"
#include "q_agent_play.hpp"

namespace hopwise::test {
namespace {

template <class Model>
using SmallAgent = Agent<Model, 7, 5, 3, 18, 18, 7, 14, 3, 5, 3, false, false, 1, 1>;
using Dragonfly = SmallAgent<Vagent_dragonfly>;
using Par = Agent<Vagent_par, 7, 5, 3, 18, 18, 7, 14, 3, 5, 2, false, true, 6, 40>;
using Wide = Agent<Vagent_wide, 15, 11, 7, 132, 18, 7, 14, 3, 5, 3, true, false, 1, 1>;
using Torus = Agent<Vagent_torus, 5, 4, 0, 16, 12, 0, 10, 2, 13, 2, false, false, 1, 1>;
using Everything = Agent<Vagent_everything, 15, 11, 7, 132, 13, 3, 12, 3, 9, 3, true, true, 6, 16>;

template <class T>
class QAgent : public testing::Test {};
using Agents = testing::Types<Dragonfly, Par, Wide, Torus, Everything>;
TYPED_TEST_SUITE(QAgent, Agents);

/// Several settings: with and without exploration, thresholds from none to the whole, networks with
/// unconnected ports.
template <class T>
std::vector<QSettings> settings() {
  const std::uint64_t some = ~(1ULL << (T::kCols - 1)) & ~(T::kLocal > 0 ? 1ULL << T::kLocal : 0);
  return {
      {.seed = 1},
      {.epsilon = ~0U, .seed = 0x9e3779b9, .threshold_source = 13107, .threshold_detour = 22938},
      {.epsilon = 0x40000000,
       .seed = 77,
       .threshold_source = 13107,
       .threshold_detour = 22938,
       .connected = some},
      {.epsilon = 85899345,
       .seed = 5,
       .threshold_source = 65535,
       .threshold_detour = 30000,
       .connected = some,
       .ask_percent = 5,
       .load_percent = 0},
      {.epsilon = 0x10000000,
       .seed = 6,
       .threshold_detour = 65535,
       .ask_percent = 100,
       .ready_percent = 100},
      {.epsilon = 0x80000000,
       .seed = 9,
       .threshold_source = 40,
       .threshold_detour = 2,
       .small_percent = 0,
       .infinite_percent = 50}};
}

TYPED_TEST(QAgent, DecidesAsTheNaiveAgentInOrderAndInItsLatency) {
  std::uint64_t decisions = 0, saturated = 0, aside = 0, seed = 0;
  for (const QSettings& s : settings<TypeParam>()) {
    const QResult r = AgentRun<TypeParam>(s, ++seed).run(12000);
    ASSERT_EQ(r.wrong, 0U) << "settings " << seed << ", " << r.first;
    EXPECT_GT(r.decisions, 2000U);
    for (unsigned mode = 0; mode < 4; ++mode) {
      EXPECT_TRUE(r.by_mode[mode] > 400 || (mode == kDetourMode && TypeParam::kLocal == 0))
          << "mode " << mode;
    }
    EXPECT_EQ(r.explored == 0, s.epsilon == 0);
    decisions += r.decisions;
    saturated += r.saturated;
    aside += r.aside;
  }
  EXPECT_GT(saturated, 100U);
  EXPECT_GT(aside, 5000U);
  fmt::print("{} decisions, {} for another than the minimal port\n", decisions, aside);
}

TYPED_TEST(QAgent, TakesAQuestionInEveryCycleAndServesEveryPortInTurn) {
  QSettings s;
  s.ask_percent = s.ready_percent = 100;
  const QResult r = AgentRun<TypeParam>(s, 3).run(1000);
  ASSERT_EQ(r.wrong, 0U) << r.first;  // (the naive agent serves the ports in turn)
  EXPECT_EQ(r.decisions, 1000 - TypeParam::kLatency);
}

/// Pearson's chi-square of counts that should be equal.
double chi_square(const std::vector<std::uint64_t>& counts, unsigned n) {
  double sum = 0, square = 0;
  for (unsigned i = 0; i < n; ++i) sum += static_cast<double>(counts[i]);
  const double mean = sum / n;
  for (unsigned i = 0; i < n; ++i)
    square +=
        (static_cast<double>(counts[i]) - mean) * (static_cast<double>(counts[i]) - mean) / mean;
  return square;
}
/// What chance exceeds about once in 10^5 tests (Wilson and Hilferty).
double chi_square_limit(unsigned degrees) {
  const double k = degrees, z = 4.26, t = 1 - 2 / (9 * k) + z * std::sqrt(2 / (9 * k));
  return k * t * t * t;
}

TYPED_TEST(QAgent, DrawsPortsUniformly) {
  using T = TypeParam;
  QSettings s;
  s.ask_percent = s.ready_percent = 100;
  s.seed = 12345;
  s.load_percent = 0;
  const QResult r = AgentRun<T>(s, 4).run(30000);
  ASSERT_EQ(r.wrong, 0U) << r.first;
  EXPECT_LT(chi_square(r.ports, T::kCols), chi_square_limit(T::kCols - 1));
  if (T::kLocal > 0) {
    EXPECT_LT(chi_square(r.others, T::kLocal), chi_square_limit(T::kLocal - 1));
  }
}

TEST(QAgentDraws, AreUniformToo_WhereTheFirstNumberHasSaidThatThePacketExplores) {
  // The two numbers of a question are neighbours of one generator; with a small epsilon the first
  // is always small.
  for (const std::uint32_t epsilon : {4294967U, 42949673U}) {
    for (const unsigned ports : {4U, 5U, 11U, 14U}) {
      std::uint32_t state = 0x2468ace1;
      std::vector<std::uint64_t> counts(ports);
      for (unsigned found = 0; found < 20000;) {
        const std::uint32_t x = next_random(state), y = next_random(state);
        if (x >= epsilon) continue;
        ++counts[(y & 0xffff) * ports >> 16];
        ++found;
      }
      EXPECT_LT(chi_square(counts, ports), chi_square_limit(ports - 1))
          << ports << " ports, epsilon " << epsilon;
    }
  }
}

template <class T>
std::uint64_t wrong() {
  std::uint64_t wrong = 0, seed = 0;
  for (const QSettings& s : settings<T>()) wrong += AgentRun<T>(s, ++seed).run(4000).wrong;
  return wrong;
}

TEST(QAgentChecks, CatchFaults) {
  EXPECT_EQ(wrong<SmallAgent<Vagent_dragonfly>>(), 0U);
  EXPECT_GT(wrong<SmallAgent<Vagent_mixed_thresholds>>(), 0U);
  EXPECT_GT(wrong<SmallAgent<Vagent_greedy_ties>>(), 0U);
  EXPECT_GT(wrong<SmallAgent<Vagent_wide_explorer>>(), 0U);
  EXPECT_GT(wrong<SmallAgent<Vagent_unfair>>(), 0U);
  EXPECT_GT(wrong<SmallAgent<Vagent_restless>>(), 0U);
}

TEST(QAgentAssertion, AMinimalPortThatIsNotConnectedTripsIt) {
  expect_assertion("a_port_is_connected", [] {
    Bench<Vagent_dragonfly> agent;
    agent->ask_valid_i = 0;
    agent->table_ready_i = 1;
    agent->epsilon_i = 0;
    agent->connected_i = 0b01111;
    agent.reset();
    agent->ask_valid_i = 1;
    agent->ask_mode_i = 0;
    agent->ask_minimal_i = 4;
    for (int i = 0; i < 6 && !agent.failed(); ++i) agent.edge();
    return agent.failed();
  });
}

/// Counters, and how often they were wrong behind random decisions.
template <class Model, unsigned PortWidth, unsigned RowBits, unsigned Value, unsigned Fraction,
          unsigned Time>
unsigned wrong_counts(unsigned cycles) {
  constexpr unsigned kFeedback = 1 + RowBits + Value;
  std::mt19937_64 random(Value);
  Bench<Model> counters;
  Words decision((7 + 4 * PortWidth + Time + kFeedback + 2 * Value + 31) / 32);
  write_port(counters->decision_i, decision);
  counters.reset();
  std::uint32_t sums[6] = {}, shown[6] = {};
  bool rests = true;
  unsigned wrong = 0;
  for (unsigned n = 0; n < cycles; ++n) {
    for (auto& word : decision) word = static_cast<std::uint32_t>(random());
    unsigned lsb = 0;
    const auto field = [&](unsigned width, std::uint64_t value) {
      value &= (1ULL << width) - 1;
      set_bits(decision, lsb, width, value);
      lsb += width;
      return value;
    };
    const bool valid = field(1, random()) != 0;
    const std::uint64_t mode = field(2, random());
    field(2, random());  // narrow, explores
    const std::uint64_t minimal = field(PortWidth, random());
    field(2 * PortWidth, random());
    const std::uint64_t port = field(PortWidth, random() % 3 == 0 ? random() : minimal);
    field(Time, random());
    field(kFeedback, random());
    const std::uint64_t explored = field(1, random()), saturated = field(1, random());
    const std::uint64_t minimal_value = field(Value, random()), best = field(Value, random());
    set_bits(decision, lsb, static_cast<unsigned>(32 * decision.size()) - lsb, 0);
    write_port(counters->decision_i, decision);
    counters.settle();
    const Words found = read_port(counters->sums_o, 192);
    for (unsigned i = 0; i < 6; ++i) wrong += found[i] != std::exchange(shown[i], sums[i]) ? 1 : 0;
    wrong += counters->at_rest_o != rests ? 1 : 0;
    counters.edge();
    if (valid && mode != kMinimalMode) {
      sums[0] += 1;
      sums[1] += port != minimal ? 1 : 0;
      sums[2] += static_cast<std::uint32_t>(explored);
      sums[3] += static_cast<std::uint32_t>(best >> Fraction);
      sums[4] += static_cast<std::uint32_t>(minimal_value >> Fraction);
    }
    if (valid) sums[5] += static_cast<std::uint32_t>(saturated);
    rests = !valid || (mode == kMinimalMode && saturated == 0);
  }
  return wrong;
}

TEST(QCounters, AddUpWhatTheAgentDecides) {
  EXPECT_EQ((wrong_counts<Vq_counters, 3, 5, 18, 7, 14>(5000)), 0U);
  EXPECT_EQ((wrong_counts<Vq_counters_small, 1, 1, 24, 0, 10>(5000)), 0U) << "sums beyond 32 bits";
}

TEST(QCounters, AWrongFieldIsCaught) {
  EXPECT_GT((wrong_counts<Vq_counters_wrong, 3, 5, 18, 7, 14>(100)), 0U);
}

}  // namespace
}  // namespace hopwise::test
