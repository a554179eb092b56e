// SPDX-License-Identifier: Apache-2.0
// Packet traces as text: read, written and replayed.
#pragma once

#include <cstdint>
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
  /// One source per terminal; they borrow from this trace.
  std::vector<Source> sources() const;

 private:
  friend Result<Trace> parse_trace(std::string_view, const std::string&, const TraceLimits&);
  std::vector<GeneratedPacket> packets_;
  std::vector<std::size_t> first_;  // [terminal] -> its first packet; one more at the end
  std::uint64_t last_cycle_ = 0;
};

/// Reads `cycle source destination flits` lines: decimal numbers between blanks, cycles (core
/// cycles) that never decrease, terminals of the network, two different ones; `#` starts a comment,
/// empty lines are skipped. O(text).
///
/// Errors, each at its line and column: traffic.trace-field-count, traffic.trace-number,
/// traffic.trace-cycle-order, traffic.trace-terminal, traffic.trace-self, traffic.trace-flits. All
/// are collected up to 20 lines, after which traffic.trace-more-errors says that the rest is
/// unread. `file` is what the diagnostics call the text.
Result<Trace> parse_trace(std::string_view text, const std::string& file,
                          const TraceLimits& limits);

/// Reads a trace file; traffic.trace-unreadable where that fails.
Result<Trace> read_trace(const std::string& path, const TraceLimits& limits);

/// The text of a trace, in the order given; `parse_trace` takes it back if cycles do not decrease.
std::string format_trace(std::span<const GeneratedPacket> packets);

}  // namespace hopwise::traffic
