// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/dpsnn.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

constexpr double kStepSeconds = 0.001;
constexpr std::string_view kRate = "traffic.dpsnn_rate_hz", kNeurons = "traffic.dpsnn_neurons",
                           kSteps = "traffic.dpsnn_steps",
                           kSpikeCycles = "traffic.dpsnn_spike_cycles",
                           kPacketFlits = "traffic.packet_flits", kMaxFlits = "packet.max_flits";
// apart from what terminals and networks draw
constexpr std::uint64_t kDpsnnSeed = 0x6470736e6e2d2d2dULL;

}  // namespace

Poisson::Poisson(double mean) {
  if (!(mean > 0 && mean < 1e7)) std::abort();
  // Weights relative to the mode's; what is 1e-18 of it is never drawn.
  const auto mode = static_cast<std::uint32_t>(mean);
  std::vector<double> weights{1};
  for (std::uint32_t k = mode; k > 0 && weights.back() > 1e-18; --k)
    weights.push_back(weights.back() * k / mean);
  first_ = mode - static_cast<std::uint32_t>(weights.size() - 1);
  std::reverse(weights.begin(), weights.end());
  for (std::uint32_t k = mode + 1; weights.back() > 1e-18; ++k)
    weights.push_back(weights.back() * mean / k);
  double total = 0, sum = 0;
  for (const double w : weights) total += w;
  for (const double w : weights) {
    sum += w;
    const double part = sum / total;
    below_.push_back(part < 1 ? static_cast<std::uint64_t>(std::ldexp(part, 64))
                              : ~std::uint64_t{0});
  }
}

std::uint32_t Poisson::operator()(Random& random) const {
  const auto at = std::upper_bound(below_.begin(), below_.end() - 1, random.next());
  return first_ + static_cast<std::uint32_t>(at - below_.begin());
}

Dpsnn::Dpsnn(const spec::TrafficSpec& spec, double rate_hz, std::size_t num_processes,
             std::uint64_t seed)
    : spikes_(rate_hz * spec.settings.number(kNeurons) * kStepSeconds),
      processes_(num_processes),
      seed_(mix64(seed ^ kDpsnnSeed)),
      steps_(spec.endless ? 0 : spec.settings.whole(kSteps)),
      spike_cycles_(spec.settings.whole(kSpikeCycles)),
      flit_bits_(spec.flit_bits),
      longest_payload_(spec.length.max_flits - kOverheadFlits) {
  if (spec.length.max_flits <= kOverheadFlits) std::abort();
}

std::uint32_t Dpsnn::spikes(std::uint64_t step, std::size_t src, std::size_t dst) const {
  Random random(seed_, (step * processes_ + src) * processes_ + dst);
  return spikes_(random);
}

std::uint64_t Dpsnn::payload_flits(std::uint32_t spikes) const {
  return (std::uint64_t{spikes} * kSpikeBytes * 8 + flit_bits_ - 1) / flit_bits_;
}

std::uint32_t Dpsnn::packets(std::uint32_t spikes) const {
  const std::uint64_t payload = payload_flits(spikes);
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(1, (payload + longest_payload_ - 1) / longest_payload_));
}

std::uint32_t Dpsnn::flits(std::uint32_t spikes, std::uint32_t part) const {
  const std::uint64_t left = payload_flits(spikes) - std::uint64_t{part} * longest_payload_;
  return kOverheadFlits +
         static_cast<std::uint32_t>(std::min<std::uint64_t>(left, longest_payload_));
}

DpsnnProcess::DpsnnProcess(const Dpsnn& app, TerminalId self) : app_(&app), self_(index(self)) {
  begin(0, 1);
}

/// Spikes received in a step, the process's own ones included.
std::uint64_t DpsnnProcess::spikes_received(std::uint64_t step) const {
  std::uint64_t sum = 0;
  for (std::size_t src = 0; src < app_->num_processes(); ++src)
    sum += app_->spikes(step, src, self_);
  return sum;
}

/// From `cycle` on the process computes, and then sends the messages of `step`.
void DpsnnProcess::begin(std::uint64_t cycle, std::uint64_t step) {
  next_ = cycle + app_->spike_cycles() * spikes_received(step - 1);
  step_ = step;
  place_ = 1;
  part_ = 0;
  expected_ = 0;
  for (std::size_t src = 0; src < app_->num_processes(); ++src) {
    if (src != self_) expected_ += app_->packets(app_->spikes(step, src, self_));
  }
}

