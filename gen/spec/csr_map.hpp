// SPDX-License-Identifier: Apache-2.0
// The registers of rtl/terminal/hw_csr and hw_message_csr: the one declaration from which come
// hw_csr_pkg.sv and hw_message_csr_pkg.sv, the C headers and the SystemRDL of a bundle, the tables
// of docs/reference/csr.md and message-registers.md, and the addresses that the simulation uses.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace hopwise::csr {

enum class Access {
  kRead,
  kReadWrite,
  kClear,  ///< read; writing 1 clears a bit
};

/// When a register is there.
enum class Needs { kNothing, kCounters, kTable, kChecks, kWatchdog, kPoison, kMemory, kRefusals };

/// What it is there for several times; kRouter: once in a block.
enum class Per { kRouter, kConfigWord, kPort, kEvent, kCause, kRefusal, kCandidate, kNicCounter };

struct Field {
  std::string_view name;
  unsigned lsb, bits;  ///< bits 0: as many as there are events
  std::string_view meaning;
  bool pulse = false;  ///< writing 1 does something once; reads 0
};

struct Register {
  std::string_view name;
  std::uint32_t offset;  ///< bytes
  unsigned words;        ///< 2: low, then high word
  Access access;
  Needs needs;
  Per per;
  std::string_view reset;  ///< a number, or what it depends on
  std::string_view meaning;
  std::span<const Field> fields = {};
};

inline constexpr Field kFeatures[] = {{"COUNTERS", 0, 1, "1: there are counters"},
                                      {"EVENTS", 8, 8, "number of events"}};
inline constexpr Field kControlFields[] = {
    {"CLEAR", 0, 1, "writing 1 clears all counters; reads 0", true},
    {"FREEZE", 1, 1, "1: all counters hold"}};
inline constexpr Field kEventBits[] = {{"EVENT", 0, 0, "bit e: event e"}};
inline constexpr Field kDroppedFields[] = {
    {"CAUSE", 0, 8, "why, as the numbers of DROPS; 0: none was dropped"},
    {"PORT", 8, 8, "its input port"},
    {"LOST", 16, 16,
     "packets lost by resets of this router or a neighbour (`router.partial_reset`), modulo 2^16"}};
inline constexpr Field kRefusedFields[] = {
    {"CAUSE", 0, 8, "why, as the numbers of DROPS; 0: none was refused"},
    {"STREAM", 8, 8, "its stream: terminal of the router times message classes, plus class"}};
inline constexpr Field kStuckFields[] = {
    {"CAUSE", 0, 8, "for want of what, as numbered below; 0: there was none"},
    {"PORT", 8, 8, "its input port"},
    {"VC", 16, 8, "its VC"}};
inline constexpr Field kWaitsForFields[] = {
    {"PORT", 0, 8, "an output port"},
    {"VCS", 16, 16, "VCs of that port, a bit each; 0: there is no such candidate"}};

