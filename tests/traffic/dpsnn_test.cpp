// SPDX-License-Identifier: Apache-2.0
// The closed loop of DPSNN: how many spikes, how they are cut into packets, and who waits for whom.
#include "traffic/patterns/dpsnn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <queue>
#include <tuple>

#include "topology/grid.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::traffic {
namespace {

spec::TrafficSpec spec(double rate, unsigned neurons, std::uint64_t steps,
                       std::uint64_t spike_cycles = 3, unsigned longest = 258) {
  spec::TrafficSpec s;
  s.pattern = "dpsnn";
  s.settings.set("traffic.dpsnn_rate_hz", rate);
  s.settings.set("traffic.dpsnn_neurons", std::uint64_t{neurons});
  s.settings.set("traffic.dpsnn_steps", steps);
  s.settings.set("traffic.dpsnn_spike_cycles", spike_cycles);
  s.length = {longest, longest};
  s.flit_bits = 128;
  return s;
}

TEST(Poisson, ItsDistributionIsThatOfTheFormula) {
  for (const double mean : {0.05, 0.7, 3.0, 52.5, 1390.0}) {
    SCOPED_TRACE(mean);
    const Poisson draw(mean);
    Random random(7, 1);
    constexpr int kDraws = 40000;
    std::map<std::uint32_t, int> seen;
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double k = draw(random);
      ++seen[static_cast<std::uint32_t>(k)];
      sum += k;
      squares += k * k;
    }
    const double mu = sum / kDraws;
    EXPECT_NEAR(mu, mean, 5 * std::sqrt(mean / kDraws));
    EXPECT_NEAR(squares / kDraws - mu * mu, mean, 0.06 * mean + 0.003);
    for (const auto& [k, count] : seen) {
      const double p = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
      EXPECT_NEAR(count, p * kDraws, 6 * std::sqrt(p * kDraws) + 1) << k;
    }
  }
}

