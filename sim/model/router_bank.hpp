// SPDX-License-Identifier: Apache-2.0
// The seam between the engine and compiled router models: the wires of a network in memory, and a
// bank of routers that reads and writes them. This header is compiled into every router model;
// change kRouterBankVersion with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/host_pins.hpp"

namespace hopwise::model {

inline constexpr std::uint32_t kRouterBankVersion = 12;

/// One cycle of the wires of a flit beside its data, or of a credit. 0: nothing there. Wires that
/// have no name here travel in the bits that are left.
using Meta = std::uint8_t;
inline constexpr Meta kValid = 0x80, kHead = 0x40, kTail = 0x20, kVcMask = 0x0f;
inline constexpr Meta kFeedback = 0x40;  ///< of a credit, or alone: there is a feedback word

/// Whether there is anything in these Meta; `bytes` is a multiple of 8.
inline bool any_meta(const std::byte* meta, std::size_t bytes) {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, meta + i, 8);
    seen |= word;
  }
  return seen != 0;
}

/// Where the wires of a channel stand in a Meta.
struct MetaWire {
  const char* name;
  unsigned lsb;
};
inline constexpr MetaWire kMetaWires[] = {{"valid", 7},    {"head", 6},         {"tail", 5},
                                          {"vc", 0},       {"credit_valid", 7}, {"feedback", 6},
                                          {"credit_vc", 0}};

inline constexpr std::size_t kBlockAlignment = 64;  ///< bytes: a cache line

/// A block: the input pins of `lanes` routers of one shape (or of the terminals of one router) for
/// the cycles to come. It is a ring of slots, slot `cycle & slot_mask` holds what is on the pins in
/// that cycle. A slot is: flit Meta [port][lane], credit Meta [port][lane] (each padded to
/// meta_bytes), flit data [port][lane], feedback words [port][lane]. Where a block has 64 lanes or
/// a multiple, the Meta of a port and all areas begin at multiples of 64 bytes. Readers clear what
/// they have read, so an empty wire costs nothing.
///
/// A writer fills slots at least one cycle ahead of the reader, at addresses that nobody else
/// writes: partitions in different threads share blocks without locks as long as they meet once per
/// smallest link latency.
struct WireShape {
  std::uint32_t ports = 0;
  std::uint32_t lanes = 1;           ///< routers of a block
  std::uint32_t flit_bytes = 0;      ///< multiple of 8
  std::uint32_t feedback_bytes = 0;  ///< 8, or 0 where routing learns nothing from its neighbours
  std::uint32_t slot_mask = 0;       ///< slots - 1, a power of two less one
  /// Of the flits' or the credits' Meta, of all ports and lanes: read as 64-bit words.
  std::uint32_t meta_bytes() const { return (ports * lanes + 7) / 8 * 8; }
  /// Offsets within a slot.
  std::uint32_t flit_meta(std::uint32_t port, std::uint32_t lane) const {
    return port * lanes + lane;
  }
  std::uint32_t credit_meta(std::uint32_t port, std::uint32_t lane) const {
    return meta_bytes() + port * lanes + lane;
  }
  std::uint32_t flit_offset(std::uint32_t port, std::uint32_t lane) const {
    return 2 * meta_bytes() + (port * lanes + lane) * flit_bytes;
  }
  std::uint32_t feedback_offset(std::uint32_t port, std::uint32_t lane) const {
    return 2 * meta_bytes() + ports * lanes * flit_bytes + (port * lanes + lane) * feedback_bytes;
  }
  std::uint32_t slot_bytes() const { return feedback_offset(ports, 0); }
  /// A multiple of kBlockAlignment, at which blocks begin.
  std::size_t block_bytes() const {
    return (std::size_t{slot_bytes()} * (slot_mask + 1) + kBlockAlignment - 1) / kBlockAlignment *
           kBlockAlignment;
  }
};

/// Where an output pin leads: input port `port` of `block`, `delay` cycles after the clock edge
/// that drives the pin.
struct Wire {
  std::byte* block = nullptr;  ///< nullptr: not connected
  std::uint32_t slot_bytes = 0;
  std::uint32_t slot_mask = 0;
  std::uint32_t meta_offset = 0;  ///< within a slot
  std::uint32_t data_offset = 0;  ///< of the flit; of a credit's wire, of the feedback word
  std::uint32_t delay = 1;

