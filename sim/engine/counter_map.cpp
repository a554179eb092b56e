// SPDX-License-Identifier: Apache-2.0
#include "engine/counter_map.hpp"

#include <algorithm>

namespace hopwise::engine {
namespace {

constexpr std::size_t kMostRows = 64;

}  // namespace

void CounterMap::add(const std::vector<Network::RouterDecisions>& routers) {
  if (in_last_ == 0) rows_.emplace_back(routers.size());
  for (std::size_t r = 0; r < routers.size(); ++r)
    rows_.back()[r].add(routers[r].decisions, routers[r].mapped);
  in_last_ = (in_last_ + 1) % windows_per_row_;
  if (in_last_ != 0 || rows_.size() < kMostRows) return;
  for (std::size_t i = 0; i < kMostRows / 2; ++i) {
    for (std::size_t r = 0; r < routers.size(); ++r)
      rows_[2 * i][r].add(rows_[2 * i + 1][r].decisions, rows_[2 * i + 1][r].mapped);
    rows_[i] = rows_[2 * i];
  }
  rows_.resize(kMostRows / 2);
  windows_per_row_ *= 2;
}

void CounterMap::write(RunResult& result, std::uint64_t window) const {
  const bool any = std::any_of(rows_.begin(), rows_.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](const Cell& c) { return c.mapped != 0; });
  });
  if (!any) return;
  for (const auto& row : rows_) {
    auto& out = result.map.emplace_back();
    for (const Cell& c : row) {
      out.push_back(
          c.decisions == 0 ? 0 : static_cast<double>(c.mapped) / static_cast<double>(c.decisions));
    }
  }
  result.map_window = window * windows_per_row_;
}

}  // namespace hopwise::engine
