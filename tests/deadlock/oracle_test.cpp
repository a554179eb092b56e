// SPDX-License-Identifier: Apache-2.0
// The prover's graph against plain enumeration.
#include <gtest/gtest.h>

#include "altered_relation.hpp"
#include "brute_force.hpp"
#include "deadlock/dependency_graph.hpp"

namespace hopwise::test {
namespace {

using deadlock::Certificate;
using deadlock::Vertex;

std::vector<Shape> tiny_shapes() {
  using enum Grid;
  return {{kTorus, {2}},    {kTorus, {4}},       {kTorus, {5}}, {kTorus, {3, 3}},
          {kTorus, {4, 2}}, {kTorus, {2, 2, 2}}, {kMesh, {4}},  {kMesh, {3, 3}}};
}

std::set<deadlock::Edge> fast_edges(const SmallNetwork& n) {
  const deadlock::Resources resources(*n.topology, n.spec.network.router);
  deadlock::RequestTable table(*n.topology, resources);
  deadlock::DestinationWalk walk(*n.topology, *n.relation, resources, n.relation->acyclic());
  for (std::uint32_t t = 0; t < n.topology->num_terminals(); ++t) {
    EXPECT_FALSE(walk.run(TerminalId{t}).has_value());
    table.add(walk);
  }
  const auto edges = table.edges(n.spec.network.terminal);
  std::set<deadlock::Edge> result(edges.begin(), edges.end());
  EXPECT_EQ(result.size(), edges.size()) << "an edge is there twice";
  return result;
}

std::set<deadlock::Edge> brute_edges(const SmallNetwork& n) {
  const deadlock::Resources r(*n.topology, n.spec.network.router);
  const auto vertex = [&](const BruteForce::Resource& x) -> Vertex {
    const auto [kind, a, vc] = x;
    const auto number = static_cast<std::uint32_t>(a);
    if (kind == 'i') return r.injection(TerminalId{number}, static_cast<unsigned>(vc));
    if (kind == 'e') return r.ejection(TerminalId{number}, static_cast<unsigned>(vc));
    const Vertex buffer = r.buffer(ChannelId{number}, static_cast<unsigned>(vc));
    return kind == 'q' ? r.output_queue(buffer) : buffer;
  };
  std::set<deadlock::Edge> result;
  for (const auto& [from, to] : BruteForce(n).direct_and_cross())
    result.insert({vertex(from), vertex(to)});
  return result;
}

/// Offers escape VCs to adaptive packets as well, so that cross dependencies appear.
void add_escape_vcs(const routing::Query&, routing::Moves& moves) {
  change_each(moves, [](routing::Move& m) {
    if (!m.escape) m.vcs |= 3;
  });
}

TEST(DependencyGraph, HasExactlyTheEdgesOfTheBruteForceOracle) {
  for (const Shape& shape : tiny_shapes()) {
    for (Routing routing : kRoutings) {
      for (unsigned queue : {0u, 8u}) {
        SCOPED_TRACE(name(shape) + ", " + name(routing));
        spec::Spec spec = small_spec(shape.kind, shape.dims, routing, 1 + queue / 8, 1 + queue / 8);
        spec.network.router.output_queue_flits = queue;
        const SmallNetwork n(spec);
        EXPECT_EQ(fast_edges(n), brute_edges(n));
      }
    }
  }
}

/// What an emitted router is built for, and asserts that it does nothing else.
void expect_turns_of_the_oracle(const SmallNetwork& n) {
  const auto outcome = prove(n);
  const auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
  ASSERT_NE(proven, nullptr);
  ASSERT_EQ(n.topology->shapes().size(), 1u);
  const std::vector<bool>& table = proven->turns(0);
  const std::size_t vcs = n.spec.network.router.vcs, ports = n.topology->num_ports();
  ASSERT_EQ(table.size(), ports * vcs * ports * vcs);
  std::set<BruteForce::Turn> turns;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i])
      turns.insert({i / (vcs * ports * vcs), i / (ports * vcs) % vcs, i / vcs % ports, i % vcs});
  }
  EXPECT_EQ(turns, BruteForce(n).turns());
}

