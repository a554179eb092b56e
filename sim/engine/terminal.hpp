// SPDX-License-Identifier: Apache-2.0
// The terminals of a partition: cycle-exact models of rtl/terminal, with packet accounting.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/alarms.hpp"
#include "engine/aside_queues.hpp"
#include "engine/blocks.hpp"
#include "engine/class_turns.hpp"
#include "engine/congestion.hpp"
#include "engine/faults.hpp"
#include "engine/header.hpp"
#include "engine/layout.hpp"
#include "engine/options.hpp"
#include "engine/pacer.hpp"
#include "engine/packet_records.hpp"
#include "engine/source_queues.hpp"
#include "engine/terminal_group.hpp"
#include "model/router_bank.hpp"

namespace hopwise::engine {

/// What all terminals of the network have in common.
struct Shared {
  /// `own`: the terminals that this process simulates.
  Shared(const Setup& setup, const Layout& layout, const RunOptions& options, Range own);

  const Setup& setup;
  const Layout& layout;
  const Range own;
  Headers headers;
  Faults faults;
  /// Most packets of a source of traffic that are under way at a time, where the header's packet id
  /// allows.
  static constexpr std::size_t kMostUnderWay = 4096;
  PacketRecords records;          ///< read by whoever receives
  std::vector<spec::Mode> modes;  ///< of each terminal's packets; empty: they have none
  bool asks_for_order(std::uint32_t from) const {
    return !modes.empty() && modes[from] == spec::Mode::kInOrder;
  }
  bool in_order(std::uint32_t from) const { return setup.in_order || asks_for_order(from); }
  /// Numbers of the packets of a source and destination, modulo 2^16: more than are under way.
  /// Only where their order is promised.
  std::vector<std::uint16_t> next_sequence;  ///< [own src][dst][message class]
  std::vector<std::uint16_t> expected;       ///< [own dst][src][message class]
  std::size_t pair(std::uint32_t mine, std::uint32_t other, unsigned message_class) const {
    return (std::size_t{mine - own.first} * partition_of.size() + other) *
               setup.network.router.num_message_classes() +
           message_class;
  }
  std::vector<std::uint32_t> partition_of;  ///< [terminal]; with several ranks, the rank
  bool elsewhere(std::uint32_t terminal) const {
    return terminal < own.first || terminal >= own.end;
  }
  std::vector<Probe*> of_injections;  ///< probes of packets' starts
};

/// Terminals whose streams end in traffic, packet by packet.
///
/// A terminal costs something in cycles in which something happens to it: a flit or a credit is on
/// its pins, its source generates, or its link is free for a flit that waits. All of them share one
/// block of wires, whose lanes are in the order of the lanes of the routers' blocks: where lanes of
/// a router's port are next to each other, so are those of the terminals there.
///
/// Each message class has a sender and a receiver of its own at a terminal; they share its link.
class Terminals final : public TerminalGroup {
 public:
  /// `routers`: pins of the partition's routers, the first of which is `first_router`.
  Terminals(Shared& shared, std::size_t partition, std::uint32_t first_router,
            std::span<const InputPins> routers, std::size_t parties,
            std::vector<traffic::Source> sources, const RunOptions& options);

  InputPins pins(std::size_t local) const override {
    return {blocks_.data(), &wires_, lane_of_[local]};
  }
  bool at_rest() const override { return all_zero_meta(blocks_.data(), wires_); }
  void step(std::uint64_t cycle) override;
  void collect(const std::vector<TerminalGroup*>& all, std::size_t self,
               std::uint64_t epoch) override;
  void begin_epoch(std::uint64_t epoch) override;
  void stop_generating() override;
  bool sources_done() const override;
  void flip(std::uint64_t* head, std::uint32_t router, unsigned port, std::uint64_t cycle) override;

