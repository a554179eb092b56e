// SPDX-License-Identifier: Apache-2.0
// A proof that has never failed is not trusted: every fault below is found, and the cycle that is
// printed is a real one.
#include <gtest/gtest.h>

#include "altered_relation.hpp"

namespace hopwise::test {
namespace {

using deadlock::ProofFailure;
using deadlock::ProvenNetwork;
using routing::Move;
using routing::Moves;
using routing::Query;

ProofFailure expect_failure(const SmallNetwork& n, ProofFailure::Kind kind) {
  auto outcome = prove(n);
  const auto* failure = std::get_if<ProofFailure>(&outcome);
  if (failure == nullptr) {
    ADD_FAILURE() << "the network was proved";
    return {};
  }
  EXPECT_EQ(failure->kind, kind) << failure->text;
  EXPECT_FALSE(failure->text.empty());
  return *failure;
}

/// Each step is held by a packet that may stand there, and the next channel leaves the router it
/// stands at.
void expect_direct_cycle(const SmallNetwork& n, const ProofFailure& failure, std::size_t length) {
  ASSERT_EQ(failure.cycle.size(), length) << failure.text;
  for (std::size_t i = 0; i < length; ++i) {
    const deadlock::CycleStep& step = failure.cycle[i];
    const deadlock::CycleStep& next = failure.cycle[(i + 1) % length];
    const topology::Channel& held = n.topology->channel(step.channel);
    const topology::Channel& wanted = n.topology->channel(next.channel);
    EXPECT_EQ(held.dst, wanted.src);
    Moves moves;
    n.relation->moves({held.dst, held.dst_port, step.vc, 0, step.dst}, moves);
    bool requested = false;
    for (const Move& m : moves)
      requested |= m.out_port == wanted.src_port && (m.vcs >> index(next.vc) & 1) != 0;
    EXPECT_TRUE(requested) << failure.text;
    EXPECT_NE(
        failure.text.find(n.topology->name(step.channel) + " VC " + std::to_string(index(step.vc))),
        std::string::npos);
  }
}

bool network_port(const Move& m, const topology::Topology& t) {
  return !t.is_terminal_port(RouterId{0}, m.out_port);
}

/// Every dateline class replaced by escape0.
AlteredRelation::Alter without_dateline(unsigned num_dims) {
  return [num_dims](const Query&, Moves& moves) {
    change_each(moves, [&](Move& m) {
      if (m.escape && index(m.out_port) < 2 * num_dims) m.vcs = 1;
    });
  };
}

/// A ring of four does without: its two-hop ways start at even routers in direction +, at odd ones
/// in direction -.
TEST(SeededFault, ATorusWithoutDatelineHasACycleOfOneRing) {
  const SmallNetwork n =
      altered(small_spec(Grid::kTorus, {4, 5}, Routing::kDorClassic), without_dateline(2));
  const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDependencyCycle);
  expect_direct_cycle(n, failure, 5);
  EXPECT_EQ(
      failure.text,
      "altered dor may deadlock: 5 channels in a cycle of dependencies\n"
      "  (0,0) -> (0,1) [+d1] VC 0 (escape0)  held by a packet to terminal 8 at (0,2), waits for\n"
      "  (0,1) -> (0,2) [+d1] VC 0 (escape0)  held by a packet to terminal 12 at (0,3), waits for\n"
      "  (0,2) -> (0,3) [+d1] VC 0 (escape0)  held by a packet to terminal 16 at (0,4), waits for\n"
      "  (0,3) -> (0,4) [+d1] VC 0 (escape0)  held by a packet to terminal 0 at (0,0), waits for\n"
      "  (0,4) -> (0,0) [+d1] VC 0 (escape0)  held by a packet to terminal 4 at (0,1), waits for\n"
      "  the first one again\n");
}

TEST(SeededFault, AnEscapeNetworkWithoutDatelineIsRefusedUnderEverySwitching) {
  using enum spec::Switching;
  for (spec::Switching switching : {kVirtualCutThrough, kStoreAndForward, kWormhole}) {
    spec::Spec spec = small_spec(Grid::kTorus, {5, 5}, Routing::kStarChannel);
    spec.network.router.switching = switching;
    const SmallNetwork n = altered(spec, without_dateline(2));
    expect_direct_cycle(n, expect_failure(n, ProofFailure::Kind::kDependencyCycle), 5);
  }
}

TEST(SeededFault, OutputQueuesAppearInTheText) {
  spec::Spec spec = small_spec(Grid::kTorus, {5}, Routing::kDorClassic);
  spec.network.router.output_queue_flits = 8;
  const SmallNetwork n = altered(spec, without_dateline(1));
  const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDependencyCycle);
  expect_direct_cycle(n, failure, 5);
  EXPECT_NE(failure.text.find("waits for the output queue of\n"), std::string::npos);
}

