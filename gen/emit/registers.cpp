// SPDX-License-Identifier: Apache-2.0
#include "emit/registers.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

#include <fmt/format.h>

#include "emit/parts.hpp"

namespace hopwise::emit {

namespace {

using csr::Needs;
using csr::Per;
using csr::Register;

/// TABLE_ADDR -> TableAddr
std::string camel(std::string_view name) {
  std::string text;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') text += static_cast<char>(upper ? c : std::tolower(c));
    upper = c == '_';
  }
  return text;
}

/// Bits of a field that may have so many; of a register without fields "VALUE".
using FieldBits = std::function<unsigned(std::string_view field, unsigned most)>;

bool has(Needs needs, const RouterShape& s, bool counters) {
  switch (needs) {
    case Needs::kNothing: return true;
    case Needs::kCounters: return counters;
    case Needs::kTable: return s.unit.table_words > 0;
    case Needs::kChecks: return s.checks;
    case Needs::kWatchdog: return s.watchdog_cycles > 0;
    case Needs::kPoison: return s.poison;
    case Needs::kMemory: return s.unit.flips > 0;
    case Needs::kRefusals: return num_refusals(s) > 0;
  }
  std::abort();
}

/// What a register is there several times for, as the tables name it.
std::string_view index_of(Per per) {
  switch (per) {
    case Per::kRouter: return "";
    case Per::kConfigWord: return "w";
    case Per::kPort: return "p";
    case Per::kEvent: return "e";
    case Per::kCause: return "d";
    case Per::kRefusal: return "r";
    case Per::kCandidate: return "k";
    case Per::kNicCounter: return "c";
  }
  std::abort();
}

/// "0x2000 + 0x40p", and the same 4 further on for the high word.
std::string address(const Register& r) {
  const std::uint32_t stride = csr::stride(r.per);
  std::string step;
  if (stride != 0) {
    step = fmt::format(" + {}{}",
                       stride < 10 ? fmt::format("{}", stride) : fmt::format("0x{:x}", stride),
                       r.per == Per::kCause ? "(d - 1)" : index_of(r.per));
  }
  std::string text = fmt::format("0x{:04X}{}", r.offset, step);
  if (r.words == 2) text += fmt::format(", 0x{:04X}{}", r.offset + 4, step);
  return text;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// A package of constants that nobody need read all of.
class Package {
 public:
  void constant(const std::string& name, std::uint32_t value, std::string_view comment) {
    body_ +=
        fmt::format("  localparam logic [31:0] {:<16} = 32'h{:x};  // {}\n", name, value, comment);
    names_ += (names_.empty() ? "" : " ^ ") + name;
  }
  void registers(std::span<const Register> registers) {
    for (const Register& r : registers) constant(camel(r.name), r.offset / 4, r.meaning);
    gap();
  }
  void gap() { body_ += "\n"; }
  /// Of the registers of a module.
  std::string text(std::string_view module, std::string_view from, std::string_view page) const {
    // Whoever reads one constant is not told by lint that the others are unread.
    return fmt::format(
        "// SPDX-License-Identifier: Apache-2.0\n\n"
        "// Word addresses of the registers of {0}, and what several modules know of them.\n"
        "// Written from gen/spec/{1} by the tests of emit (docs/reference/{2}).\n"
        "package {0}_pkg;\n\n{3}  localparam logic [31:0] unused = {4};\n\nendpackage\n",
        module, from, page, body_, names_);
  }

 private:
  std::string body_, names_;
};

constexpr std::string_view kMarks[] = {"", " (c)", " (t)", " (d)", " (s)", " (b)", " (m)", " (f)"};

std::string table_of(std::span<const Register> registers) {
  static constexpr std::string_view kAccess[] = {"R", "RW", "R, W1C"};
  std::string text = "| Address | Name | Access | Reset | Meaning |\n|---|---|---|---|---|\n";
  for (const Register& r : registers) {
    text += fmt::format("| {} | {}{}{}{} | {} | {} | {}", address(r), r.name,
                        r.per == Per::kRouter ? "" : " ", index_of(r.per),
                        kMarks[static_cast<std::size_t>(r.needs)],
                        kAccess[static_cast<std::size_t>(r.access)], r.reset, r.meaning);
    for (const csr::Field& f : r.fields) {
      const unsigned bits = f.bits;
      text += f.bits == 0 ? fmt::format("; {}", f.meaning)
              : bits == 1
                  ? fmt::format("; bit {}, {}: {}", f.lsb, f.name, f.meaning)
                  : fmt::format("; bits {}:{}, {}: {}", f.lsb + bits - 1, f.lsb, f.name, f.meaning);
    }
    text += " |\n";
  }
  return text;
}

/// A register of a C header that is there `times`; nothing of none.
std::string defines_of(const Register& r, const std::string& name, unsigned times) {
  if (times == 0) return "";
  std::string text = fmt::format("\n/* {}{} */\n", r.meaning, r.words == 2 ? ", 64 bits" : "");
  if (r.per == Per::kRouter) {
    text += fmt::format("#define {}_{} 0x{:04x}u\n", name, r.name, r.offset);
  } else {
    text += fmt::format(
        "#define {0}_{1}(i) (0x{2:04x}u + 0x{3:x}u * (i))\n#define {0}_{1}_COUNT {4}u\n", name,
        r.name, r.offset, csr::stride(r.per), times);
  }
  for (const csr::Field& f : r.fields) {
    if (f.bits == 0) continue;
    text += fmt::format("#define {}_{}_{} 0x{:08x}u /* {} */\n", name, r.name, f.name,
                        ((1ULL << f.bits) - 1) << f.lsb, f.meaning);
  }
  return text;
}

/// A register of SystemRDL that is there `times`, or the one of number `index` where `each` stands
/// for itself.
std::string rdl_of(const Register& r, std::optional<std::uint64_t> reset, unsigned times, bool each,
                   unsigned index, const FieldBits& bits_of) {
  const auto text_of = [](std::string_view meaning) {
    std::string text;
    for (const char c : meaning) text += c == '"' ? '\'' : c;
    return text;
  };
  const auto field = [&r](std::string_view name, unsigned msb, unsigned lsb,
                          std::string_view meaning, std::optional<std::uint64_t> value,
                          bool pulse = false) {
    static constexpr std::string_view kSoftware[] = {"sw = r; hw = w;", "sw = rw; hw = r;",
                                                     "sw = rw; hw = rw; onwrite = woclr;"};
    return fmt::format(
        "      field {{ {} desc = \"{}\"; }} {}[{}:{}]{};\n",
        pulse ? "sw = w; hw = r; singlepulse;" : kSoftware[static_cast<std::size_t>(r.access)],
        meaning, name, msb, lsb, value ? fmt::format(" = 0x{:x}", *value) : "");
  };
  std::string text = fmt::format("  reg {{\n      desc = \"{}\";\n", text_of(r.meaning));
  if (r.words == 2) text += "      regwidth = 64; accesswidth = 32;\n";
  for (const csr::Field& f : r.fields) {
    const unsigned bits = bits_of(f.name, f.bits);
    text += field(f.name, f.lsb + bits - 1, f.lsb, text_of(f.meaning),
                  *reset >> f.lsb & ((1ULL << bits) - 1), f.pulse);
  }
  if (r.fields.empty())
    text += field("VALUE", bits_of("VALUE", 32 * r.words) - 1, 0, text_of(r.meaning), reset);
  text += fmt::format("  }} {}{}", r.name, each ? std::to_string(index) : "");
  if (!each && r.per != Per::kRouter) text += fmt::format("[{}]", times);
  text += fmt::format(" @ 0x{:x}", r.offset + (each ? index * csr::stride(r.per) : 0));
  if (!each && r.per != Per::kRouter) text += fmt::format(" += 0x{:x}", csr::stride(r.per));
  return text + ";\n";
}

csr::MessageWidths message_widths(const RouterShape& s) {
  return {.terminal = s.address_bits(),
          .window = s.window_bits,
          .address = spec::kAddressBits,
          .key = spec::kKeyBits,
          .offset = spec::kOffsetBits,
          .tag = spec::kTagBits};
}

}  // namespace

std::string register_package() {
  Package package;
  package.registers(csr::kRegisters);
  package.constant("IdValue", csr::kMagicValue, "\"HOPW\"");
  package.constant("VersionValue", csr::kVersion, "of the map");
  package.constant("PortStride", csr::stride(Per::kPort) / 4,
                   "words from a port's counters to the next's");
  package.gap();
  for (unsigned e = 0; const csr::Event& event : csr::kEvents)
    package.constant(camel(event.name), e++, "event");
  return package.text("hw_csr", "csr_map.hpp", "csr.md");
}

std::string message_register_package() {
  Package package;
  package.registers(csr::kMessageRegisters);
  package.constant("IdValue", csr::kMessageMagicValue, "\"HOPM\"");
  package.constant("VersionValue", csr::kMessageVersion, "of the map");
  return package.text("hw_message_csr", "message_csr_map.hpp", "message-registers.md");
}

std::string message_register_table() { return table_of(csr::kMessageRegisters); }

std::string register_table() {
  std::string text = table_of(csr::kRegisters);
  text += "\n| Event | Name | Meaning |\n|---|---|---|\n";
  for (unsigned e = 0; const csr::Event& event : csr::kEvents)
    text += fmt::format("| {} | {}{} | {} |\n", e++, event.name,
                        kMarks[static_cast<std::size_t>(event.needs)], event.meaning);
  const auto causes = [&text](const char* of, std::span<const std::string_view> names) {
    text += fmt::format("\n| {} | Meaning |\n|---|---|\n", of);
    for (unsigned number = 1; const std::string_view name : names)
      text += fmt::format("| {} | {} |\n", number++, name);
  };
  causes("Cause d", csr::kCauses);
  causes("Cause of STUCK", csr::kWaits);
  return text;
}

unsigned num_events(const RouterShape& s) {
  unsigned events = 0;
  for (unsigned e = 0; const csr::Event& event : csr::kEvents) {
    ++e;
    if (has(event.needs, s, true)) events = e;
  }
  return events;
}

unsigned count(const Register& r, const RouterShape& s, bool counters) {
  if (!has(r.needs, s, counters)) return 0;
  switch (r.per) {
    case Per::kRouter: return 1;
    case Per::kConfigWord: return static_cast<unsigned>(s.config_words().size());
    case Per::kPort: return s.ports;
    case Per::kEvent: return num_events(s);
    case Per::kCause: return kDropCauses;
    case Per::kRefusal: return num_refusals(s);
    case Per::kCandidate: return s.unit.candidates;
    case Per::kNicCounter: return csr::kNumNicCounters;
  }
  std::abort();
}

std::optional<std::uint32_t> reset_value(const Register& r, const RouterShape& s,
                                         const deadlock::ProvenNetwork& network, unsigned index,
                                         unsigned word) {
  const auto is = [&r](std::string_view name) { return r.name == name; };
  if (is("COORD") || is("TABLE_DATA") || is("DROPPED_HEAD") || is("REFUSED_USER"))
    return std::nullopt;
  if (is("ID")) return csr::kMagicValue;
  if (is("VERSION")) return csr::kVersion;
  if (is("HASH")) {
    const auto hash = std::stoull(network.spec().network_hash, nullptr, 16);
    return static_cast<std::uint32_t>(hash >> (32 * word));
  }
  if (is("PORTS")) return s.ports;
  if (is("VCS")) return s.vcs;
  if (is("FLIT_BITS")) return s.stream_bits();
  if (is("MAX_FLITS")) return s.max_flits;
  if (is("CFG_WORDS")) return static_cast<std::uint32_t>(s.config_words().size());
  if (is("TABLE_WORDS")) return static_cast<std::uint32_t>(s.unit.table_words);
  if (is("FEATURES"))
    return static_cast<std::uint32_t>(num_events(s) << 8 |
                                      (network.spec().network.router.counters ? 1 : 0));
  if (is("CFG")) return s.config_words()[index];
  return 0;
}

std::string register_header(const std::vector<RouterShape>& shapes,
                            const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  const std::string name = upper(spec.name) + "_CSR";
  std::string text = fmt::format(
      "/* SPDX-License-Identifier: Apache-2.0\n"
      " *\n * Registers of {0}: byte addresses in the CSR block of a router. At the network's "
      "port\n"
      " * that of router r is at {1}_ROUTER(r). 64-bit registers: read the low word first, then "
      "the\n"
      " * high word at 4 more. What a router does not have answers SLVERR.\n */\n"
      "#ifndef {1}_H\n#define {1}_H\n\n"
      "#define {1}_ROUTERS {2}u\n#define {1}_ROUTER(r) ((r) * 0x{3:x}u)\n",
      spec.name, name, network.topology().num_routers(), 1u << kCsrAddressBits);
  for (const Register& r : csr::kRegisters) {
    unsigned most = 0;
    for (const RouterShape& s : shapes) most = std::max(most, count(r, s, spec.router.counters));
    text += defines_of(r, name, most);
  }
  text += "\n/* Events: numbers of the counters, and bits of STATUS and MASK. */\n";
  for (unsigned e = 0; e < num_events(shapes[0]);) {
    const csr::Event& event = csr::kEvents[e];
    text += fmt::format("#define {0}_EVENT_{1} {2}u /* {3} */\n#define {0}_STATUS_{1} 0x{4:08x}u\n",
                        name, event.name, e, event.meaning, 1u << e);
    ++e;
  }
  if (shapes[0].checks) text += "\n/* Causes of dropped packets. */\n";
  for (unsigned d = 1; shapes[0].checks && d <= std::size(csr::kCauses); ++d) {
    std::string cause = upper(std::string(csr::kCauses[d - 1]));
    std::ranges::replace(cause, ' ', '_');
    text += fmt::format("#define {}_CAUSE_{} {}u\n", name, cause, d);
  }
  return text + "\n#endif\n";
}

std::string register_rdl(const std::vector<RouterShape>& shapes,
                         const deadlock::ProvenNetwork& network) {
  const auto& spec = network.spec().network;
  std::string text = fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Registers of {}: SystemRDL 2.0.\n",
      spec.name);
  for (const RouterShape& s : shapes) {
    text += fmt::format("\naddrmap {}_csr {{\n  default regwidth = 32;\n  lsb0;\n", s.prefix);
    for (const Register& r : csr::kRegisters) {
      const unsigned times = count(r, s, spec.router.counters);
      for (unsigned i = 0; i < times; ++i) {
        // Registers of one name are an array, unless each has a reset value of its own.
        const bool each = r.per == Per::kConfigWord;
        if (i > 0 && !each) break;
        std::optional<std::uint64_t> reset = reset_value(r, s, network, i, 0);
        if (reset && r.words == 2) *reset |= std::uint64_t{*reset_value(r, s, network, i, 1)} << 32;
        text += rdl_of(r, reset, times, each, i, [&s](std::string_view, unsigned most) {
          return most == 0 ? num_events(s) : most;
        });
      }
    }
    text += "};\n";
  }
  const auto& topology = network.topology();
  text += fmt::format("\naddrmap {}_csrs {{\n", spec.name);
  for (std::uint32_t r = 0; r < topology.num_routers(); ++r) {
    const RouterShape& s = shapes[topology.shape_index(RouterId{r})];
    text += fmt::format("  {}_csr router_{} @ 0x{:x};\n", s.prefix, r,
                        std::uint64_t{r} << kCsrAddressBits);
  }
  return text + "};\n";
}

