// SPDX-License-Identifier: Apache-2.0
#include "traffic/jobs/collectives.hpp"

#include <bit>

namespace hopwise::traffic {
namespace {

/// Receives from one and sends to another, or to the same.
void exchange(Program& program, std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
  program.receive(from);
  program.send(to, bytes);
  program.wait();
}

/// Whose block comes, and whose goes, in a step of an all-to-all.
std::uint32_t block_from(const Group& group, std::size_t step) {
  const std::size_t n = group.size(), me = group.me;
  return group[std::has_single_bit(n) ? me ^ step : me + n - step];
}
std::uint32_t block_to(const Group& group, std::size_t step) {
  const std::size_t n = group.size(), me = group.me;
  return group[std::has_single_bit(n) ? me ^ step : me + step];
}

}  // namespace

void barrier(Program& program, const Group& group) {
  const std::size_t n = group.size(), me = group.me;
  for (std::size_t d = 1; d < n; d *= 2) exchange(program, group[me + n - d], group[me + d], 0);
}

void broadcast(Program& program, const Group& group, std::uint64_t bytes) {
  const std::size_t n = group.size(), me = group.me;
  std::size_t distance = 1;
  while (distance < n && (me & distance) == 0) distance *= 2;
  if (me != 0) {
    program.receive(group[me - distance]);
    program.wait();
  }
  for (distance /= 2; distance > 0; distance /= 2) {
    if (me + distance < n) program.send(group[me + distance], bytes);
  }
}

void allreduce_doubling(Program& program, const Group& group, std::uint64_t bytes) {
  const std::size_t n = group.size(), me = group.me;
  const std::size_t power = std::bit_floor(n), extra = n - power;
  const bool folds = me < 2 * extra && me % 2 == 0;
  if (folds) {
    program.send(group[me + 1], bytes);
    program.receive(group[me + 1]);
    program.wait();
    return;
  }
  const bool takes = me < 2 * extra;
  if (takes) {
    program.receive(group[me - 1]);
    program.wait();
  }
  const std::size_t place = takes ? me / 2 : me - extra;
  for (std::size_t bit = 1; bit < power; bit *= 2) {
    const std::size_t other = place ^ bit;
    const std::uint32_t partner = group[other < extra ? 2 * other + 1 : other + extra];
    exchange(program, partner, partner, bytes);
  }
  if (takes) program.send(group[me - 1], bytes);
}

void allreduce_ring(Program& program, const Group& group, std::uint64_t bytes) {
  const std::size_t n = group.size(), me = group.me;
  const auto part = [&](std::size_t place) { return bytes / n + (place % n < bytes % n ? 1 : 0); };
  // Part me - s goes on with what was combined so far; part me + 1 is complete here in the end.
  for (std::size_t s = 0; s + 1 < n; ++s)
    exchange(program, group[me + n - 1], group[me + 1], part(me + n - s));
  for (std::size_t s = 0; s + 1 < n; ++s)
    exchange(program, group[me + n - 1], group[me + 1], part(me + n + 1 - s));
}

void allgather(Program& program, const Group& group, std::uint64_t bytes) {
  const std::size_t n = group.size(), me = group.me;
  for (std::size_t s = 0; s + 1 < n; ++s)
    exchange(program, group[me + n - 1], group[me + 1], bytes);
}

void alltoall(Program& program, const Group& group, std::uint64_t bytes) {
  for (std::size_t s = 1; s < group.size(); ++s)
    exchange(program, block_from(group, s), block_to(group, s), bytes);
}

void alltoall_get(Program& program, const Group& group, std::uint64_t bytes) {
  for (std::size_t s = 1; s < group.size(); ++s) {
    program.get(block_from(group, s), bytes);
    program.wait();
  }
}

}  // namespace hopwise::traffic
