// SPDX-License-Identifier: Apache-2.0
#include "engine/window_plan.hpp"

namespace hopwise::engine {

WindowPlan::WindowPlan(const traffic::Job* job, std::size_t terminals, std::uint32_t windows,
                       unsigned key_bits)
    : job_(job),
      windows_(windows),
      key_mask_((std::uint32_t{1} << key_bits) - 1),
      rank_(terminals, kNoRank) {
  for (auto& open : open_) open.resize(terminals);
  if (job == nullptr) return;
  for (std::uint32_t rank = 0; rank < job->ranks(); ++rank) {
    rank_[index(job->terminal(rank))] = rank;
    auto& receives = operation_.emplace_back();
    auto& numbers = number_.emplace_back();
    const auto& operations = job->program(rank).operations();
    for (std::uint32_t at = 0; at < operations.size(); ++at) {
      numbers.push_back(static_cast<std::uint32_t>(receives.size()));
      if (operations[at].kind == traffic::Operation::Kind::kReceive) receives.push_back(at);
    }
  }
}

std::uint64_t WindowPlan::receives(std::uint32_t rank) const {
  return job_->iterations() * operation_[rank].size();
}

std::uint64_t WindowPlan::bytes(std::uint32_t rank, std::uint64_t receive) const {
  const auto& receives = operation_[rank];
  return carried(job_->program(rank).operations()[receives[receive % receives.size()]].amount);
}

std::uint64_t WindowPlan::step(std::uint32_t rank, std::uint64_t receive) const {
  const auto& receives = operation_[rank];
  return receive / receives.size() * number_[rank].size() + receives[receive % receives.size()] + 1;
}

std::uint64_t WindowPlan::receive(std::uint32_t rank, std::uint64_t step) const {
  const std::uint64_t operations = number_[rank].size();
  return (step - 1) / operations * operation_[rank].size() + number_[rank][(step - 1) % operations];
}

std::uint64_t WindowPlan::get_bytes(std::uint32_t rank, std::uint64_t step) const {
  const auto& operations = job_->program(rank).operations();
  return carried(operations[(step - 1) % operations.size()].amount);
}

}  // namespace hopwise::engine