 private:
  // Pins that a terminal drives are in its router's block, in the slot of a cycle that place_slots
  // finds for the router's shape.
  struct alignas(64) Sender {
    std::byte* block = nullptr;
    std::uint32_t meta = 0, data = 0;  // in a slot
    Pacer pacer;                       // that of class 0 is the terminal's
    std::uint64_t content = 0;
    SourceQueues::Queue queue;
    std::uint16_t left = 0;  // flits of the packet under way
    std::uint16_t next_id = 0, id = 0;
    std::uint16_t shape = 0;
    std::uint8_t next_vc = 0, vc = 0;
    bool waits_for_credit = false, bad = false;
  };
  static_assert(sizeof(Sender) == 64);
  struct alignas(32) Receiver {
    std::byte* credit_block = nullptr;
    std::uint32_t credit_meta = 0;
    std::uint32_t from = 0, got = 0, crc = 0;
    std::uint16_t id = 0;
    std::uint16_t shape = 0;
    bool bad = false, odd = false, nonminimal = false;
    bool note : 1 = false, reply : 1 = false;  // reply: is not answered
  };
  static_assert(sizeof(Receiver) == 32);
  struct Arrival {
    std::uint32_t local = 0, lane = 0;
    model::Meta meta = 0;
  };
  struct Credit {
    std::uint32_t local = 0;
    unsigned vc = 0;
  };
  // A flit in an ejection queue whose packets are answered before they are taken.
  struct Waiting {
    std::uint32_t from = 0;
    std::uint16_t flits = 0;  // of its packet
    std::uint8_t vc = 0;
    bool head = false, tail = false;
    bool broken = false;  // at the tail: not what was sent, and not answered
    bool reply = true;    // nor is this
  };

  // Of a terminal with congestion control.
  struct Congestion {
    explicit Congestion(const spec::CongestionSpec& spec) : throttle(spec), notifier(spec) {}
    Throttle throttle;
    Notifier notifier;
    std::deque<std::pair<std::uint64_t, std::uint32_t>> heard;  // cycles of the throttle, sources
    SourceQueues::Queue notes;
  };
  // And of each of its message classes.
  struct Flows {
    AsideQueues<SourceQueues::Queue> aside;
    bool note_goes = false;
  };

  using Kind = spec::FaultSpec::Kind;
  static bool has_bad_head(std::optional<Kind> wrong) { return wrong && *wrong != Kind::kStream; }
  std::size_t queue(std::uint32_t local, unsigned vc) const {
    return classes_ == 1 ? local : local * classes_ + vc / class_vcs_;
  }
  bool can_send(std::uint32_t local) const;
  bool class_can_send(std::size_t at) const;
  SourceQueues::Queue* next_queue(std::size_t at, std::uint64_t cycle);
  void give_credit(std::uint32_t local, unsigned vc);
  void take(std::uint64_t cycle);
  void take_flit(std::size_t at, std::uint64_t cycle);

  void place_lanes(std::uint32_t first_router, std::span<const InputPins> routers);
  void place_slots(std::uint64_t cycle);
  void count_credits(std::uint64_t cycle, std::byte* meta);
  void generate(std::uint32_t local, std::uint64_t cycle);
  void offer(std::uint32_t local, const traffic::GeneratedPacket& packet);

  void fetch_first(std::uint32_t local);
  void wake(std::uint32_t local, std::uint64_t cycle);
  void send(std::uint32_t local, std::uint64_t cycle);
  bool send(std::uint32_t local, unsigned message_class, std::uint64_t cycle);
  PacketRecord* start_packet(std::uint32_t local, unsigned message_class,
                             SourceQueues::Queue& queue, std::uint64_t cycle);
  void send_flit(std::uint32_t local, Sender& sender, std::uint64_t cycle, PacketRecord& record);
  std::optional<spec::FaultSpec::Kind> wrong(std::uint32_t local,
                                             const traffic::GeneratedPacket& packet) const;
  bool refuse(std::uint32_t local, unsigned message_class, const traffic::GeneratedPacket& packet);
  bool pauses(std::size_t at, std::uint64_t cycle);

  SourceQueues::Queue* next_flow(std::size_t at, std::uint64_t cycle);
  void leave_flow(std::size_t at, const SourceQueues::Queue* queue, std::uint32_t dst,
                  std::uint64_t cycle);
  std::uint64_t beat_cycles() const;
  static void hear(Congestion& congestion, std::uint64_t cycle);
  void charge(std::uint32_t local, std::uint32_t dst, std::uint64_t cycle);
  void notice(std::uint32_t local, const Receiver& receiver, bool marked, bool note,
              std::uint64_t cycle);

