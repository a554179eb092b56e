// SPDX-License-Identifier: Apache-2.0
#include "traffic/jobs/job.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "topology/packet_format.hpp"
#include "traffic/jobs/check.hpp"
#include "traffic/jobs/programs.hpp"
#include "traffic/jobs/rank.hpp"
#include "traffic/random.hpp"
#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

/// The terminal of each rank.
std::vector<TerminalId> place(const spec::JobSpec& spec, std::size_t terminals) {
  using Placement = spec::JobSpec::Placement;
  std::vector<unsigned> all = spec.terminals;
  if (spec.placement != Placement::kList) {
    all.resize(terminals);
    std::iota(all.begin(), all.end(), 0U);
  }
  if (spec.placement == Placement::kRandom) {
    Random random(spec.placement_seed, kPlacementStream);
    for (std::size_t rank = 0; rank < spec.ranks; ++rank)
      std::swap(all[rank], all[rank + random.below(terminals - rank)]);
  }
  std::vector<TerminalId> chosen;
  for (std::size_t rank = 0; rank < spec.ranks; ++rank) chosen.push_back(terminal_id(all[rank]));
  return chosen;
}

/// The longest message of any program, bytes.
std::uint64_t longest(const std::vector<Program>& programs) {
  std::uint64_t bytes = 0;
  for (const Program& program : programs) {
    for (const Operation& operation : program.operations()) {
      if (operation.kind == Operation::Kind::kSend || operation.kind == Operation::Kind::kGet)
        bytes = std::max(bytes, operation.amount);
    }
  }
  return bytes;
}

}  // namespace

std::uint64_t MessagePackets::packets(std::uint64_t bytes) const {
  return std::max<std::uint64_t>(1, (data_flits(bytes) + payload - 1) / payload);
}

std::uint32_t MessagePackets::flits(std::uint64_t bytes, std::uint64_t packet) const {
  const std::uint64_t left = data_flits(bytes) - packet * payload;
  return overhead + static_cast<std::uint32_t>(std::min<std::uint64_t>(left, payload));
}

bool Job::communicates(std::uint32_t rank) const {
  return std::ranges::any_of(programs_[rank].operations(), [](const Operation& operation) {
    using Kind = Operation::Kind;
    return operation.kind != Kind::kCompute && operation.kind != Kind::kWait;
  });
}

std::uint64_t Job::compute_cycles(std::uint32_t rank) const {
  std::uint64_t cycles = 0;
  for (const Operation& operation : programs_[rank].operations())
    cycles += operation.kind == Operation::Kind::kCompute ? operation.amount : 0;
  return cycles;
}

std::vector<std::shared_ptr<Rank>> Job::start() const {
  std::vector<std::shared_ptr<Rank>> all;
  for (std::uint32_t rank = 0; rank < ranks(); ++rank)
    all.push_back(std::make_shared<Rank>(*this, rank));
  return all;
}

Result<Job> make_job(const spec::JobSpec& spec, const spec::NetworkSpec& network,
                     const topology::Topology& topology) {
  const std::uint32_t overhead = topology::overhead_flits(network.packet);
  if (network.packet.max_flits <= overhead) {
    return Diagnostic{"traffic.job-packets",
                      spec.where,
                      "packet.max_flits",
                      fmt::format("{}", network.packet.max_flits),
                      fmt::format("{} or more with a job", overhead + 1),
                      "its packets have a header and payload"};
  }
  auto programs = make_programs(spec);
  if (!programs) return programs.errors();
  Job job;
  job.name_ = spec.name;
  job.programs_ = std::move(programs).value();
  if (!network.terminal.messages) {
    if (Diagnostics errors = refuse_gets(spec, job.programs_); !errors.empty()) return errors;
  }
  if (Diagnostics errors = match(spec, job.programs_); !errors.empty()) return errors;
  constexpr std::uint64_t kMost = std::uint64_t{1} << spec::kOffsetBits;  // one window's
  const std::uint64_t bytes = longest(job.programs_);
  if (network.terminal.messages && bytes > kMost) {
    return Diagnostic{"traffic.job-message",
                      spec.where,
                      "job.program",
                      fmt::format("a message of {} bytes", bytes),
                      fmt::format("up to {} bytes with message interfaces", kMost),
                      "an offset into a window spans no more"};
  }
  job.terminals_ = place(spec, topology.num_terminals());
  job.taken_.resize(topology.num_terminals());
  for (const TerminalId terminal : job.terminals_) job.taken_[index(terminal)] = true;
  job.packets_ = {.flit_bits = network.packet.flit_bits,
                  .overhead = overhead,
                  .payload = network.packet.max_flits - overhead};
  if (network.terminal.messages) job.packets_.payload = ~std::uint32_t{0};
  job.warmup_ = spec.warmup;
  job.measured_ = spec.iterations;
  job.max_cycles_ = spec.max_cycles;
  job.chooser_ = spec.chooser;
  job.mode_ = spec.mode;
  using Kind = spec::JobSpec::Program;
  job.alltoall_ = spec.program == Kind::kAlltoall || spec.program == Kind::kFft;
  return job;
}

}  // namespace hopwise::traffic
