// SPDX-License-Identifier: Apache-2.0
// The registers of rtl/terminal/hw_message_csr, in front of a message interface: see csr_map.hpp.
#pragma once

#include <iterator>

#include "spec/csr_map.hpp"

namespace hopwise::csr {

inline constexpr Field kSizesFields[] = {{"ADDRESS", 0, 8, "bits of a terminal's address"},
                                         {"WINDOW", 8, 8, "bits of a window's index"},
                                         {"FLIT", 16, 8, "log2 of a flit's bytes"},
                                         {"COUNTERS", 24, 8, "number of counters"}};
inline constexpr Field kMessageStatusFields[] = {{"COMPLETION", 0, 1, "a completion waits in CPL"},
                                                 {"EVENT", 1, 1, "an event waits in EVT"},
                                                 {"DESCRIPTOR", 2, 1, "a descriptor may be pushed"},
                                                 {"WINDOW", 3, 1, "a window may be pushed"},
                                                 {"DESTINATION", 4, 1,
                                                  "the terminal in DESC_DST is not stopped by "
                                                  "congestion control"}};
inline constexpr Field kMessageMaskFields[] = {{"STATUS", 0, 5, "as in STATUS"}};
inline constexpr Field kRoomFields[] = {{"DESCRIPTORS", 0, 8, "descriptors that may be pushed"},
                                        {"WINDOWS", 8, 8, "windows that may be pushed"},
                                        {"COMPLETIONS", 16, 8, "completions that wait"}};
inline constexpr Field kMessageControlFields[] = {
    {"CLEAR", 0, 1, "writing 1 clears all counters; reads 0", true},
    {"FREEZE", 1, 1, "1: all counters hold"},
    {"SNAPSHOT", 2, 1,
     "writing 1 copies all counters, as they are in one cycle, to COUNTER; with CLEAR before that; "
     "reads 0",
     true},
    {"EVENTS", 3, 1, "1: events come to EVT; 0: to the stream `evt_*`"}};
inline constexpr Field kCplFields[] = {{"TAG", 0, 16, "that of its descriptor"},
                                       {"STATUS", 16, 3, "how the message ended"},
                                       {"MODE", 20, 3, "its mode"},
                                       {"VALID", 31, 1, "there is one"}};
inline constexpr Field kEvtFields[] = {{"WINDOW", 0, 16, "which one is full"},
                                       {"VALID", 31, 1, "there is one"}};
inline constexpr Field kPopFields[] = {{"COMPLETION", 0, 1, "writing 1 pops the one in CPL", true},
                                       {"EVENT", 1, 1, "writing 1 pops the one in EVT", true}};
inline constexpr Field kDescOpFields[] = {{"GET", 0, 1, "0: PUT"},
                                          {"MODE", 4, 3, "of the routing"},
                                          {"AUTO", 8, 1, "the mode is the selector's"},
                                          {"ALL_TO_ALL", 9, 1, "for the selector"}};
inline constexpr Field kDescWindowFields[] = {{"INDEX", 0, 16, "which one of the destination"},
                                              {"KEY", 24, 8, "its key"}};
inline constexpr Field kSelFactorsFields[] = {
    {"LAMBDA", 0, 8, "latency of the adaptive mode over that of the high bias, sixteenths"},
    {"SIGMA", 8, 8, "stalls of the high bias over those of the adaptive mode, sixteenths"},
    {"MAX_AGE", 16, 8, "samples after which one is forgotten"}};
inline constexpr Field kWinAccessFields[] = {{"OPEN", 0, 1, "0: it is closed"},
                                             {"WRITE", 1, 1, "peers may write"},
                                             {"READ", 2, 1, "peers may read"},
                                             {"KEY", 24, 8, "its key"}};

/// Widths of an interface, which some fields do not fill.
struct MessageWidths {
  unsigned terminal, window, address, key, offset, tag;
};

/// Bits that an interface has of a field of `most` bits; `field` is "VALUE" of a register without
/// fields.
constexpr unsigned message_field_bits(std::string_view name, std::string_view field, unsigned most,
                                      const MessageWidths& widths) {
  if (name == "SELF" || name == "DESC_DST") return widths.terminal;
  if (name == "DESC_LOCAL" || name == "WIN_BASE") return widths.address;
  if (name == "DESC_OFFSET") return widths.offset;
  if (name == "DESC_TAG" || field == "TAG") return widths.tag;
  if (name == "WIN_INDEX" || field == "INDEX" || (name == "EVT" && field == "WINDOW"))
    return widths.window;
  return field == "KEY" ? widths.key : most;
}

inline constexpr std::uint32_t kMessageMagicValue = 0x484f504d, kMessageVersion = 0x00010002;

inline constexpr Register kMessageRegisters[] = {
    {"ID", 0x0000, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0x484F504D", "\"HOPM\""},
    {"VERSION", 0x0004, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0x00010002",
     "of this map: major in the high half, minor in the low"},
    {"SELF", 0x0008, 1, Access::kRead, Needs::kNothing, Per::kRouter, "`src_i`",
     "address of this terminal"},
    {"SIZES", 0x000C, 1, Access::kRead, Needs::kNothing, Per::kRouter, "by fields",
     "of the interface", kSizesFields},
    {"STATUS", 0x0010, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0x0000001C",
     "what there is now", kMessageStatusFields},
    {"MASK", 0x0014, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "bits of STATUS that raise `irq_o`", kMessageMaskFields},
    {"ROOM", 0x0018, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0x00000410", "of the queues",
     kRoomFields},
    {"CONTROL", 0x0020, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "of counters and events", kMessageControlFields},
    {"CPL", 0x0028, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0",
     "the oldest completion; 0: there is none", kCplFields},
    {"CPL_BYTES", 0x002C, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0",
     "its bytes that are done"},
    {"EVT", 0x0030, 1, Access::kRead, Needs::kNothing, Per::kRouter, "0",
     "the oldest event; 0: there is none", kEvtFields},
    {"POP", 0x0034, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0", "reads 0",
     kPopFields},
    {"DESC_DST", 0x0040, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "destination: address of a terminal"},
    {"DESC_OP", 0x0044, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "what is to be done", kDescOpFields},
    {"DESC_BYTES", 0x0048, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0", "bytes"},
    {"DESC_LOCAL", 0x0050, 2, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "local address"},
    {"DESC_WINDOW", 0x0058, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "window of the destination", kDescWindowFields},
    {"DESC_OFFSET", 0x005C, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "offset into the window, bytes"},
    {"DESC_TAG", 0x0060, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "tag; writing it pushes the descriptor, and without room is refused"},
    {"TIMEOUT", 0x0070, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter,
     "`terminal.timeout_cycles`", "cycles that a request waits for its response; 0: for ever"},
    {"SEL_THRESHOLD", 0x0074, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter,
     "`terminal.selector_threshold_bytes`", "of the mode selector: bytes between two decisions"},
    {"SEL_FACTORS", 0x0078, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter,
     "`terminal.selector_*`", "of the mode selector", kSelFactorsFields},
    {"WIN_ACCESS", 0x0080, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "who may do what", kWinAccessFields},
    {"WIN_BASE", 0x0088, 2, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "address of its first byte"},
    {"WIN_SIZE", 0x0090, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0", "bytes"},
    {"WIN_EXPECT", 0x0094, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "bytes with which it closes and there is an event; 0: it stays open"},
    {"WIN_INDEX", 0x0098, 1, Access::kReadWrite, Needs::kNothing, Per::kRouter, "0",
     "which one; writing it pushes the window, and without room is refused"},
    {"COUNTER", 0x0100, 2, Access::kRead, Needs::kNothing, Per::kNicCounter, "undefined",
     "counter c of the last snapshot"},
};

/// Places of COUNTER, as hw_message_pkg has them, and what docs/reference/messages.md says of each.
inline constexpr std::string_view kNicCounters[] = {
    "REQ_FLITS",      "REQ_STALLED",   "REQ_PACKETS",     "RSP_PACKETS", "RSP_LATENCY",
    "RSP_FLITS",      "RSP_STALLED",   "REFUSED_CLOSED",  "REFUSED_KEY", "REFUSED_FORBIDDEN",
    "REFUSED_BOUNDS", "MEMORY_ERRORS", "BAD_DESCRIPTORS", "TIMEOUTS",    "LATE"};

inline constexpr unsigned kNumNicCounters = std::size(kNicCounters);

/// The place of a counter.
consteval unsigned nic_counter(std::string_view name) {
  for (unsigned place = 0; place < kNumNicCounters; ++place) {
    if (kNicCounters[place] == name) return place;
  }
  throw "no such counter";
}

/// How a message ends, as hw_message_pkg has it.
inline constexpr std::string_view kMessageEnds[] = {"DONE",      "CLOSED",        "BAD_KEY",
                                                    "FORBIDDEN", "OUT_OF_BOUNDS", "MEMORY_ERROR",
                                                    "TIMED_OUT", "BAD_DESCRIPTOR"};

constexpr std::uint32_t message_offset_of(std::string_view name) {
  return offset_in(kMessageRegisters, name);
}

}  // namespace hopwise::csr