GeneratedPacket DpsnnProcess::pop() {
  assert(next_ != kNoPacket && !sent());
  const std::size_t dst = (self_ + place_) % app_->num_processes();
  const std::uint32_t spikes = app_->spikes(step_, self_, dst);
  GeneratedPacket packet{next_, TerminalId{static_cast<std::uint32_t>(self_)},
                         TerminalId{static_cast<std::uint32_t>(dst)}, app_->flits(spikes, part_),
                         step_};
  if (++part_ == app_->packets(spikes)) {
    part_ = 0;
    ++place_;
  }
  if (sent()) finish_if_complete(std::exchange(next_, kNoPacket));
  return packet;
}

void DpsnnProcess::receive(std::uint64_t cycle, std::uint64_t step) {
  assert(step == step_ || step == step_ + 1);
  ++received_[step & 1];
  finish_if_complete(cycle);
}

void DpsnnProcess::finish_if_complete(std::uint64_t cycle) {
  std::uint64_t& received = received_[step_ & 1];
  if (!sent() || received != expected_) return;
  received = 0;
  if (step_ == app_->steps()) {
    ++step_;
    expected_ = ~std::uint64_t{0};
    return;
  }
  begin(cycle, step_ + 1);
}

namespace {

constexpr spec::Key kKeys[] = {
    {.path = kRate,
     .type = spec::KeyType::kReal,
     .range = {.min = 0, .max = 1000, .above_min = true},
     .default_yaml = "21",
     .doc = "`dpsnn`: mean firing rate of a neuron; `dpsnn:R` names its own."},
    {.path = kNeurons,
     .type = spec::KeyType::kInteger,
     .range = {1, 1000000},
     .default_yaml = "2500",
     .doc = "`dpsnn`: neurons of a process, of which there is one per terminal."},
    {.path = kSteps,
     .type = spec::KeyType::kInteger,
     .range = {0, 1000000},
     .default_yaml = "400",
     .doc = "`dpsnn`: steps of a millisecond of neural time, after which the run ends; 0: without "
            "end."},
    {.path = kSpikeCycles,
     .type = spec::KeyType::kInteger,
     .range = {0, 1000000},
     .default_yaml = "10",
     .doc = "`dpsnn`: core cycles that a process computes for each spike that it received in the "
            "last step."},
};

class Loop final : public Uniform {
 public:
  explicit Loop(const Ground& ground)
      : Uniform(ground.topology.num_terminals()),
        app_(ground.traffic,
             ground.name.numbers.empty() ? ground.traffic.settings.real(kRate)
                                         : ground.name.numbers[0],
             ground.topology.num_terminals(), ground.seed) {}
  std::unique_ptr<Process> process(TerminalId terminal) const override {
    return std::make_unique<DpsnnProcess>(app_, terminal);
  }
  bool ends() const override { return app_.steps() != 0; }

 private:
  Dpsnn app_;
};

/// Its packets have a header, a footer and something between them.
void check(const spec::PatternCheck& check) {
  const spec::KeyPlace& flits = check.keys.find(kPacketFlits)->second;
  const spec::KeyPlace& most = check.keys.find(kMaxFlits)->second;
  const unsigned longest = check.traffic.length.max_flits;
  if (!check.named || flits.bad || most.bad || longest > Dpsnn::kOverheadFlits) return;
  check.errors.push_back({"config.packet-length", flits.written ? flits.where : most.where,
                          std::string(flits.written ? kPacketFlits : kMaxFlits),
                          fmt::format("{}", longest),
                          fmt::format("{} or more with dpsnn", Dpsnn::kOverheadFlits + 1),
                          "its packets have a header, a footer and payload"});
}

}  // namespace

extern constinit const PatternKind kDpsnn{
    {.name = "dpsnn",
     .doc = "all others, in steps: a closed loop, [below](#a-closed-loop-dpsnn)",
     .form = spec::WordForm{.head = "dpsnn",
                            .letter = "R",
                            .min = 1,
                            .max = 1000,
                            .regex = "^dpsnn:([1-9][0-9]{0,2}|1000)$"},
     .keys = kKeys,
     .closed_loop = true,
     .check = check},
    [](const Ground& ground) { return made<Loop>(ground); }};

}  // namespace hopwise::traffic
