// SPDX-License-Identifier: Apache-2.0
#include "traffic/jobs/programs.hpp"

#include <array>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "traffic/jobs/collectives.hpp"

namespace hopwise::traffic {
namespace {

using spec::JobSpec;

bool gets(const JobSpec& job) { return job.transfer == JobSpec::Transfer::kGet; }

/// Rank r and the one half of the ranks on: a message there, and one back. With gets the request is
/// what goes there.
void ping_pong(Program& program, const JobSpec& job, const Group& all) {
  const std::size_t half = all.size() / 2;
  const bool begins = all.me < half;
  const std::uint32_t partner = all[begins ? all.me + half : all.me - half];
  if (gets(job)) {
    if (begins) program.get(partner, job.bytes);
    program.wait();
    return;
  }
  if (begins) program.send(partner, job.bytes);
  program.receive(partner);
  program.wait();
  if (!begins) program.send(partner, job.bytes);
}

/// Place of a rank in the grid of a program.
std::array<unsigned, 3> place_in(const std::vector<unsigned>& grid, std::size_t rank) {
  std::array<unsigned, 3> place{};
  for (std::size_t d = 0; d < grid.size(); ++d) {
    place[d] = static_cast<unsigned>(rank % grid[d]);
    rank /= grid[d];
  }
  return place;
}

std::size_t stride_of(const std::vector<unsigned>& grid, std::size_t dimension) {
  return std::accumulate(grid.begin(), grid.begin() + static_cast<std::ptrdiff_t>(dimension),
                         std::size_t{1}, std::multiplies<>());
}

/// A face to each neighbour of a grid without ends joined, and one from it.
void halo3d(Program& program, const JobSpec& job, const Group& all) {
  const auto place = place_in(job.grid, all.me);
  std::vector<std::uint32_t> neighbours;
  for (std::size_t d = 0; d < job.grid.size(); ++d) {
    const std::size_t stride = stride_of(job.grid, d);
    if (place[d] > 0) neighbours.push_back(all[all.me - stride]);
    if (place[d] + 1 < job.grid[d]) neighbours.push_back(all[all.me + stride]);
  }
  if (gets(job)) {
    for (const std::uint32_t n : neighbours) program.get(n, job.bytes);
  } else {
    for (const std::uint32_t n : neighbours) program.receive(n);
    for (const std::uint32_t n : neighbours) program.send(n, job.bytes);
  }
  program.wait();
}

/// A wavefront from each corner of the grid, twice, as the eight octants of a transport sweep; each
/// in blocks. A rank computes for a block when it has those of the two ranks before it.
void sweep3d(Program& program, const JobSpec& job, const Group& all) {
  const auto place = place_in(job.grid, all.me);
  for (unsigned octant = 0; octant < 8; ++octant) {
    std::vector<std::uint32_t> before, behind;
    for (std::size_t d = 0; d < job.grid.size(); ++d) {
      const std::size_t stride = stride_of(job.grid, d);
      const bool down = ((octant / 2) >> d & 1) != 0;
      if (place[d] > 0) (down ? behind : before).push_back(all[all.me - stride]);
      if (place[d] + 1 < job.grid[d]) (down ? before : behind).push_back(all[all.me + stride]);
    }
    for (unsigned block = 0; block < job.blocks; ++block) {
      for (const std::uint32_t rank : before) program.receive(rank);
      if (!before.empty()) program.wait();
      program.compute(job.compute_cycles);
      for (const std::uint32_t rank : behind) program.send(rank, job.bytes);
    }
  }
}

/// A block from each rank of the group to each other one.
void exchange_blocks(Program& program, const JobSpec& job, const Group& group) {
  (gets(job) ? alltoall_get : alltoall)(program, group, job.bytes);
}

/// A transform in two dimensions: computation and an exchange within the rows of the grid, then the
/// same within its columns.
void fft(Program& program, const JobSpec& job, const Group& all) {
  const auto place = place_in(job.grid, all.me);
  for (std::size_t d = 0; d < 2; ++d) {
    const std::size_t stride = stride_of(job.grid, d);
    Group line{.ranks = {}, .me = place[d]};
    for (unsigned i = 0; i < job.grid[d]; ++i)
      line.ranks.push_back(all[all.me - place[d] * stride + i * stride]);
    program.compute(job.compute_cycles);
    exchange_blocks(program, job, line);
  }
}

void write(Program& program, const JobSpec& job, const Group& all) {
  using Kind = JobSpec::Program;
  const bool computes_inside = job.program == Kind::kSweep3d || job.program == Kind::kFft;
  if (!computes_inside) program.compute(job.compute_cycles);
  switch (job.program) {
    case Kind::kPingPong: return ping_pong(program, job, all);
    case Kind::kBarrier: return barrier(program, all);
    case Kind::kBroadcast: return broadcast(program, all, job.bytes);
    case Kind::kAllreduce:
      return job.algorithm == JobSpec::Algorithm::kRing
                 ? allreduce_ring(program, all, job.bytes)
                 : allreduce_doubling(program, all, job.bytes);
    case Kind::kAllgather: return allgather(program, all, job.bytes);
    case Kind::kAlltoall: return exchange_blocks(program, job, all);
    case Kind::kHalo3d: return halo3d(program, job, all);
    case Kind::kSweep3d: return sweep3d(program, job, all);
    case Kind::kFft: return fft(program, job, all);
    case Kind::kCustom: return;
  }
}

}  // namespace

Diagnostic too_many_operations(const JobSpec& job) {
  return {"traffic.job-size",
          job.where,
          "job.program",
          fmt::format("more than {} operations", kMostOperations),
          fmt::format("{} in an iteration of all ranks", kMostOperations),
          "fewer job.ranks"};
}

Result<std::vector<Program>> make_programs(const JobSpec& job) {
  if (job.program == JobSpec::Program::kCustom) return custom_programs(job);
  Group all{.ranks = std::vector<std::uint32_t>(job.ranks), .me = 0};
  std::iota(all.ranks.begin(), all.ranks.end(), 0U);
  std::vector<Program> programs(job.ranks);
  std::size_t operations = 0;
  for (all.me = 0; all.me < all.size(); ++all.me) {
    write(programs[all.me], job, all);
    operations += programs[all.me].operations().size();
    if (operations <= kMostOperations) continue;
    return too_many_operations(job);
  }
  return programs;
}

}  // namespace hopwise::traffic
