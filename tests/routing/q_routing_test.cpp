// SPDX-License-Identifier: Apache-2.0
// Routings that learn delivery times, against an oracle that follows the packet from its source:
// what it may do by its history (the decision chart of Q-adaptive, HPDC 2021), found by looking
// through the list of channels.
#include <gtest/gtest.h>

#include "q_networks.hpp"

namespace hopwise::test {
namespace {

using routing::Move;
using routing::Moves;
using routing::Query;
using topology::Channel;

using History = std::vector<const Channel*>;

std::string in_order_of_ports(std::vector<Move> moves) {
  std::sort(moves.begin(), moves.end(),
            [](const Move& a, const Move& b) { return index(a.out_port) < index(b.out_port); });
  std::string all;
  for (const Move& m : moves) {
    all += std::to_string(index(m.out_port)) + "/" + std::to_string(m.vcs) +
           (m.escape ? "e" : "a") + std::to_string(m.next_class) + " ";
  }
  return all;
}

/// VCs of class number `c`.
VcMask class_mask(const spec::NetworkSpec& spec, std::size_t c) {
  VcMask mask = 0;
  unsigned vc = 0;
  for (std::size_t i = 0; i < spec.routing.vcs_per_class.size(); ++i) {
    for (unsigned k = 0; k < spec.routing.vcs_per_class[i]; ++k, ++vc)
      mask |= i == c ? VcMask{1} << vc : 0;
  }
  return mask;
}

class DragonflyOracle {
 public:
  DragonflyOracle(const SmallNetwork& n, const QRouting& r) : n_(n), t_(*n.topology), r_(r) {}

  std::vector<Move> moves(RouterId here, const History& history, TerminalId dst) const {
    const RouterId to = t_.router_of(dst);
    if (here == to) return {{t_.port_of(dst), 1, true, 0}};
    const VcMask vcs = class_mask(n_.spec.network, history.size());
    std::vector<Move> result;
    for (const Channel* c : candidates(here, history, to))
      result.push_back({c->src_port, vcs, true, 0});
    return result;
  }

 private:
  using Channels = std::vector<const Channel*>;

  Channels candidates(RouterId here, const History& history, RouterId to) const {
    const std::size_t hops = history.size();
    if (r_.algorithm == "q_routing")
      return hops < r_.max_hops ? all(here) : Channels{minimal(here, to)};
    if (group(here) == group(to)) return {minimal(here, to)};
    const bool at_source = hops == 0;
    const bool second_in_source_group =
        hops == 1 && history[0]->link_class == topology::kLocalLinks;
    const bool first_in_intermediate_group =
        hops == 1 && history[0]->link_class == topology::kGlobalLinks;
    if (at_source) return r_.local_detours ? all(here) : globals_and(minimal(here, to), here);
    if (second_in_source_group && r_.progressive) return globals_and(minimal(here, to), here);
    if (first_in_intermediate_group && minimal(here, to)->link_class == topology::kLocalLinks)
      return all(here);
    return {minimal(here, to)};
  }

  unsigned group(RouterId r) const { return t_.coordinate(r, 1); }
  Channels all(RouterId here) const {
    Channels found;
    for (const Channel& c : t_.channels()) {
      if (c.src == here) found.push_back(&c);
    }
    return found;
  }
  Channels globals_and(const Channel* one, RouterId here) const {
    Channels found{one};
    for (const Channel* c : all(here)) {
      if (c->link_class == topology::kGlobalLinks && c != one) found.push_back(c);
    }
    return found;
  }
  /// Straight to a router of the group, or to the end of the link to its group.
  const Channel* minimal(RouterId here, RouterId to) const {
    RouterId aim = to;
    for (const Channel& c : t_.channels()) {
      if (group(here) == group(to) || group(c.src) != group(here) || group(c.dst) != group(to))
        continue;
      if (c.src == here) return &c;
      aim = c.src;
    }
    for (const Channel* c : all(here)) {
      if (c->dst == aim) return c;
    }
    return nullptr;
  }

  const SmallNetwork& n_;
  const topology::Topology& t_;
  const QRouting& r_;
};

/// Walks every allowed path and holds every answer on the way against the oracle.
class DragonflyWalk {
 public:
  DragonflyWalk(const SmallNetwork& n, const QRouting& r)
      : n_(n), t_(*n.topology), oracle_(n, r), most_(most_hops(r)) {}

  std::uint64_t paths = 0;
  std::size_t longest = 0;

