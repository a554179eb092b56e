// SPDX-License-Identifier: Apache-2.0
// Message terminals among each other: every byte once and nowhere else, every refusal answered, no
// deadlock, and the cycles.
#include <algorithm>
#include <cmath>
#include <set>

#include "Vmessage_sweep_waits.h"
#include "Vmessage_terminal.h"
#include "pair.hpp"

namespace hopwise::test {
namespace {

using Terminals = World<Vmessage_terminal>;
using Pair = PairOf<Vmessage_terminal>;

constexpr std::uint64_t kBad = std::uint64_t{1} << 39;

/// Messages at random between all terminals, good ones and every kind of bad one.
class Messages {
 public:
  Messages(Terminals& world, unsigned terminals, std::uint64_t seed)
      : world_(world),
        terminals_(terminals),
        random_(seed),
        free_(terminals),
        next_(terminals, 4096) {
    for (auto& windows : free_)
      for (unsigned w = 0; w < 32; ++w) windows.push_back(w);
  }

  /// A message from a terminal that has the status in the end; false: there is no window for it.
  bool add(unsigned source, std::uint32_t bytes, unsigned status) {
    Message m;
    m.source = source;
    m.target = (source + 1 + static_cast<unsigned>(random_() % (terminals_ - 1))) % terminals_;
    m.status = status;
    if (free_[m.target].empty()) return false;
    Descriptor& d = m.descriptor;
    Window& w = m.window;
    d = {.dst = m.target, .get = chance(random_, 40), .mode = 3, .bytes = bytes};
    d.offset = static_cast<std::uint32_t>(random_() % 300) * kFlitBytes;
    d.key = w.key = static_cast<unsigned>(random_() % 256);
    d.automatic = chance(random_, 20);
    d.tag = static_cast<unsigned>(messages_.size());
    d.window = w.index = free_[m.target].front();
    free_[m.target].pop_front();
    d.local = place(source, bytes) + random_() % 256 * kFlitBytes;
    w.base = place(m.target, bytes + d.offset);
    w.size = d.offset + bytes;
    w.expect = d.get ? 0 : bytes;
    w.write = !d.get;
    w.read = d.get;
    if (status == kDone) allow(m);
    if (status == kClosed) w.open = false;
    if (status == kKey) d.key ^= 1U << random_() % 8;
    if (status == kForbidden) std::swap(w.write, w.read);
    if (status == kBounds) w.size = d.offset;
    if (status == kMemory) (chance(random_, 50) ? d.local : w.base) += kBad;
    if (status == kDescriptor) spoil(d, source);
    world_.node(m.target).windows.push_back(w);
    messages_.push_back(m);
    return true;
  }

  /// Descriptors whose windows are open go to their hosts; completions and events are compared with
  /// what was wanted.
  void step() {
    for (; given_ < messages_.size(); ++given_) {
      Message& m = messages_[given_];
      if (!world_.node(m.target).windows.empty()) break;
      world_.node(m.source).descriptors.push_back(m.descriptor);
    }
    for (unsigned t = 0; t < terminals_; ++t) {
      auto& node = world_.node(t);
      for (const Completion& c : node.completions) {
        Message& m = messages_.at(c.tag);
        ASSERT_EQ(m.source, t);
        ASSERT_FALSE(m.completed) << "twice";
        ASSERT_EQ(c.status, m.status) << (m.descriptor.get ? "GET " : "PUT ") << c.tag;
        ASSERT_EQ(c.bytes, m.status == kDone ? m.descriptor.bytes : 0U);
        m.completed = true;
        close(m);
      }
      for (unsigned window : node.events) {
        const auto m = std::find_if(messages_.begin(), messages_.end(), [&](const Message& one) {
          return one.target == t && one.window.index == window && !one.closed && one.counts();
        });
        ASSERT_NE(m, messages_.end()) << "an event of no message";
        ASSERT_FALSE(m->event) << "twice";
        m->event = true;
        close(*m);
      }
      node.completions.clear();
      node.events.clear();
    }
  }
  bool over() const { return closed_ == messages_.size(); }
  std::size_t size() const { return messages_.size(); }
  std::size_t of(unsigned terminal, unsigned status, bool by_target) const {
    return static_cast<std::size_t>(
        std::count_if(messages_.begin(), messages_.end(), [&](const Message& m) {
          return m.status == status && (by_target ? m.target : m.source) == terminal;
        }));
  }