unsigned message_count(const csr::Register& r) {
  return r.per == Per::kNicCounter ? csr::kNumNicCounters : 1;
}

std::optional<std::uint32_t> message_reset_value(const csr::Register& r, const RouterShape& s,
                                                 const spec::TerminalSpec& terminal) {
  if (r.name == "SELF" || r.per == Per::kNicCounter) return std::nullopt;
  if (r.name == "ID") return csr::kMessageMagicValue;
  if (r.name == "VERSION") return csr::kMessageVersion;
  if (r.name == "SIZES")
    return csr::kNumNicCounters << 24 | bits_for(s.stream_bits() / 8) << 16 | s.window_bits << 8 |
           s.address_bits();
  if (r.name == "STATUS") return 0x1c;
  if (r.name == "ROOM") return 0x410;
  if (r.name == "TIMEOUT") return terminal.timeout_cycles;
  if (r.name == "SEL_THRESHOLD") return terminal.selector.threshold_bytes;
  if (r.name == "SEL_FACTORS") return selector_factors(terminal.selector);
  return 0;
}

std::string message_register_header(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const std::string name = upper(network.spec().network.name) + "_MSG";
  std::string text = fmt::format(
      "/* SPDX-License-Identifier: Apache-2.0\n"
      " *\n * Registers of a message interface of {0}: byte addresses at the terminal's `msg_*` "
      "pins.\n * 64-bit registers: the low word first, the high word at 4 more.\n */\n"
      "#ifndef {1}_H\n#define {1}_H\n",
      network.spec().network.name, name);
  for (const Register& r : csr::kMessageRegisters) text += defines_of(r, name, message_count(r));
  const auto numbers = [&](const char* what, const char* infix,
                           std::span<const std::string_view> names) {
    text += fmt::format("\n/* {} */\n", what);
    for (unsigned i = 0; const std::string_view one : names)
      text += fmt::format("#define {}_{}_{} {}u\n", name, infix, one, i++);
  };
  numbers("Numbers of the counters", "COUNTER", csr::kNicCounters);
  numbers("STATUS of a completion", "END", csr::kMessageEnds);
  text += fmt::format(
      "\n/* Bytes of a flit, of which local addresses and offsets are multiples */\n"
      "#define {}_FLIT_BYTES {}u\n",
      name, s.stream_bits() / 8);
  return text + "\n#endif\n";
}

std::string message_register_rdl(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const std::string& name = network.spec().network.name;
  std::string text = fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Registers of a message interface of {0}: SystemRDL 2.0.\n"
      "\naddrmap {0}_messages {{\n  default regwidth = 32;\n  lsb0;\n",
      name);
  const csr::MessageWidths widths = message_widths(s);
  for (const Register& r : csr::kMessageRegisters) {
    text += rdl_of(r, message_reset_value(r, s, network.spec().network.terminal), message_count(r),
                   false, 0, [&](std::string_view field, unsigned most) {
                     return csr::message_field_bits(r.name, field, most, widths);
                   });
  }
  return text + "};\n";
}

}  // namespace hopwise::emit