  std::byte* slot(std::uint64_t cycle) const {
    return block + std::size_t{slot_bytes} * ((cycle + delay) & slot_mask);
  }
};

/// What connects one router: its own input pins, and per port where flits and credits go. Without
/// ports it keeps a place: see RouterBank::part.
struct RouterWiring {
  std::byte* block = nullptr;  ///< that its lane is one of
  std::uint32_t lane = 0;
  std::vector<Wire> flits;    ///< per output port
  std::vector<Wire> credits;  ///< per input port, to whoever feeds it
  std::uint64_t coordinates = 0;
  /// added to the network's cycle on now_i: routers' clocks need not agree
  std::uint64_t clock_offset = 0;
  std::uint32_t router = 0;  ///< number in the network, for messages
};

/// Queue lengths along whole paths: global state, which only the ideal UGAL-G (`ugal_global`)
/// reads.
class QueueOracle {
 public:
  virtual ~QueueOracle() = default;
  /// Flits queued along the minimal paths from router `from` over link `link` to `via`, and from
  /// there to `to`.
  virtual unsigned path_queue(unsigned from, unsigned via, unsigned to, unsigned link) const = 0;
};

/// An assertion or an assumption of the RTL fails: which one, this engine does not know.
class AssertionFailed : public std::runtime_error {
 public:
  AssertionFailed(std::uint32_t router, std::uint64_t cycle)
      : std::runtime_error("an assertion of the RTL fails in router " + std::to_string(router) +
                           ", in cycle " + std::to_string(cycle)),
        router_(router) {}
  std::uint32_t router() const { return router_; }

 private:
  std::uint32_t router_;
};

/// Of the first word of a report on stuck_o: it is new.
inline constexpr std::uint32_t kReport = 1u << 31;

/// What a CSR block answers.
struct CsrAnswer {
  unsigned response = 0;  ///< of AXI; 0: OKAY
  std::uint32_t data = 0;
};

/// Some routers of a network, all of one compiled shape, stepped by one thread at a time. Terminals
/// with message interfaces are such routers as well, of one port, with a host beside.
class RouterBank {
 public:
  virtual ~RouterBank() = default;

  /// Advances every router by one core cycle: input pins of `cycle`, one rising edge, output pins
  /// of `cycle + 1`. Routers that are quiescent and see no input are skipped unless `skip_idle` is
  /// off. Throws std::runtime_error where an assertion of the RTL fails.
  virtual void step(std::uint64_t cycle, bool skip_idle) = 0;

  /// Of a bank whose routers are places in lanes: those from `first` on become routers of a network
  /// of its own, after reset, whose cycle 0 is the bank's cycle `cycle`, the next one. They are
  /// stepped with this bank; the part is for all else, and with it they go. nullptr: not in lanes.
  virtual std::unique_ptr<RouterBank> part(std::size_t /*first*/,
                                           std::span<const RouterWiring> /*routers*/,
                                           std::uint64_t /*cycle*/) {
    return nullptr;
  }

  /// No flit and no credit is left in any router (wires not included).
  virtual bool quiescent() const = 0;

  /// Flits that left output `port` of router `local` since the last clear.
  virtual std::uint64_t flits_out(std::size_t local, std::uint32_t port) const = 0;
  virtual void clear_counts() = 0;

