// SPDX-License-Identifier: Apache-2.0
// A network with few places in which all terminals write and read each other's memory at full rate:
// it comes to an end, unless a response waits for the network, or what waits for the network keeps
// a channel of the memory. Both are seeded.
#include "Vmessage_kept_channel.h"
#include "Vmessage_terminal.h"
#include "Vmessage_waiting_response.h"
#include "world.hpp"

namespace hopwise::test {
namespace {

template <class Model>
bool comes_to_an_end(std::uint64_t seed) {
  constexpr unsigned kTerminals = 4, kMessages = 60;
  World<Model> world(kTerminals, seed);
  world.network = {.latency = 3, .places = 2};
  std::mt19937_64 random(seed);
  for (unsigned t = 0; t < kTerminals; ++t) {
    world.node(t).memory.anywhere = true;
    world.node(t).memory.in_order = true;
    world.node(t).windows.push_back({.index = 3, .write = true, .read = true, .size = 1U << 20});
  }
  world.run(100, [] { return false; });
  for (unsigned t = 0; t < kTerminals; ++t) {
    for (unsigned i = 0; i < kMessages; ++i) {
      world.node(t).descriptors.push_back({.dst = (t + 1 + i % (kTerminals - 1)) % kTerminals,
                                           .get = chance(random, 50),
                                           .bytes = 2048,
                                           .local = std::uint64_t{i} << 20,
                                           .window = 3,
                                           .tag = i});
    }
  }
  return world.run(60'000, [&] { return world.completions() == kTerminals * kMessages; });
}

TEST(MessageDeadlock, AFullNetworkComesToAnEnd) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    EXPECT_TRUE(comes_to_an_end<Vmessage_terminal>(seed));
}

TEST(MessageDeadlock, AResponseThatWaitsForTheNetworkIsSeen) {
  EXPECT_FALSE(comes_to_an_end<Vmessage_waiting_response>(1));
}

TEST(MessageDeadlock, AChannelOfTheMemoryThatIsKeptIsSeen) {
  EXPECT_FALSE(comes_to_an_end<Vmessage_kept_channel>(1));
}

}  // namespace
}  // namespace hopwise::test