 private:
  struct Message {
    unsigned source = 0, target = 0, status = kDone;
    Descriptor descriptor;
    Window window;
    bool completed = false, event = false, closed = false;
    bool counts() const { return status == kDone && !descriptor.get; }
  };

  std::uint64_t place(unsigned terminal, std::uint64_t bytes) {
    const std::uint64_t at = next_[terminal];
    next_[terminal] = (at + bytes + 2 * 4096) & ~std::uint64_t{4095};
    return at;
  }

  void spoil(Descriptor& d, unsigned source) {
    switch (random_() % 6) {
      case 0: d.bytes = 0; break;
      case 1: d.dst = 4 + static_cast<unsigned>(random_() % 4); break;
      case 2: d.dst = source; break;
      case 3: d.local += 1 + random_() % 15; break;
      case 4: d.offset += 1 + static_cast<std::uint32_t>(random_() % 15); break;
      default: d.bytes = (1U << Format::kOffset) - d.offset + 1; break;
    }
  }

  void allow(const Message& m) {
    const Descriptor& d = m.descriptor;
    const std::uint64_t there = m.window.base + d.offset, to = d.get ? d.local : there,
                        from = d.get ? there : d.local;
    auto& allowed = world_.node(d.get ? m.source : m.target).memory.allowed;
    for (std::uint64_t i = 0; i < d.bytes; ++i)
      allowed[to + i] = Memory::original(d.get ? m.target : m.source, from + i);
  }

  /// A message is over with its completion and its event; then all of it is in memory, and its
  /// window is free.
  void close(Message& m) {
    const Descriptor& d = m.descriptor;
    if (m.counts() && m.event) {
      const auto& allowed = world_.node(m.target).memory.allowed;
      for (std::uint64_t i = 0; i < d.bytes; ++i)
        ASSERT_EQ(allowed.count(m.window.base + d.offset + i), 0U) << "an event before its bytes";
    }
    if (!m.completed || (m.counts() && !m.event)) return;
    for (std::uint64_t i = 0; m.status == kDone && d.get && i < d.bytes; ++i)
      ASSERT_EQ(world_.node(m.source).memory.allowed.count(d.local + i), 0U);
    m.closed = true;
    ++closed_;
    if (!m.counts())
      world_.node(m.target).windows.push_back({.index = m.window.index, .open = false});
    free_[m.target].push_back(m.window.index);
  }

