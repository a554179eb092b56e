// SPDX-License-Identifier: Apache-2.0
// The terminals of a partition: cycle-exact models of rtl/terminal, with packet accounting.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/options.hpp"
#include "measure/histogram.hpp"
#include "measure/window.hpp"
#include "model/router_bank.hpp"

namespace hopwise::engine {

/// What a source remembers of a packet until its delivery is reported back.
struct PacketRecord {
  std::uint64_t generated = 0;  ///< core cycle
  std::uint64_t injected = 0;   ///< core cycle in which the head is on the terminal's output pins
  std::uint32_t dst = 0;
  std::uint32_t flits = 0;
  std::uint32_t crc = 0;       ///< CRC-32C of all flits
  std::uint32_t sequence = 0;  ///< among the packets of this source and destination
  std::uint32_t id = 0;        ///< as in the header
  std::uint64_t step = 0;      ///< of a closed loop
  bool active = false;
};

/// Statistics of one partition; integers only, so that partitions add up the same in any order.
struct Tally {
  measure::Window window;
  measure::Histogram latency, network_latency;
  std::uint64_t packets = 0;
  std::uint64_t nonminimal = 0;  ///< of these, on a non-minimal path
  void clear_measured() {
    latency = {};
    network_latency = {};
    packets = nonminimal = 0;
  }
};

/// Integer pacer: the same rule as rtl/link/hw_link_pacer.
class Pacer {
 public:
  explicit Pacer(spec::Rational rate)
      : num_(static_cast<int>(rate.num)), den_(static_cast<int>(rate.den)) {}
  bool ready() const { return debt_ <= 0; }
  void tick(bool send) {
    if (send)
      debt_ += num_ - den_;
    else
      debt_ = debt_ > 0 ? debt_ - den_ : 0;
  }

 private:
  int num_, den_;
  int debt_ = 0;
};

class Terminals;

/// All terminals of the network: their records are read by whoever receives.
struct Shared {
  const Setup* setup = nullptr;
  std::vector<model::WireShape> router_wires;  ///< [shape]
  model::WireShape terminal_wires;
  /// [terminal][packet id modulo kMostUnderWay]; a source whose next record is still in use waits.
  std::vector<std::vector<PacketRecord>> records;
  static constexpr std::size_t kMostUnderWay = 4096;
  PacketRecord& record(std::uint32_t terminal, std::uint32_t id) {
    return records[terminal][id % records[terminal].size()];
  }
  /// [src][dst], where the order is promised
  std::vector<std::vector<std::uint32_t>> next_sequence;
  std::vector<std::vector<std::uint32_t>> expected;  ///< [dst][src]
  std::vector<std::uint32_t> partition_of;           ///< [terminal]
  std::vector<Probe*> of_injections;                 ///< probes of packets' starts
};

/// The terminals of a run of routers, stepped by one thread.
class Terminals {
 public:
  Terminals(Shared& shared, std::size_t partition, std::uint32_t first_router,
            std::uint32_t end_router, std::size_t partitions, std::vector<traffic::Source> sources,
            const RunOptions& options);

  /// Where the ejected flits and injection credits of local router `i` arrive.
  InputPins pins(std::size_t local) const {
    return {.block = blocks_.data() + local * shared_.terminal_wires.block_bytes(),
            .shape = &shared_.terminal_wires};
  }
  /// Connects the injection channel (flits) and the ejection channel's credits to the router's
  /// block.
  void connect(std::size_t local_terminal, const model::Wire& flits, const model::Wire& credits);

  /// Input pins of `cycle`: arrivals, credits, and the flits that leave for the router in that
  /// cycle.
  void step(std::uint64_t cycle);

  /// Start of an epoch: packet ids whose delivery was reported in the last one are free again.
  void collect(const std::vector<Terminals*>& all, std::size_t self, unsigned parity);
  void begin_epoch(unsigned parity);

  /// From now on only packets under way are completed; what waits in the source queues is
  /// forgotten.
  void stop_generating();
  bool sources_done() const;  ///< nothing more to generate or inject
  Tally& tally() { return tally_; }
  std::uint64_t injected() const { return injected_; }
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t in_flight_flits() const { return flits_injected_ - flits_ejected_; }
  std::uint64_t queued_flits() const { return queued_flits_; }
  /// Flits since measuring began, of each terminal: injected, and generated.
  const std::vector<std::uint64_t>& accepted_by_source() const { return accepted_; }
  const std::vector<std::uint64_t>& offered_by_source() const { return offered_; }
  void clear_by_source() {
    accepted_.assign(accepted_.size(), 0);
    offered_.assign(offered_.size(), 0);
  }
  std::uint64_t last_delivery_cycle() const { return last_delivery_cycle_; }
  std::vector<std::string>& failures() { return failures_; }
  std::vector<Delivery>& deliveries() { return deliveries_; }
  std::vector<traffic::GeneratedPacket>& generated() { return generated_; }

 private:
  struct Terminal {
    traffic::Source source;
    // of source_queue_packets at most, where that is not 0
    std::deque<traffic::GeneratedPacket> queue = {};
    std::vector<int> credits;
    std::vector<std::uint8_t> arriving[2] = {};  // credits that count two cycles after they arrive
    Pacer pacer;
    model::Wire flits = {}, ejection_credits = {};
    std::uint32_t next_id = 0;
    unsigned next_vc = 0, vc = 0;
    std::uint32_t left = 0;  // flits of the packet under way
    std::uint32_t sending_id = 0;
    std::uint64_t content = 0;
    // Receiving
    std::uint32_t got = 0, from = 0, from_id = 0, crc = 0;
    bool bad = false, nonminimal = false;
  };

  void receive(std::uint32_t local, std::uint64_t cycle, model::Meta meta, std::byte* data);
  void inject(std::uint32_t local, std::uint64_t cycle);
  bool start_packet(std::uint32_t local, std::uint64_t cycle);
  void offer(std::uint32_t local, const traffic::GeneratedPacket& packet);
  void fail(std::uint64_t cycle, std::uint32_t terminal, const std::string& what);

  Shared& shared_;
  const RunOptions& options_;
  std::size_t partition_;
  std::uint32_t first_;
  std::vector<std::uint32_t> at_router_;  // terminals of each
  std::vector<Terminal> terminals_;
  Blocks blocks_;
  std::vector<std::uint64_t> scratch_;
  // [parity][partition]: (source terminal, packet id) whose delivery that partition must hear of
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> reports_[2];
  unsigned parity_ = 0;
  bool generating_ = true;
  Tally tally_;
  std::uint64_t injected_ = 0, delivered_ = 0, flits_injected_ = 0, flits_ejected_ = 0,
                queued_flits_ = 0;
  std::uint64_t ejected_seen_ = 0;
  std::uint64_t last_delivery_cycle_ = 0;  // of a packet's tail
  std::vector<std::uint64_t> accepted_, offered_;
  std::vector<std::string> failures_;
  std::vector<Delivery> deliveries_;
  std::vector<traffic::GeneratedPacket> generated_;
};

}  // namespace hopwise::engine
