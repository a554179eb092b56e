// SPDX-License-Identifier: Apache-2.0
// What a router shows to whoever watches: its routing unit, packets that are dropped, VCs that do
// not move, and words of tables with bad parity.
#include <algorithm>

#include <fmt/format.h>

#include "emit/parts.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

namespace {

constexpr unsigned kWaitBits = 3;  ///< as hw_router_pkg has them

}  // namespace

std::vector<ReportNet> report_nets(const RouterShape& s) {
  const unsigned p = s.ports, candidate = s.port_width() + s.vcs;
  return {{"drop", p, false},
          {"drop_cause", p * kDropCauseBits, false},
          {"drop_bits", p * s.format.route_bits, false},
          {"visit", p, true},
          {"visit_vc", s.vc_width(), true},
          {"stuck", p, false},
          {"stuck_cause", p * kWaitBits, false},
          {"stuck_wants", p * s.unit.candidates * candidate, false}};
}

std::string reports(const RouterShape& s) {
  std::string body;
  if (s.checks) {
    body += "  assign {drop_o, drop_cause_o, drop_bits_o} = {drop, drop_cause, drop_bits};\n\n";
  } else {
    body += "  wire unused_drops = &{1'b0, drop, drop_cause, drop_bits};\n\n";
  }
  if (s.watchdog_cycles > 0) {
    body += clocked_instance("hw_stuck_watch", "u_watchdog",
                             {{"NumPorts", number(s.ports)},
                              {"NumVcs", number(s.vcs)},
                              {"NumCands", number(s.unit.candidates)},
                              {"Cycles", number(s.watchdog_cycles)}},
                             {{"now_i", "now_i"},
                              {"visit_o", "visit"},
                              {"visit_vc_o", "visit_vc"},
                              {"stuck_i", "stuck"},
                              {"cause_i", "stuck_cause"},
                              {"wants_i", "stuck_wants"},
                              {"report_o", "stuck_report_o"},
                              {"words_o", "stuck_o"}}) +
            "\n";
  } else {
    body +=
        "  assign {visit, visit_vc} = '0;\n"
        "  wire unused_watch = &{1'b0, stuck, stuck_cause, stuck_wants};\n\n";
  }
  return body;
}

std::vector<Watched> reported(const RouterShape& s) {
  std::vector<Watched> all;
  if (s.checks) {
    all = {
        {"drop", "Input ports that drop a packet", s.ports, false},
        {"drop_cause", "why, of each", s.ports * kDropCauseBits, false},
        {"drop_bits", "and the low bits of its head flit", s.ports * s.format.route_bits, false}};
  }
  if (s.watchdog_cycles > 0) {
    all.push_back({"stuck_report", "A VC that does not move is reported", 1, true});
    all.push_back(
        {"stuck", "Words STUCK and WAITS_FOR of the last one", 32 * s.stuck_words(), true});
  }
  if (s.unit.flips > 0) {
    all.push_back({"flips", "Words of tables that are found with bad parity", s.unit.flips, false});
    all.push_back({"flip_word", "and the last one's place in the table window", 32, false});
  }
  return all;
}

std::vector<Watched> counted(const RouterShape& s) {
  if (!s.checks) return {};
  return {{"drops", "Packets dropped, by cause, modulo 2^16", kDropCauses * kDropCountBits, true},
          {"dropped_cause", "Of the last one: cause", kDropCauseBits, true},
          {"dropped_port", "its input port", s.port_width(), true},
          {"dropped_head", "low bits of its head flit", s.format.route_bits, true}};
}

std::vector<Watched> watched_router(const RouterShape& s) {
  std::vector<Watched> all = {
      {"counters", "Counters of decisions (docs/reference/csr.md)",
       std::max(1u, 32 * s.counter_words()), s.counter_words() > 0},
      {"trace", "What is decided and learned, for checkers and trainers",
       std::max(1u, s.trace_bits), s.trace_bits > 0},
      {"queue", "Queue metric of every port", s.ports * s.queue_width, s.queue_metric > 0}};
  for (Watched& w : reported(s)) {
    if (w.shown) all.push_back(std::move(w));
  }
  return all;
}

std::vector<Watched> watched(const RouterShape& s) {
  std::vector<Watched> all = watched_router(s);
  for (Watched& w : counted(s)) all.push_back(std::move(w));
  if (s.reset_cycles > 0)
    all.push_back(
        {"lost", "Packets lost by resets of single routers, modulo 2^16", kDropCountBits, true});
  return all;
}

std::vector<sv::Port> experience_ports(const RouterShape& s) {
  const unsigned bits = s.unit.experience.data_bits;
  if (bits == 0) return {};
  return {{"output", "", "experience_tvalid_o", "AXI4-Stream for a host that trains the agent"},
          {"input", "", "experience_tready_i", ""},
          {"output", sv::range(bits), "experience_tdata_o", ""}};
}

}  // namespace hopwise::emit