  Terminals& world_;
  unsigned terminals_;
  std::mt19937_64 random_;
  std::vector<std::deque<unsigned>> free_;
  std::vector<std::uint64_t> next_;
  std::vector<Message> messages_;
  std::size_t given_ = 0, closed_ = 0;
};

std::uint32_t some_bytes(std::mt19937_64& random, unsigned log2_most) {
  const double x = static_cast<double>(random() % 10000) / 10000 * log2_most;
  return std::max(1U, static_cast<std::uint32_t>(std::exp2(x)));
}

void random_messages(std::uint64_t seed, unsigned count, unsigned log2_most) {
  constexpr unsigned kTerminals = 3;
  Terminals world(kTerminals, seed);
  std::mt19937_64 random(seed);
  world.network = {.latency = 5, .spread = 80, .places = 12, .credit_pause = 20};
  world.host_pause = 30;
  for (unsigned t = 0; t < kTerminals; ++t) world.node(t).memory.pause_percent = 10 + 20 * t;
  Messages messages(world, kTerminals, seed);
  std::vector<std::pair<unsigned, unsigned>> planned;
  for (unsigned i = 0; i < count; ++i) {
    unsigned status = kDone;
    if (chance(random, 35))
      status = std::array{kClosed, kKey, kForbidden, kBounds, kMemory, kDescriptor}[random() % 6];
    // A message of several packets that fails writes what of it does not: those have one packet.
    const std::uint32_t bytes = some_bytes(random, status == kDone ? log2_most : 4);
    while (!messages.add(static_cast<unsigned>(random() % kTerminals), bytes, status)) {
      world.step();
      messages.step();
      ASSERT_LT(world.cycle(), 200'000U) << "nothing moves";
    }
  }
  ASSERT_TRUE(world.run(400'000, [&] {
    messages.step();
    return messages.over();
  })) << "messages are missing";
  ASSERT_TRUE(world.run(4000, [&] { return world.quiescent(); }));
  for (unsigned t = 0; t < kTerminals; ++t) {
    EXPECT_TRUE(world.node(t).memory.allowed.empty());
    for (unsigned cause = 0; cause < 4; ++cause)
      EXPECT_EQ(world.counter(t, kRefused + cause), messages.of(t, kClosed + cause, true));
    EXPECT_EQ(world.counter(t, kBadDescriptors), messages.of(t, kDescriptor, false));
    EXPECT_EQ(world.counter(t, kTimeouts) + world.counter(t, kLate), 0U);
    EXPECT_EQ(world.counter(t, kReqPackets), world.counter(t, kRspPackets));
    EXPECT_EQ(world.counter(t, kReqFlits), world.node(t).flits_sent[0]);
    EXPECT_EQ(world.counter(t, kRspFlits), world.node(t).flits_sent[1]);
  }
}

TEST(Messages, EveryByteArrivesOnceAndNothingThatIsRefusedDoes) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) random_messages(seed, 400, 8);
  random_messages(9, 60, 14);
}

TEST(Messages, InAnIdleNetworkLatencyIsTheRoundTripAndThereIsNoStall) {
  for (const auto& [latency, memory] : {std::pair{1U, 5U}, {10U, 1U}, {57U, 30U}}) {
    for (unsigned flits = 1; flits <= 4; ++flits) {
      for (const bool get : {false, true}) {
        Pair pair({.latency = latency});
        for (unsigned t = 0; t < 2; ++t) pair->node(t).memory.latency = memory;
        for (unsigned i = 0; i < 20; ++i) {
          pair.ask(get, flits * 16 - i % 16);
          pair.over(1);
        }
        EXPECT_EQ(pair->counter(0, kReqStalled) + pair->counter(1, kRspStalled), 0U);
        EXPECT_EQ(pair->counter(0, kReqFlits), 20U * (get ? 1 : 1 + flits));
        EXPECT_EQ(pair->counter(1, kRspFlits), 20U * (get ? 1 + flits : 1));
        EXPECT_EQ(pair->counter(0, kRspPackets), 20U);
        // The model of the network takes all of a packet before its head goes on: flits pass there
        // twice, and once the memory; those of a GET once more the store of the injection unit.
        EXPECT_EQ(
            pair->counter(0, kRspLatency),
            20U * (2 * latency + memory + (get ? 4 * flits + kGetCycles : 3 * flits + kPutCycles)))
            << flits << " flits, " << latency << " cycles, " << (get ? "GET" : "PUT");
      }
    }
  }
}

TEST(Messages, AWindowThatWasTakenIsOpenHoweverEarlyItWas) {
  // While all windows are being closed after reset; the first packet is there before that is over.
  Terminals world(2, 3);
  world.network.latency = 1;
  world.node(1).memory.anywhere = true;
  for (const unsigned index : {2U, 1U})
    world.node(1).windows.push_back({.index = index, .write = true, .key = 5, .size = 1U << 20});
  ASSERT_TRUE(world.run(100, [&] { return world.node(1).windows.empty(); }));
  world.node(0).descriptors.push_back({.dst = 1, .bytes = 64, .window = 1, .key = 5});
  ASSERT_TRUE(world.run(1000, [&] { return world.completions() == 1; }));
  EXPECT_EQ(world.node(0).completions.front().status, 0U);
}

