// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <bitset>
#include <utility>

#include <fmt/format.h>

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
        terminals_(spec.network.terminal),
        classes_(spec.network.router.message_classes),
        resources_(topology, spec.network.router),
        walk_(topology, relation, resources_, relation.acyclic()) {}

  /// Of each shape of routers: see ProvenNetwork::turns.
  std::vector<std::vector<bool>> turns() const {
    std::vector<std::vector<bool>> all;
    for (std::size_t shape = 0; shape < turns_.size(); ++shape) {
      std::vector<bool>& bits = all.emplace_back();
      for (const TurnRow& row : turns_[shape]) {
        for (std::size_t bit = 0; bit < turn_bits(shape); ++bit) bits.push_back(row[bit]);
      }
    }
    return all;
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
    std::vector<Edge> edges = requests.edges(terminals_);
    const std::uint64_t dependencies = edges.size();
    for (;;) {
      const Graph graph = make_graph(resources_, edges);
      const auto level = topological_levels(graph);
      if (!level) return failure(shortest_cycle(most_telling(graph, edges)));
      if (!indirect_ || !add_out_of_order(supplied, *level, edges)) {
        return certificate(supplied, *level, hop_bound, dependencies);
      }
    }
  }

 private:
  static constexpr std::size_t kMostTurnBits = topology::kMaxPorts * kMaxVcs;
  using TurnRow = std::bitset<kMostTurnBits>;  // [out_port * vcs + out_vc]

  /// The graph without packets that terminals send to themselves, if it has a cycle as well.
  Graph most_telling(const Graph& graph, std::vector<Edge> edges) const {
    std::erase_if(edges, [this](const Edge& edge) {
      return resources_.is_injection(edge.first) && !resources_.is_buffer(edge.second) &&
             !resources_.is_output_queue(edge.second) &&
             resources_.terminal_of(edge.first) == resources_.terminal_of(edge.second);
    });
    Graph others = make_graph(resources_, edges);
    return topological_levels(others) ? graph : others;
  }

  static std::size_t lowest(VcMask mask) {
    return static_cast<std::size_t>(std::countr_zero(mask));
  }
  unsigned vcs() const { return resources_.vcs(); }
  std::size_t turn_bits(std::size_t shape) const {
    return std::size_t{topology_.shapes()[shape].num_ports()} * vcs();
  }

  /// One terminal of every router that has any: a relation is by router.
  const std::vector<TerminalId>& destinations() const { return topology_.first_terminals(); }

  /// Rows of the turn tables, one per shape and (in_port, in_vc), from a finished walk.
  void collect_turns() {
    if (turns_.empty()) {
      for (std::size_t shape = 0; shape < topology_.shapes().size(); ++shape)
        turns_.emplace_back(turn_bits(shape));
    }
    const auto add = [&](TurnRow& row, RouterId at, const routing::Moves& moves) {
      for (const routing::Move& move : moves) {
        if (topology_.is_terminal_port(at, move.out_port)) {
          for (std::size_t p = topology_.network_ports(at); p < topology_.num_ports(at); ++p)
            row.set(p * vcs() + lowest(move.vcs));
          continue;
        }
        for (VcMask left = move.vcs; left != 0; left &= left - 1) {
          row.set(index(move.out_port) * vcs() + lowest(left));
        }
      }
    };
    for (const DestinationWalk::Reached& reached : walk_.reached()) {
      const DestinationWalk::Node& node = walk_.nodes()[reached.node];
      auto& rows = turns_[topology_.shape_index(node.at)];
      if (resources_.is_buffer(reached.holder)) {
        const auto& channel = topology_.channel(resources_.channel_of(reached.holder));
        add(rows[index(channel.dst_port) * vcs() + index(resources_.vc_of(reached.holder))],
            node.at, node.moves);
      } else {
        // An injected packet: on whatever VC the network interface chooses, from any terminal port.
        // Of its message class.
        for (std::size_t row = topology_.network_ports(node.at) * vcs(); row < rows.size(); ++row) {
          if (resources_.message_class(static_cast<unsigned>(row % vcs())) ==
              resources_.message_class_of(reached.holder))
            add(rows[row], node.at, node.moves);
        }
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
    if (terminals_.replies.empty()) return c;
    const auto first = level.begin() + resources_.num_buffers(),
               middle = level.begin() + resources_.num_holders();
    c.injection.assign(first, middle);
    c.ejection.assign(middle, middle + (middle - first));
    return c;
  }

  ProofFailure failure(std::vector<Vertex> cycle) {
    // An output queue leads to its buffer alone, so the buffers say it all.
    std::erase_if(cycle, [&](Vertex v) { return resources_.is_output_queue(v); });
    ProofFailure f;
    f.kind = ProofFailure::Kind::kDependencyCycle;
    f.cycle = find_witnesses(topology_, resources_, walk_, cycle);
    f.text = cycle_text(topology_, relation_, resources_, classes_, f.cycle);
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
  const spec::TerminalSpec& terminals_;
  const std::vector<std::string>& classes_;  // names of the message classes
  Resources resources_;
  DestinationWalk walk_;
  std::vector<std::vector<TurnRow>> turns_;  // of each shape
};

}  // namespace

std::optional<ProofFailure> check_header(const spec::NetworkSpec& spec,
                                         const routing::RoutingRelation& relation,
                                         const routing::Family& family) {
  const topology::PacketFormat format =
      topology::make_packet_format(spec.topology, spec.packet,
                                   family.header(spec.topology, spec.routing))
          .value();
  const bool written = format.kind == spec::PacketFormatKind::kCompact;
  const unsigned classes = relation.num_packet_classes(),
                 places = written ? 1U << format.routing_class.width : 1;
  if (classes <= places) return std::nullopt;
  return ProofFailure{
      .kind = ProofFailure::Kind::kHeader,
      .cycle = {},
      .text = fmt::format("routing.algorithm: found packets of {} classes, allowed: {}: the header "
                          "that {} declares has no place for more\n",
                          classes, places, family.variants.front().name)};
}

std::variant<ProvenNetwork, ProofFailure> prove(
    spec::Spec spec, std::shared_ptr<const topology::Topology> topology,
    std::shared_ptr<const routing::RoutingRelation> relation, const routing::Family& family) {
  Prover prover(spec, *topology, *relation);
  auto outcome = prover.run();
  if (auto* failure = std::get_if<ProofFailure>(&outcome)) return std::move(*failure);
  const unsigned bound = std::get<Certificate>(outcome).hop_bound,
                 limit = spec.network.packet.hop_limit;
  if (limit > 0 && bound > limit) {
    return ProofFailure{
        .kind = ProofFailure::Kind::kHopLimit,
        .cycle = {},
        .text = fmt::format("router.hop_limit: found {}, allowed: 0, or {} and more: packets make "
                            "up to {} hops, and would be dropped\n",
                            limit, bound, bound)};
  }
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
