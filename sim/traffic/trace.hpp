// SPDX-License-Identifier: Apache-2.0
// Packet traces as text: read, written and replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "traffic/source.hpp"

namespace hopwise::traffic {

/// What a trace may ask of a network.
struct TraceLimits {
  std::size_t num_terminals = 0;
  unsigned min_flits = 1;  ///< 2 where every packet has a header and a footer
  unsigned max_flits = 1;
};

/// How the run that a trace was recorded from was measured. With it a replay repeats that run: it
/// is measured over the same cycles, and ends with them.
struct Recording {
  std::uint64_t from = 0, to = 0;  ///< core cycles measured: [from, to), 0 < from
  std::uint64_t window = 1;        ///< core cycles that were counted together
  double offered_load = 0;         ///< as asked for, a fraction of a terminal link's capacity
  double active_terminals = 0;     ///< that loads are averages over
  bool operator==(const Recording&) const = default;
};

/// A trace, sorted by terminal and, within a terminal, by cycle and line.
class Trace {
 public:
  /// The packets that `terminal` generates, by cycle. O(1).
  std::span<const GeneratedPacket> of(TerminalId terminal) const {
    const std::size_t t = index(terminal);
    return std::span(packets_).subspan(first_[t], first_[t + 1] - first_[t]);
  }
  /// Cycle of the last generation; 0 in an empty trace.
  std::uint64_t last_cycle() const { return last_cycle_; }
  /// Terminals that send anything.
  std::size_t active_terminals() const;
  /// Flits over the time until all could have been sent, had only their terminals' links held them
  /// up: core cycles from 0 to the last generation and its packet's flits. 0 for an empty trace.
  double offered_flits_per_cycle(spec::Rational cycles_per_flit) const;
  /// Nothing where the file does not tell.
  const std::optional<Recording>& recording() const { return recording_; }
  /// One source per terminal; they borrow from this trace.
  std::vector<Source> sources() const;

 private:
  friend Result<Trace> parse_trace(std::string_view, const std::string&, const TraceLimits&);
  std::vector<GeneratedPacket> packets_;
  std::vector<std::size_t> first_;  // [terminal] -> its first packet; one more at the end
  std::uint64_t last_cycle_ = 0;
  std::optional<Recording> recording_;
};

/// Reads `cycle source destination flits` lines: decimal numbers between blanks, cycles (core
/// cycles) that never decrease, terminals of the network, two different ones; `#` starts a comment,
/// empty lines are skipped. A line that begins with `#:` says how a recording was measured
/// (docs/reference/traffic.md). O(text).
///
/// Errors, each at its line and column: traffic.trace-field-count, traffic.trace-number,
/// traffic.trace-cycle-order, traffic.trace-terminal, traffic.trace-self, traffic.trace-flits,
/// traffic.trace-recording. All are collected up to 20 lines, after which traffic.trace-more-errors
/// says that the rest is unread. `file` is what the diagnostics call the text.
Result<Trace> parse_trace(std::string_view text, const std::string& file,
                          const TraceLimits& limits);

/// Reads a trace file; traffic.trace-unreadable where that fails.
Result<Trace> read_trace(const std::string& path, const TraceLimits& limits);

/// The text of a trace, in the order given; `parse_trace` takes it back if cycles do not decrease.
std::string format_trace(std::span<const GeneratedPacket> packets,
                         const std::optional<Recording>& recording = {});

}  // namespace hopwise::traffic