TEST(Messages, CountersAreClearedAndFrozen) {
  Pair pair({});
  pair.ask(false, 64);
  pair.over(1);
  EXPECT_EQ(pair->counter(0, kReqPackets), 1U);
  pair->node(0).bench->ctr_freeze_i = 1;
  pair.ask(false, 64);
  pair.over(1);
  EXPECT_EQ(pair->counter(0, kReqPackets), 1U);
  pair->node(0).bench->ctr_freeze_i = 0;
  pair->node(0).bench->ctr_clear_i = 1;
  pair->step();
  pair->node(0).bench->ctr_clear_i = 0;
  pair->step();
  for (unsigned c = 0; c < 15; ++c) EXPECT_EQ(pair->counter(0, c), 0U);
  pair.ask(true, 64);
  pair.over(1);
  EXPECT_EQ(pair->counter(0, kReqPackets), 1U);
}

TEST(Messages, AMillionBytesFillTheLink) {
  Pair pair({.latency = 40});
  pair.ask(false, 1U << 20);
  const double cycles = static_cast<double>(pair.over(1));
  const double share = (1 << 20) / 16.0 / cycles / (4.0 / 5);
  RecordProperty("share_of_link", std::to_string(share));
  std::printf("PUT of 1 MiB: %.4f of what heads leave\n", share);
  EXPECT_GT(share, 0.95);
}

TEST(Messages, TwoOf512BytesAtATimeFillHalfOfTheLink) {
  Pair pair({.latency = 30});
  pair.ask(false, 512);
  std::size_t done = 0;
  const std::uint64_t begin = pair->cycle();
  for (unsigned i = 0; i < 100; ++i) {
    pair.ask(false, 512);
    ++done;
    ASSERT_TRUE(pair->run(1000, [&] { return pair->completions() >= done; }));
  }
  const double share = 100 * 512 / 16.0 / static_cast<double>(pair->cycle() - begin) / (4.0 / 5);
  std::printf("PUTs of 512 B, two at a time: %.4f\n", share);
  EXPECT_GT(share, 0.5);
}

TEST(Messages, APutOf8BytesBeginsEach8Cycles) {
  Pair pair({.latency = 40});
  for (unsigned i = 0; i < 1000; ++i) pair.ask(false, 8, i * 16);
  const double each = static_cast<double>(pair.over(1000)) / 1000;
  std::printf("PUTs of 8 B: one each %.2f cycles\n", each);
  EXPECT_LT(each, 8.0);
}

TEST(Messages, WithoutAResponseAMessageEndsWhenItsTimeIsOver) {
  Pair pair({.latency = 10, .lose_responses = 100});
  pair->node(0).bench->timeout_i = 500;
  const std::uint64_t begin = pair->cycle();
  pair.ask(false, 300);
  pair.ask(true, 300);
  pair.over(2);
  EXPECT_GT(pair->cycle() - begin, 500U);
  EXPECT_LT(pair->cycle() - begin, 500U + 2 * 64 + 100);
  for (const Completion& c : pair->node(0).completions) EXPECT_EQ(c.status, kTimeout);
  EXPECT_EQ(pair->counter(0, kTimeouts), 10U);
  EXPECT_EQ(pair->counter(0, kRspPackets), 0U);
  pair->network.lose_responses = 0;
  pair.ask(false, 300);
  pair.over(1);
  EXPECT_EQ(pair->node(0).completions.back().status, kDone);
  EXPECT_TRUE(pair->run(1000, [&] { return pair->quiescent(); }));
}

TEST(Messages, AResponseThatIsLateGoesNowhere) {
  Pair pair({.latency = 600});
  pair->node(0).bench->timeout_i = 300;
  const std::uint64_t before = pair->node(0).memory.bytes_written;
  for (unsigned i = 0; i < 10; ++i) pair.ask(i % 2 != 0, 256);
  pair.over(10);
  for (const Completion& c : pair->node(0).completions) EXPECT_EQ(c.status, kTimeout);
  EXPECT_TRUE(pair->run(5000, [&] { return pair->counter(0, kLate) == 40; }));
  EXPECT_EQ(pair->counter(0, kTimeouts), 40U);
  EXPECT_EQ(pair->node(0).memory.bytes_written, before) << "data of a late response";
  pair->network.latency = 5;
  pair.ask(true, 256);
  pair.over(1);
  EXPECT_EQ(pair->node(0).completions.back().status, kDone);
  EXPECT_EQ(pair->node(0).memory.bytes_written, before + 256);
}

