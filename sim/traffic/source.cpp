// SPDX-License-Identifier: Apache-2.0
#include "traffic/source.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace hopwise::traffic {
namespace {

/// Periodic loads are whole multiples of 1 / kLoadUnits: 0.4507 is 4507/10000, not the double next
/// to it.
constexpr std::uint64_t kLoadUnits = 1'000'000'000;

/// Mean core cycles of an on/off source's pause: what the bursts leave of the time at this load.
double mean_pause_cycles(double burst_cycles, double load) {
  return burst_cycles * (1 - load) / load;
}

double gap_probability(const spec::TrafficSpec& spec, double load, double packet_cycles) {
  // Only a bug comes here with other values, and they would pass for a plausible load.
  const bool valid = load >= 0 && load <= 1 && packet_cycles >= 1 && spec.length.min_flits >= 1 &&
                     spec.length.min_flits <= spec.length.max_flits;
  if (!valid) std::abort();
  if (load <= 0 || spec.injection == spec::Injection::kPeriodic) return 0;
  if (spec.injection == spec::Injection::kBernoulli) return load / packet_cycles;
  return 1 / (1 + mean_pause_cycles(spec.on_off_mean_burst_packets * packet_cycles, load));
}

/// Of a packet of mean length.
double packet_cycles(const spec::TrafficSpec& spec, spec::Rational cycles_per_flit) {
  const auto [min, max] = spec.length;
  return (static_cast<double>(min) + static_cast<double>(max)) / 2 * cycles_per_flit.num /
         cycles_per_flit.den;
}

}  // namespace

InjectionModel::InjectionModel(const spec::TrafficSpec& spec, double load,
                               spec::Rational cycles_per_flit)
    : injection_(spec.injection),
      length_(spec.length),
      cycles_per_flit_(cycles_per_flit),
      load_(load),
      gap_(gap_probability(spec, load, packet_cycles(spec, cycles_per_flit))),
      burst_(spec.on_off_mean_burst_packets > 1 ? 1 / spec.on_off_mean_burst_packets : 1),
      starts_on_(load),
      flit_interval_(kLoadUnits * cycles_per_flit.num),
      interval_unit_(static_cast<std::uint64_t>(std::llround(load * kLoadUnits)) *
                     cycles_per_flit.den) {}

Source::Source(TerminalId terminal, const Pattern& pattern, const InjectionModel& model,
               Random random)
    : pattern_(&pattern), model_(&model), random_(random), terminal_(terminal) {
  begin(0);
}

Source::Source(TerminalId terminal, std::span<const Phase> phases, std::uint64_t seed)
    : pattern_(phases.front().pattern.get()),
      model_(&phases.front().injection),
      random_(seed, index(terminal)),
      later_(phases.subspan(1)),
      terminal_(terminal),
      seed_(seed) {
  begin(0);
  enter_next_phases();
}

Source::Source(std::span<const GeneratedPacket> replay) : replay_(replay) { replay_next(); }

/// Starts process and pattern at hand, in their stationary state.
void Source::begin(std::uint64_t cycle) {
  next_ = kNoPacket;
  round_ = place_ = 0;
  if (pattern_->silent(terminal_)) return;
  if (model_->injection_ == spec::Injection::kPeriodic) {
    due_ = cycle;
    due_part_ = 0;
    if (model_->interval_unit_ != 0) next_ = cycle;
    return;
  }
  const std::uint64_t tick = cycle * model_->cycles_per_flit_.den;
  if (model_->injection_ == spec::Injection::kBernoulli) {
    wait_for_bernoulli(cycle);
  } else if (model_->starts_on_(random_)) {
    // As if a packet were under way, of long ones more often, and as many behind it as ever:
    // terminals do not start in step.
    std::uint32_t flits = draw_flits();
    while (random_.below(model_->length_.max_flits) >= flits) flits = draw_flits();
    const std::uint64_t ticks = std::uint64_t{flits} * model_->cycles_per_flit_.num,
                        end = tick + random_.below(ticks), left = model_->burst_(random_);
    if (left == 0)
      start_burst(end, true);
    else
      go_on(end, left);
  } else {
    start_burst(tick, true);
  }
}

