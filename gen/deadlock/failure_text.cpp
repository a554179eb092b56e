// SPDX-License-Identifier: Apache-2.0
#include "deadlock/failure_text.hpp"

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
                       const std::vector<CycleStep>& cycle, bool output_queues) {
  std::string text = fmt::format("{} may deadlock: {} channel{} in a cycle of dependencies\n",
                                 relation.name(), cycle.size(), cycle.size() == 1 ? "" : "s");
  for (const CycleStep& step : cycle) {
    text += fmt::format("  {}  held by a packet to {}, {}{}\n",
                        channel_text(topology, relation, step.channel, step.vc),
                        terminal_text(topology, step.dst), wait_text(step.kind),
                        output_queues ? " the output queue of" : "");
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
