// SPDX-License-Identifier: Apache-2.0
// hw_dqn_preference_agent with its engine: every valuation is what the loaded weights say, and
// every question gets the ports of its destination's latest one, those that its packet may take.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "Vhalts_for_valuations.h"
#include "Vpreference_agent.h"
#include "Vpreference_agent_zero.h"
#include "Vprefers_detours.h"
#include "Vvalues_another.h"
#include "bench.hpp"
#include "failures.hpp"
#include "learn/integer_network.hpp"

namespace hopwise::test {
namespace {

/// As tests/rtl_dqn_router/CMakeLists.txt has it: 4 x 4 routers, a terminal each.
constexpr unsigned kPorts = 5, kActions = 4, kSize = 4, kVcBits = 2, kHead = 12, kInfo = 8,
                   kRanks = 2, kMargin = 3, kKept = 3, kInputs = 13;
const std::vector<unsigned> kAgentLayers{kInputs, 8, kActions};

/// Values of which some are close to the best.
learn::IntegerNetwork weights(std::mt19937_64& random) {
  learn::IntegerNetwork network = learn::zero_network(kAgentLayers);
  for (auto& layer : network.parameters) {
    for (auto& w : layer.w) w = static_cast<std::int8_t>(static_cast<int>(random() % 41) - 20);
    for (auto& b : layer.bias) b = static_cast<std::int32_t>(100000 + random() % 10000);
    layer.shift = 7;
  }
  return network;
}

/// Ports with their mark, the best first.
using Order = std::vector<std::pair<unsigned, bool>>;
Order order_of(const std::vector<std::int32_t>& values) {
  std::vector<unsigned> ports(values.size());
  std::iota(ports.begin(), ports.end(), 0U);
  std::ranges::stable_sort(ports, [&](unsigned a, unsigned b) { return values[a] > values[b]; });
  const std::int32_t best = values[ports.front()];
  Order order;
  for (const unsigned p : ports)
    order.emplace_back(p,
                       p == ports.front() || (best >= 0 && values[p] >= best - (best >> kMargin)));
  order.resize(kKept);
  return order;
}

/// Ports that shorten the way from one router to another, as a mask.
unsigned closer(unsigned from, unsigned to) {
  unsigned mask = 0;
  for (unsigned d = 0; d < 2; ++d) {
    const unsigned ahead = ((to >> (2 * d)) - (from >> (2 * d))) % kSize;
    if (ahead != 0 && 2 * ahead <= kSize) mask |= 1U << (2 * d);
    if (ahead != 0 && 2 * ahead >= kSize) mask |= 1U << (2 * d + 1);
  }
  return mask;
}

template <class Model>
void play_agent(Bench<Model>& bench, unsigned here, unsigned cycles) {
  std::mt19937_64 random{here + 3};
  auto& m = bench.model();
  m.ask_valid_i = m.ask_forced_i = m.load_valid_i = m.escape_only_i = 0;
  m.in_valid_i = m.in_credit_valid_i = m.out_valid_i = m.out_credit_valid_i = 0;
  m.coord_i = static_cast<std::uint8_t>(here);
  bench.reset();
  const learn::IntegerNetwork network = weights(random);
  for (const auto& [address, data] : learn::load_words(network, 4, 4)) {
    m.load_valid_i = 1;
    m.load_addr_i = static_cast<std::uint16_t>(address);
    m.load_data_i = data;
    bench.settle();
    while (m.load_ready_o == 0) {
      bench.edge();
      bench.settle();
    }
    bench.edge();
  }
  m.load_valid_i = 0;
  ASSERT_EQ(m.loaded_o, 1);

  struct Question {
    unsigned to = 0, vc = 0, info = 0;
    bool forced = false;
  };
  std::array<std::optional<Question>, kPorts> asked;
  struct Expected {
    unsigned port = 0;
    Question question;
    std::vector<unsigned> ports;
  };
  std::optional<Expected> expected;
  std::map<unsigned, Order> table;
  unsigned valuations = 0, answers = 0, several = 0, waited = 0;
  std::array<unsigned, kPorts> waits{};
  for (unsigned n = 0; n < cycles; ++n) {
    if (n % 1000 == 999) m.escape_only_i = random() % 4 == 0;
    // What the agent tells of the cycle before.
    bench.settle();
    const Words event = read_port(m.event_o, 5 + 4 + kKept * 3 + 8 * kInputs);
    if (get_bits(event, 0, 1) != 0) {
      ++valuations;
      const auto to = static_cast<unsigned>(get_bits(event, 5, 4));
      std::array<std::uint8_t, kInputs> observed{};
      for (unsigned i = 0; i < kInputs; ++i)
        observed[i] = static_cast<std::uint8_t>(get_bits(event, 9 + kKept * 3 + 8 * i, 8));
      for (unsigned d = 0; d < 2; ++d) {
        ASSERT_EQ(observed[d], (here >> (2 * d) & 3) * 85);
        ASSERT_EQ(observed[2 + d], (((to >> (2 * d)) - (here >> (2 * d)) + 2) % kSize) * 85);
      }
      const Order order = order_of(infer(network, observed));
      for (unsigned r = 0; r < kKept; ++r) {
        ASSERT_EQ(get_bits(event, 9 + 3 * r, 3), order[r].first << 1 | (order[r].second ? 1U : 0U));
      }
      table[to] = order;
    }
    if (expected) {
      ASSERT_EQ(m.rsp_valid_o, 1U << expected->port);
      ASSERT_EQ(m.rsp_vc_o, expected->question.vc);
      ASSERT_EQ(m.rsp_info_o, expected->question.info);
      std::vector<unsigned> found;
      for (unsigned k = 0; k < kRanks; ++k) {
        if ((m.rsp_accept_o >> k & 1) != 0) found.push_back(m.rsp_port_o >> (3 * k) & 7);
      }
      ASSERT_EQ(found, expected->ports)
          << "to " << expected->question.to << " from port " << expected->port;
      ++answers;
      several += found.size() > 1;
    } else {
      ASSERT_EQ(m.rsp_valid_o, 0);
    }
    // Questions hold until they are taken.
    Words bits((kPorts * kHead + 31) / 32), vcs(1), infos((kPorts * kInfo + 31) / 32);
    unsigned valid = 0, forced = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      if (!asked[p] && random() % 3 == 0) {
        unsigned to = static_cast<unsigned>(random() % 16);
        if (to == here) to ^= 1;
        asked[p] = {to, static_cast<unsigned>(random() % 3), static_cast<unsigned>(random() % 256),
                    random() % 4 == 0};
      }
      if (!asked[p]) continue;
      valid |= 1U << p;
      forced |= (asked[p]->forced ? 1U : 0U) << p;
      set_bits(bits, p * kHead, kHead, asked[p]->to | (1 + random() % 20) << 4);
      set_bits(vcs, p * kVcBits, kVcBits, asked[p]->vc);
      set_bits(infos, p * kInfo, kInfo, asked[p]->info);
    }
    m.ask_valid_i = static_cast<std::uint8_t>(valid);
    m.ask_forced_i = static_cast<std::uint8_t>(forced);
    write_port(m.ask_bits_i, bits);
    write_port(m.ask_vc_i, vcs);
    write_port(m.ask_info_i, infos);
    bench.settle();
    ASSERT_EQ(m.ask_ready_o & ~valid, 0U);
    ASSERT_LE(std::popcount(static_cast<unsigned>(m.ask_ready_o)), 1);
    waited += valid != 0 && m.ask_ready_o == 0;
    expected.reset();
    for (unsigned p = 0; p < kPorts; ++p) {
      waits[p] = asked[p] ? waits[p] + 1 : 0;
      ASSERT_LE(waits[p], 2 * kPorts + 2) << "the ports take turns";
      if ((m.ask_ready_o >> p & 1) == 0) continue;
      Expected e{p, *asked[p], {}};
      for (const auto& [port, preferred] : table[e.question.to]) {
        if (!preferred || port == p || e.ports.size() == kRanks) continue;
        if (e.question.forced && (closer(here, e.question.to) >> port & 1) == 0) continue;
        e.ports.push_back(port);
      }
      if (m.escape_only_i != 0) e.ports.clear();
      expected = e;
      asked[p].reset();
      waits[p] = 0;
    }
    bench.edge();
  }
  ASSERT_FALSE(bench.failed());
  ASSERT_GT(valuations, cycles / 50);
  ASSERT_GT(answers, cycles / 2);
  ASSERT_GT(several, 0U);
  ASSERT_LT(waited, 2 * valuations);
}

TEST(PreferenceAgent, AnswersWhatItsWeightsPreferAndLetsNobodyWait) {
  for (const unsigned here : {0U, 6U, 15U}) {
    Bench<Vpreference_agent> bench;
    play_agent(bench, here, 20000);
  }
}

TEST(PreferenceAgent, DoesSoWithAnEngineThatTakesNoTime) {
  Bench<Vpreference_agent_zero> bench;
  play_agent(bench, 9, 10000);
}

template <class Model>
int failures_of_agent() {
  return failures([] {
    Bench<Model> bench;
    play_agent(bench, 6, 4000);
  });
}

TEST(PreferenceAgentFaults, AreCaught) {
  EXPECT_EQ(failures_of_agent<Vpreference_agent>(), 0);
  EXPECT_GT(failures_of_agent<Vprefers_detours>(), 0);
  EXPECT_GT(failures_of_agent<Vvalues_another>(), 0);
  EXPECT_GT(failures_of_agent<Vhalts_for_valuations>(), 0);
}

}  // namespace
}  // namespace hopwise::test