  bool is_greeting(const Arrival& arrival, const std::byte* data) const;
  bool is_greeted(std::uint32_t local) const;
  void greet(std::uint32_t local, std::uint64_t cycle);
  void welcome(std::uint64_t cycle);

  void arrive(const Arrival& arrival, const std::byte* data);
  void fetch_record(const Arrival& arrival);
  void receive(const Arrival& arrival, std::uint64_t cycle, const std::byte* data);
  bool take_poison(std::uint64_t* flit) const;
  void receive_flit(std::uint32_t local, std::uint64_t cycle, model::Meta meta, bool poisoned);
  void receive_broken(std::uint32_t local, const Receiver& receiver);
  void receive_head(std::uint32_t local, Receiver& receiver, std::uint64_t cycle);
  /// Whether the packet is what was sent.
  bool receive_tail(std::uint32_t local, Receiver& receiver, std::uint64_t cycle);

  Shared& shared_;
  const RunOptions& options_;
  const std::size_t partition_;
  const std::uint32_t flit_words_;
  const std::uint64_t last_word_;  // bits of a flit's last word that terminals write
  const std::uint32_t vcs_, classes_, class_vcs_;
  const std::uint64_t patience_ = patience(shared_.setup, options_.simulation);
  const std::uint32_t id_mask_;
  const bool wormhole_;
  const spec::Rational cycles_per_flit_;

  model::WireShape wires_;
  Blocks blocks_;
  std::vector<std::uint32_t> lane_of_, at_lane_;        // of each terminal, and back
  std::vector<std::size_t> flit_slots_, credit_slots_;  // of this cycle, [shape]: byte of a block

  std::vector<traffic::Source> sources_;
  std::vector<Sender> senders_;      // [terminal][message class]
  std::vector<Receiver> receivers_;  // [terminal][message class]
  ClassTurns turns_;
  std::vector<unsigned> generated_classes_;   // of the sources' packets
  std::vector<std::uint8_t> generates_next_;  // of each terminal, the place of the next among them
  // Where terminals reply: replies that wait, and arrived flits that are not taken yet, each
  // [terminal][message class]; of each terminal, the replies that have a place.
  std::vector<SourceQueues::Queue> replies_;
  std::vector<std::deque<Waiting>> untaken_;
  std::vector<std::uint32_t> reply_places_;
  std::vector<std::int32_t> credits_;  // [terminal][vc]
  std::vector<Arrival> arrivals_;      // of this cycle
  std::vector<Credit> arriving_[2];    // credits that count two cycles after they arrive
  Alarms generation_, sending_;
  SourceQueues queues_;
  std::vector<std::uint64_t> scratch_;     // the flit at hand
  std::vector<PacketRecord> bad_records_;  // [terminal][class]: of the bad packet that is sent
  // Of the packet that is sent, where its stream breaks off: flits that are missing; and the cycle
  // from which on they are made up.
  struct Break {
    unsigned missing = 0;
    std::uint64_t until = 0;
  };
  std::vector<Break> breaks_;  // [terminal][class]
  // [parity][partition]: packets whose head was flipped, and where they were bound for
  struct Flipped {
    std::uint32_t source = 0, id = 0, dst = 0;
  };
  std::vector<std::vector<Flipped>> flipped_[2];
  // Terminals whose router was reset, and the cycle in which they welcome it.
  struct Greeted {
    std::uint32_t local = 0;
    std::uint64_t welcome = 0;
  };
  std::vector<Greeted> greeted_;
  std::uint64_t ejected_seen_ = 0;
  // Of congestion control; empty without.
  std::vector<Congestion> congestion_;  // [terminal]
  std::vector<Flows> flows_;            // [terminal][class]
  unsigned note_class_ = 0;             // of notifications
  std::vector<bool> throttled_;         // [class]
};

}  // namespace hopwise::engine