TEST(Dpsnn, SpikesDependOnSeedStepAndPairAlone) {
  const Dpsnn app(spec(21, 2500, 400), 21, 16, 5), same(spec(21, 2500, 10), 21, 16, 5),
      other(spec(21, 2500, 400), 21, 16, 6);
  std::uint64_t sum = 0, differ = 0;
  for (std::uint64_t step = 20; step-- > 0;) {
    for (std::size_t a = 0; a < 16; ++a) {
      for (std::size_t b = 0; b < 16; ++b) {
        EXPECT_EQ(app.spikes(step, a, b), same.spikes(step, a, b));
        sum += app.spikes(step, a, b);
        differ += app.spikes(step, a, b) != other.spikes(step, a, b) ? 1 : 0;
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(sum) / (20 * 256), 52.5, 0.6);
  EXPECT_GT(differ, 4000u);
}

TEST(Dpsnn, PacketsHoldTwelveBytesPerSpikeAndAreAsFewAsTheirLengthAllows) {
  for (const unsigned bits : {64u, 128u, 100u}) {
    for (const unsigned longest : {3u, 10u, 258u}) {
      auto s = spec(21, 2500, 1, 0, longest);
      s.flit_bits = bits;
      const Dpsnn app(s, 21, 2, 1);
      for (std::uint32_t spikes = 0; spikes < 1500; spikes += spikes < 40 ? 1 : 37) {
        std::uint64_t payload = 0;
        for (std::uint32_t part = 0; part < app.packets(spikes); ++part) {
          const std::uint32_t flits = app.flits(spikes, part);
          ASSERT_LE(flits, longest);
          ASSERT_GE(flits, spikes == 0 ? 2u : 3u);
          if (part + 1 < app.packets(spikes)) {
            ASSERT_EQ(flits, longest);
          }
          payload += flits - 2;
        }
        ASSERT_GE(payload * bits, spikes * 96u);
        ASSERT_LT(payload * bits, spikes * 96u + bits);
      }
    }
  }
}

/// Any delay of a packet, so that they overtake each other; never 0.
std::uint64_t delay(std::uint64_t packet) { return 1 + mix64(packet) % 700; }

/// All processes over a network of arbitrary delays. Calls see(packet) when a packet is generated.
template <class See>
std::vector<Source> run_all(std::vector<Source> sources, std::uint64_t until, See see) {
  // cycle, destination, step
  using Arrival = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> network;
  std::uint64_t count = 0;
  for (;;) {
    std::uint64_t now = network.empty() ? kNoPacket : std::get<0>(network.top());
    for (const Source& s : sources) now = std::min(now, s.next_cycle());
    if (now == kNoPacket || now > until) return sources;
    for (; !network.empty() && std::get<0>(network.top()) == now; network.pop()) {
      sources[std::get<1>(network.top())].hear(now, std::get<2>(network.top()));
    }
    for (Source& s : sources) {
      while (s.next_cycle() == now) {
        const GeneratedPacket p = s.pop();
        see(p, count);
        network.emplace(now + delay(count), index(p.dst), p.step);
        ++count;
      }
    }
  }
}

std::vector<Source> processes(const Dpsnn& app) {
  std::vector<Source> sources;
  for (std::uint32_t t = 0; t < app.num_processes(); ++t)
    sources.emplace_back(std::make_shared<DpsnnProcess>(app, TerminalId{t}));
  return sources;
}

TEST(Dpsnn, EveryProcessWaitsForAllMessagesOfTheStepAndComputesForItsSpikes) {
  for (const double rate : {2.0, 300.0}) {
    constexpr std::size_t kProcesses = 7;
    constexpr std::uint64_t kSteps = 40;
    const Dpsnn app(spec(rate, 500, kSteps, 3, 10), rate, kProcesses, 11);
    // The oracle: by step and process, when it sends, and when the last packet for it arrives.
    std::map<std::pair<std::uint64_t, std::size_t>, std::uint64_t> sends, complete;
    std::map<std::tuple<std::uint64_t, std::size_t, std::size_t>, std::uint64_t> flits;
    const auto sources =
        run_all(processes(app), kNoPacket - 1, [&](const GeneratedPacket& p, std::uint64_t number) {
          const std::size_t src = index(p.src), dst = index(p.dst);
          ASSERT_NE(src, dst);
          const auto [sent, first] = sends.try_emplace({p.step, src}, p.cycle);
          ASSERT_EQ(sent->second, p.cycle);
          if (first) {
            std::uint64_t heard = 0;
            for (std::size_t from = 0; from < kProcesses; ++from)
              heard += app.spikes(p.step - 1, from, src);
            const std::uint64_t from =
                p.step == 1 ? 0 : std::max(complete[{p.step - 1, src}], sends[{p.step - 1, src}]);
            ASSERT_EQ(p.cycle, from + 3 * heard) << p.step << " " << src;
          }
          auto& last = complete[{p.step, dst}];
          last = std::max(last, p.cycle + delay(number));
          flits[{p.step, src, dst}] += p.flits;
        });
    for (const Source& s : sources) EXPECT_EQ(s.next_cycle(), kNoPacket);
    EXPECT_EQ(sends.size(), kSteps * kProcesses);
    ASSERT_EQ(flits.size(), kSteps * kProcesses * (kProcesses - 1));
    for (const auto& [message, sum] : flits) {
      const auto [step, src, dst] = message;
      const std::uint32_t spikes = app.spikes(step, src, dst);
      EXPECT_EQ(sum, (spikes * 12 + 15) / 16 + 2 * app.packets(spikes));
    }
  }
}

TEST(Dpsnn, ALostPacketStopsEveryProcess) {
  const Dpsnn app(spec(50, 100, 30), 50, 4, 2);
  auto sources = processes(app);
  std::uint64_t last = 0;
  for (std::uint64_t now = 0; now < 100'000; ++now) {
    for (Source& s : sources) {
      while (s.next_cycle() == now) {
        const GeneratedPacket p = s.pop();
        last = p.step;
        if (p.step != 5 || index(p.src) != 1 || index(p.dst) != 2)
          sources[index(p.dst)].hear(now, p.step);
      }
    }
  }
  // Process 2 stays in step 5, and nobody gets beyond the next.
  EXPECT_EQ(last, 6u);
  for (const Source& s : sources) EXPECT_EQ(s.next_cycle(), kNoPacket);
}

TEST(Dpsnn, AFullQueueDelaysPacketsAndLosesNone) {
  const Dpsnn app(spec(50, 100, 2, 1, 3), 50, 4, 2);
  const auto count = [&](bool refuse) {
    std::map<std::uint64_t, std::uint64_t> by_step;
    auto sources = processes(app);
    for (std::uint64_t now = 0; now < 5000; ++now) {
      for (Source& s : sources) {
        bool room = true;
        while (s.next_cycle() == now) {
          if (refuse && (now % 3 != 0 || !room)) {
            EXPECT_EQ(s.refuse(now), std::nullopt);
            EXPECT_EQ(s.next_cycle(), now + 1);
            break;
          }
          room = false;
          const GeneratedPacket p = s.pop();
          EXPECT_EQ(p.cycle, now);
          ++by_step[p.step];
          sources[index(p.dst)].hear(now, p.step);
        }
      }
    }
    return by_step;
  };
  EXPECT_EQ(count(true), count(false));
  EXPECT_EQ(count(true).size(), 2u);
}

TEST(Dpsnn, ThePatternNamesItsRateAndTheKeyDoesElse) {
  spec::LinkSpec link;
  link.latency_cycles = {1, 1};
  const topology::Topology torus(topology::builtin_kinds(), topology::torus({4, 4}, 1), link);
  auto s = spec(300, 100, 3);
  const auto flits = [&](const char* pattern) {
    s.pattern = pattern;
    const auto traffic = make_traffic(builtin_patterns(), s, 0, torus, {1, 1}, 1);
    EXPECT_TRUE(traffic.value().closed_loop() && traffic.value().ends());
    std::uint64_t sum = 0;
    run_all(traffic.value().sources(), kNoPacket - 1,
            [&](const GeneratedPacket& p, std::uint64_t) { sum += p.flits; });
    return sum;
  };
  EXPECT_EQ(flits("dpsnn"), flits("dpsnn:300"));
  EXPECT_LT(flits("dpsnn:30"), flits("dpsnn:300"));
  s.pattern = "uniform";
  EXPECT_FALSE(make_traffic(builtin_patterns(), s, 0.5, torus, {1, 1}, 1).value().closed_loop());
  // Without a last step it goes on.
  s.pattern = "dpsnn";
  s.endless = true;
  const auto endless = make_traffic(builtin_patterns(), s, 0, torus, {1, 1}, 1);
  EXPECT_FALSE(endless.value().ends());
  std::uint64_t step = 0;
  run_all(endless.value().sources(), 3'000'000,
          [&](const GeneratedPacket& p, std::uint64_t) { step = p.step; });
  EXPECT_GT(step, 1000u);
}

}  // namespace
}  // namespace hopwise::traffic
