// SPDX-License-Identifier: Apache-2.0
// When packets are generated: the packet source of one terminal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "traffic/pattern.hpp"
#include "traffic/process.hpp"
#include "traffic/random.hpp"

namespace hopwise::traffic {

/// The injection process that all terminals of a run share; each draws its own gaps from it.
///
/// * Bernoulli: in each core cycle a packet is generated with probability
///   load / (mean flits * cycles_per_flit). At load 1.0, one-flit packets and cycles_per_flit 1,
///   that is every cycle.
/// * On/off: bursts of geometrically many packets (mean `on_off_mean_burst_packets`), generated
/// back to back at the
///   full rate of the link, between pauses of geometrically many core cycles whose mean makes the
///   mean load hold. At load 1.0 there is no pause and the generated traffic is exactly the link's
///   capacity, whatever the length or ratio.
/// * Periodic: a round of the pattern, all of its packets in one core cycle, then the interval that
/// makes the mean load
///   hold: flits * cycles_per_flit / load core cycles. Intervals add up as exact fractions (of the
///   load to nine decimals) and a round comes in the first core cycle that is not earlier. All
///   terminals begin in the same cycle.
class InjectionModel {
 public:
  /// `load` in [0, 1] is a fraction of the terminal link's capacity (1.0 = one flit each
  /// `cycles_per_flit` core cycles); it stands in for `spec.load`, since an experiment walks over
  /// many.
  InjectionModel(const spec::TrafficSpec& spec, double load, spec::Rational cycles_per_flit);

  double load() const { return load_; }
  /// Offered traffic of an active terminal, flits per core cycle.
  double flits_per_cycle() const { return load_ / cycles_per_flit_.value(); }

 private:
  friend class Source;
  spec::Injection injection_;
  spec::PacketLength length_;
  spec::Rational cycles_per_flit_;
  double load_;
  Geometric gap_;                // Bernoulli: cycles without a packet; on/off: cycles of a pause
  Geometric burst_;              // on/off: packets of a burst, less one
  Chance starts_on_;             // on/off: the process starts in its stationary state
  std::uint64_t flit_interval_;  // periodic: core cycles from flit to flit ...
  std::uint64_t interval_unit_;  // ... in 1/interval_unit_; 0: there are none
};

/// Pattern and process of a part of the run: from its first core cycle until the next phase begins.
struct Phase {
  std::uint64_t begin_cycle = 0;
  std::unique_ptr<Pattern> pattern;
  InjectionModel injection;
  /// of this pattern: what loads of this phase are normalised over
  std::size_t active_terminals = 0;
};

/// The packets of one terminal in order of generation: drawn from a process and a pattern, replayed
/// from a trace, or sent by a process of a closed loop, which waits for those of others (and which
/// copies of the source share).
///
/// A source that has nothing to generate costs one comparison per cycle (of `next_cycle()`), or
/// none in a calendar. The source queue is the caller's; where it is bounded and full, `refuse`
/// says so to the source.
class Source {
 public:
  /// Borrows `pattern` and `model`, which outlive the source. Silent terminals generate nothing.
  Source(TerminalId terminal, const Pattern& pattern, const InjectionModel& model, Random random);

  /// One phase after the other, borrowed; they outlive the source, begin in ascending order, the
  /// first in cycle 0. Draws from `seed`: the first phase on the stream of the terminal, later ones
  /// on streams of their own, so that what comes after a switch does not depend on what was before.
  /// No packet of a phase is generated outside it, and each begins in the stationary state of its
  /// process, as a source of that phase alone would.
  Source(TerminalId terminal, std::span<const Phase> phases, std::uint64_t seed);

  /// Replays packets that are sorted by cycle and all of one terminal; borrows them.
  explicit Source(std::span<const GeneratedPacket> replay);

  /// Sends what a process of a closed loop sends.
  explicit Source(std::shared_ptr<Process> process)
      : process_(std::move(process)), next_(process_->next_cycle()) {}

  /// Core cycle of the next generation; kNoPacket when there is none. Never decreases, but that a
  /// process has none while it waits.
  std::uint64_t next_cycle() const { return next_; }

  /// Takes the next packet. Precondition: next_cycle() != kNoPacket. A replayed trace may hold
  /// several packets of one cycle, and so may the rounds of a periodic source.
  GeneratedPacket pop();

  /// The queue has no room in `cycle`. Precondition: next_cycle() == cycle. What is drawn at random
  /// is lost, and handed over to be counted. Periodic and replayed packets wait: next_cycle() is
  /// then the cycle after. A round that waits for its first packet counts its interval from there,
  /// so that lost time is not made up; one that fills the queue by itself goes on as there is room,
  /// and the next begins when it was due, or with its last packet if that is later.
  std::optional<GeneratedPacket> refuse(std::uint64_t cycle);

  /// hear() is of any use.
  bool listens() const { return process_ != nullptr; }

  /// A packet for this terminal, which its source generated in `step`, has arrived as a whole.
  /// Closed loops only hear it.
  void hear(std::uint64_t cycle, std::uint64_t step) {
    if (!process_) return;
    process_->receive(cycle, step);
    next_ = process_->next_cycle();
  }

 private:
  void begin(std::uint64_t cycle);
  void enter_next_phases();
  void wait_for_bernoulli(std::uint64_t from);
  void start_burst(std::uint64_t from_tick, bool pause);
  void go_on(std::uint64_t tick, std::uint64_t packets);  ///< with a burst, from that tick on
  void wait_for_round(const GeneratedPacket& last);
  void replay_next();
  std::uint32_t draw_flits();

  // What every generation reads stands first.
  std::shared_ptr<Process> process_;
  std::uint64_t next_ = kNoPacket;
  const Pattern* pattern_ = nullptr;
  const InjectionModel* model_ = nullptr;
  Random random_{0, 0};
  std::span<const Phase> later_;  // phases that have not begun
  std::uint32_t round_ = 0;       // packets of the round under way
  // of the next packet in it; at its end, the next packet begins one
  std::uint32_t place_ = 0;
  TerminalId terminal_{};
  std::uint64_t seed_ = 0;
  std::uint64_t phase_ = 0;  // number of the one under way
  std::span<const GeneratedPacket> replay_;
  std::uint64_t tick_ = 0;        // on/off: time of the next packet in 1/den core cycles
  std::uint64_t burst_left_ = 0;  // on/off: packets left in the burst, the next one included
  std::uint64_t due_ = 0;         // periodic: when the round after this is due, core cycles
  std::uint64_t due_part_ = 0;    // periodic: and the part of a cycle, in 1/interval_unit_
};

}  // namespace hopwise::traffic