/// Drops a next packet that would fall into a later phase, and lets that phase draw its own.
void Source::enter_next_phases() {
  while (!later_.empty() && next_ >= later_.front().begin_cycle) {
    const Phase& phase = later_.front();
    later_ = later_.subspan(1);
    pattern_ = phase.pattern.get();
    model_ = &phase.injection;
    random_ = Random(seed_, kLaterPhases + (++phase_ << 32) + index(terminal_));
    begin(phase.begin_cycle);
  }
}

GeneratedPacket Source::pop() {
  assert(next_ != kNoPacket);
  if (process_) {
    const GeneratedPacket packet = process_->pop();
    next_ = process_->next_cycle();
    return packet;
  }
  if (pattern_ == nullptr) {
    GeneratedPacket packet = replay_.front();
    packet.cycle = next_;
    replay_ = replay_.subspan(1);
    replay_next();
    return packet;
  }
  if (place_ == round_) {
    round_ = pattern_->round_packets(terminal_, random_);
    place_ = 0;
  }
  GeneratedPacket packet{next_, terminal_, pattern_->destination(terminal_, place_++, random_),
                         draw_flits()};
  if (model_->injection_ == spec::Injection::kPeriodic) {
    wait_for_round(packet);
  } else if (model_->injection_ == spec::Injection::kBernoulli) {
    wait_for_bernoulli(next_ + 1);
  } else {
    const auto [num, den] = model_->cycles_per_flit_;
    tick_ += std::uint64_t{packet.flits} * num;
    next_ = (tick_ + den - 1) / den;
    if (--burst_left_ == 0) start_burst(tick_, true);
  }
  enter_next_phases();
  return packet;
}

std::optional<GeneratedPacket> Source::refuse(std::uint64_t cycle) {
  assert(next_ == cycle);
  if (pattern_ != nullptr && model_->injection_ != spec::Injection::kPeriodic) return pop();
  next_ = cycle + 1;
  if (process_) process_->postpone(next_);
  if (pattern_ == nullptr) return std::nullopt;
  if (place_ == round_) {
    due_ = next_;
    due_part_ = 0;
  }
  enter_next_phases();
  return std::nullopt;
}

/// Adds the interval of a packet; behind the last of a round, waits for what they add up to.
void Source::wait_for_round(const GeneratedPacket& last) {
  const std::uint64_t unit = model_->interval_unit_, interval = last.flits * model_->flit_interval_;
  due_ += interval / unit;
  due_part_ += interval % unit;
  if (due_part_ >= unit) {
    ++due_;
    due_part_ -= unit;
  }
  if (place_ != round_) return;  // the others of the round come in the same cycle
  if (due_ < last.cycle) {
    due_ = last.cycle;
    due_part_ = 0;
  }
  next_ = due_ + (due_part_ != 0 ? 1 : 0);
}

void Source::wait_for_bernoulli(std::uint64_t from) {
  const std::uint64_t gap = model_->gap_(random_);
  next_ = gap == Geometric::kNever ? kNoPacket : from + gap;
}

void Source::start_burst(std::uint64_t from_tick, bool pause) {
  const std::uint64_t den = model_->cycles_per_flit_.den;
  const std::uint64_t gap = pause ? model_->gap_(random_) : 0;
  if (gap == Geometric::kNever) {
    next_ = kNoPacket;
    return;
  }
  go_on(from_tick + gap * den, 1 + model_->burst_(random_));
}

void Source::go_on(std::uint64_t tick, std::uint64_t packets) {
  const std::uint64_t den = model_->cycles_per_flit_.den;
  burst_left_ = packets;
  tick_ = tick;
  next_ = (tick_ + den - 1) / den;
}

void Source::replay_next() {
  // A packet that had to wait makes those behind it wait as well.
  const std::uint64_t earliest = next_ == kNoPacket ? 0 : next_;
  next_ = replay_.empty() ? kNoPacket : std::max(earliest, replay_.front().cycle);
}

std::uint32_t Source::draw_flits() {
  const auto [min, max] = model_->length_;
  return min == max ? min
                    : min + static_cast<std::uint32_t>(random_.below(std::uint64_t{max - min} + 1));
}

}  // namespace hopwise::traffic
