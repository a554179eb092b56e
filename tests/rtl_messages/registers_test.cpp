// SPDX-License-Identifier: Apache-2.0
// Message interfaces whose hosts have registers, beside hosts with streams at the same terminals.
#include <algorithm>

#include "Vmessage_registers.h"
#include "Vmessage_registers_live.h"
#include "Vmessage_registers_room.h"
#include "Vmessage_registers_swapped.h"
#include "registers.hpp"

namespace hopwise::test {
namespace {

/// Two terminals; the second one's memory is open to the first, and what it writes is counted only.
template <class Model>
struct Two {
  explicit Two(std::uint64_t seed = 7) : world(2, seed), first(world, 0, seed), second(world, 1) {
    for (unsigned t = 0; t < 2; ++t) world.node(t).memory.anywhere = true;
  }
  void open() {
    EXPECT_EQ(second.push(kOpen), kOkay);
    world.run(100, [] { return false; });
  }
  static constexpr Window kOpen{
      .index = 1, .open = true, .write = true, .read = true, .key = 5, .size = 1U << 20};
  static Descriptor put(std::uint32_t bytes, unsigned tag) {
    return {.dst = 1,
            .bytes = bytes,
            .local = std::uint64_t{1} << 30,
            .window = 1,
            .key = 5,
            .tag = tag};
  }
  World<Model> world;
  Registers<Model> first, second;
};
using Good = Two<Vmessage_registers>;

TEST(MessageRegisters, AreThoseOfTheMapAndOthersAreRefused) {
  Good two;
  auto& r = two.first;
  std::map<std::uint32_t, const csr::Register*> words;
  for (const csr::Register& one : csr::kMessageRegisters) {
    const unsigned times = one.per == csr::Per::kNicCounter ? kCounters : 1;
    for (unsigned i = 0; i < times; ++i)
      for (unsigned w = 0; w < one.words; ++w)
        EXPECT_TRUE(words.emplace(one.offset + i * csr::stride(one.per) + 4 * w, &one).second);
  }
  const std::map<std::string_view, std::uint32_t> reset = {
      {"ID", csr::kMessageMagicValue},
      {"VERSION", csr::kMessageVersion},
      {"SELF", 0},
      {"SIZES", kCounters << 24 | 4 << 16 | 5 << 8 | 3},
      {"STATUS", kDescriptorRoom | kWindowRoom | kDestination},
      {"ROOM", 0x410},
      {"TIMEOUT", 0},
      {"SEL_THRESHOLD", 4096},
      {"SEL_FACTORS", 5U << 16 | 80U << 8 | 19U}};
  for (std::uint32_t at = 0; at < 0x400; at += 4) {
    const auto word = words.find(at);
    std::uint32_t data = 1;
    EXPECT_EQ(r.read_at(at, data), word == words.end() ? kSlvErr : kOkay) << at;
    if (word == words.end()) {
      EXPECT_EQ(data, 0U);
    }
    if (word == words.end() || word->second->access == csr::Access::kRead) {
      EXPECT_EQ(r.write_at(at, ~0U), kSlvErr) << at;
    }
    if (word == words.end() || word->second->name == "COUNTER") continue;
    const auto value = reset.find(word->second->name);
    EXPECT_EQ(data, value == reset.end() ? 0 : value->second) << word->second->name;
  }
  std::uint32_t data = 0;
  EXPECT_EQ(r.read_at(0xfffc, data), kSlvErr);
  EXPECT_EQ(two.second.read("SELF"), 1U);
}

/// Bits that a register keeps, as the SystemRDL of a bundle has them.
std::uint64_t bits_of(const csr::Register& r) {
  constexpr csr::MessageWidths kWidths{
      .terminal = 3, .window = 5, .address = 40, .key = 8, .offset = 20, .tag = 16};
  const auto mask = [&](std::string_view field, unsigned lsb, unsigned most) {
    return ((std::uint64_t{1} << csr::message_field_bits(r.name, field, most, kWidths)) - 1) << lsb;
  };
  if (r.fields.empty()) return mask("VALUE", 0, 32);
  std::uint64_t bits = 0;
  for (const csr::Field& f : r.fields)
    if (!f.pulse) bits |= mask(f.name, f.lsb, f.bits);
  return bits;
}

TEST(MessageRegisters, KeepWhatIsWrittenByteByByteInTheBitsOfTheMapAlone) {
  Good two;
  auto& r = two.first;
  for (const csr::Register& one : csr::kMessageRegisters) {
    // To write a tag or an index pushes; CONTROL and POP are below.
    if (one.access != csr::Access::kReadWrite || one.name == "DESC_TAG" ||
        one.name == "WIN_INDEX" || one.name == "CONTROL" || one.name == "POP")
      continue;
    for (unsigned word = 0; word < one.words; ++word) {
      const auto mask = static_cast<std::uint32_t>(bits_of(one) >> (32 * word));
      const std::uint32_t at = one.offset + 4 * word;
      std::uint32_t data = 0;
      EXPECT_EQ(r.write_at(at, ~0U), kOkay);
      r.read_at(at, data);
      EXPECT_EQ(data, mask) << one.name;
      EXPECT_EQ(r.write_at(at, 0, 0b0101), kOkay);
      r.read_at(at, data);
      EXPECT_EQ(data, mask & 0xff00ff00U) << one.name;
      EXPECT_EQ(r.write_at(at, 0), kOkay);
    }
  }
  EXPECT_EQ(r.write("CONTROL", ~0U), kOkay);
  EXPECT_EQ(r.read("CONTROL"), bits_of(csr::register_in(csr::kMessageRegisters, "CONTROL")));
  EXPECT_EQ(r.write("POP", 0), kOkay);
  EXPECT_EQ(r.read("POP"), bits_of(csr::register_in(csr::kMessageRegisters, "POP")));
  EXPECT_EQ(r.write("CONTROL", 0, 0b1110), kOkay);
  EXPECT_EQ(r.read("CONTROL"), kFreeze | kEvents);
  // A write of no byte pushes nothing.
  EXPECT_EQ(r.write("DESC_TAG", 1, 0), kOkay);
  EXPECT_EQ(r.write("WIN_INDEX", 1, 0), kOkay);
  EXPECT_EQ(r.read("ROOM"), 0x410U);
  for (const char* name : {"DESC_TAG", "WIN_INDEX"}) {
    EXPECT_EQ(r.write(name, ~0U), kOkay);
    EXPECT_EQ(r.read(name), bits_of(csr::register_in(csr::kMessageRegisters, name))) << name;
  }
}

TEST(MessageRegisters, PutGetAndAWrongKeyAndAnEvent) {
  World<Vmessage_registers> world(2, 3);
  Registers first(world, 0), second(world, 1);
  constexpr std::uint32_t kLength = 333;
  constexpr std::uint64_t kThere = 0x40000, kFrom = 0x90000, kFetched = 0x700000000;
  EXPECT_EQ(second.write("CONTROL", kEvents), kOkay);
  EXPECT_EQ(second.write("MASK", kEvent), kOkay);
  EXPECT_EQ(
      second.push(Window{
          .index = 2, .write = true, .key = 9, .base = kThere, .size = 4096, .expect = kLength}),
      kOkay);
  EXPECT_EQ(second.push(Window{.index = 3, .read = true, .key = 8, .base = kThere, .size = 4096}),
            kOkay);
  world.run(200, [] { return false; });
  for (std::uint32_t i = 0; i < kLength; ++i) {
    world.node(1).memory.allowed[kThere + 16 + i] = Memory::original(0, kFrom + i);
    world.node(0).memory.allowed[kFetched + i] = Memory::original(1, kThere + 32 + i);
  }
  EXPECT_EQ(first.write("MASK", kCompletion), kOkay);
  EXPECT_EQ(first.model().msg_irq_o, 0);
  Descriptor d{.dst = 1,
               .bytes = kLength,
               .local = kFrom,
               .window = 2,
               .key = 9,
               .offset = 16,
               .tag = 0xabcd};
  EXPECT_EQ(first.push(d), kOkay);
  EXPECT_TRUE(world.run(2000, [&] { return first.model().msg_irq_o != 0; })) << "no interrupt";
  Completion c = first.completion();
  EXPECT_EQ(c.tag, 0xabcdU);
  EXPECT_EQ(c.status, 0U);
  EXPECT_EQ(c.bytes, kLength);
  EXPECT_TRUE(world.node(1).memory.allowed.empty()) << "all bytes of the PUT";
  EXPECT_TRUE(world.run(3, [&] { return first.model().msg_irq_o == 0; })) << "it was popped";

  EXPECT_TRUE(world.run(100, [&] { return second.model().msg_irq_o != 0; })) << "no event";
  EXPECT_EQ(second.read("STATUS") & (kCompletion | kEvent), kEvent);
  EXPECT_EQ(second.read("EVT"), kValid | 2);
  EXPECT_EQ(second.write("POP", 2, 0b1110), kOkay) << "another byte pops nothing";
  EXPECT_EQ(second.read("EVT"), kValid | 2);
  EXPECT_EQ(second.write("POP", 2), kOkay);
  EXPECT_EQ(second.read("EVT"), 0U);
  EXPECT_EQ(second.write("POP", 2), kSlvErr) << "there is none any more";
  EXPECT_TRUE(world.node(1).events.empty()) << "the stream has seen it too";

  d = {.dst = 1,
       .get = true,
       .bytes = kLength,
       .local = kFetched,
       .window = 3,
       .key = 8,
       .offset = 32,
       .tag = 1};
  EXPECT_EQ(first.push(d), kOkay);
  c = first.completion();
  EXPECT_EQ(c.status, 0U);
  EXPECT_TRUE(world.node(0).memory.allowed.empty()) << "all bytes of the GET";

  d.key ^= 1;
  EXPECT_EQ(first.push(d), kOkay);
  c = first.completion();
  EXPECT_EQ(c.status, 2U) << "a wrong key";
  EXPECT_EQ(c.bytes, 0U);
  EXPECT_EQ(first.write("POP", 1), kSlvErr);
  EXPECT_EQ(first.read("CPL"), 0U);
  EXPECT_TRUE(world.node(0).completions.empty());

  // A window is closed as it is opened.
  EXPECT_EQ(second.push(Window{.index = 3, .open = false}), kOkay);
  world.run(50, [] { return false; });
  d.key ^= 1;
  EXPECT_EQ(first.push(d), kOkay);
  EXPECT_EQ(first.completion().status, 1U) << "closed";
  EXPECT_TRUE(world.run(1000, [&] { return world.quiescent(); }));
}

template <class Model>
std::vector<unsigned> tags_of_a_full_queue() {
  Two<Model> two;
  two.open();
  std::vector<unsigned> tags;
  EXPECT_EQ(two.first.push(two.put(64, 0)), kOkay);
  for (unsigned tag = 1; tag < kPushed; ++tag) EXPECT_EQ(two.first.write("DESC_TAG", tag), kOkay);
  for (unsigned more = 0; more < 3; ++more)
    if (two.first.write("DESC_TAG", 100) == kOkay) tags.push_back(100);
  for (unsigned i = 0; i < kPushed; ++i) tags.push_back(two.first.completion().tag);
  return tags;
}

TEST(MessageRegisters, AreRefusedWithoutRoomAndHoldUpNoStream) {
  Good two;
  two.open();
  EXPECT_EQ(two.first.push(two.put(64, 0)), kOkay);
  for (unsigned tag = 1; tag < kPushed; ++tag) EXPECT_EQ(two.first.write("DESC_TAG", tag), kOkay);
  EXPECT_EQ(two.first.write("DESC_TAG", 99), kSlvErr);
  EXPECT_EQ(two.first.read("DESC_TAG"), kPushed - 1) << "a push that is refused writes nothing";
  EXPECT_EQ(two.first.read("STATUS") & kDescriptorRoom, 0U);
  // None of them is popped, and the streams have all that they had.
  auto& node = two.world.node(0);
  for (unsigned i = 0; i < 100; ++i) node.descriptors.push_back(two.put(64, 1000 + i));
  EXPECT_TRUE(two.world.run(10'000, [&] { return node.completions.size() == 100; }));
  EXPECT_EQ(two.first.read("ROOM") & 0xff00ffU, kPushed << 16) << "all wait, none may come";
  for (unsigned i = 0; i < kPushed; ++i) {
    EXPECT_EQ(two.first.completion().status, 0U);
    EXPECT_EQ(two.first.read("ROOM") & 0xffU, i + 1);
  }
  EXPECT_EQ(two.first.push(two.put(64, 7)), kOkay);
  EXPECT_EQ(two.first.completion().tag, 7U);
}

TEST(MessageRegisters, ThatPushWithoutRoomAreSeen) {
  const auto good = tags_of_a_full_queue<Vmessage_registers>();
  ASSERT_EQ(good.size(), kPushed);
  EXPECT_TRUE(std::is_permutation(
      good.begin(), good.end(),
      std::array<unsigned, kPushed>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}.begin()));
  EXPECT_GT(tags_of_a_full_queue<Vmessage_registers_room>().size(), std::size_t{kPushed});
}

TEST(MessageRegisters, AnEventThatWaitsStaysWhereItIs) {
  Good two;
  EXPECT_EQ(two.second.write("CONTROL", kEvents), kOkay);
  Window window = Good::kOpen;
  window.expect = 16;
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(two.second.push(window), kOkay);
    two.world.run(200, [] { return false; });
    EXPECT_EQ(two.first.push(Good::put(16, i)), kOkay);
    EXPECT_EQ(two.first.completion().status, 0U);
    if (i == 1) break;
    EXPECT_EQ(two.second.read("EVT"), kValid | 1);
    EXPECT_EQ(two.second.write("CONTROL", 0), kOkay);
    two.world.run(50, [] { return false; });
    EXPECT_EQ(two.second.read("EVT"), kValid | 1) << "it has been withdrawn";
    EXPECT_TRUE(two.world.node(1).events.empty());
    EXPECT_EQ(two.second.write("POP", 2), kOkay);
  }
  EXPECT_TRUE(two.world.run(100, [&] { return two.world.node(1).events.size() == 1; }));
  EXPECT_EQ(two.second.read("EVT"), 0U);
}

TEST(MessageRegisters, WindowsWaitInAQueueOfFour) {
  Good two;  // just reset: windows are being closed, and none is taken
  EXPECT_EQ(two.second.write("WIN_ACCESS", 3 | 5U << 24), kOkay);
  EXPECT_EQ(two.second.write("WIN_SIZE", 4096), kOkay);
  unsigned taken = 0;
  while (two.second.write("WIN_INDEX", taken) == kOkay) ++taken;
  EXPECT_EQ(taken, 4U);
  EXPECT_LT(two.world.cycle(), 32U) << "the test comes too late";
  EXPECT_TRUE(two.world.run(200, [&] { return (two.second.model().quiescent_o) != 0; }));
  EXPECT_EQ(two.second.read("ROOM") >> 8 & 0xffU, 4U);
  for (unsigned window = 0; window < 5; ++window) {
    Descriptor d = two.put(16, window);
    d.window = window;
    EXPECT_EQ(two.first.push(d), kOkay);
    EXPECT_EQ(two.first.completion().status, window < 4 ? 0U : 1U) << window;
  }
}

TEST(MessageRegisters, WindowsThatWaitAreOpenForRequestsThatWaitToo) {
  Good two;  // just reset, as above
  two.world.network.latency = 1;
  constexpr unsigned kWindows = 4;
  for (unsigned window = 0; window < kWindows; ++window) {
    Descriptor d = two.put(16, window);
    d.window = window;
    two.world.node(0).descriptors.push_back(d);
  }
  EXPECT_EQ(two.second.write("WIN_ACCESS", 3 | 5U << 24), kOkay);
  EXPECT_EQ(two.second.write("WIN_SIZE", 4096), kOkay);
  for (unsigned window = 0; window < kWindows; ++window)
    EXPECT_EQ(two.second.write("WIN_INDEX", window), kOkay);
  EXPECT_LT(two.world.cycle(), 32U) << "the test comes too late";
  const auto& completions = two.world.node(0).completions;
  ASSERT_TRUE(two.world.run(1000, [&] { return completions.size() == kWindows; }));
  for (const Completion& c : completions) EXPECT_EQ(c.status, kDone) << c.tag;
}

/// Both hosts of a terminal send at random; tags that one of them did not get back, or got from the
/// other.
template <class Model>
std::size_t strayed(std::uint64_t seed) {
  Two<Model> two(seed);
  two.world.host_pause = 30;
  two.world.network = {.latency = 5, .spread = 60};
  two.open();
  auto& node = two.world.node(0);
  std::mt19937_64 random(seed);
  std::vector<unsigned> expected, got, stream_expected, stream_got;
  unsigned owed = 0;
  for (unsigned i = 0; i < 60; ++i) {
    for (unsigned k = static_cast<unsigned>(random() % 4); k > 0; --k) {
      stream_expected.push_back(static_cast<unsigned>(random() % 65536));
      node.descriptors.push_back(
          two.put(1 + static_cast<unsigned>(random() % 300), stream_expected.back()));
    }
    if (owed < 3) {
      expected.push_back(static_cast<unsigned>(random() % 65536));
      EXPECT_EQ(two.first.push(two.put(1 + static_cast<unsigned>(random() % 300), expected.back())),
                kOkay);
      ++owed;
    }
    for (unsigned tries = 0; tries < 40 && (two.first.read("CPL") & kValid) == 0; ++tries) continue;
    if ((two.first.read("CPL") & kValid) == 0) continue;
    got.push_back(two.first.completion().tag);
    owed -= owed > 0;
  }
  two.world.run(5000, [&] { return node.completions.size() >= stream_expected.size(); });
  for (unsigned i = 0; i < 200 && (two.first.read("ROOM") & 0xffU) != kPushed; ++i)
    if ((two.first.read("CPL") & kValid) != 0) got.push_back(two.first.completion().tag);
  for (const Completion& c : node.completions) stream_got.push_back(c.tag);
  std::size_t wrong = 0;
  for (auto [all, back] : {std::pair{&expected, &got}, {&stream_expected, &stream_got}}) {
    std::ranges::sort(*all), std::ranges::sort(*back);
    std::vector<unsigned> differ;
    std::ranges::set_symmetric_difference(*all, *back, std::back_inserter(differ));
    wrong += differ.size();
  }
  return wrong;
}

TEST(MessageRegisters, CompletionsGoToTheHostThatAsked) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(strayed<Vmessage_registers>(seed), 0U);
}

TEST(MessageRegisters, CompletionsThatGoToTheOtherHostAreSeen) {
  EXPECT_GT(strayed<Vmessage_registers_swapped>(1), 0U);
}

/// Snapshots that are not the counters of one cycle, while a long PUT goes on.
template <class Model>
unsigned torn_snapshots() {
  Two<Model> two;
  two.open();
  EXPECT_EQ(two.first.push(two.put(1U << 19, 1)), kOkay);
  two.world.run(300, [] { return false; });
  unsigned torn = 0;
  for (unsigned i = 0; i < 5; ++i) {
    const std::uint64_t before = two.world.counter(0, 0);
    EXPECT_EQ(two.first.write("CONTROL", kSnapshot), kOkay);
    std::array<std::uint64_t, kCounters> found{};
    for (unsigned c = 0; c < kCounters; ++c) found[c] = two.first.counter(c);
    EXPECT_GT(two.world.counter(0, 0), found[0]) << "nothing moves";
    EXPECT_GE(found[0], before);
    // A head and four flits of payload of each request: in one cycle these differ by a packet.
    const auto flits = static_cast<std::int64_t>(found[0]),
               packets = static_cast<std::int64_t>(found[2]);
    if (flits > 5 * packets || flits < 5 * (packets - 1)) ++torn;
    // Again, and the same.
    for (unsigned c = 0; c < kCounters; ++c)
      if (two.first.counter(c) != found[c]) ++torn;
  }
  return torn;
}

TEST(MessageRegisters, ASnapshotIsOfOneCycle) {
  EXPECT_EQ(torn_snapshots<Vmessage_registers>(), 0U);
}

TEST(MessageRegisters, CountersThatRunOnWhileTheyAreReadAreSeen) {
  EXPECT_GT(torn_snapshots<Vmessage_registers_live>(), 0U);
}

TEST(MessageRegisters, CountersAreFrozenAndClearedBehindTheirSnapshot) {
  Good two;
  two.open();
  auto& r = two.first;
  const auto message = [&] {
    EXPECT_EQ(r.push(two.put(64, 1)), kOkay);
    EXPECT_EQ(r.completion().status, 0U);
  };
  message();
  EXPECT_EQ(r.write("CONTROL", kFreeze), kOkay);
  message();
  EXPECT_EQ(two.world.counter(0, 2), 1U) << "the counters hold";
  EXPECT_EQ(r.write("CONTROL", 0), kOkay);
  message();
  EXPECT_EQ(r.write("CONTROL", kSnapshot | kClear), kOkay);
  EXPECT_EQ(r.counter(2), 2U) << "of before the clear";
  EXPECT_EQ(two.world.counter(0, 2), 0U);
  EXPECT_EQ(r.counter(2), 2U) << "until the next snapshot";
  EXPECT_EQ(r.write("CONTROL", kSnapshot), kOkay);
  for (unsigned c = 0; c < kCounters; ++c) EXPECT_EQ(r.counter(c), 0U);
  // The pins of the other host do the same.
  message();
  r.model().ctr_clear_i = 1;
  two.world.step();
  r.model().ctr_clear_i = 0;
  two.world.step();
  EXPECT_EQ(two.world.counter(0, 2), 0U);
}

}  // namespace
}  // namespace hopwise::test
