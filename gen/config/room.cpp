// SPDX-License-Identifier: Apache-2.0
#include "config/room.hpp"

#include <algorithm>

#include "config/warnings.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kDeepPackets = 4;
/// Behind which packets of a flit do not need a round trip each.
constexpr unsigned kDeepPacketsOfMessages = 2;

}  // namespace

spec::Room default_room(const spec::NetworkSpec& network) {
  const spec::RouterSpec& router = network.router;
  const unsigned longest = network.packet.max_flits;
  if (longest == 1 || router.switching == spec::Switching::kWormhole) return spec::Room::kPacket;

  const bool messages = network.terminal.messages;
  unsigned deep = (messages ? kDeepPacketsOfMessages : kDeepPackets) * longest;
  const auto room = [&](unsigned flits) {
    if (flits >= deep) return spec::Room::kLongest;
    return messages ? spec::Room::kCollect : spec::Room::kPacket;
  };
  if (router.output_queue_flits >= 2) return room(router.output_queue_flits);

  const auto cover = [&](unsigned latency, LinkEnds ends) {
    const double loop = credit_loop_cycles(network, 0, longest, latency, ends);
    deep = std::max(deep, sufficient_depth(network, longest, loop));
  };
  for (const unsigned latency : network.link.latency_cycles) cover(latency, LinkEnds::kRouters);
  cover(network.link.terminal_latency_cycles, LinkEnds::kRouterToTerminal);
  return room(*std::ranges::min_element(router.vc_depth_flits));
}

bool default_reservations(const spec::NetworkSpec& network) {
  return network.terminal.messages && network.packet.max_flits > 1 &&
         network.router.switching != spec::Switching::kWormhole &&
         network.router.granularity == spec::Granularity::kPacket;
}

}  // namespace hopwise::config
