// SPDX-License-Identifier: Apache-2.0
// The closed loop of DPSNN, a distributed simulator of spiking neural networks (Lonardo 2019,
// section 4.2.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "traffic/process.hpp"
#include "traffic/random.hpp"

namespace hopwise::traffic {

/// Numbers of a Poisson process: 0, 1, 2, ... with the given mean, above 0. The same on every
/// platform: sums, products and quotients of doubles only.
class Poisson {
 public:
  explicit Poisson(double mean);
  std::uint32_t operator()(Random& random) const;

 private:
  std::vector<std::uint64_t> below_;  // probability of at most first_ + i, times 2^64
  std::uint32_t first_ = 0;
};

/// What all processes know: one per terminal, each with so many neurons. Immutable.
///
/// A step is a millisecond of neural time. In step s, process p has Poisson many spikes for process
/// q, drawn from the seed for each (s, p, q) alone. Every process sends one message of 12 bytes per
/// spike to every other process, in packets of up to `length.max_flits` flits, header and footer
/// included; without spikes, one packet of those two.
class Dpsnn {
 public:
  static constexpr std::uint32_t kSpikeBytes = 12;    ///< neuron and time of emission
  static constexpr std::uint32_t kOverheadFlits = 2;  ///< header and footer

  /// Precondition: length.max_flits above kOverheadFlits, rate above 0.
  Dpsnn(const spec::TrafficSpec& spec, double rate_hz, std::size_t num_processes,
        std::uint64_t seed);

  std::size_t num_processes() const { return processes_; }
  std::uint64_t steps() const { return steps_; }  ///< 0: without end
  /// computation, core cycles per spike received
  std::uint64_t spike_cycles() const { return spike_cycles_; }

  std::uint32_t spikes(std::uint64_t step, std::size_t src, std::size_t dst) const;
  /// Packets of a message of so many spikes, and the flits of its packet `part`.
  std::uint32_t packets(std::uint32_t spikes) const;
  std::uint32_t flits(std::uint32_t spikes, std::uint32_t part) const;

 private:
  std::uint64_t payload_flits(std::uint32_t spikes) const;

  Poisson spikes_;
  std::size_t processes_;
  std::uint64_t seed_, steps_, spike_cycles_;
  std::uint32_t flit_bits_, longest_payload_;
};

/// One process: computes for as long as the spikes that it received in the last step take, hands
/// all messages of the step over at once (to the processes behind it in order, as mpi_all_to_all_v
/// does), and goes on when it has all messages of the step from the others. No process is more than
/// one step ahead of another.
class DpsnnProcess final : public Process {
 public:
  /// Borrows `app`. The first step begins with the computation for the spikes of step 0, which were
  /// received before.
  DpsnnProcess(const Dpsnn& app, TerminalId self);

  std::uint64_t next_cycle() const override { return next_; }
  GeneratedPacket pop() override;
  void postpone(std::uint64_t cycle) override { next_ = cycle; }
  /// O(1), but O(processes) for the last packet of a step.
  void receive(std::uint64_t cycle, std::uint64_t step) override;
  /// The step under way; behind the last one when all is done.
  std::uint64_t step() const { return step_; }

 private:
  void begin(std::uint64_t cycle, std::uint64_t step);
  bool sent() const { return place_ == app_->num_processes(); }
  void finish_if_complete(std::uint64_t cycle);
  std::uint64_t spikes_received(std::uint64_t step) const;

  const Dpsnn* app_;
  std::size_t self_;
  std::uint64_t step_ = 0;
  std::uint64_t next_ = 0;
  // the destination of the next packet is so many behind this process
  std::size_t place_ = 0;
  std::uint32_t part_ = 0;      // packet of its message
  std::uint64_t expected_ = 0;  // packets of this step from all others
  // packets of this step and the next, by the step's low bit
  std::array<std::uint64_t, 2> received_{};
};

}  // namespace hopwise::traffic