/// Cycles from the loss of a response until its message is over, while refusals of long GETs come
/// as fast as they can.
template <class Model>
std::uint64_t timeout_among_responses() {
  PairOf<Model> pair({.latency = 10, .lose_responses = 100});
  pair->node(0).bench->timeout_i = 500;
  pair.ask(false, 8);
  pair->run(100, [] { return false; });
  pair->network.lose_responses = 0;
  const std::uint64_t begin = pair->cycle();
  for (unsigned i = 0; i < 4; ++i) {
    pair->node(0).descriptors.push_back({.dst = 1,
                                         .get = true,
                                         .bytes = 1U << 20,
                                         .local = std::uint64_t{1} << 30,
                                         .window = 1,
                                         .key = 6,
                                         .tag = 100 + i});
  }
  pair->run(20'000, [&] { return pair->counter(0, kTimeouts) > 0; });
  return pair->cycle() - begin;
}

TEST(Messages, ATimeoutIsFoundAmongResponses) {
  EXPECT_LT(timeout_among_responses<Vmessage_terminal>(), 500U + 12 * 64);
  EXPECT_GT(timeout_among_responses<Vmessage_sweep_waits>(), 5000U) << "the fault is not seen";
}

TEST(Messages, EveryErrorOfMemoryIsCounted) {
  Pair pair({.latency = 10});
  pair->node(1).memory.bad_from = 0;
  for (unsigned i = 0; i < 500; ++i) {
    pair.ask(false, 8);
    pair.ask(true, 8);
  }
  pair.over(1000);
  for (const Completion& c : pair->node(0).completions) ASSERT_EQ(c.status, kMemory);
  EXPECT_TRUE(pair->run(1000, [&] { return pair->quiescent(); }));
  EXPECT_EQ(pair->counter(1, kMemoryErrors), 1000U);
}

TEST(Messages, AWindowDoesNotGoRoundTheEndOfMemory) {
  Pair pair({.latency = 10});
  pair->node(1).windows.push_back(
      {.index = 2, .write = true, .key = 5, .base = (std::uint64_t{1} << 40) - 4096, .size = 8192});
  pair->run(100, [&] { return pair->node(1).windows.empty(); });
  for (const std::uint32_t offset : {4096U, 0U}) {
    pair->node(0).descriptors.push_back({.dst = 1,
                                         .bytes = 64,
                                         .local = std::uint64_t{1} << 30,
                                         .window = 2,
                                         .key = 5,
                                         .offset = offset,
                                         .tag = offset});
  }
  pair->node(1).memory.bad_from = std::uint64_t{1} << 40;
  pair.over(2);
  for (const Completion& c : pair->node(0).completions)
    EXPECT_EQ(c.status, c.tag == 0 ? kDone : kBounds);
  EXPECT_EQ(pair->node(1).memory.bytes_written, 64U);
}

TEST(Messages, OfAWordNoMoreLeavesThanWasAskedFor) {
  Pair pair({.latency = 10});
  pair.ask(true, 8);
  std::set<Words> seen;
  EXPECT_TRUE(pair->run(1000, [&] {
    for (const auto& packet : pair->node(0).coming[1])
      seen.insert(packet.flits.begin(), packet.flits.end());
    return pair->completions() == 1;
  }));
  ASSERT_EQ(seen.size(), 2U) << "a head and a flit of data";
  const auto data = std::ranges::find_if(seen, [](const Words& flit) {
    const std::uint64_t low = flit[0] | std::uint64_t{flit[1]} << 32;
    std::uint64_t memory = 0;
    for (unsigned b = 0; b < 8; ++b) memory |= std::uint64_t{Memory::original(1, b)} << (8 * b);
    return low == memory;
  });
  ASSERT_NE(data, seen.end());
  EXPECT_EQ((*data)[2] | (*data)[3], 0U);
}

}  // namespace
}  // namespace hopwise::test
