// SPDX-License-Identifier: Apache-2.0
#include "engine/congestion.hpp"

#include <algorithm>

namespace hopwise::engine {

namespace {
constexpr std::uint32_t kFlit = 1U << 16;  // of a debt, and a rate of one per cycle
constexpr std::uint64_t kNever = ~std::uint64_t{0};
}  // namespace

/// The first cycle from `from` on at whose end the rate of a flow changes.
std::uint64_t Throttle::next_turn(std::size_t f, std::uint64_t from) const {
  if (f + 2 > spec_.period_cycles) return kNever;
  std::uint64_t turn = tick_ - f;
  while (turn < std::max(from, flows_[f].first_turn)) turn += spec_.period_cycles;
  return turn;
}

/// A flow in the cycles from `from` to `to`, in which nothing comes and goes.
void Throttle::advance_flow(std::size_t f, std::uint64_t from, std::uint64_t to) {
  Flow& flow = flows_[f];
  for (std::uint64_t turn = next_turn(f, from); flow.valid && turn < to;
       turn += spec_.period_cycles) {
    pay(flow, turn + 1 - from);
    from = turn + 1;
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
  const bool starts = used_ == 0;
  bool known = false, changes = false;
  Flow* free = nullptr;
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    Flow& flow = flows_[f];
    if (!flow.valid) {
      if (free == nullptr) free = &flow;
      continue;
    }
    const bool noted = dst == flow.dst;
    known = known || noted;
    changes = changes || next_turn(f, cycle) == cycle;
    advance_flow(f, cycle, cycle + 1);
    if (!flow.valid) continue;
    flow.debt += kFlit * static_cast<std::uint64_t>(std::ranges::count(sent, flow.dst));
    flow.noted = flow.noted || noted;
  }
  if (!starts && tick_ == cycle) tick_ += spec_.period_cycles;
  now_ = cycle + 1;
  if (!dst || known || changes || free == nullptr) return;
  if (starts) tick_ = cycle + spec_.period_cycles;
  *free = {.valid = true,
           .dst = *dst,
           .rate = kFlit - (kFlit >> spec_.decrease_shift),
           .first_turn = cycle + 2};
  ++used_;
}

bool Throttle::stops(std::uint64_t cycle, std::uint32_t dst) {
  if (used_ == 0) return false;
  advance(cycle);
  return std::ranges::any_of(
      flows_, [dst](const Flow& f) { return f.valid && f.dst == dst && f.debt != 0; });
}

}  // namespace hopwise::engine
