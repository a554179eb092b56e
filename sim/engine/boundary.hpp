// SPDX-License-Identifier: Apache-2.0
// Where the routers of a rank end: the wires to those of other ranks, and what goes along with
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/layout.hpp"
#include "engine/options.hpp"
#include "engine/packet_records.hpp"
#include "engine/ranks.hpp"
#include "engine/terminal_group.hpp"

namespace hopwise::engine {

/// The first router of each rank, and the end: as many routers for each, or nearly so, that the
/// shortest link between ranks is as long as it can be.
std::vector<std::uint32_t> cut_routers(const topology::Topology& topology, unsigned ranks);

/// Those of the routers before this one.
std::uint32_t terminals_before(const topology::Topology& topology, std::uint32_t router);

/// After each epoch every rank sends one message to each other: what its routers have put on the
/// wires there, records of packets for terminals there that have begun or ended, and the packets
/// that have come from there. What was put on a wire is needed when the shortest link between
/// ranks is over, packets can come no sooner, and of deliveries sources hear in the epoch after the
/// next: until then nobody waits for messages.
class Boundary {
 public:
  /// `pins`: of each router of the network; those of other ranks are not looked at.
  Boundary(Ranks& ranks, const Setup& setup, const Layout& layout, const RunOptions& options,
           std::span<const std::uint32_t> cuts, std::span<const InputPins> pins);

  /// Where a router drives a channel that leaves its rank, and the credits of one that enters it.
  model::Wire flits(ChannelId leaves) const;
  model::Wire credits(ChannelId enters) const;

  /// Of an epoch, the cycles before which the messages of the epoch before are needed: up to all.
  std::uint64_t due() const { return due_; }

  /// The epoch from cycle `first` on is over.
  void send(std::uint64_t first, TerminalGroup& terminals, PacketRecords& records);
  /// Takes the messages of the epoch before that have not been taken.
  void receive(PacketRecords& records);
  /// At the start of an epoch: packets whose delivery was told in the last but one are free.
  void collect(std::uint64_t epoch, const TerminalGroup& terminals, PacketRecords& records);

  /// Processor time of writing and reading messages.
  double cpu_seconds() const { return cpu_; }

 private:
  // Wires to and from another rank, a lane each: those that leave begin in a block of its own, as
  // if their links took no time, those that enter end where the rank's routers read them.
  struct Peer {
    unsigned rank = 0;
    model::WireShape shape;
    Blocks leaving;
    std::vector<model::Wire> flits, credits;
    std::size_t usual = 0;  // bytes of the last message to it
  };
  Peer& peer(unsigned rank) { return peers_[rank < ranks_.rank() ? rank : rank - 1]; }
  const Peer& peer(unsigned rank) const { return const_cast<Boundary*>(this)->peer(rank); }
  unsigned rank_of(RouterId router) const;
  model::Wire leaving(unsigned rank, ChannelId channel, bool credit) const;
  void take_wires(Peer& peer, std::uint64_t first, Ranks::Bytes& message);
  void put_wires(const Peer& peer, std::uint64_t first, const std::byte* at);

  Ranks& ranks_;
  const topology::Topology& topology_;
  const std::span<const std::uint32_t> cuts_;
  const std::uint64_t epoch_;
  std::uint64_t due_;
  std::vector<std::uint32_t> lane_of_;  // [channel between ranks]: among those of its two ranks
  std::vector<Peer> peers_;
  std::uint64_t sent_ = 0, received_ = 0;  // epochs
  TerminalGroup::Packets heard_[kReportSides];
  double cpu_ = 0;
  std::uint64_t flits_ = 0, lost_flit_ = 0;  // of a seeded fault
};

}  // namespace hopwise::engine
