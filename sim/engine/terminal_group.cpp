// SPDX-License-Identifier: Apache-2.0
#include "engine/terminal_group.hpp"

#include <fmt/format.h>

namespace hopwise::engine {
namespace {

constexpr std::size_t kMostFailures = 20;

}  // namespace

TerminalGroup::TerminalGroup(PacketRecords& records, std::uint32_t first, std::size_t terminals,
                             unsigned classes, std::size_t parties)
    : records_(records),
      first_(first),
      departures_(parties),
      by_class_(classes),
      accepted_(terminals),
      offered_(terminals),
      ejected_(terminals) {
  for (auto& reports : reports_) reports.resize(parties);
}

void TerminalGroup::collect(const std::vector<TerminalGroup*>& all, std::size_t self,
                            std::uint64_t epoch) {
  for (const TerminalGroup* other : all) {
    for (const auto& [source, id] : other->reports_[heard_side(epoch, heard_after_)][self])
      records_.of(source, id).flits = 0;
  }
}

void TerminalGroup::begin_epoch(std::uint64_t epoch) {
  parity_ = epoch & 1;
  side_ = epoch % kReportSides;
  for (Packets& report : reports_[side_]) report.clear();
}

void TerminalGroup::clear_by_source() {
  accepted_.assign(accepted_.size(), 0);
  offered_.assign(offered_.size(), 0);
  ejected_.assign(ejected_.size(), 0);
}

void TerminalGroup::fail(std::uint64_t cycle, std::uint32_t local, const std::string& what) {
  if (failures_.size() < kMostFailures)
    failures_.push_back(fmt::format("cycle {}, terminal {}: {}", cycle, first_ + local, what));
}

}  // namespace hopwise::engine
