// SPDX-License-Identifier: Apache-2.0
#include "engine/congestion.hpp"

#include <algorithm>

namespace hopwise::engine {

namespace {
constexpr std::uint32_t kFlit = 1U << 16;  // of a debt, and a rate of one per cycle
}

/// Flow `f` in the cycles from `from` to `to`, in which nothing comes and goes.
void Throttle::advance_flow(std::size_t f, std::uint64_t from, std::uint64_t to) {
  Flow& flow = flows_[f];
  std::uint64_t change = tick_ - f;
  while (change < from) change += spec_.period_cycles;
  for (; flow.valid && change < to; change += spec_.period_cycles) {
    pay(flow, change + 1 - from);
    from = change + 1;
    change_rate(flow);
  }
  if (flow.valid) pay(flow, to - from);
}

void Throttle::pay(Flow& flow, std::uint64_t cycles) {
  flow.debt -= std::min(flow.debt, flow.rate * cycles);
}

void Throttle::change_rate(Flow& flow) {
  if (std::exchange(flow.noted, false)) {
    flow.rate -= flow.rate >> spec_.decrease_shift;
  } else if (flow.rate + spec_.increase >= kFlit) {
    flow = {};
    --used_;
  } else {
    flow.rate += spec_.increase;
  }
}

/// The cycles before `cycle`, in which nothing comes and goes.
void Throttle::advance(std::uint64_t cycle) {
  for (std::size_t f = 0; used_ != 0 && f < flows_.size(); ++f) advance_flow(f, now_, cycle);
  while (used_ != 0 && tick_ < cycle) tick_ += spec_.period_cycles;
  now_ = cycle;
}

void Throttle::step(std::uint64_t cycle, std::optional<std::uint32_t> dst,
                    std::span<const std::uint32_t> sent) {
  advance(cycle);
  if (!spec_.throttle) return;
  const bool starts = used_ == 0, changing = !starts && tick_ - cycle <= flows_.size();
  Flow* free = nullptr;
  bool known = false;
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    Flow& flow = flows_[f];
    if (!flow.valid) {
      if (free == nullptr) free = &flow;
      continue;
    }
    const std::uint32_t to = flow.dst;
    advance_flow(f, cycle, cycle + 1);
    if (dst == to) known = true;
    if (!flow.valid) continue;
    flow.debt += kFlit * static_cast<std::uint64_t>(std::ranges::count(sent, to));
    flow.noted = flow.noted || dst == to;
  }
  if (!starts && tick_ == cycle) tick_ += spec_.period_cycles;
  now_ = cycle + 1;
  if (!dst || known || changing || free == nullptr) return;
  if (starts) tick_ = cycle + spec_.period_cycles;
  *free = {true, false, *dst, kFlit - (kFlit >> spec_.decrease_shift), 0};
  ++used_;
}

bool Throttle::stops(std::uint64_t cycle, std::uint32_t dst) {
  if (used_ == 0) return false;
  advance(cycle);
  return std::ranges::any_of(
      flows_, [dst](const Flow& f) { return f.valid && f.dst == dst && f.debt != 0; });
}

}  // namespace hopwise::engine
