// SPDX-License-Identifier: Apache-2.0
// Requests that come twice, and messages that are sent again: in memory once, complete once.
#include <gtest/gtest-spi.h>

#include "Vmessage_any_generation.h"
#include "Vmessage_any_key.h"
#include "Vmessage_terminal.h"
#include "pair.hpp"

namespace hopwise::test {
namespace {

constexpr std::uint64_t kSource = std::uint64_t{1} << 30, kOld = 1U << 20, kNew = 2U << 20;
constexpr std::uint32_t kBytes = 1000;
constexpr unsigned kPackets = (kBytes + 63) / 64;

/// Bytes that terminal `to` may write at `at`: those of terminal `from` at `of`.
template <class Node>
void allow(Node& to, std::uint64_t at, unsigned from, std::uint64_t of, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i)
    to.memory.allowed[at + i] = Memory::original(from, of + i);
}

/// PUTs and GETs of which each request comes twice, in any order. What was written is compared.
template <class Model>
bool requests_that_come_twice() {
  World<Model> world(2, 5);
  world.network = {.latency = 10, .spread = 40, .twice = 100};
  auto &here = world.node(0), &there = world.node(1);
  there.windows.push_back(
      {.index = 1, .write = true, .read = true, .key = 5, .base = kOld, .size = 1U << 20});
  there.memory.again = true;  // a PUT's second request writes the same bytes to the same place
  constexpr unsigned kMessages = 40;
  for (unsigned i = 0; i < kMessages; ++i) {
    const std::uint64_t local = kSource + std::uint64_t{i} * 4096;
    const bool get = i % 2 != 0;
    here.descriptors.push_back({.dst = 1,
                                .get = get,
                                .bytes = kBytes,
                                .local = local,
                                .window = 1,
                                .key = 5,
                                .offset = i * 1024,
                                .tag = i});
    if (get)
      allow(here, local, 1, kOld + i * 1024, kBytes);
    else
      allow(there, kOld + i * 1024, 0, local, kBytes);
  }
  std::vector<unsigned> completions(kMessages);
  const bool over = world.run(100'000, [&] { return here.completions.size() >= kMessages; });
  world.run(1000, [] { return false; });
  for (const Completion& c : here.completions) {
    if (c.status != kDone || c.bytes != kBytes) return false;
    ++completions[c.tag];
  }
  const std::uint64_t requests = std::uint64_t{kMessages} * kPackets;
  return over && completions == std::vector<unsigned>(kMessages, 1) &&
         here.memory.allowed.empty() &&  // all data of GETs, once
         world.counter(0, kReqPackets) == requests && world.counter(0, kRspPackets) == requests &&
         world.counter(0, kLate) == requests && world.quiescent();
}

TEST(MessagesTwice, ARequestThatComesTwiceCompletesOnceAndTheDataOfAGetAreWrittenOnce) {
  EXPECT_TRUE(requests_that_come_twice<Vmessage_terminal>());
}

TEST(MessagesTwice, ATableThatTakesResponsesOfAnyGenerationIsSeen) {
  testing::TestPartResultArray wrong;
  bool good = true;
  {
    const testing::ScopedFakeTestPartResultReporter catches(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &wrong);
    good = requests_that_come_twice<Vmessage_any_generation>();
  }
  EXPECT_TRUE(!good || wrong.size() > 0);
}

/// The requests of a PUT stay in the network until its time is over. Its receiver opens the window
/// again, for other memory and under another key, and it is sent again under that. Then the old
/// requests arrive, in the midst of the new ones or behind them.
template <class Model>
void sent_again(bool behind) {
  World<Model> world(2, 6);
  world.network = {.latency = 10, .keeps_requests = true};
  auto &here = world.node(0), &there = world.node(1);
  here.bench->timeout_i = 500;
  Window window{.index = 2, .write = true, .key = 7, .base = kOld, .size = 4096, .expect = kBytes};
  Descriptor put{.dst = 1, .bytes = kBytes, .local = kSource, .window = 2, .key = 7, .tag = 1};
  there.windows.push_back(window);
  here.descriptors.push_back(put);
  ASSERT_TRUE(world.run(5000, [&] { return here.completions.size() == 1; }));
  EXPECT_EQ(here.completions.front().status, kTimeout);

  world.network.keeps_requests = false;
  here.bench->timeout_i = 0;
  window.key = put.key = 8;
  window.base = kNew;
  put.tag = 2;
  allow(there, kNew, 0, kSource, kBytes);  // nothing at the old place
  there.windows.push_back(window);
  ASSERT_TRUE(world.run(100, [&] { return there.windows.empty(); }));
  here.descriptors.push_back(put);
  ASSERT_TRUE(world.run(5000, [&] { return !behind || here.completions.size() == 2; }));
  world.release();
  ASSERT_TRUE(world.run(
      5000, [&] { return here.completions.size() == 2 && world.counter(0, kLate) == kPackets; }));
  EXPECT_EQ(here.completions.back().tag, 2U);
  EXPECT_EQ(here.completions.back().status, kDone);
  EXPECT_EQ(there.events, std::vector<unsigned>{2});
  EXPECT_TRUE(there.memory.allowed.empty());
  EXPECT_EQ(there.memory.bytes_written, kBytes);
  EXPECT_EQ(world.counter(1, kRefused) + world.counter(1, kRefused + 1), kPackets);
}

TEST(MessagesTwice, AMessageThatIsSentAgainUnderANewKeyIsWrittenOnceAndHasOneEvent) {
  sent_again<Vmessage_terminal>(false);
  sent_again<Vmessage_terminal>(true);
}

/// The requests of a PUT have been judged, and memory answers them when their window is open again,
/// under another key: they are written where they were to be, and not counted.
TEST(MessagesTwice, WhatWasJudgedUnderAnOldKeyIsNotCounted) {
  World<Vmessage_terminal> world(2, 6);
  world.network = {.latency = 10};
  auto &here = world.node(0), &there = world.node(1);
  here.bench->timeout_i = 500;
  there.memory.latency = 3000;
  Window window{.index = 2, .write = true, .key = 7, .base = kOld, .size = 4096, .expect = kBytes};
  Descriptor put{.dst = 1, .bytes = kBytes, .local = kSource, .window = 2, .key = 7, .tag = 1};
  allow(there, kOld, 0, kSource, kBytes);
  there.windows.push_back(window);
  here.descriptors.push_back(put);
  ASSERT_TRUE(world.run(5000, [&] { return here.completions.size() == 1; }));
  EXPECT_EQ(here.completions.front().status, kTimeout);
  EXPECT_TRUE(there.memory.allowed.empty());

  here.bench->timeout_i = 0;
  window.key = put.key = 8;
  window.base = kNew;
  put.tag = 2;
  allow(there, kNew, 0, kSource, kBytes);
  there.windows.push_back(window);
  ASSERT_TRUE(world.run(100, [&] { return there.windows.empty(); }));
  here.descriptors.push_back(put);
  ASSERT_TRUE(world.run(20'000, [&] { return !there.events.empty(); }));
  EXPECT_TRUE(there.memory.allowed.empty()) << "an event before all bytes are there";
  ASSERT_TRUE(world.run(20'000, [&] { return here.completions.size() == 2; }));
  EXPECT_EQ(here.completions.back().status, kDone);
  EXPECT_EQ(there.events, std::vector<unsigned>{2});
  EXPECT_EQ(world.counter(0, kLate), kPackets);
}

/// A window is closed while memory still answers what was judged before: there is no event, though
/// all bytes have come then.
TEST(MessagesTwice, BehindACloseThereIsNoEvent) {
  World<Vmessage_terminal> world(2, 6);
  auto &here = world.node(0), &there = world.node(1);
  there.memory.latency = 3000;
  Window window{.index = 2, .write = true, .key = 7, .base = kOld, .size = 4096, .expect = kBytes};
  allow(there, kOld, 0, kSource, kBytes);
  there.windows.push_back(window);
  here.descriptors.push_back(
      {.dst = 1, .bytes = kBytes, .local = kSource, .window = 2, .key = 7, .tag = 1});
  ASSERT_TRUE(world.run(2000, [&] { return there.memory.bytes_written == kBytes; }));
  window.open = false;
  there.windows.push_back(window);
  ASSERT_TRUE(world.run(10'000, [&] { return here.completions.size() == 1; }));
  EXPECT_EQ(here.completions.front().status, kDone);
  world.run(100, [] { return false; });
  EXPECT_TRUE(there.events.empty());
}

/// Of requests that are under way, the sweep looks at one when their time is taken away.
TEST(MessagesTwice, TimeoutsThatAreSwitchedOffEndNothing) {
  for (unsigned phase = 0; phase < 4; ++phase) {
    World<Vmessage_terminal> world(2, 6);
    world.network = {.latency = 2000};
    auto &here = world.node(0), &there = world.node(1);
    here.bench->timeout_i = 1'000'000;
    allow(there, kOld, 0, kSource, kBytes);
    there.windows.push_back(
        {.index = 2, .write = true, .key = 7, .base = kOld, .size = 4096, .expect = kBytes});
    here.descriptors.push_back(
        {.dst = 1, .bytes = kBytes, .local = kSource, .window = 2, .key = 7, .tag = 1});
    world.run(1000 + phase, [] { return false; });
    ASSERT_EQ(world.counter(0, kReqPackets), kPackets);
    here.bench->timeout_i = 0;
    ASSERT_TRUE(world.run(10'000, [&] { return here.completions.size() == 1; }));
    EXPECT_EQ(here.completions.front().status, kDone) << phase;
    EXPECT_EQ(world.counter(0, kTimeouts) + world.counter(0, kLate), 0U) << phase;
  }
}

TEST(MessagesTwice, AWindowThatTakesAnyKeyIsSeen) {
  testing::TestPartResultArray wrong;
  {
    const testing::ScopedFakeTestPartResultReporter catches(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &wrong);
    sent_again<Vmessage_any_key>(false);
  }
  EXPECT_GT(wrong.size(), 0);
}

}  // namespace
}  // namespace hopwise::test