  void go(const Query& q) {
    Moves moves;
    n_.relation->moves(q, moves);
    const std::vector<Move> list(moves.begin(), moves.end());
    ASSERT_EQ(in_order_of_ports(list), in_order_of_ports(oracle_.moves(q.at, history_, q.dst)))
        << t_.name(q.at) << " after " << history_.size() << " hops to " << index(q.dst);
    ASSERT_LE(history_.size(), most_) << "a packet goes on and on";
    for (const Move& m : list) {
      if (t_.is_terminal_port(RouterId{0}, m.out_port)) {
        ASSERT_EQ(q.at, t_.router_of(q.dst));
        ++paths;
        longest = std::max(longest, history_.size());
        continue;
      }
      const Channel& c = t_.channel(t_.out_channel(q.at, m.out_port).value());
      const auto vc = static_cast<std::uint8_t>(std::countr_zero(m.vcs));
      ASSERT_TRUE(history_.empty() || vc > index(q.in_vc)) << "every hop is on a higher VC";
      history_.push_back(&c);
      go({c.dst, c.dst_port, VcId{vc}, m.next_class, q.dst});
      history_.pop_back();
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  const SmallNetwork& n_;
  const topology::Topology& t_;
  DragonflyOracle oracle_;
  std::size_t most_;
  History history_;
};

TEST(QDragonfly, EveryPathArrivesInTimeAndIsWhatTheChartAllows) {
  std::uint64_t paths = 0;
  for (const DragonflyCase& d : q_dragonflies()) {
    for (const QRouting& r : kQDragonflyRoutings) {
      if (r.max_hops > 2 && d.a * d.h * d.g > 42) continue;  // millions of paths
      SCOPED_TRACE(name(d, r.algorithm) + ": " + name(r));
      const SmallNetwork n(q_dragonfly_spec(d, r, 1 + d.p % 2));
      const topology::Topology& t = *n.topology;
      DragonflyWalk walk(n, r);
      for (std::uint32_t s = 0; s < t.num_routers(); ++s) {
        for (std::uint32_t e = 0; e < t.num_routers(); ++e) {
          walk.go({RouterId{s}, PortId(static_cast<std::uint16_t>(t.network_ports())), VcId{0}, 0,
                   TerminalId{(e + 1) * d.p - 1}});
          if (HasFatalFailure()) return;
        }
      }
      EXPECT_GT(walk.longest, 3U) << "nothing but minimal paths";
      paths += walk.paths;
    }
  }
  EXPECT_GT(paths, 100000U);
}

TEST(QDragonfly, GlobalPortsWithoutALinkAreNeverTaken) {
  const SmallNetwork n(q_dragonfly_spec({1, 4, 1, 3, 1, 1, topology::GlobalArrangement::kCirculant},
                                        {"q_adaptive"}));
  unsigned unlinked = 0;
  Moves moves;
  for (std::uint32_t at = 0; at < n.topology->num_routers(); ++at) {
    const std::uint16_t first_global = 3, terminal = 4;
    if (n.topology->out_channel(RouterId{at}, PortId{first_global})) continue;
    ++unlinked;
    n.relation->moves({RouterId{at}, PortId{terminal}, VcId{0}, 0, TerminalId{(at + 4) % 12}},
                      moves);
    EXPECT_EQ(moves.size(), 3U);
  }
  EXPECT_GT(unlinked, 0U);
}

class TorusOracle {
 public:
  TorusOracle(const SmallNetwork& n, unsigned max_hops)
      : spec_(n.spec.network), t_(*n.topology), max_hops_(max_hops) {}

  std::vector<Move> moves(RouterId here, bool on_escape, unsigned hops, TerminalId dst) const {
    const RouterId to = t_.router_of(dst);
    if (here == to) return {{t_.port_of(dst), 1, true, 0}};
    unsigned d = 0;
    while (t_.coordinate(here, d) == t_.coordinate(to, d)) ++d;
    const unsigned size = t_.dims()[d], from = t_.coordinate(here, d), there = t_.coordinate(to, d);
    const unsigned plus_steps = (there + size - from) % size, minus_steps = size - plus_steps;
    const bool plus = plus_steps == minus_steps ? from % 2 == 0 : plus_steps < minus_steps;
    const bool wraps = plus ? from + plus_steps >= size : minus_steps > from;
    const unsigned in_order = 2 * d + (plus ? 0 : 1);
    const auto next = static_cast<std::uint8_t>(hops + 1 > max_hops_ ? max_hops_ : hops + 1);
    std::vector<Move> result;
    for (const Channel& c : t_.channels()) {
      if (c.src != here || on_escape || (hops >= max_hops_ && index(c.src_port) != in_order))
        continue;
      result.push_back({c.src_port, class_mask(spec_, 2), false, next});
    }
    std::sort(result.begin(), result.end(),
              [](const Move& a, const Move& b) { return index(a.out_port) < index(b.out_port); });
    result.push_back({PortId(static_cast<std::uint16_t>(in_order)),
                      class_mask(spec_, wraps ? 0 : 1), true, next});
    return result;
  }

 private:
  const spec::NetworkSpec& spec_;
  const topology::Topology& t_;
  unsigned max_hops_;
};

std::string in_order_of_slots(const std::vector<Move>& moves) {
  std::string all;
  for (const Move& m : moves) all += in_order_of_ports({m});
  return all;
}

const std::vector<std::vector<unsigned>> kTori = {
    {2}, {3}, {4}, {6}, {4, 3}, {5, 2}, {2, 2}, {4, 4}, {3, 2, 2}, {3, 3, 3}, {4, 2, 3}};

TEST(QTorus, AnswersEveryQueryAsTheOracleDoesWithTheEscapeLast) {
  for (const auto& dims : kTori) {
    for (const unsigned max_hops : {1U, 3U, 62U}) {
      const SmallNetwork n(q_torus_spec(dims, max_hops, 2, 2));
      SCOPED_TRACE(name({Grid::kTorus, dims}));
      ASSERT_EQ(n.relation->num_packet_classes(), max_hops + 1);
      const TorusOracle oracle(n, max_hops);
      const topology::Topology& t = *n.topology;
      Moves moves;
      for (std::uint32_t at = 0; at < t.num_routers(); ++at) {
        for (std::uint16_t in = 0; in < t.num_ports(); ++in) {
          for (std::uint8_t vc = 0; vc < 6; ++vc) {
            const bool terminal = t.is_terminal_port(RouterId{0}, PortId{in});
            for (const unsigned k : {0U, 1U, max_hops - 1, max_hops}) {
              if (terminal && (k > 0 || vc > 0)) continue;
              for (std::uint32_t dst = 0; dst < t.num_terminals(); ++dst) {
                n.relation->moves({RouterId{at}, PortId{in}, VcId{vc}, k, TerminalId{dst}}, moves);
                const bool on_escape = !terminal && vc < 4;
                ASSERT_EQ(
                    in_order_of_slots({moves.begin(), moves.end()}),
                    in_order_of_slots(oracle.moves(RouterId{at}, on_escape, k, TerminalId{dst})));
              }
            }
          }
        }
      }
    }
  }
}

class TorusWalk {
 public:
  TorusWalk(const SmallNetwork& n, unsigned max_hops)
      : n_(n), t_(*n.topology), max_hops_(max_hops), most_(max_hops + diameter(t_.dims())) {}

  std::uint64_t paths = 0;
  unsigned longest = 0;

  void go(const Query& q, unsigned hops, bool escaped) {
    ASSERT_LE(hops, most_) << "a packet goes on and on";
    ASSERT_EQ(q.packet_class, std::min(hops, max_hops_));
    Moves moves;
    n_.relation->moves(q, moves);
    for (const Move& m : moves) {
      if (t_.is_terminal_port(RouterId{0}, m.out_port)) {
        ASSERT_EQ(q.at, t_.router_of(q.dst));
        ++paths;
        longest = std::max(longest, hops);
        continue;
      }
      ASSERT_TRUE(m.escape || !escaped) << "an escape is for good";
      const Channel& c = t_.channel(t_.out_channel(q.at, m.out_port).value());
      go({c.dst, c.dst_port, VcId(static_cast<std::uint8_t>(std::countr_zero(m.vcs))), m.next_class,
          q.dst},
         hops + 1, m.escape);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  const SmallNetwork& n_;
  const topology::Topology& t_;
  unsigned max_hops_, most_;
};

TEST(QTorus, EveryPathArrivesWithinTheHopsAllowedAndAMinimalWay) {
  for (const auto& dims : kTori) {
    for (const unsigned max_hops : {1U, 2U, 4U}) {
      if (max_hops > 2 && dims.size() > 2) continue;
      const SmallNetwork n(q_torus_spec(dims, max_hops, 1));
      SCOPED_TRACE(name({Grid::kTorus, dims}));
      const topology::Topology& t = *n.topology;
      TorusWalk walk(n, max_hops);
      for (std::uint32_t s = 0; s < t.num_routers(); ++s) {
        for (std::uint32_t e = 0; e < t.num_terminals(); ++e) {
          walk.go({RouterId{s}, PortId(static_cast<std::uint16_t>(t.network_ports())), VcId{0}, 0,
                   TerminalId{e}},
                  0, false);
          if (HasFatalFailure()) return;
        }
      }
      EXPECT_TRUE(walk.longest > max_hops || t.num_routers() == 2);
      EXPECT_LE(walk.longest, max_hops + diameter(dims));
    }
  }
}

TEST(QRoutings, ReportTheNameOfTheirYamlKey) {
  const auto named = [](const spec::Spec& spec) { return SmallNetwork(spec).relation->name(); };
  EXPECT_EQ(named(q_dragonfly_spec({1, 2, 1, 3}, {"q_adaptive"})), "q_adaptive");
  EXPECT_EQ(named(q_dragonfly_spec({1, 2, 1, 3}, {"q_par"})), "q_par");
  EXPECT_EQ(named(q_dragonfly_spec({1, 2, 1, 3}, {"q_routing"})), "q_routing");
  EXPECT_EQ(named(q_torus_spec({4, 4}, 4)), "q_routing");
}

}  // namespace
}  // namespace hopwise::test
