// SPDX-License-Identifier: Apache-2.0
#include "engine/congestion.hpp"

#include <algorithm>

namespace hopwise::engine {

namespace {
constexpr std::uint32_t kFlit = 1U << 16;  // of a debt, and a rate of one per cycle
}

/// So many cycles in which nothing is sent.
void Throttle::pay(std::uint64_t cycles) {
  for (Flow& flow : flows_)
    if (flow.valid) flow.debt -= std::min(flow.debt, flow.rate * cycles);
}

void Throttle::change_rates() {
  for (Flow& flow : flows_) {
    if (!flow.valid) continue;
    if (std::exchange(flow.noted, false)) {
      flow.rate -= flow.rate >> spec_.decrease_shift;
    } else if (flow.rate + spec_.increase >= kFlit) {
      flow = {};
      --used_;
    } else {
      flow.rate += spec_.increase;
    }
  }
  tick_ += spec_.period_cycles;
}

/// The cycles before `cycle`, in which nothing comes and goes.
void Throttle::advance(std::uint64_t cycle) {
  while (used_ != 0 && tick_ < cycle) {
    pay(tick_ + 1 - now_);
    now_ = tick_ + 1;
    change_rates();
  }
  if (used_ != 0) pay(cycle - now_);
  now_ = cycle;
}

void Throttle::step(std::uint64_t cycle, std::optional<std::uint32_t> dst,
                    std::span<const std::uint32_t> sent) {
  advance(cycle);
  if (!spec_.throttle) return;
  pay(1);
  now_ = cycle + 1;
  Flow* free = nullptr;
  bool known = false;
  for (Flow& flow : flows_) {
    if (!flow.valid) {
      if (free == nullptr) free = &flow;
      continue;
    }
    for (const std::uint32_t to : sent) flow.debt += to == flow.dst ? kFlit : 0;
    if (dst == flow.dst) known = flow.noted = true;
  }
  const bool starts = used_ == 0;
  if (!starts && tick_ == cycle) change_rates();
  if (!dst || known || free == nullptr) return;
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
