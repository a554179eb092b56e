// SPDX-License-Identifier: Apache-2.0
#include "deadlock/failure_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace hopwise::deadlock {
namespace {

std::string channel_text(const topology::Topology& topology,
                         const routing::RoutingRelation& relation, ChannelId channel, VcId vc) {
  std::string text = fmt::format("{} VC {}", topology.name(channel), index(vc));
  for (const routing::VcClass& c : relation.vc_classes()) {
    if ((c.mask() >> index(vc) & 1) != 0) text += fmt::format(" ({})", c.name);
  }
  return text;
}

std::string terminal_text(const topology::Topology& topology, TerminalId terminal) {
  return fmt::format("terminal {} at {}", index(terminal),
                     topology.name(topology.router_of(terminal)));
}

std::string wait_text(const std::string& kind) {
  if (kind == "cross") return "which took it as an adaptive channel, waits for";
  if (kind == "indirect") return "which has gone on through adaptive channels, waits for";
  return "waits for";
}

}  // namespace

std::string cycle_text(const topology::Topology& topology, const routing::RoutingRelation& relation,
                       const Resources& resources, const std::vector<std::string>& message_classes,
                       const std::vector<CycleStep>& cycle) {
  const bool replies = std::any_of(cycle.begin(), cycle.end(),
                                   [](const CycleStep& step) { return step.terminal.has_value(); });
  std::string text = fmt::format(
      "{} may deadlock: {} {}{} in a cycle of dependencies{}\n", relation.name(), cycle.size(),
      replies ? "channels and queues" : "channel", replies || cycle.size() == 1 ? "" : "s",
      replies ? ", which terminals that reply close" : "");
  for (const CycleStep& step : cycle) {
    if (!step.terminal) {
      text += fmt::format("  {}  held by a packet to {}, {}",
                          channel_text(topology, relation, step.channel, step.vc),
                          terminal_text(topology, step.dst), wait_text(step.kind));
    } else {
      const std::string& name =
          message_classes[resources.message_class(static_cast<unsigned>(index(step.vc)))];
      text += step.kind == "reply"
                  ? fmt::format(
                        "  {}, ejection of {}  held by a packet that is taken once replies "
                        "have left, waits for",
                        terminal_text(topology, *step.terminal), name)
                  : fmt::format("  {}, injection of {}  held by a packet to {}, waits for",
                                terminal_text(topology, *step.terminal), name,
                                terminal_text(topology, step.dst));
    }
    text += fmt::format(
        "{}\n", resources.output_queues() && step.kind != "reply" ? " the output queue of" : "");
  }
  return text + "  the first one again\n";
}

std::string loop_text(const topology::Topology& topology, const routing::RoutingRelation& relation,
                      const std::vector<CycleStep>& loop) {
  const TerminalId dst = loop.front().dst;
  std::string text =
      fmt::format("{} does not bound the hops: a packet to {} may repeat these moves for ever\n",
                  relation.name(), terminal_text(topology, dst));
  for (const CycleStep& step : loop)
    text += fmt::format("  {}\n", channel_text(topology, relation, step.channel, step.vc));
  return text;
}

std::string disconnected_text(const topology::Topology& topology,
                              const routing::RoutingRelation& relation, const Resources& resources,
                              TerminalId dst, const WalkFault& fault) {
  const std::string where =
      fault.holder
          ? fmt::format(", come through {},",
                        channel_text(topology, relation, resources.channel_of(*fault.holder),
                                     resources.vc_of(*fault.holder)))
          : std::string(", just injected,");
  return fmt::format(
      "{} is not connected: a packet to {} that stands at {}{} has no sure way on: {}\n",
      relation.name(), terminal_text(topology, dst), topology.name(fault.at), where, fault.reason);
}

}  // namespace hopwise::deadlock