inline constexpr Register kRegisters[] = {
    {"ID", 0x0000, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0x484F5057", "\"HOPW\""},
    {"VERSION", 0x0004, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0x00020001",
     "of this map: major in the high half, minor in the low"},
    {"HASH", 0x0008, 2, Access::kRead, Needs::kNothing, Per::kRouter, "`NetworkHash`",
     "hash of the network's configuration"},
    {"COORD", 0x0010, 2, Access::kRead, Needs::kNothing, Per::kRouter, "`coord_i`",
     "coordinates of the router"},
    {"PORTS", 0x0018, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`NumPorts`",
     "ports of the router"},
    {"VCS", 0x001C, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`NumVcs`",
     "virtual channels of a port"},
    {"FLIT_BITS", 0x0020, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`FlitBits`",
     "bits of a flit"},
    {"MAX_FLITS", 0x0024, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`MaxFlits`",
     "longest packet, in flits"},
    {"CFG_WORDS", 0x0028, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`NumCfg`",
     "configuration words"},
    {"TABLE_WORDS", 0x002C, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`TableWindow`",
     "words behind the table window; 0: none"},
    {"FEATURES", 0x0030, 1, Access::kRead, Needs::kNothing, Per::kRouter, "by fields",
     "what there is", kFeatures},
    {"CONTROL", 0x0040, 1, Access::kReadWrite, Needs::kCounters, Per::kRouter, "0",
     "of the counters", kControlFields},
    {"ELAPSED", 0x0048, 2, Access::kRead, Needs::kCounters, Per::kRouter, "0",
     "core cycles that the counters cover"},
    {"OCCUPANCY", 0x0050, 2, Access::kRead, Needs::kCounters, Per::kRouter, "0",
     "sum over these cycles of the flits buffered in the router"},
    {"TABLE_ADDR", 0x0060, 1, Access::kReadWrite, Needs::kTable, Per::kRouter, "0",
     "word address for the next access to TABLE_DATA"},
    {"TABLE_DATA", 0x0064, 1, Access::kReadWrite, Needs::kTable, Per::kRouter, "the table's",
     "a word of the table; each access adds 1 to TABLE_ADDR"},
    {"STATUS", 0x0070, 1, Access::kClear, Needs::kNothing, Per::kRouter, "0",
     "events that have happened", kEventBits},
    {"MASK", 0x0074, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "events whose bit in STATUS raises `irq_o`", kEventBits},
    {"DROPPED", 0x0080, 1, Access::kRead, Needs::kChecks, Per::kRouter, "0",
     "the packet that the router dropped last", kDroppedFields},
    {"DROPPED_HEAD", 0x0088, 2, Access::kRead, Needs::kChecks, Per::kRouter, "the head's",
     "its head flit: the low bits, as far as routing reads"},
    {"STUCK", 0x0090, 1, Access::kRead, Needs::kWatchdog, Per::kRouter, "0",
     "the first VC that was found stuck since VC_STUCK was cleared in STATUS", kStuckFields},
    {"FLIPPED", 0x0098, 1, Access::kRead, Needs::kMemory, Per::kRouter, "0",
     "word of the table window that was found with bad parity last; 0: none was"},
    {"REFUSED", 0x00A0, 1, Access::kRead, Needs::kRefusals, Per::kRouter, "0",
     "the packet that a terminal's network interface refused last", kRefusedFields},
    {"REFUSED_USER", 0x00A4, 1, Access::kRead, Needs::kRefusals, Per::kRouter, "the beat's",
     "`tuser` of its first beat, message class and destination, as REFUSED was read last"},
    {"EVENT", 0x0100, 2, Access::kRead, Needs::kCounters, Per::kEvent, "0",
     "how often event e was"},
    {"DROPS", 0x0200, 1, Access::kRead, Needs::kChecks, Per::kCause, "0",
     "packets that the router dropped for a cause, modulo 2^16; the first is cause 1"},
    {"WAITS_FOR", 0x0280, 1, Access::kRead, Needs::kWatchdog, Per::kCandidate, "0",
     "what that VC waits for: candidate k of its packet, or, as candidate 0, the output VC that "
     "its "
     "packet keeps",
     kWaitsForFields},
    {"REFUSALS", 0x0300, 1, Access::kRead, Needs::kRefusals, Per::kRefusal, "0",
     "packets that network interfaces refused, modulo 2^16: r = 0 for bad destinations, 1 for bad "
     "lengths, 2 for those whose streams broke off"},
    {"CFG", 0x1000, 1, Access::kReadWrite, Needs::kNothing, Per::kConfigWord, "`CfgReset`",
     "configuration word w, on bits 32w to 32w+31 of `cfg_o`"},
    {"FLITS_IN", 0x2000, 2, Access::kRead, Needs::kCounters, Per::kPort, "0",
     "flits that came in at port p"},
    {"FLITS_OUT", 0x2008, 2, Access::kRead, Needs::kCounters, Per::kPort, "0",
     "flits that left at port p"},
    {"PACKETS_OUT", 0x2010, 2, Access::kRead, Needs::kCounters, Per::kPort, "0",
     "packets that left at port p"},
    {"STALLED", 0x2018, 2, Access::kRead, Needs::kCounters, Per::kPort, "0",
     "cycles in which port p was stalled"},
};

