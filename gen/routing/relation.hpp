// SPDX-License-Identifier: Apache-2.0
// A routing algorithm as a relation: what the hardware may do, stated once; the deadlock proof
// reads it, and a test compares the emitted route computation with it move by move.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spec/mode.hpp"
#include "spec/spec.hpp"
#include "support/ids.hpp"
#include "topology/topology.hpp"

namespace hopwise::routing {

/// A run of VCs with one purpose.
struct VcClass {
  std::string name;  ///< "escape0", "escape1", "adaptive"
  bool escape = true;
  unsigned first = 0;  ///< first VC
  unsigned count = 1;
  VcMask mask() const { return ((VcMask{1} << count) - 1) << first; }
};

/// Where a packet stands: at router `at`, in the buffer of (in_port, in_vc), bound for `dst`, in
/// phase `packet_class` (hop count, diverted, sticky escape; never the identity of an
/// intermediate). in_port may be a terminal port.
struct Query {
  RouterId at;
  PortId in_port;
  VcId in_vc;
  unsigned packet_class = 0;
  TerminalId dst;
};

/// One candidate of the answer: any VC of `vcs` at `out_port`.
struct Move {
  PortId out_port;
  VcMask vcs = 0;
  bool escape = false;  ///< belongs to the escape subfunction
  std::uint8_t next_class = 0;
  bool operator==(const Move&) const = default;
};

/// The candidates of one query. Never empty for a reachable state. Where the RTL offers several
/// candidates at once they come in the order of its candidate slots; where it draws one at random,
/// in any order, each once.
class Moves {
 public:
  Moves() = default;
  Moves(const Moves& other) : size_(other.size_) {
    std::copy(other.begin(), other.end(), moves_.begin());
  }
  Moves& operator=(const Moves& other) {
    size_ = other.size_;
    std::copy(other.begin(), other.end(), moves_.begin());
    return *this;
  }
  bool has(const Move& move) const { return std::find(begin(), end(), move) != end(); }
  void push(const Move& move) {
    assert(size_ < kMax);
    moves_[size_++] = move;
  }
  std::size_t size() const { return size_; }
  const Move& operator[](std::size_t i) const { return moves_[i]; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  void clear() { size_ = 0; }

 private:
  // a minimal and a non-minimal one per port
  static constexpr std::size_t kMax = 2 * topology::kMaxPorts;
  std::array<Move, kMax> moves_;
  std::size_t size_ = 0;
};

/// The interface every routing algorithm implements. Pure functions: no state, safe from several
/// threads.
///
/// Routing is by router: the answer depends on the destination's router, and on its slot only in
/// the port of ejection; it treats all terminal ports of a router alike. The proof asks once per
/// router, and a test checks this for every relation.
class RoutingRelation {
 public:
  virtual ~RoutingRelation() = default;
  /// Name in YAML, reports and RTL: "dor", "star_channel".
  virtual std::string name() const = 0;
  /// All VCs of a network port, in order; covers 0 .. vcs-1 without gaps.
  virtual const std::vector<VcClass>& vc_classes() const = 0;
  /// Appends to `out` (cleared first) what the packet may do next. At the destination router the
  /// only candidate is the terminal's port on VC 0: an ejection channel has one VC for each message
  /// class, of which families see one (routing/message_classes.hpp).
  virtual void moves(const Query& query, Moves& out) const = 0;
  /// Of the moves, those that a packet of a mode may take: all, unless the mode says more. Where
  /// packets have modes.
  virtual void moves_in(spec::Mode /*mode*/, const Query& query, Moves& out) const {
    moves(query, out);
  }
  /// All moves together have no cycle of dependencies, so that the proof is Dally & Seitz's;
  /// otherwise it is Duato's, over the moves that are marked as escapes.
  virtual bool acyclic() const = 0;
  /// Packets of one source and destination arrive in the order of injection.
  virtual bool in_order() const = 0;
  /// Packet classes used, >= 1; injected packets are in class 0.
  virtual unsigned num_packet_classes() const { return 1; }
};

}  // namespace hopwise::routing
