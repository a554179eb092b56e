// SPDX-License-Identifier: Apache-2.0
// Proof of deadlock freedom, connectivity and bounded hops -- or the reason why not.
//
// Deterministic routing: the channel dependency graph is acyclic (Dally & Seitz 1987). Adaptive
// routing with an escape subfunction: the extended graph of the escape channels, with direct and
// direct cross dependencies under VCT and SAF, the indirect ones too under wormhole, is acyclic and
// the subfunction is connected (Duato 1995, 1996).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "routing/family.hpp"
#include "spec/spec.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hopwise::deadlock {

/// A topological numbering: every dependency leads to a higher number, so no cycle of waiting
/// packets can exist. Where the router has output queues, the queue in front of (channel, vc)
/// stands between two numbers: those of what is held and of what is requested then differ by 2 or
/// more.
struct Certificate {
  static constexpr std::uint32_t kNotEscape = 0xffffffff;
  std::string network_hash;  ///< spec::Spec::network_hash of what was proved
  std::string method;  ///< "Dally-Seitz" or "Duato (direct and cross)" or "Duato (with indirect)"
  /// [channel * vcs + vc]; kNotEscape where the escape subfunction never goes
  std::vector<std::uint32_t> number;
  /// Where terminals reply, of their queues: [terminal * message classes + class]; else empty.
  std::vector<std::uint32_t> injection, ejection;
  unsigned hop_bound = 0;  ///< no packet makes more router-to-router hops
  std::uint64_t dependencies =
      0;  ///< edges of the graph: direct and cross ones, and those of injection, ejection and
          ///< output queues and of replies; indirect ones are checked but too many to be counted
};

/// A resource of the printed cycle, and why its holder waits for the next one.
struct CycleStep {
  ChannelId channel;
  VcId vc;
  TerminalId dst;    ///< a packet bound here holds (channel, vc) and requests the next step's
  std::string kind;  ///< "direct", "cross", "indirect", "reply"; "move" in a loop of moves
  /// The resource is no channel but this terminal's queue of `vc`'s message class: its ejection
  /// queue where the kind is "reply", else its injection queue.
  std::optional<TerminalId> terminal = std::nullopt;
};

struct ProofFailure {
  enum class Kind { kDependencyCycle, kDisconnected, kUnboundedHops, kHopLimit, kHeader };
  Kind kind = Kind::kDependencyCycle;
  /// kDependencyCycle: the last waits for the first; kUnboundedHops: a loop of moves
  std::vector<CycleStep> cycle;
  /// for the user, channel by channel, with coordinates and VC
  std::string text;
};

/// A network with its proof. Only `prove` makes one; the emitter takes nothing else.
class ProvenNetwork {
 public:
  const spec::Spec& spec() const { return spec_; }
  const topology::Topology& topology() const { return *topology_; }
  const routing::RoutingRelation& relation() const { return *relation_; }
  /// Of its routing.
  const routing::Family& family() const { return *family_; }
  /// No hardware has the routing: see routing::Variant.
  bool simulation_only() const {
    return std::any_of(family_->variants.begin(), family_->variants.end(),
                       [this](const routing::Variant& v) {
                         return v.simulation_only && v.name == spec_.network.routing.algorithm;
                       });
  }
  const Certificate& certificate() const { return certificate_; }
  /// Every turn that some packet may take at some router of a shape, seen during the proof: bit
  /// ((in_port * vcs + in_vc) * ports + out_port) * vcs + out_vc. The emitted router asserts that
  /// it takes no other.
  const std::vector<bool>& turns(std::size_t shape) const { return turns_[shape]; }

 private:
  friend std::variant<ProvenNetwork, ProofFailure> prove(
      spec::Spec, std::shared_ptr<const topology::Topology>,
      std::shared_ptr<const routing::RoutingRelation>, const routing::Family&);
  ProvenNetwork() = default;
  spec::Spec spec_;
  std::shared_ptr<const topology::Topology> topology_;
  std::shared_ptr<const routing::RoutingRelation> relation_;
  const routing::Family* family_ = nullptr;
  Certificate certificate_;
  std::vector<std::vector<bool>> turns_;
};

/// What the relation keeps in a packet stands in the head flit that the family declares: nothing,
/// or kHeader. The proof follows it without looking there.
std::optional<ProofFailure> check_header(const spec::NetworkSpec& spec,
                                         const routing::RoutingRelation& relation,
                                         const routing::Family& family);

/// Proves the network, whose routing is of the family. Time O(destination terminals x reachable
/// (channel, VC) states x moves).
std::variant<ProvenNetwork, ProofFailure> prove(
    spec::Spec spec, std::shared_ptr<const topology::Topology> topology,
    std::shared_ptr<const routing::RoutingRelation> relation, const routing::Family& family);

/// The certificate as JSON text, and back; a malformed text gives the reason.
std::string to_json(const Certificate& certificate);
Result<Certificate> parse_certificate(const std::string& text, const std::string& file);

/// Independent of `prove` (no graph library, no shared traversal): walks every (destination,
/// reachable state), checks that every dependency of the escape subfunction increases the number,
/// that the escape path from every state ends at the destination, and that no walk exceeds the hop
/// bound. Empty when the certificate holds, else what is wrong.
std::string check_certificate(const Certificate& certificate, const spec::NetworkSpec& spec,
                              const topology::Topology& topology,
                              const routing::RoutingRelation& relation);

}  // namespace hopwise::deadlock