TEST(SeededFault, EscapeVcsOfferedToAdaptiveTurnsMakeACrossDependency) {
  using enum spec::Switching;
  for (spec::Switching switching : {kVirtualCutThrough, kWormhole}) {
    spec::Spec spec = small_spec(Grid::kMesh, {3, 3}, Routing::kStarChannel);
    spec.network.router.switching = switching;
    const SmallNetwork n = altered(spec, [](const Query&, Moves& moves) {
      change_each(moves, [](Move& m) {
        if (!m.escape) m.vcs |= 1;
      });
    });
    const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDependencyCycle);
    expect_direct_cycle(n, failure, 4);
    EXPECT_NE(failure.text.find("which took it as an adaptive channel, waits for"),
              std::string::npos)
        << failure.text;
  }
}

TEST(SeededFault, ADatelineTakenFromTheWrongDimensionLeavesTheOtherRingsOpen) {
  const spec::Spec spec = small_spec(Grid::kTorus, {4, 6}, Routing::kDorClassic);
  const topology::Topology t(topology::builtin_kinds(), spec.network.topology, spec.network.link);
  // In dimension 1 the class is computed from the coordinates of dimension 0, where the packet has
  // arrived.
  const SmallNetwork n = altered(spec, [t](const Query& q, Moves& moves) {
    change_each(moves, [&](Move& m) {
      if (!network_port(m, t)) return;
      const unsigned c = t.coordinate(q.at, 0), to = t.coordinate(t.router_of(q.dst), 0);
      m.vcs = (index(m.out_port) % 2 == 0 ? to > c : to < c) ? 2 : 1;
    });
  });
  const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDependencyCycle);
  expect_direct_cycle(n, failure, 6);
  EXPECT_EQ(n.topology->channel(failure.cycle[0].channel).link_class, 1u);
}

TEST(SeededFault, ABalancedDatelineThatForgetsTheWraparoundIsACycle) {
  const spec::Spec spec = small_spec(Grid::kTorus, {6}, Routing::kDorBalanced);
  // What has just crossed the wraparound channel in escape0 may go on in escape0.
  const SmallNetwork n = altered(spec, [](const Query& q, Moves& moves) {
    change_each(moves, [&](Move& m) {
      if (index(m.out_port) < 2 && index(q.in_port) < 2 && index(q.in_vc) == 0) m.vcs |= 1;
    });
  });
  expect_direct_cycle(n, expect_failure(n, ProofFailure::Kind::kDependencyCycle), 6);
}

TEST(SeededFault, AStateWithoutEscapeMoveIsNamed) {
  const spec::Spec spec = small_spec(Grid::kMesh, {3, 3}, Routing::kStarChannel);
  // The escape subfunction forgets the destination (2,2) at router (1,2).
  const SmallNetwork n = altered(spec, [](const Query& q, Moves& moves) {
    if (q.at == RouterId{7} && q.dst == TerminalId{8})
      change_each(moves, [](Move& m) { m.escape = false; });
  });
  const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDisconnected);
  EXPECT_NE(failure.text.find("stands at (1,2)"), std::string::npos) << failure.text;
  EXPECT_NE(failure.text.find("no move of the escape subfunction is offered"), std::string::npos)
      << failure.text;
}

