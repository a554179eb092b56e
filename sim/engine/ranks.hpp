// SPDX-License-Identifier: Apache-2.0
// The processes that simulate one network together: what the engine asks of them. It knows no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace hopwise::engine {

/// Each rank simulates routers of its own, and all of them decide alike what comes next: every one
/// calls gather() as often as the others, in the same order.
class Ranks {
 public:
  using Bytes = std::vector<std::byte>;

  virtual ~Ranks() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;

  /// What each rank has given, in the order of the ranks.
  virtual std::vector<Bytes> gather(std::span<const std::byte> mine) = 0;

  /// Does not wait until the bytes are there. Messages to a rank arrive in the order of sending.
  virtual void send(unsigned to, Bytes bytes) = 0;
  /// The next message of that rank, for which it waits.
  virtual Bytes receive(unsigned from) = 0;
};

/// One process simulates all.
class OneRank final : public Ranks {
 public:
  unsigned rank() const override { return 0; }
  unsigned size() const override { return 1; }
  std::vector<Bytes> gather(std::span<const std::byte> mine) override {
    return {{mine.begin(), mine.end()}};
  }
  void send(unsigned, Bytes) override {}
  Bytes receive(unsigned) override { return {}; }
};

/// The values of all ranks, in the order of the ranks. They may differ in number.
template <class T>
std::vector<T> gathered(Ranks& ranks, const std::vector<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (ranks.size() == 1) return mine;
  std::vector<T> all;
  for (const Ranks::Bytes& bytes : ranks.gather(std::as_bytes(std::span(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

/// Each value becomes the sum of those of all ranks.
template <class T>
void add_up(Ranks& ranks, std::span<T> values) {
  if (ranks.size() == 1) return;
  const std::vector<T> all = gathered(ranks, std::vector<T>(values.begin(), values.end()));
  std::fill(values.begin(), values.end(), T{});
  for (std::size_t i = 0; i < all.size(); ++i) values[i % values.size()] += all[i];
}
inline std::uint64_t sum(Ranks& ranks, std::uint64_t value) {
  add_up(ranks, std::span(&value, 1));
  return value;
}
inline bool any(Ranks& ranks, bool here) { return sum(ranks, here ? 1 : 0) != 0; }
inline bool all(Ranks& ranks, bool here) { return !any(ranks, !here); }

}  // namespace hopwise::engine
