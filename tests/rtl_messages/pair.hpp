// SPDX-License-Identifier: Apache-2.0
// Two message terminals, of which the first asks; and the numbers that interfaces tell.
#pragma once

#include "world.hpp"

namespace hopwise::test {

enum Status : unsigned {
  kDone,
  kClosed,
  kKey,
  kForbidden,
  kBounds,
  kMemory,
  kTimeout,
  kDescriptor
};
enum Counter : unsigned {
  kReqFlits,
  kReqStalled,
  kReqPackets,
  kRspPackets,
  kRspLatency,
  kRspFlits,
  kRspStalled,
  kRefused,
  kMemoryErrors = 11,
  kBadDescriptors,
  kTimeouts,
  kLate
};
// Of docs/reference/messages.md: what the interfaces take of a round trip, besides flits, links and
// memory.
inline constexpr unsigned kPutCycles = 9, kGetCycles = 8;
inline constexpr unsigned kFooterCycles = 5;  // more, with footers

/// Two terminals, all of the memory of the second one open to the first, and what it writes not
/// looked at.
template <class Model, unsigned kEject = 12>
class PairOf {
 public:
  explicit PairOf(Network network) : world_(2, 7) {
    world_.network = network;
    for (unsigned t = 0; t < 2; ++t) {
      world_.node(t).windows.push_back(
          {.index = 1, .write = true, .read = true, .key = 5, .size = 1U << 20});
      world_.node(t).memory.anywhere = true;
    }
    world_.run(100, [] { return false; });
  }
  World<Model, kEject>& operator*() { return world_; }
  World<Model, kEject>* operator->() { return &world_; }
  void ask(bool get, std::uint32_t bytes, std::uint32_t offset = 0) {
    world_.node(0).descriptors.push_back({.dst = 1,
                                          .get = get,
                                          .bytes = bytes,
                                          .local = std::uint64_t{1} << 30,
                                          .window = 1,
                                          .key = 5,
                                          .offset = offset,
                                          .tag = ++tag_ % 65536});
  }
  /// Cycles until so many messages are over.
  std::uint64_t over(std::size_t messages, std::uint64_t most = 500'000) {
    const std::uint64_t begin = world_.cycle(), before = world_.completions();
    EXPECT_TRUE(world_.run(most, [&] { return world_.completions() - before >= messages; }));
    return world_.cycle() - begin;
  }

 private:
  World<Model, kEject> world_;
  unsigned tag_ = 0;
};

}  // namespace hopwise::test
