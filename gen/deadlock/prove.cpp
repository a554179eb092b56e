// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <bitset>
#include <utility>

#include "deadlock/cycle.hpp"
#include "deadlock/dependency_graph.hpp"
#include "deadlock/failure_text.hpp"
#include "deadlock/indirect.hpp"
#include "deadlock/proof.hpp"
#include "deadlock/witness.hpp"

namespace hopwise::deadlock {
namespace {

class Prover {
 public:
  Prover(const spec::Spec& spec, const topology::Topology& topology,
         const routing::RoutingRelation& relation)
      : topology_(topology),
        relation_(relation),
        hash_(spec.network_hash),
        indirect_(!relation.acyclic() &&
                  spec.network.router.switching == spec::Switching::kWormhole),
        resources_(topology, spec.network.router.vcs, spec.network.router.output_queue_flits > 1),
        walk_(topology, relation, resources_, relation.acyclic()) {}

  std::vector<bool> turns() const {
    std::vector<bool> bits(turns_.size() * turn_bits());
    for (std::size_t row = 0; row < turns_.size(); ++row) {
      for (std::size_t bit = 0; bit < turn_bits(); ++bit)
        bits[row * turn_bits() + bit] = turns_[row][bit];
    }
    return bits;
  }

  std::variant<Certificate, ProofFailure> run() {
    RequestTable requests(topology_, resources_);
    unsigned hop_bound = 0;
    for (const TerminalId dst : destinations()) {
      if (const auto fault = walk_.run(dst)) return failure(dst, *fault);
      requests.add(walk_);
      collect_turns();
      hop_bound = std::max(hop_bound, walk_.longest_walk());
    }
    const std::vector<bool> supplied = requests.supplied();
    std::vector<Edge> edges = requests.edges();
    const std::uint64_t dependencies = edges.size();
    for (;;) {
      const Graph graph = make_graph(resources_, edges);
      const auto level = topological_levels(graph);
      if (!level) return failure(shortest_cycle(graph));
      if (!indirect_ || !add_out_of_order(supplied, *level, edges)) {
        return certificate(supplied, *level, hop_bound, dependencies);
      }
    }
  }

 private:
  static constexpr std::size_t kMostTurnBits = 32 * kMaxVcs;
  using TurnRow = std::bitset<kMostTurnBits>;  // [out_port * vcs + out_vc]

  unsigned vcs() const { return resources_.vcs(); }
  std::size_t turn_bits() const { return std::size_t{topology_.num_ports()} * vcs(); }

  /// One terminal of every router: a relation is by router.
  std::vector<TerminalId> destinations() const {
    std::vector<TerminalId> result;
    for (std::uint32_t t = 0; t < topology_.num_terminals();
         t += topology_.terminals_per_router()) {
      result.push_back(TerminalId{t});
    }
    return result;
  }

  /// Rows of the turn table, one per (in_port, in_vc), from a finished walk.
  void collect_turns() {
    if (turns_.empty()) turns_.resize(turn_bits());
    const auto add = [&](TurnRow& row, const routing::Moves& moves) {
      for (const routing::Move& move : moves) {
        if (topology_.is_terminal_port(move.out_port)) {
          for (std::size_t p = topology_.network_ports(); p < topology_.num_ports(); ++p)
            row.set(p * vcs());
          continue;
        }
        for (VcMask left = move.vcs; left != 0; left &= left - 1) {
          row.set(index(move.out_port) * vcs() + static_cast<std::size_t>(std::countr_zero(left)));
        }
      }
    };
    for (const DestinationWalk::Reached& reached : walk_.reached()) {
      const routing::Moves& moves = walk_.nodes()[reached.node].moves;
      if (resources_.is_buffer(reached.holder)) {
        const auto& channel = topology_.channel(resources_.channel_of(reached.holder));
        add(turns_[index(channel.dst_port) * vcs() + index(resources_.vc_of(reached.holder))],
            moves);
      } else {
        // An injected packet: on whatever VC the network interface chooses, from any terminal port.
        for (std::size_t row = topology_.network_ports() * vcs(); row < turns_.size(); ++row)
          add(turns_[row], moves);
      }
    }
  }

  /// Each round adds at least one dependency that the graph lacks, so the rounds end: in a cycle,
  /// or in a numbering that all dependencies keep.
  bool add_out_of_order(const std::vector<bool>& supplied, const std::vector<std::uint32_t>& level,
                        std::vector<Edge>& edges) {
    std::vector<Edge> more;
    for (const TerminalId dst : destinations()) {
      walk_.run(dst);
      const std::size_t before = more.size();
      append_out_of_order(resources_, walk_, supplied, level, more);
      if (more.size() != before) {
        std::sort(more.begin(), more.end());
        more.erase(std::unique(more.begin(), more.end()), more.end());
      }
    }
    edges.insert(edges.end(), more.begin(), more.end());
    std::sort(edges.begin(), edges.end());
    return !more.empty();
  }

  Certificate certificate(const std::vector<bool>& supplied,
                          const std::vector<std::uint32_t>& level, unsigned hop_bound,
                          std::uint64_t dependencies) const {
    Certificate c;
    c.network_hash = hash_;
    c.method = relation_.acyclic() ? "Dally-Seitz"
               : indirect_         ? "Duato (with indirect)"
                                   : "Duato (direct and cross)";
    c.hop_bound = hop_bound;
    c.dependencies = dependencies;
    c.number.assign(resources_.num_buffers(), Certificate::kNotEscape);
    for (Vertex b = 0; b < resources_.num_buffers(); ++b) {
      if (supplied[b]) c.number[b] = level[b];
    }
    return c;
  }

  ProofFailure failure(std::vector<Vertex> cycle) {
    // An output queue leads to its buffer alone, so the buffers say it all.
    std::erase_if(cycle, [&](Vertex v) { return !resources_.is_buffer(v); });
    ProofFailure f;
    f.kind = ProofFailure::Kind::kDependencyCycle;
    f.cycle = find_witnesses(topology_, resources_, walk_, cycle);
    f.text = cycle_text(topology_, relation_, f.cycle, resources_.output_queues());
    return f;
  }

  ProofFailure failure(TerminalId dst, const WalkFault& fault) const {
    ProofFailure f;
    f.kind = fault.kind;
    f.cycle = fault.loop;
    f.text = fault.kind == ProofFailure::Kind::kUnboundedHops
                 ? loop_text(topology_, relation_, fault.loop)
                 : disconnected_text(topology_, relation_, resources_, dst, fault);
    return f;
  }

  const topology::Topology& topology_;
  const routing::RoutingRelation& relation_;
  std::string hash_;
  bool indirect_;
  Resources resources_;
  DestinationWalk walk_;
  std::vector<TurnRow> turns_;
};

}  // namespace

std::variant<ProvenNetwork, ProofFailure> prove(
    spec::Spec spec, std::shared_ptr<const topology::Topology> topology,
    std::shared_ptr<const routing::RoutingRelation> relation, const routing::Family& family) {
  Prover prover(spec, *topology, *relation);
  auto outcome = prover.run();
  if (auto* failure = std::get_if<ProofFailure>(&outcome)) return std::move(*failure);
  ProvenNetwork proven;
  proven.spec_ = std::move(spec);
  proven.topology_ = std::move(topology);
  proven.relation_ = std::move(relation);
  proven.family_ = &family;
  proven.certificate_ = std::get<Certificate>(std::move(outcome));
  proven.turns_ = prover.turns();
  return proven;
}

}  // namespace hopwise::deadlock
