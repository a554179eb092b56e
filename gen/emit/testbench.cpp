// SPDX-License-Identifier: Apache-2.0
// The smoke test of a bundle: tb/smoke_tb.sv.in with what it must know of the network.
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

/// `text` with the values of `values` in the places of @name@.
std::string filled_in(std::string text, const sv::Bindings& values) {
  for (const auto& [name, value] : values) {
    const std::string place = "@" + name + "@";
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
      text.replace(at, place.size(), value);
  }
  return text;
}

// With TKEEP: its pins, what a sender says of the last beat of its packets, and what must come of
// it.
constexpr const char* kKeepPins =
    "\n  localparam integer KeepBits = {}, BytesLsb = {}, BytesBits = {};\n"
    "  reg  [Terminals*KeepBits-1:0] s_tkeep = 0;\n"
    "  wire [Terminals*KeepBits-1:0] m_tkeep;\n"
    "  reg  [KeepBits-1:0] keep;";
constexpr const char* kKeepSent =
    "\n          s_tkeep[t*KeepBits +: KeepBits] <= {KeepBits{1'b1}} >> "
    "(beat[t] == length(t, packet[t]) - 1 ? (t + 3 * packet[t]) % KeepBits : 0);\n"
    "          if (beat[t] == 0) s_tdata[t*FlitBits+BytesLsb +: BytesBits] <= "
    "KeepBits - 1 - (t + 3 * packet[t]) % KeepBits;";
constexpr const char* kKeepSeen = R"(
          keep = m_tlast[t] && Mark == 24 ? {KeepBits{1'b1}} >> (seen / 4096 + 3 * ((seen / 512) % 8)) % KeepBits
                 : {KeepBits{1'b1}};
          if ((Mark == 24 || !m_tlast[t]) && m_tkeep[t*KeepBits +: KeepBits] !== keep) begin
            $display("SMOKE: terminal %0d has TKEEP %h, not %h", t, m_tkeep[t*KeepBits +: KeepBits], keep);
            failures = failures + 1;
          end)";

/// Of message interfaces: every host writes to the next one and reads from it.
std::string messages_testbench(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  const auto& topology = network.topology();
  const std::string& name = network.spec().network.name;
  std::string addresses;
  for (std::uint32_t t = 0; t < topology.num_terminals(); ++t)
    addresses +=
        fmt::format("      {}: address = {};\n", t,
                    sv::literal(s.address_bits(), terminal_address(s, topology, TerminalId{t})));
  const std::string& text = testbench_library().at("messages_tb.sv.in");
  return sv::file(
      fmt::format("Smoke test of {}_top: every host writes to the memory of the next one, reads "
                  "it, and is refused with a wrong key.",
                  name),
      filled_in("\n" + text.substr(text.find("// Host and memory")),
                {{"terminals", number(topology.num_terminals())},
                 {"flit", number(s.stream_bits())},
                 {"bits", number(s.address_bits())},
                 {"window", number(s.window_bits)},
                 {"name", name},
                 {"messages", number(s.message_registers ? 4 : 3)},
                 {"registers", s.message_registers ? "`define SMOKE_REGISTERS" : ""},
                 {"routers", number(topology.num_routers())},
                 {"csr_bits", number(kCsrAddressBits + csr_select_bits(topology))},
                 {"addresses", addresses}}));
}

}  // namespace

std::string smoke_testbench(const RouterShape& s, const deadlock::ProvenNetwork& network) {
  if (s.messages) return messages_testbench(s, network);
  const auto& topology = network.topology();
  const auto& name = network.spec().network.name;
  const std::size_t terminals = topology.num_terminals(), classes = s.message_classes;
  const unsigned bits = s.address_bits();
  std::string addresses;
  for (std::uint32_t t = 0; t < terminals; ++t) {
    for (std::size_t c = 0; c < classes; ++c)
      addresses += fmt::format("      {}: address = {};\n", t * classes + c,
                               sv::literal(bits, terminal_address(s, topology, TerminalId{t})));
  }
  // To another terminal's stream of the same message class.
  const std::string destination =
      classes == 1 ? "terminal + 1 + (packet * 5 + terminal * 3) % (Terminals - 1)"
                   : fmt::format(
                         "terminal + {0} + {0} * ((packet * 5 + terminal * 3) % "
                         "(Terminals / {0} - 1))",
                         classes);
  const unsigned keep = s.keep_bits;
  const std::string& text = testbench_library().at("smoke_tb.sv.in");
  const std::string body = filled_in(
      "\n" + text.substr(text.find("module smoke_tb;")),
      {{"terminals", number(terminals * classes)},
       {"destination", destination},
       {"flit", number(s.stream_bits())},
       {"len_lsb", number(s.format.length.lsb)},
       {"len_bits",
        number(network.spec().network.terminal.cut_through ? s.format.length.width : 0)},
       {"len_offset", number(s.format.length_offset)},
       {"user", number(s.user_bits())},
       {"out_user", number(s.out_user_bits())},
       {"bits", number(bits)},
       {"min", number(s.min_flits)},
       {"max", number(s.max_flits)},
       // The payload of a beat is its position and its packet: in the high bits, which no
       // format overwrites.
       {"mark", number(std::min(24u, s.stream_bits() - s.format.header_bits))},
       {"keep_into", keep > 0 ? " .s_tkeep_i(s_tkeep)," : ""},
       {"keep_out", keep > 0 ? " .m_tkeep_o(m_tkeep)," : ""},
       {"keep_pins",
        keep > 0 ? fmt::format(kKeepPins, keep, s.format.tail_bytes.lsb, s.format.tail_bytes.width)
                 : ""},
       {"keep_sent", keep > 0 ? kKeepSent : ""},
       {"keep_seen", keep > 0 ? kKeepSeen : ""},
       {"name", name},
       {"routers", number(topology.num_routers())},
       {"csr_bits", number(kCsrAddressBits + csr_select_bits(topology))},
       {"addresses", addresses}});
  return sv::file(fmt::format("Smoke test of {}_top: every terminal sends packets, every flit must "
                              "arrive where it belongs.",
                              name),
                  body);
}

}  // namespace hopwise::emit
