// SPDX-License-Identifier: Apache-2.0
// The terminals of a partition as the network sees them, and what they count, whatever they are
// made of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/congestion.hpp"
#include "engine/options.hpp"
#include "engine/packet_records.hpp"
#include "measure/histogram.hpp"
#include "measure/window.hpp"

namespace hopwise::engine {

/// Of the deliveries that are reported in an epoch, sources hear in the next but one.
inline constexpr std::size_t kReportSides = 3;
/// Where the reports are that sources hear of in an epoch, so many epochs after they were made.
inline std::size_t heard_side(std::uint64_t epoch, std::uint64_t after = kReportSides - 1) {
  return (epoch + kReportSides - after) % kReportSides;
}

/// Statistics of one partition; integers only, so that partitions add up the same in any order.
struct Tally {
  measure::Window window;
  measure::Histogram latency, network_latency;
  measure::Histogram job_latency, job_network_latency;  ///< of a job's packets
  /// Flits of a job's packets, or bytes of its messages, by the mode they had.
  std::array<std::uint64_t, spec::kModes> job_by_mode{};
  std::uint64_t packets = 0;
  std::uint64_t nonminimal = 0;  ///< of these, on a non-minimal path
  void clear_measured() {
    latency = {};
    network_latency = {};
    packets = nonminimal = 0;
  }
};

/// The terminals of a run of routers, stepped by one thread. Within, they have numbers from 0 on,
/// and one block of wires, each a lane of it.
class TerminalGroup {
 public:
  virtual ~TerminalGroup() = default;

  /// Where the ejected flits and injection credits of a terminal arrive, at port 0.
  virtual InputPins pins(std::size_t local) const = 0;
  /// Nothing is on the terminals' wires, or waits in hardware behind them.
  virtual bool at_rest() const = 0;

  /// Input pins of `cycle`: arrivals, credits, and the flits that leave for the router in that
  /// cycle.
  virtual void step(std::uint64_t cycle) = 0;

  using Packets = std::vector<PacketName>;
  /// Start of an epoch: packet ids whose delivery was reported in the last but one are free again.
  virtual void collect(const std::vector<TerminalGroup*>& all, std::size_t self,
                       std::uint64_t epoch);
  virtual void begin_epoch(std::uint64_t epoch);
  /// Whose delivery a partition, or another rank, must hear of.
  const Packets& reports(std::size_t side, std::size_t party) const {
    return reports_[side][party];
  }
  /// For terminals of another rank, that have begun or ended since this was last cleared.
  Packets& departures(std::size_t rank) { return departures_[rank]; }

  /// From now on only packets under way are completed; what waits in the source queues is
  /// forgotten.
  virtual void stop_generating() = 0;
  virtual bool sources_done() const = 0;  ///< nothing more to generate or inject

  /// Where terminals have message interfaces: adds what they count.
  virtual void add_messages(MessageCounts& /*counts*/) const {}

  /// Flips a bit of the head that arrives at a router's input port, or leaves it alone.
  virtual void flip(std::uint64_t* /*head*/, std::uint32_t /*router*/, unsigned /*port*/,
                    std::uint64_t /*cycle*/) {}

  Tally& tally() { return tally_; }
  std::uint64_t injected() const { return injected_; }
  std::uint64_t delivered() const { return delivered_; }
  const std::vector<ClassPackets>& by_class() const { return by_class_; }
  std::uint64_t bad() const { return bad_; }          ///< of the injected, those that are wrong
  std::uint64_t hits() const { return hits_; }        ///< heads that were flipped, each once
  std::uint64_t damaged() const { return damaged_; }  ///< packets that arrived with a flipped head
  /// Packets that terminals refused as they came in, or did not take as they arrived, by cause.
  const std::array<std::uint64_t, kDropCauses>& dropped() const { return dropped_; }
  std::uint64_t in_flight_flits() const { return flits_injected_ - flits_ejected_; }
  std::uint64_t flits_injected() const { return flits_injected_; }
  std::uint64_t queued_flits() const { return queued_flits_; }
  /// Flits since measuring began, of each terminal: injected, and generated.
  const std::vector<std::uint64_t>& accepted_by_source() const { return accepted_; }
  const std::vector<std::uint64_t>& offered_by_source() const { return offered_; }
  void clear_by_source();
  /// Flits that each terminal got since measuring began, notifications left out.
  const std::vector<std::uint64_t>& ejected() const { return ejected_; }
  const CongestionCounts& congestion() const { return notes_; }
  std::uint64_t last_delivery_cycle() const { return last_delivery_cycle_; }
  std::vector<std::string>& failures() { return failures_; }
  std::vector<Delivery>& deliveries() { return deliveries_; }
  std::vector<traffic::GeneratedPacket>& generated() { return generated_; }

 protected:
  /// `first`: the terminal of the network that is number 0 here. `parties`: that hear of
  /// deliveries, partitions or ranks.
  TerminalGroup(PacketRecords& records, std::uint32_t first, std::size_t terminals,
                unsigned classes, std::size_t parties);
  void fail(std::uint64_t cycle, std::uint32_t local, const std::string& what);

  PacketRecords& records_;
  const std::uint32_t first_;
  std::vector<Packets> reports_[kReportSides];  // [side][party]
  std::vector<Packets> departures_;             // [party]
  std::size_t side_ = 0;                        // of the epoch
  /// Epochs until sources hear of deliveries, 1 or 2. One where they are message interfaces, whose
  /// hardware may use an id again at once, and which are not divided among ranks.
  std::uint64_t heard_after_ = 2;
  unsigned parity_ = 0;  // of the epoch
  bool generating_ = true;
  Tally tally_;
  std::uint64_t bad_ = 0, damaged_ = 0, hits_ = 0;
  std::array<std::uint64_t, kDropCauses> dropped_{};
  std::uint64_t injected_ = 0, delivered_ = 0, flits_injected_ = 0, flits_ejected_ = 0,
                queued_flits_ = 0;
  std::vector<ClassPackets> by_class_;     // [message class]
  std::uint64_t last_delivery_cycle_ = 0;  // of a packet's tail
  std::vector<std::uint64_t> accepted_, offered_, ejected_;
  CongestionCounts notes_;
  std::vector<std::string> failures_;
  std::vector<Delivery> deliveries_;
  std::vector<traffic::GeneratedPacket> generated_;
};

}  // namespace hopwise::engine
