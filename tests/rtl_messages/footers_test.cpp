// SPDX-License-Identifier: Apache-2.0
// Message terminals whose packets are those of APEnet: a head, up to 256 flits of payload, a
// footer.
#include "Vmessage_footers.h"
#include "pair.hpp"

namespace hopwise::test {
namespace {

// As tests/rtl_messages/CMakeLists.txt has them.
constexpr unsigned kEject = 516;
constexpr double kPayload = 256, kPacket = 258;  // flits
using FooterPair = PairOf<Vmessage_footers, kEject>;

/// Between the two fields of an address lies a bit that is in none: with it a descriptor is bad,
/// whether it would be for the terminal itself or for another one.
TEST(Footers, BitsOfADestinationThatAreInNoFieldAreLookedAt) {
  World<Vmessage_footers, kEject> world(2, 8);
  constexpr unsigned kNoField = 2, kBadDescriptor = 7;
  for (const unsigned dst : {0U, 1U})
    world.node(0).descriptors.push_back({.dst = dst | kNoField, .bytes = 16, .tag = dst});
  ASSERT_TRUE(world.run(1000, [&] { return world.completions() == 2; }));
  for (const Completion& c : world.node(0).completions) EXPECT_EQ(c.status, kBadDescriptor);
}

TEST(Footers, EveryByteOfPutsAndGetsOfAnyLengthArrivesOnce) {
  World<Vmessage_footers, kEject> world(2, 8);
  world.network = {.latency = 10, .spread = 600, .credit_pause = 20};
  world.host_pause = 20;
  std::mt19937_64 random(3);
  constexpr unsigned kMessages = 30;
  std::uint64_t place = 1U << 20;
  for (unsigned i = 0; i < kMessages; ++i) {
    const bool get = i % 2 != 0;
    const auto bytes = static_cast<std::uint32_t>(1 + random() % (i < 10 ? 64 : 12'000));
    const std::uint64_t base = place, local = place + (1U << 28) + random() % 200 * kFlitBytes;
    place += 32'768;
    world.node(1).windows.push_back({.index = 1 + i % 31,
                                     .write = !get,
                                     .read = get,
                                     .key = i,
                                     .base = base,
                                     .size = bytes,
                                     .expect = get ? 0 : bytes});
    const Descriptor message{.dst = 1,
                             .get = get,
                             .bytes = bytes,
                             .local = local,
                             .window = 1 + i % 31,
                             .key = i,
                             .tag = i};
    for (std::uint32_t b = 0; b < bytes; ++b) {
      if (get)
        world.node(0).memory.allowed[local + b] = Memory::original(1, base + b);
      else
        world.node(1).memory.allowed[base + b] = Memory::original(0, local + b);
    }
    for (unsigned t = 0; t < 2; ++t) world.node(t).memory.pause_percent = 25;
    ASSERT_TRUE(world.run(200, [&] { return world.node(1).windows.empty(); }));
    world.node(0).descriptors.push_back(message);
  }
  ASSERT_TRUE(world.run(200'000, [&] { return world.completions() == kMessages; }));
  for (const Completion& c : world.node(0).completions) EXPECT_EQ(c.status, kDone);
  EXPECT_TRUE(world.run(2000, [&] { return world.quiescent(); }));
  EXPECT_EQ(world.node(1).events.size(), kMessages / 2);
  for (unsigned t = 0; t < 2; ++t) {
    EXPECT_TRUE(world.node(t).memory.allowed.empty()) << "bytes are missing at terminal " << t;
    EXPECT_EQ(world.counter(t, kReqFlits), world.node(t).flits_sent[0]);
    EXPECT_EQ(world.counter(t, kRspFlits), world.node(t).flits_sent[1]);
  }
}

TEST(Footers, AMillionBytesThereOrBackFillTheLink) {
  for (const bool get : {false, true}) {
    FooterPair pair({.latency = 40});
    pair.ask(get, 1U << 20);
    const double cycles = static_cast<double>(pair.over(1));
    const double share = (1 << 20) / 16.0 / cycles / (kPayload / kPacket);
    std::printf("%s of 1 MiB in packets of APEnet: %.4f of what heads and footers leave\n",
                get ? "GET" : "PUT", share);
    EXPECT_GT(share, 0.95);
    EXPECT_EQ(pair->counter(0, kReqPackets), 256U);
    EXPECT_EQ(pair->counter(get ? 1 : 0, get ? kRspFlits : kReqFlits), 256U * 258);
  }
}

TEST(Footers, InAnIdleNetworkLatencyIsTheRoundTrip) {
  for (const unsigned flits : {1U, 2U, 7U, 256U}) {
    for (const bool get : {false, true}) {
      FooterPair pair({.latency = 20});
      pair.ask(get, flits * 16);
      pair.over(1);
      EXPECT_EQ(pair->counter(0, kReqStalled) + pair->counter(1, kRspStalled), 0U);
      EXPECT_EQ(
          pair->counter(0, kRspLatency),
          2 * 20 + 5 + (get ? 4 * flits + kGetCycles : 3 * flits + kPutCycles) + kFooterCycles)
          << flits << " flits, " << (get ? "GET" : "PUT");
    }
  }
}

}  // namespace
}  // namespace hopwise::test
