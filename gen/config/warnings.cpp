// SPDX-License-Identifier: Apache-2.0
#include "config/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopwise::config {

namespace {

/// Less costs more than rounding a round trip up to a power of two saves.
constexpr double kEnough = 0.9;

/// A packet takes the places of all its flits at once, unless it goes flit by flit.
unsigned flits_at_once(const spec::NetworkSpec& network, unsigned packet_flits) {
  return network.router.switching == spec::Switching::kWormhole ? 1 : packet_flits;
}

/// Places that stay free when a packet cannot have the VC, beyond those that it lacks: a head waits
/// for room for the longest packet. Output queues ask for what the packet needs.
unsigned kept_free(const spec::NetworkSpec& network, unsigned packet_flits) {
  const bool longest =
      network.router.room == spec::Room::kLongest && network.router.output_queue_flits < 2;
  return longest ? network.packet.max_flits - packet_flits : 0;
}

/// Packets fall back on escapes; where there is nothing else, they are what packets use.
std::vector<routing::VcClass> used_classes(const routing::RoutingRelation& relation) {
  std::vector<routing::VcClass> all = relation.vc_classes(), used;
  std::copy_if(all.begin(), all.end(), std::back_inserter(used),
               [](const routing::VcClass& c) { return !c.escape; });
  return used.empty() ? all : used;
}

struct Share {
  routing::VcClass of;
  unsigned depth = 0;
  double vc = 0, all = 0;  ///< of its smallest VC, and of its VCs together
};

class Links {
 public:
  Links(const spec::Spec& spec, const topology::Topology& topology,
        const routing::RoutingRelation& relation, unsigned route_cycles)
      : network_(spec.network),
        topology_(topology),
        classes_(used_classes(relation)),
        route_cycles_(route_cycles),
        flits_(spec.traffic.length.max_flits) {}

  Warnings warnings() const {
    Warnings found;
    std::map<unsigned, std::vector<std::string>> by_latency;
    for (std::size_t c = 0; c < topology_.link_classes().size(); ++c)
      by_latency[network_.link.latency_cycles[c]].push_back(topology_.link_classes()[c]);
    for (const auto& [latency, names] : by_latency) {
      const double loop = loop_cycles(latency, LinkEnds::kRouters);
      std::vector<Share> shares;
      for (const auto& c : classes_) shares.push_back(share_of(c, loop));
      const Share& least =
          *std::min_element(shares.begin(), shares.end(),
                            [](const Share& a, const Share& b) { return a.all < b.all; });
      say(found, least, loop, fmt::format("a link ({})", fmt::join(names, ", ")));
    }
    // whatever its class, a packet leaves through VC 0
    const double loop =
        loop_cycles(network_.link.terminal_latency_cycles, LinkEnds::kRouterToTerminal);
    say(found, share_of({"terminal", false, 0, 1}, loop), loop, "the link to a terminal");
    return found;
  }

 private:
  double loop_cycles(unsigned latency, LinkEnds ends) const {
    return credit_loop_cycles(network_, route_cycles_, flits_, latency, ends);
  }

  Share share_of(const routing::VcClass& c, double loop) const {
    const auto first = network_.router.vc_depth_flits.begin() + c.first;
    Share share{.of = c, .depth = *std::min_element(first, first + c.count)};
    share.vc = vc_share(network_, flits_, share.depth, loop);
    for (auto depth = first; depth != first + c.count; ++depth)
      share.all += vc_share(network_, flits_, *depth, loop);
    return share;
  }

  void say(Warnings& found, const Share& s, double loop, const std::string& link) const {
    if (s.all >= kEnough) return;
    const std::string together =
        s.of.count > 1
            ? fmt::format(", the {} of class {} together {:.3f}", s.of.count, s.of.name, s.all)
            : "";
    const std::string packets = flits_ > 1 ? fmt::format(" with packets of {} flits", flits_) : "";
    found.push_back(
        {.code = "network.credit-loop",
         .text = fmt::format(
             "a VC of {} flits can fill {:.3f} of {}{}{}: a credit is back after {:.4g} "
             "core cycles; {} flits (router.vc_depth_flits) would do",
             s.depth, s.vc, link, packets, together, loop,
             sufficient_depth(network_, flits_, loop)),
         .routings = {},
         .pattern = "",
         .loads = {}});
  }

  const spec::NetworkSpec& network_;
  const topology::Topology& topology_;
  const std::vector<routing::VcClass> classes_;
  const unsigned route_cycles_, flits_;
};

}  // namespace

double credit_loop_cycles(const spec::NetworkSpec& network, unsigned route_cycles,
                          unsigned packet_flits, unsigned latency_cycles, LinkEnds ends) {
  const spec::RouterSpec& router = network.router;
  // from the credit on the sender's pins to the flit on them
  const bool queued = router.output_queue_flits >= 2;
  const unsigned spent = router.pipeline_cycles >= 4 && !queued ? 4 : 2;
  // from the flit on the receiver's pins to its credit on them
  double returned = 2 + 2 * router.class_cycles();
  if (ends == LinkEnds::kRouters) {
    returned = router.pipeline_cycles - (router.pipeline_cycles >= 4 ? 1 : 0) + route_cycles;
    if (router.switching == spec::Switching::kStoreAndForward)
      returned += (packet_flits - 1) * network.link.cycles_per_flit.value();
  }
  return 2 * latency_cycles + spent + returned;
}

double vc_share(const spec::NetworkSpec& network, unsigned packet_flits, unsigned depth,
                double loop_cycles) {
  const double flit_time = network.link.cycles_per_flit.value();
  const unsigned flits = flits_at_once(network, packet_flits);
  const unsigned usable = depth - kept_free(network, packet_flits);
  const unsigned packets = usable / flits, spare = usable % flits;
  // The next packet waits for its places, the last of which is that of this flit of the oldest one.
  const double period = loop_cycles + (flits - 1 - spare) * flit_time;
  return std::min(1.0, packets * flits * flit_time / period);
}

unsigned sufficient_depth(const spec::NetworkSpec& network, unsigned packet_flits,
                          double loop_cycles) {
  const double flit_times = loop_cycles / network.link.cycles_per_flit.value();
  return static_cast<unsigned>(std::ceil(flit_times - 1e-9)) +
         flits_at_once(network, packet_flits) - 1 + kept_free(network, packet_flits);
}

Warnings warnings(const std::string& label, const spec::Spec& spec,
                  const topology::Topology& topology, const routing::RoutingRelation& relation,
                  unsigned route_cycles, spec::Patterns known,
                  const std::vector<std::string>& patterns) {
  Warnings found = Links(spec, topology, relation, route_cycles).warnings();
  for (const auto& name : patterns) {
    const auto parsed = spec::parse_pattern(known, name);
    const spec::PatternDeclaration& pattern = *parsed.value().pattern;
    if (pattern.doubt == nullptr) continue;
    if (const auto doubt = pattern.doubt(parsed.value(), spec.network.topology))
      found.push_back({"traffic.pattern", *doubt, {}, name, {}});
  }
  for (Warning& w : found) w.routings = {label};
  return found;
}

}  // namespace hopwise::config
