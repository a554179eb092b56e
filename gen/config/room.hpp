// SPDX-License-Identifier: Apache-2.0
// What a head waits for at an output VC, and whether that is reserved for it, where the file does
// not say.
#pragma once

#include "spec/spec.hpp"

namespace hopwise::config {

/// kLongest where that costs no throughput (docs/adr/0026): every output queue, or without them
/// every VC, holds four of the longest packets, and such a VC still covers the round trip of its
/// credits, over a link of any class and with a route computation of latency 0, when the places
/// of all but one flit of a packet stay free. Else kPacket, as under wormhole switching and with
/// packets of one flit.
///
/// GETs are requests of one flit, as many as a host likes, and pass a PUT for as long as they come.
/// So with message interfaces kLongest already where each holds two, under the same condition, and
/// else kCollect.
///
/// Precondition: all else of link, packet, router and terminal is known.
spec::Room default_room(const spec::NetworkSpec& network);

/// Whether heads that wait have output VCs reserved (hw_head_reservation): between message
/// interfaces, where packets of several flits hold their ports. Precondition: as above.
bool default_reservations(const spec::NetworkSpec& network);

}  // namespace hopwise::config