struct BadMove {
  const char* what;
  std::function<void(Move&)> make;
};

TEST(SeededFault, AMoveThatTheRouterDoesNotHaveIsNoWayOn) {
  const std::vector<BadMove> faults = {
      {"which has no channel", [](Move& m) { m.out_port = PortId{1}; }},
      {"offers no VC", [](Move& m) { m.vcs = 0; }},
      {"names VCs 0x4, the router has 1 VCs", [](Move& m) { m.vcs = 4; }},
      {"names packet class 1, the relation has 1", [](Move& m) { m.next_class = 1; }},
      {"which is not the terminal's", [](Move& m) { m.out_port = PortId{2}; }},
  };
  for (const BadMove& fault : faults) {
    const SmallNetwork n = altered(small_spec(Grid::kMesh, {3}, Routing::kDorClassic),
                                   [&](const Query& q, Moves& moves) {
                                     if (q.at == RouterId{0} && q.dst == TerminalId{2})
                                       change_each(moves, fault.make);
                                   });
    const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDisconnected);
    EXPECT_NE(failure.text.find(fault.what), std::string::npos) << failure.text;
  }
}

TEST(SeededFault, APacketThatBouncesForEverIsShownWithItsLoop) {
  const spec::Spec spec = small_spec(Grid::kMesh, {4}, Routing::kStarChannel);
  // From router 1 to terminal 3, back to 0 is allowed too.
  const SmallNetwork n = altered(spec, [](const Query& q, Moves& moves) {
    if (q.at == RouterId{1} && q.dst == TerminalId{3}) moves.push({PortId{1}, 2, false, 0});
  });
  const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kUnboundedHops);
  ASSERT_EQ(failure.cycle.size(), 2u) << failure.text;
  EXPECT_EQ(n.topology->channel(failure.cycle[0].channel).dst,
            n.topology->channel(failure.cycle[1].channel).src);
  EXPECT_EQ(n.topology->channel(failure.cycle[1].channel).dst,
            n.topology->channel(failure.cycle[0].channel).src);
}

TEST(Duato, AStepAsideIsSafeInCutThroughWhereAPacketHoldsOneChannelOnly) {
  for (spec::Switching switching :
       {spec::Switching::kVirtualCutThrough, spec::Switching::kStoreAndForward}) {
    const SmallNetwork n = with_step_aside(switching);
    const auto outcome = prove(n);
    const auto* proven = std::get_if<ProvenNetwork>(&outcome);
    ASSERT_NE(proven, nullptr) << std::get<ProofFailure>(outcome).text;
    EXPECT_EQ(check(proven->certificate(), n), "");
    EXPECT_EQ(proven->certificate().hop_bound, 6u)
        << "from corner to corner, a step aside and the step back";
  }
}

TEST(Duato, AStepAsideDeadlocksInWormholeThroughAnIndirectDependency) {
  const SmallNetwork n = with_step_aside(spec::Switching::kWormhole);
  const ProofFailure failure = expect_failure(n, ProofFailure::Kind::kDependencyCycle);
  EXPECT_NE(failure.text.find("which has gone on through adaptive channels, waits for"),
            std::string::npos)
      << failure.text;
  for (const deadlock::CycleStep& step : failure.cycle) EXPECT_NE(step.kind, "") << failure.text;
}

TEST(Duato, AStepAsideOnTheWayUpOnlyIsSafeInWormholeToo) {
  const SmallNetwork n =
      with_step_aside(spec::Switching::kWormhole,
                      [](RouterId at, TerminalId dst) { return index(dst) > index(at); });
  const auto outcome = prove(n);
  const auto* proven = std::get_if<ProvenNetwork>(&outcome);
  ASSERT_NE(proven, nullptr) << std::get<ProofFailure>(outcome).text;
  EXPECT_EQ(check(proven->certificate(), n), "");
}

}  // namespace
}  // namespace hopwise::test