TEST(Turns, AreExactlyThoseOfTheBruteForceOracle) {
  for (const Shape& shape : tiny_shapes()) {
    for (Routing routing : kRoutings) {
      SCOPED_TRACE(name(shape) + ", " + name(routing));
      expect_turns_of_the_oracle(SmallNetwork(small_spec(shape.kind, shape.dims, routing, 2, 2)));
    }
  }
  for (const DragonflyCase& d : {DragonflyCase{1, 2, 1, 3}, {1, 4, 1, 3}, {1, 4, 1, 4, 1, 2}}) {
    for (const std::string_view algorithm : kDragonflyRoutings) {
      SCOPED_TRACE(name(d, algorithm));
      expect_turns_of_the_oracle(SmallNetwork(dragonfly_spec(d, algorithm, 1)));
    }
  }
}

TEST(DependencyGraph, HasExactlyTheEdgesOfTheBruteForceOracleOnDragonflies) {
  using enum topology::GlobalArrangement;
  for (const DragonflyCase& d : {DragonflyCase{1, 2, 1, 3},
                                 {2, 3, 1, 4, 1, 1, kPalmtree},
                                 {1, 4, 1, 3},
                                 {1, 2, 2, 3, 2, 1, kCirculant},
                                 {1, 4, 1, 4, 1, 2}}) {
    for (const std::string_view algorithm : kDragonflyRoutings) {
      for (unsigned queue : {0u, 8u}) {
        SCOPED_TRACE(name(d, algorithm));
        spec::Spec spec = dragonfly_spec(d, algorithm, 1 + queue / 8);
        spec.network.router.output_queue_flits = queue;
        const SmallNetwork n(spec);
        EXPECT_EQ(fast_edges(n), brute_edges(n));
        EXPECT_TRUE(BruteForce::acyclic(BruteForce(n).direct_and_cross()));
      }
    }
  }
}

TEST(DependencyGraph, HasTheRepliesOfTheBruteForceOracle) {
  for (const Shape& shape : tiny_shapes()) {
    for (Routing routing : kRoutings) {
      for (unsigned classes : {1u, 2u}) {
        SCOPED_TRACE(name(shape) + ", " + name(routing) + ", message classes " +
                     std::to_string(classes));
        const SmallNetwork n(with_replies(small_spec(shape.kind, shape.dims, routing), classes));
        EXPECT_EQ(fast_edges(n), brute_edges(n));
        EXPECT_EQ(std::holds_alternative<deadlock::ProvenNetwork>(prove(n)),
                  BruteForce::acyclic(BruteForce(n).direct_and_cross()));
      }
    }
  }
}

TEST(DependencyGraph, HasTheCrossDependenciesOfTheBruteForceOracle) {
  const SmallNetwork n =
      altered(small_spec(Grid::kTorus, {3, 3}, Routing::kStarChannel), add_escape_vcs);
  EXPECT_EQ(fast_edges(n), brute_edges(n));
  EXPECT_GT(
      fast_edges(n).size(),
      fast_edges(SmallNetwork(small_spec(Grid::kTorus, {3, 3}, Routing::kStarChannel))).size());
}

