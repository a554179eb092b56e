// SPDX-License-Identifier: Apache-2.0
#include "traffic/mode_selector.hpp"

namespace hopwise::traffic {
namespace {

using Mode = ModeSelector::Mode;

constexpr std::uint64_t kRequestBytes = 64, kRequestFlits = 5;  // of a full request packet

Mode other(Mode mode) { return mode == Mode::kAdaptive ? Mode::kHighBias : Mode::kAdaptive; }

}  // namespace

ModeSelector::Choice ModeSelector::choose(const Message& message) {
  bytes_ += message.bytes;
  if (bytes_ <= settings_.threshold_bytes) return {};
  bytes_ = 0;
  decided_ = message;
  mode_ = decide(message);
  return {mode_, true};
}

Mode ModeSelector::decide(const Message& message) const {
  const auto& own = seen(mode_);
  if (!own) return mode_;
  std::array<Seen, 2> times;
  times[static_cast<std::size_t>(mode_)] = *own;
  Seen& unseen = times[static_cast<std::size_t>(other(mode_))];
  const auto& was = seen(other(mode_));
  if (was && was->age < settings_.max_age && was->message.bytes == message.bytes &&
      was->message.destination == message.destination) {
    unseen = *was;
  } else if (mode_ == Mode::kAdaptive) {
    unseen = {own->latency / settings_.lambda, own->stalls * settings_.sigma, 0, {}};
  } else {
    unseen = {own->latency * settings_.lambda, own->stalls / settings_.sigma, 0, {}};
  }
  const std::uint64_t packets = (message.bytes + kRequestBytes - 1) / kRequestBytes;
  const auto flits = static_cast<double>(message.get ? packets : packets * kRequestFlits);
  // Equation 2, with its 1/2 + (packets - 1)/outstanding rounded up.
  const auto waits = static_cast<double>(
      (packets + settings_.outstanding / 2 + settings_.outstanding - 2) / settings_.outstanding);
  const auto time = [&](const Seen& of) { return waits * of.latency + flits * (of.stalls + 1); };
  return time(times[1]) < time(times[0]) ? Mode::kHighBias : Mode::kAdaptive;
}

void ModeSelector::heed(const Sample& sample) {
  if (sample.packets == 0 || sample.flits == 0) return;
  const auto ratio = [](std::uint64_t sum, std::uint64_t of) {
    return static_cast<double>(sum) / static_cast<double>(of);
  };
  seen(mode_) = {ratio(sample.latency_cycles, sample.packets),
                 ratio(sample.stalled_cycles, sample.flits), 0, decided_};
  if (auto& was = seen(other(mode_))) ++was->age;
}

}  // namespace hopwise::traffic