/// What is counted, kept in STATUS and can interrupt: event e is row e.
struct Event {
  std::string_view name;
  std::string_view terminal;  ///< pin of CSR block and node: a bit per stream of each terminal
  std::string_view router;    ///< pin of the CSR block, of its router; either may be empty
  Needs needs;
  std::string_view meaning;
};
inline constexpr Event kEvents[] = {
    {"PACKET_REFUSED", "refused", "", Needs::kNothing,
     "a network interface dropped a packet that its terminal offered: too long, too short, to a "
     "destination that the network has not, or not to its end"},
    {"PACKET_DROPPED", "bad_parity", "drop", Needs::kChecks,
     "a router dropped a packet, or a network interface one that came with bad parity"},
    {"VC_STUCK", "", "stuck_report", Needs::kWatchdog,
     "a VC has not moved for `router.watchdog_cycles`; again after as many cycles while it stays"},
    {"PACKET_BROKEN", "broken", "", Needs::kPoison,
     "a packet came broken, with a poisoned tail: its stream into the network broke off, or flits "
     "of "
     "it were lost"},
    {"MEMORY_FLIP", "", "flips", Needs::kMemory,
     "a word of the routing's tables was read with bad parity (`router.memory_parity`), and is not "
     "believed: FLIPPED tells which"},
};

/// Why packets are dropped, from number 1 on, as hw_drop_pkg has them: by routers but for the last.
inline constexpr std::string_view kCauses[] = {"bad destination", "bad length", "bad class",
                                               "no route",        "bad parity", "hop limit",
                                               "broken stream"};
inline constexpr unsigned kRouterCauses = 6;

/// Those for which network interfaces refuse packets.
inline constexpr unsigned kRefusals[] = {1, 2, 7};

/// For want of what a VC does not move, from number 1 on, as hw_router_pkg has them.
inline constexpr std::string_view kWaits[] = {
    "no answer of routing", "no tail: store-and-forward", "another packet has the output VC",
    "no room in the output VC", "the switch serves others"};

/// Bytes from a register to the next of the same name.
constexpr std::uint32_t stride(Per per) {
  switch (per) {
    case Per::kRouter: return 0;
    case Per::kPort: return 0x40;
    case Per::kEvent:
    case Per::kNicCounter: return 8;
    case Per::kConfigWord:
    case Per::kCause:
    case Per::kRefusal:
    case Per::kCandidate: return 4;
  }
  std::abort();
}

constexpr const Register& register_in(std::span<const Register> registers, std::string_view name) {
  for (const Register& r : registers) {
    if (r.name == name) return r;
  }
  std::abort();
}
constexpr std::uint32_t offset_in(std::span<const Register> registers, std::string_view name) {
  return register_in(registers, name).offset;
}
constexpr std::uint32_t offset_of(std::string_view name) { return offset_in(kRegisters, name); }

inline constexpr std::uint32_t kMagic = offset_of("ID");
inline constexpr std::uint32_t kMagicValue = 0x484f5057, kVersion = 0x00020001;
inline constexpr std::uint32_t kElapsed = offset_of("ELAPSED");
inline constexpr std::uint32_t kOccupancySum = offset_of("OCCUPANCY");

// Table window of the routing: from word 0 on, its counters.
inline constexpr std::uint32_t kTableAddress = offset_of("TABLE_ADDR"),
                               kTableData = offset_of("TABLE_DATA");

// Configuration words of routings that draw random bits; further ones follow, each routing's own.
inline constexpr std::uint32_t kRoutingControl = offset_of("CFG");
/// Of kRoutingControl: generators take the seed while it is set.
inline constexpr std::uint32_t kLoadSeed = 0x80000000;
inline constexpr std::uint32_t kRandomSeed = kRoutingControl + 4;

enum PortCounter : std::uint32_t {
  kFlitsIn = offset_of("FLITS_IN"),
  kFlitsOut = offset_of("FLITS_OUT"),
  kPacketsOut = offset_of("PACKETS_OUT"),
  kStalledCycles = offset_of("STALLED")
};

constexpr std::uint32_t port_counter(std::uint32_t port, PortCounter which) {
  return which + stride(Per::kPort) * port;
}

}  // namespace hopwise::csr