/// The numbers of a wormhole certificate against every indirect dependency, listed one by one.
TEST(Prove, NumbersRiseAlongEveryIndirectDependencyOfTheOracle) {
  for (const Shape& shape : tiny_shapes()) {
    SCOPED_TRACE(name(shape));
    spec::Spec spec = small_spec(shape.kind, shape.dims, Routing::kStarChannel);
    spec.network.router.switching = spec::Switching::kWormhole;
    const SmallNetwork n(spec);
    const auto outcome = prove(n);
    const Certificate& c = std::get<deadlock::ProvenNetwork>(outcome).certificate();
    const BruteForce brute(n);
    EXPECT_TRUE(BruteForce::acyclic(brute.with_indirect()));
    const auto number = [&](const BruteForce::Resource& r) {
      return c.number[std::get<1>(r) * spec.network.router.vcs + std::get<2>(r)];
    };
    for (const auto& [from, to] : brute.with_indirect()) {
      if (std::get<char>(from) == 'b' && std::get<char>(to) == 'b') {
        EXPECT_LT(number(from), number(to));
      }
    }
    for (const BruteForce::Resource& r : brute.supplied())
      EXPECT_NE(number(r), Certificate::kNotEscape);
  }
}

/// A fixed number from 0 to 15 for a seed and two indices.
std::uint32_t noise(std::uint32_t seed, std::size_t a, std::size_t b) {
  std::uint32_t x = seed * 0x9e3779b9u;
  x += static_cast<std::uint32_t>(a) * 0x85ebca6bu;
  x += static_cast<std::uint32_t>(b) * 0xc2b2ae35u;
  x = (x ^ x >> 15) * 0x2c1b3c6du;
  return (x ^ x >> 13) % 16;
}

/// Counts how often the oracle finds a network safe, and how often not.
struct Verdicts {
  unsigned safe = 0;
  unsigned unsafe = 0;

  void compare(const SmallNetwork& n) {
    const BruteForce brute(n);
    const bool wormhole = n.spec.network.router.switching == spec::Switching::kWormhole;
    const bool expected =
        BruteForce::acyclic(wormhole ? brute.with_indirect() : brute.direct_and_cross());
    const auto outcome = prove(n);
    const auto* proven = std::get_if<deadlock::ProvenNetwork>(&outcome);
    EXPECT_EQ(proven != nullptr, expected);
    if (proven != nullptr) {
      EXPECT_EQ(check(proven->certificate(), n), "");
    } else {
      EXPECT_EQ(std::get<deadlock::ProofFailure>(outcome).kind,
                deadlock::ProofFailure::Kind::kDependencyCycle);
    }
    ++(expected ? safe : unsafe);
  }
  void expect_both(unsigned least) const {
    EXPECT_GE(safe, least) << "the noise must leave some networks sound";
    EXPECT_GE(unsafe, least) << "the noise must break some networks";
  }
};

/// Escape VCs offered to some adaptive moves, and both dateline classes to some escape moves.
TEST(Prove, FindsACrossDependencyCycleExactlyWhereTheOracleHasOne) {
  Verdicts verdicts;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    for (spec::Switching switching :
         {spec::Switching::kVirtualCutThrough, spec::Switching::kWormhole}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", switching " +
                   std::to_string(static_cast<int>(switching)));
      spec::Spec spec = small_spec(Grid::kTorus, {3, 3}, Routing::kStarChannel);
      spec.network.router.switching = switching;
      verdicts.compare(altered(spec, [seed](const routing::Query& q, routing::Moves& moves) {
        std::size_t slot = 0;
        change_each(moves, [&](routing::Move& m) {
          const auto dice = noise(seed, index(q.at) * 16 + slot++, index(q.dst));
          if (index(m.out_port) < 4 && !m.escape && dice < 2) m.vcs |= 2;
          if (index(m.out_port) < 4 && m.escape && dice == 2) m.vcs = 3;
        });
      }));
    }
  }
  verdicts.expect_both(15);
}

/// A step aside at some routers for some destinations, so that the first numbering does not fit the
/// indirect dependencies and has to be mended, with success or without.
TEST(Prove, FindsAnIndirectDependencyCycleExactlyWhereTheOracleHasOne) {
  Verdicts verdicts;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    verdicts.compare(
        with_step_aside(spec::Switching::kWormhole, [seed](RouterId at, TerminalId dst) {
          return noise(seed, index(at), index(dst)) < 1 + seed % 6;
        }));
  }
  verdicts.expect_both(15);
}

}  // namespace
}  // namespace hopwise::test
