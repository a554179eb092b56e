// SPDX-License-Identifier: Apache-2.0
#include "config/canonical.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys.hpp"
#include "config/room.hpp"
#include "config/validate.hpp"
#include "support/hash.hpp"

namespace hopwise::config {

namespace {

template <class Enum>
std::string_view name_of(std::span<const std::string_view> names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

/// The depth of each VC class: all VCs of a class have the same.
std::vector<unsigned> depth_per_class(const spec::NetworkSpec& spec) {
  std::vector<unsigned> depths;
  std::size_t vc = 0;
  for (const unsigned count : spec.routing.vcs_per_class) {
    depths.push_back(spec.router.vc_depth_flits.at(vc));
    vc += count;
  }
  return depths;
}

/// What the owner of `keys` set of them in its section, in their order.
std::string settings_yaml(std::span<const spec::Key> keys, const spec::Settings& settings) {
  std::string out;
  for (const spec::Key& key : keys) {
    if (!key.run_only && settings.has(key.path))
      out += fmt::format("  {}: {}\n", key.path, spec::to_yaml(settings.at(key.path)));
  }
  return out;
}

std::string messages_yaml(const spec::TerminalSpec& t) {
  std::string out =
      fmt::format("  interface: messages\n  outstanding: {}\n  windows: {}\n  timeout_cycles: {}\n",
                  t.outstanding, t.windows, t.timeout_cycles);
  if (t.mode_selector) out += "  mode_selector: true\n";
  if (t.message_registers) out += "  message_registers: true\n";
  if (!t.mode_selector && !t.message_registers) return out;
  const auto factor = [](unsigned parts) { return parts / double{spec::SelectorSpec::kUnit}; };
  return out + fmt::format(
                   "  selector_threshold_bytes: {}\n  selector_lambda: {}\n  selector_sigma: {}\n"
                   "  selector_max_age: {}\n",
                   t.selector.threshold_bytes, factor(t.selector.lambda), factor(t.selector.sigma),
                   t.selector.max_age);
}

}  // namespace

std::string canonical_yaml(const KeyTable& table, const spec::NetworkSpec& spec) {
  const spec::Rational rate = spec.link.cycles_per_flit;
  std::string out = fmt::format("name: \"{}\"\n", spec.name);
  out += "topology:\n";
  out += fmt::format("  kind: {}\n", spec.topology.kind);
  out +=
      settings_yaml(topology::kind_of(table.kinds(), spec.topology).keys, spec.topology.settings);
  out += fmt::format("  terminals_per_router: {}\n", spec.topology.terminals_per_router);
  out += "link:\n";
  out += fmt::format("  latency_cycles: [{}]\n", fmt::join(spec.link.latency_cycles, ", "));
  out += fmt::format("  terminal_latency_cycles: {}\n", spec.link.terminal_latency_cycles);
  if (spec.link.idle_wait) out += "  idle_wait: true\n";
  out += fmt::format("  cycles_per_flit: {}\n", rate.den == 1
                                                    ? fmt::format("{}", rate.num)
                                                    : fmt::format("{}/{}", rate.num, rate.den));
  out += "packet:\n";
  out += fmt::format("  format: {}\n", name_of(kPacketFormats, spec.packet.format));
  out += fmt::format("  flit_bits: {}\n", spec.packet.flit_bits);
  out += fmt::format("  max_flits: {}\n", spec.packet.max_flits);
  out += "router:\n";
  out += fmt::format("  switching: {}\n", name_of(kSwitchings, spec.router.switching));
  out += fmt::format("  vcs: {}\n", spec.router.message_class_vcs());
  out += fmt::format("  vc_depth_flits: [{}]\n", fmt::join(depth_per_class(spec), ", "));
  out += fmt::format("  output_queue_flits: {}\n", spec.router.output_queue_flits);
  out += "  allocator:\n";
  out += fmt::format("    kind: {}\n", name_of(kAllocators, spec.router.allocator));
  out += fmt::format("    iterations: {}\n", spec.router.allocator_iterations);
  if (spec.router.arbiter != spec::ArbiterKind::kWeighted)
    out += fmt::format("    arbiter: {}\n", name_of(kArbiters, spec.router.arbiter));
  out += fmt::format("    granularity: {}\n", name_of(kGranularities, spec.router.granularity));
  if (spec.router.reservations || default_reservations(spec))
    out += fmt::format("    reservations: {}\n", spec.router.reservations);
  out += fmt::format("  pipeline_cycles: {}\n", spec.router.pipeline_cycles);
  out += fmt::format("  counters: {}\n", spec.router.counters);
  if (spec.router.room != spec::Room::kPacket || default_room(spec) != spec::Room::kPacket)
    out += fmt::format("  room: {}\n", name_of(kRooms, spec.router.room));
  if (spec.router.checks) out += "  checks: true\n";
  if (spec.packet.header_parity) out += "  header_parity: true\n";
  if (spec.router.memory_parity) out += "  memory_parity: true\n";
  if (spec.packet.hop_limit > 0) out += fmt::format("  hop_limit: {}\n", spec.packet.hop_limit);
  if (spec.router.watchdog_cycles > 0)
    out += fmt::format("  watchdog_cycles: {}\n", spec.router.watchdog_cycles);
  if (spec.router.clock_gating) out += "  clock_gating: true\n";
  if (spec.router.partial_reset) out += "  partial_reset: true\n";
  std::vector<std::string> classes = spec.router.message_classes;
  for (std::string& name : classes) {
    if (name == "null" || name == "Null" || name == "NULL") name = "\"" + name + "\"";
  }
  const auto& replies = spec.terminal.replies;
  if (classes.size() > 1 || !replies.empty())
    out += fmt::format("  message_classes: [{}]\n", fmt::join(classes, ", "));
  if (!spec.router.class_priority.empty()) {
    std::vector<std::string> order;
    for (const unsigned c : spec.router.class_priority) order.push_back(classes[c]);
    out += fmt::format("  class_priority: [{}]\n  class_priority_packets: {}\n",
                       fmt::join(order, ", "), spec.router.class_priority_packets);
  }
  if (spec.terminal.cut_through || spec.packet.tkeep || !replies.empty()) out += "terminal:\n";
  if (spec.packet.tkeep) out += "  tkeep: true\n";
  if (spec.terminal.messages) out += messages_yaml(spec.terminal);
  if (spec.terminal.cut_through)
    out +=
        fmt::format("  injection: cut_through\n  pause_cycles: {}\n", spec.terminal.pause_cycles);
  if (!replies.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [request, reply] : replies)
      pairs.push_back(fmt::format("{}: {}", classes[request], classes[reply]));
    out += fmt::format("  replies: {{{}}}\n", fmt::join(pairs, ", "));
  }
  if (const spec::CongestionSpec& c = spec.congestion; c.enabled) {
    out += fmt::format(
        "congestion:\n  enabled: true\n  throttle: {}\n  flows: {}\n  mark_inputs: {}\n"
        "  mark_cycles: {}\n  note_cycles: {}\n  period_cycles: {}\n  increase: {}\n"
        "  decrease_shift: {}\n",
        c.throttle, c.flows, c.mark_inputs, c.mark_cycles, c.note_cycles, c.period_cycles,
        c.increase, c.decrease_shift);
  }
  out += "routing:\n";
  out += fmt::format("  algorithm: {}\n", spec.routing.algorithm);
  out += fmt::format("  vcs_per_class: [{}]\n", fmt::join(spec.routing.vcs_per_class, ", "));
  out +=
      settings_yaml(routing::family_of(table.families(), spec.routing).keys, spec.routing.settings);
  return out;
}

std::string hash_text(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

}  // namespace hopwise::config
