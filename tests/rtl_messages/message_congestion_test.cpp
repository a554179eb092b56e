// SPDX-License-Identifier: Apache-2.0
// Message terminals with congestion control: a network that marks packets slows down messages to
// where these go, and those alone.
#include "Vmessage_congestion.h"
#include "Vmessage_gives_no_way.h"
#include "Vmessage_registers_congestion.h"
#include "pair.hpp"
#include "registers.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kHot = 1, kOther = 2, kInOrder = 6;
constexpr std::uint32_t kPacketBytes = 64;  // bytes
constexpr unsigned kPacketFlits = 5;        // with the head
constexpr std::uint64_t kLocal = 1U << 30;

/// {increase, period}, {throttle, shift, gap} as in the registers.
constexpr std::uint64_t words(std::uint64_t increase, std::uint64_t period, unsigned shift,
                              unsigned gap) {
  return increase << 48 | period << 32 | 1U << 31 | shift << 16 | gap;
}
/// Rates hardly ever change: after a notification a destination has half a flit per cycle.
constexpr std::uint64_t kHalf = words(1, 65535, 1, 8);

/// Three terminals, all of whose memories are open to the others.
template <class Model>
class Three {
 public:
  explicit Three(std::uint64_t congestion) : world(3, 5) {
    for (unsigned t = 0; t < 3; ++t) {
      world.node(t).bench->congestion_i = congestion;
      world.node(t).windows.push_back(
          {.index = 1, .write = true, .read = true, .key = 5, .size = 1U << 20});
      world.node(t).memory.anywhere = true;
    }
    world.run(100, [] { return false; });
  }
  void put(unsigned dst, std::uint32_t bytes, unsigned mode = 0) {
    world.node(0).descriptors.push_back({.dst = dst,
                                         .mode = mode,
                                         .bytes = bytes,
                                         .local = kLocal,
                                         .window = 1,
                                         .key = 5,
                                         .tag = tag++});
  }
  /// Packets to the hot terminal are marked until its first notification has come.
  void throttle_hot() {
    world.network.hot = kHot;
    put(kHot, 1);
    ASSERT_TRUE(world.run(1000, [&] { return world.completions() == 1; }));
    world.network.hot = ~0U;
    world.run(200, [] { return false; });
    world.node(0).completions.clear();
  }
  /// Cycles until so many messages are over since throttle_hot.
  std::uint64_t over(std::size_t messages) {
    const std::uint64_t begin = world.cycle();
    EXPECT_TRUE(world.run(100'000, [&] { return world.node(0).completions.size() == messages; }));
    return world.cycle() - begin;
  }
  std::uint64_t ended(unsigned which) {
    for (const Completion& c : world.node(0).completions)
      if (c.tag == which) return c.cycle;
    ADD_FAILURE() << "message " << which << " is not over";
    return 0;
  }

  World<Model> world;
  unsigned tag = 0;
};
using Congested = Three<Vmessage_congestion>;

TEST(MessageCongestion, ALongMessageHasTheRateOfItsDestination) {
  Congested t(kHalf);
  t.throttle_hot();
  constexpr std::uint32_t kMany = 1000;
  t.put(kHot, kMany * kPacketBytes);
  // A packet's debt is paid off in twice its flits; then it takes three cycles to the next one.
  EXPECT_NEAR(static_cast<double>(t.over(1)) / kMany, 2 * kPacketFlits + 3, 0.5);
  t.put(kOther, kMany * kPacketBytes);
  EXPECT_GT(kMany * kPacketFlits / static_cast<double>(t.over(2)), 0.95);
}

/// Cycles for which a message of one packet stops its destination, at half a flit per cycle.
unsigned stopped_by(bool get) {
  Congested t(kHalf);
  t.throttle_hot();
  t.put(kHot, kPacketBytes);
  t.world.node(0).descriptors.back().get = get;
  unsigned stopped = 0;
  EXPECT_TRUE(t.world.run(1000, [&] {
    stopped += t.world.node(0).bench->stop_valid_o != 0;
    return t.world.node(0).completions.size() == 1;
  }));
  return stopped;
}

TEST(MessageCongestion, AMessageMakesADebtOfItsRequestsFlits) {
  EXPECT_EQ(stopped_by(false), 2 * kPacketFlits);
  EXPECT_EQ(stopped_by(true), 2U) << "a GET's request is one flit";
}

TEST(MessageCongestion, AMessageThatIsStoppedHoldsUpNoOther) {
  // Each period the rate falls to an eighth, and hardly rises.
  Congested t(words(1, 200, 1, 8));
  t.world.network.hot = kHot;
  constexpr std::uint32_t kMany = 800;
  t.put(kHot, kMany * kPacketBytes);
  t.put(kOther, kMany * kPacketBytes);
  t.put(kOther, kMany * kPacketBytes);
  const std::uint64_t begin = t.world.cycle();
  bool stops = false;
  ASSERT_TRUE(t.world.run(30'000, [&] {
    auto& m = t.world.node(0).bench.model();
    stops |= m.stop_valid_o != 0 && (m.stop_dst_o & 7U) == kHot;
    return t.world.node(0).completions.size() == 2;
  }));
  EXPECT_TRUE(stops) << "and the host may know";
  for (const Completion& c : t.world.node(0).completions) EXPECT_NE(c.tag, 0U);
  const auto cycles = static_cast<double>(t.world.cycle() - begin);
  EXPECT_LT(cycles, 1.25 * 2 * kMany * kPacketFlits);
}

TEST(MessageCongestion, RegistersSayWhichDestinationIsStopped) {
  // The rate falls by half each period, until a packet stops its destination for thousands of
  // cycles.
  Three<Vmessage_registers_congestion> t(words(1, 200, 1, 8));
  Registers<Vmessage_registers_congestion> host(t.world, 0);
  auto& pins = t.world.node(0).bench.model();
  host.write("MASK", kDestination);
  host.write("DESC_DST", kHot);
  EXPECT_NE(host.read("STATUS") & kDestination, 0U);
  EXPECT_NE(pins.msg_irq_o, 0);
  t.world.network.hot = kHot;
  t.put(kHot, 800 * kPacketBytes);
  t.world.run(4000, [] { return false; });
  ASSERT_NE(pins.stop_valid_o, 0);
  EXPECT_EQ(host.read("STATUS") & kDestination, 0U);
  EXPECT_EQ(pins.msg_irq_o, 0);
  host.write("DESC_DST", kOther);
  EXPECT_NE(host.read("STATUS") & kDestination, 0U);
  EXPECT_NE(pins.msg_irq_o, 0);
  EXPECT_NE(pins.stop_valid_o, 0) << "all the while";
}

/// A short message to a throttled destination beside a long one to another.
template <class Model>
std::pair<std::uint64_t, std::uint64_t> short_beside_long() {
  Three<Model> t(kHalf);
  t.throttle_hot();
  const unsigned first = t.tag;
  t.put(kHot, 20 * kPacketBytes);
  t.put(kOther, 1000 * kPacketBytes);
  t.over(2);
  return {t.ended(first), t.ended(first + 1)};
}

TEST(MessageCongestion, MessagesThatWaitAsideHaveTheirTurnsPacketByPacket) {
  const auto [short_ends, long_ends] = short_beside_long<Vmessage_congestion>();
  EXPECT_LT(short_ends + 4000, long_ends);
  const auto [late, end] = short_beside_long<Vmessage_gives_no_way>();
  EXPECT_GT(late, end) << "the seeded fault: it waits for the long one's end";
}

TEST(MessageCongestion, MessagesInOrderOvertakeNone) {
  for (const unsigned mode : {0U, kInOrder}) {
    Congested t(kHalf);
    t.throttle_hot();
    const unsigned first = t.tag;
    t.put(kHot, 100 * kPacketBytes, mode);
    t.put(kOther, kPacketBytes);
    t.over(2);
    EXPECT_EQ(t.ended(first) < t.ended(first + 1), mode == kInOrder) << "mode " << mode;
  }
}

TEST(MessageCongestion, EveryByteOnceWhateverIsMarked) {
  World<Vmessage_congestion> world(4, 8);
  world.network = {.latency = 10, .spread = 60, .credit_pause = 20, .marked = 30};
  world.host_pause = 20;
  std::mt19937_64 random(3);
  std::uint64_t place = 1U << 20;
  unsigned messages = 0;
  for (unsigned t = 0; t < 4; ++t) {
    world.node(t).bench->congestion_i = words(900, 64, 1 + t % 2, 20);
    world.node(t).memory.pause_percent = 25;
  }
  for (unsigned round = 0; round < 8; ++round) {
    for (unsigned from = 0; from < 4; ++from) {
      for (unsigned i = 0; i < 7; ++i) {
        const unsigned to = (from + 1 + static_cast<unsigned>(random() % 3)) % 4;
        const unsigned window = from * 8 + i;
        const bool get = chance(random, 40);
        const auto bytes = static_cast<std::uint32_t>(1 + random() % (i < 3 ? 64 : 3000));
        const std::uint64_t base = place, local = place + (1U << 28) + random() % 200 * kFlitBytes;
        place += 8192;
        world.node(to).windows.push_back({.index = window,
                                          .write = !get,
                                          .read = get,
                                          .key = round,
                                          .base = base,
                                          .size = bytes,
                                          .expect = 0});
        for (std::uint32_t b = 0; b < bytes; ++b) {
          if (get)
            world.node(from).memory.allowed[local + b] = Memory::original(to, base + b);
          else
            world.node(to).memory.allowed[base + b] = Memory::original(from, local + b);
        }
        world.node(from).descriptors.push_back({.dst = to,
                                                .get = get,
                                                .mode = chance(random, 20) ? kInOrder : 0,
                                                .bytes = bytes,
                                                .local = local,
                                                .window = window,
                                                .key = round,
                                                .tag = messages++});
      }
    }
    // Windows are open before anybody writes: the descriptors wait.
    std::array<std::deque<Descriptor>, 4> waiting;
    for (unsigned t = 0; t < 4; ++t) std::swap(waiting[t], world.node(t).descriptors);
    ASSERT_TRUE(world.run(2000, [&] {
      for (unsigned t = 0; t < 4; ++t)
        if (!world.node(t).windows.empty()) return false;
      return true;
    }));
    for (unsigned t = 0; t < 4; ++t) std::swap(waiting[t], world.node(t).descriptors);
    ASSERT_TRUE(world.run(100'000, [&] { return world.completions() == messages; }));
  }
  std::uint64_t responses = 0, packets = 0;
  for (unsigned t = 0; t < 4; ++t) {
    for (const Completion& c : world.node(t).completions) EXPECT_EQ(c.status, kDone);
    EXPECT_TRUE(world.node(t).memory.allowed.empty()) << "bytes are missing at terminal " << t;
    EXPECT_EQ(world.counter(t, kReqFlits), world.node(t).flits_sent[0]);
    EXPECT_EQ(world.counter(t, kRspFlits), world.node(t).flits_sent[1]) << "notifications, too";
    responses += world.counter(t, kRspPackets);
    packets += world.counter(t, kReqPackets);
  }
  EXPECT_EQ(responses, packets);
  world.network.marked = 0;
  EXPECT_TRUE(world.run(200'000, [&] { return world.quiescent(); }));
}

}  // namespace
}  // namespace hopwise::test