  /// One AXI4-Lite transfer with the CSR block of router `local`; the router's clock runs, the
  /// network's does not. Returns the AXI response (0: OKAY).
  virtual unsigned csr_write(std::size_t local, std::uint32_t address, std::uint32_t data) = 0;
  virtual unsigned csr_read(std::size_t local, std::uint32_t address, std::uint32_t& data) = 0;
  /// The same with every router of the bank: answers[local].data is written, or read. Where routers
  /// share an evaluation they share this one too.
  virtual void csr_write_each(std::uint32_t address, std::span<CsrAnswer> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i].response = csr_write(i, address, answers[i].data);
  }
  virtual void csr_read_each(std::uint32_t address, std::span<CsrAnswer> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i].response = csr_read(i, address, answers[i].data);
  }

  /// AXI4-Lite writes to the CSR block of router `local` while the network runs: done in order from
  /// the next step on, each in the cycles that it takes. Such a router is not skipped.
  virtual void queue_csr(std::size_t local, std::uint32_t address, std::uint32_t data) = 0;
  virtual std::size_t queued_csr(std::size_t local) const = 0;  ///< writes not yet answered

  /// Word of `counters_o` of router `local`: a counter modulo 2^32; 0 where the model has none.
  virtual std::uint32_t counters(std::size_t local, std::uint32_t word) const = 0;

  /// Packets that router `local` has dropped for a cause, the first of hw_drop_pkg being 0,
  /// modulo 2^16.
  virtual std::uint16_t drops(std::size_t local, std::uint32_t cause) const = 0;

  /// What the watchdog of router `local` reports after the last step: stuck_words words, as the
  /// registers STUCK and WAITS_FOR have them. False: nothing.
  virtual bool stuck(std::size_t local, std::uint32_t* words) const = 0;

  /// `trace_o` of router `local` after the last step: as many 32-bit words as trace_bits need.
  virtual void trace(std::size_t local, std::uint32_t* words) const = 0;
  /// The feedback word that router `local` has sent in the last step through network port `port`,
  /// bit 0 set; 0: none.
  virtual std::uint64_t feedback(std::size_t local, std::uint32_t port) const = 0;
  /// Clocks every router, without input and while the network's clock stands still, until it is
  /// quiescent: tables that are written after reset are ready then. Before the first step.
  virtual void initialise() = 0;
  /// From now on one in `n` feedback words of each router is lost on the wires; 0: none.
  virtual void lose_feedback(unsigned n) = 0;

  /// The source of the queue lengths of remote routers, which routers of `ugal_global` route by;
  /// outlives the bank's steps.
  virtual void set_oracle(const QueueOracle* oracle) = 0;
  /// The length of every port's queue of router `local`, flits; models with queue_bits only.
  virtual void sample_queues(std::size_t local, std::uint16_t* queues) const = 0;

  /// Of a model of terminals (see host_pins.hpp): what its host drives in the step to come, and
  /// what the interface drives after the last one. A terminal whose `stimulus` is 0 may be skipped.
  /// nullptr: routers.
  virtual HostInputs* host_inputs(std::size_t /*local*/) { return nullptr; }
  virtual const HostOutputs* host_outputs(std::size_t /*local*/) const { return nullptr; }

  /// CPU time that the evaluation of the routers proper took, without their wires; 0 where it is
  /// not measured.
  virtual double eval_seconds() const { return 0; }

  /// Writes a waveform (FST) of router `local`; only in models compiled with tracing, else false.
  virtual bool open_wave(std::size_t local, const char* path) = 0;
  virtual void close_waves() = 0;
};

/// Constants of a compiled model and its factory; the shared library exports
/// `hopwise_router_model`.
struct RouterModel {
  std::uint32_t version;
  std::uint32_t ports;
  std::uint32_t flit_bits;
  std::uint32_t counter_words;   ///< of 32 bits; 0: no counters_o
  std::uint32_t queue_bits;      ///< of a port's queue on queue_o; 0: no queue_o
  std::uint32_t feedback_ports;  ///< ports with wires for feedback; 0: none
  std::uint32_t feedback_bits;   ///< of one word, bit 0: valid
  std::uint32_t trace_bits;      ///< of trace_o; 0: none
  std::uint32_t stuck_words;     ///< of a report of the watchdog; 0: there is none
  std::uint32_t lanes;           ///< routers of a block of wires
  std::uint32_t hosts;           ///< 1: terminals with message interfaces, not routers
  /// Router `i` is lane `i % lanes` of the block `i / lanes` of the bank. Where lanes > 1 all may
  /// be places, without ports.
  RouterBank* (*make_bank)(const RouterWiring* routers, std::size_t count, const WireShape& shape);
};

}  // namespace hopwise::model
