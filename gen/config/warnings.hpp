// SPDX-License-Identifier: Apache-2.0
// What a sound description may still do to the one who wrote it, known before anything runs.
#pragma once

#include <string>
#include <vector>

#include "config/key_table.hpp"
#include "routing/relation.hpp"
#include "support/warning.hpp"

namespace hopwise::config {

/// Who sends to whom over a link.
enum class LinkEnds { kRouters, kRouterToTerminal };

/// Core cycles from a flit on the sender's pins to the first flit there that may use its credit,
/// with nothing in its way behind the link (docs/reference/link.md).
double credit_loop_cycles(const spec::NetworkSpec& network, unsigned route_cycles,
                          unsigned packet_flits, unsigned latency_cycles, LinkEnds ends);

/// The part of a link that packets of that length in a VC of `depth` flits can fill, if credits
/// alone limit it.
double vc_share(const spec::NetworkSpec& network, unsigned packet_flits, unsigned depth,
                double loop_cycles);

/// The least depth at which credits limit a VC no more.
unsigned sufficient_depth(const spec::NetworkSpec& network, unsigned packet_flits,
                          double loop_cycles);

/// Of a network under these patterns, each with the label of its routing:
///  * network.credit-loop: the VCs of a class, together, can fill less than nine tenths of a link;
///  * traffic.pattern: what the pattern itself has to say of the topology.
Warnings warnings(const std::string& label, const spec::Spec& spec,
                  const topology::Topology& topology, const routing::RoutingRelation& relation,
                  unsigned route_cycles, spec::Patterns known,
                  const std::vector<std::string>& patterns);

}  // namespace hopwise::config
