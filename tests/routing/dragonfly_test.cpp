// SPDX-License-Identifier: Apache-2.0
// Every path that the relations of a dragonfly allow, walked from every source to every destination
// and held against what the papers say of it.
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "small_networks.hpp"

namespace hopwise::test {
namespace {

using routing::Moves;
using routing::Query;
using Algorithm = std::string_view;
using topology::Channel;

using Path = std::vector<const Channel*>;

/// Walks all paths of injected packets to `dst`; a VC is followed per step only, the first of each
/// class.
class Walker {
 public:
  explicit Walker(const SmallNetwork& n) : n_(n), t_(*n.topology) {
    for (const routing::VcClass& c : n.relation->vc_classes())
      step_of_.insert(step_of_.end(), c.count, step_of_.empty() ? 0 : step_of_.back() + 1);
  }

  void all(RouterId src, TerminalId dst, const std::function<void(const Path&)>& use) {
    path_.clear();
    steps_.clear();
    use_ = &use;
    go({src, PortId(static_cast<std::uint16_t>(t_.network_ports())), VcId{0}, 0, dst}, 0);
  }

  /// Of the path that is shown: the step of each channel.
  const std::vector<unsigned>& steps() const { return steps_; }

 private:
  void go(const Query& q, unsigned step) {
    ASSERT_LE(path_.size(), 20U) << "a packet goes on and on";
    Moves moves;
    n_.relation->moves(q, moves);
    ASSERT_GT(moves.size(), 0U);
    for (const routing::Move& m : moves) {
      if (t_.is_terminal_port(RouterId{0}, m.out_port)) {
        EXPECT_EQ(q.at, t_.router_of(q.dst));
        EXPECT_EQ(m.out_port, t_.port_of(q.dst));
        (*use_)(path_);
        continue;
      }
      const auto channel = t_.out_channel(q.at, m.out_port);
      ASSERT_TRUE(channel.has_value());
      unsigned vc = 0;
      while ((m.vcs >> vc & 1) == 0) ++vc;
      EXPECT_GE(step_of_[vc], step) << "steps never fall";
      EXPECT_EQ(m.vcs, n_.relation->vc_classes()[step_of_[vc]].mask());
      const Channel& c = t_.channel(*channel);
      path_.push_back(&c);
      steps_.push_back(step_of_[vc]);
      go({c.dst, c.dst_port, VcId(static_cast<std::uint8_t>(vc)), m.next_class, q.dst},
         step_of_[vc]);
      path_.pop_back();
      steps_.pop_back();
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  const SmallNetwork& n_;
  const topology::Topology& t_;
  std::vector<unsigned> step_of_;
  Path path_;
  std::vector<unsigned> steps_;
  const std::function<void(const Path&)>* use_ = nullptr;
};

/// A path in pieces: the routers passed in each group, one after the other, and the global channels
/// between them.
struct Pieces {
  std::vector<std::vector<RouterId>> routers;
  std::vector<const Channel*> globals;
};

Pieces pieces(RouterId src, const Path& path) {
  Pieces p{{{src}}, {}};
  for (const Channel* c : path) {
    if (c->link_class == topology::kGlobalLinks) {
      p.globals.push_back(c);
      p.routers.push_back({c->dst});
    } else {
      p.routers.back().push_back(c->dst);
    }
  }
  return p;
}

struct Bounds {
  unsigned flat, grid;
};
Bounds hop_bounds(Algorithm algorithm) {
  if (algorithm == "min") return {3, 5};
  if (algorithm == "valg" || algorithm == "ugal_lg") return {5, 8};
  if (algorithm == "par") return {7, 12};
  return {6, 10};
}

class Dragonfly : public testing::TestWithParam<Algorithm> {};

TEST_P(Dragonfly, PathsAreMinimalOrLeadThroughOneIntermediateGroup) {
  const Algorithm algorithm = GetParam();
  std::uint64_t paths = 0;
  for (const DragonflyCase& d : small_dragonflies()) {
    SCOPED_TRACE(name(d, algorithm));
    const SmallNetwork n(dragonfly_spec(d, algorithm));
    const topology::Topology& t = *n.topology;
    const auto group = [&](RouterId r) { return t.coordinate(r, 1); };
    const auto [flat, grid] = hop_bounds(algorithm);
    const unsigned most_local = d.rows == 1 ? 1 : 2;
    const bool to_router = algorithm != "valg" && algorithm != "ugal_lg";
    Walker walker(n);
    for (std::uint32_t s = 0; s < t.num_routers(); ++s) {
      for (std::uint32_t e = 0; e < t.num_routers(); ++e) {
        const RouterId src{s}, to{e};
        std::set<const Channel*> minimal_links;
        std::map<unsigned, std::set<RouterId>> intermediates;  // group -> routers passed in it
        bool own_link = false, nonminimal = false;
        walker.all(src, TerminalId{e * d.p}, [&](const Path& path) {
          ++paths;
          const Pieces p = pieces(src, path);
          ASSERT_TRUE(path.empty() || walker.steps()[0] == 0) << "a path starts on step 0";
          ASSERT_LE(path.size(), d.rows == 1 ? flat : grid);
          ASSERT_EQ(p.routers.back().back(), to);
          ASSERT_LE(p.globals.size(), 2U);
          const auto direct = [&](std::size_t i) {
            return p.routers[i].size() == topology::Dragonfly(t.spec()).distance(
                                              static_cast<unsigned>(index(p.routers[i].front())),
                                              static_cast<unsigned>(index(p.routers[i].back()))) +
                                              1;
          };
          if (group(src) == group(to)) {
            ASSERT_EQ(p.globals.size(), 0U);
            ASSERT_TRUE(direct(0)) << "within a group the way is minimal";
            return;
          }
          ASSERT_GE(p.globals.size(), 1U);
          ASSERT_TRUE(direct(p.routers.size() - 1)) << "so it is in the destination's";
          if (algorithm != "par") {
            ASSERT_TRUE(direct(0)) << "and in the source's";
          }
          if (p.globals.size() == 1) {
            ASSERT_TRUE(direct(0)) << "a minimal path that was never revised";
            minimal_links.insert(p.globals[0]);
            own_link |= p.globals[0]->src == src;
            return;
          }
          nonminimal = true;
          const unsigned mid = group(p.routers[1].front());
          ASSERT_NE(mid, group(src));
          ASSERT_NE(mid, group(to));
          intermediates[mid].insert(p.routers[1].begin(), p.routers[1].end());
          if (to_router) {
            ASSERT_LE(p.routers[1].size(), 2 * most_local + 1);
          } else {
            ASSERT_TRUE(direct(1));
          }
        });
        if (testing::Test::HasFailure()) return;
        if (group(src) == group(to)) continue;
        EXPECT_EQ(nonminimal, algorithm != "min");
        EXPECT_EQ(minimal_links.empty(), algorithm == "valg" || algorithm == "valn");
        // A link of the source's own is taken, else any of them may be drawn; on a way along row
        // and column, the router in between may have one of its own.
        if (!minimal_links.empty() && !own_link && d.rows == 1) {
          EXPECT_EQ(minimal_links.size(), d.links);
        }
        for (const Channel* c : minimal_links) {
          // (under PAR, the second router may have a link of its own)
          EXPECT_TRUE(!own_link || c->src == src || algorithm == "par");
        }
        if (nonminimal) {
          EXPECT_EQ(intermediates.size(), d.g - 2) << "every other group";
          for (const auto& [mid, routers] : intermediates) {
            if (to_router) {
              EXPECT_EQ(routers.size(), d.a) << "every router of it";
            }
          }
        }
      }
    }
  }
  EXPECT_GT(paths, 1000U);
}

struct Revised {
  Algorithm algorithm;
  bool reconsider;
};
class DragonflyOwnVcs : public testing::TestWithParam<Revised> {};

// The paths are those of shared VCs; what goes to its destination for good stands on the last two
// steps, what leaves the source's group otherwise on others.
TEST_P(DragonflyOwnVcs, MinimalPathsKeepApart) {
  const auto [algorithm, reconsider] = GetParam();
  std::uint64_t minimal = 0, nonminimal = 0;
  for (const DragonflyCase& d : small_dragonflies()) {
    SCOPED_TRACE(name(d, algorithm));
    spec::Spec spec = dragonfly_spec(d, algorithm);
    if (reconsider && algorithm != "par") spec = that_reconsiders(spec);
    const SmallNetwork n(with_own_vcs(spec)), shared(spec);
    Walker walker(n), other(shared);
    const unsigned last = steps(algorithm, reconsider) - 1;
    for (std::uint32_t s = 0; s < n.topology->num_routers(); ++s) {
      for (std::uint32_t e = 0; e < n.topology->num_routers(); ++e) {
        const TerminalId dst{e * d.p};
        using Passed =
            std::vector<std::pair<RouterId, PortId>>;  // routers, and where they are left
        const auto passed = [](const Path& path) {
          Passed out;
          for (const Channel* c : path) out.emplace_back(c->src, c->src_port);
          return out;
        };
        std::set<Passed> paths, expected;
        other.all(RouterId{s}, dst, [&](const Path& path) { expected.insert(passed(path)); });
        walker.all(RouterId{s}, dst, [&](const Path& path) {
          paths.insert(passed(path));
          const Pieces p = pieces(RouterId{s}, path);
          const std::vector<unsigned>& on = walker.steps();
          // Hops before the path is final: local ones of the source's group.
          std::size_t free = reconsider ? p.routers[0].size() - 1 : 0;
          if (p.globals.empty()) free = 0;
          std::size_t leaves = p.routers[0].size() - 1;  // the global hop
          if (p.globals.size() <= 1) {
            ++minimal;
            for (std::size_t i = free; i < on.size(); ++i)
              ASSERT_EQ(on[i], i > leaves || p.globals.empty() ? last : last - 1);
          } else {
            ++nonminimal;
            for (std::size_t i = free; i <= leaves; ++i) ASSERT_LT(on[i], last - 1);
            const std::size_t arrives = on.size() - p.routers.back().size();  // the last global hop
            for (std::size_t i = arrives; i < on.size(); ++i)
              ASSERT_EQ(on[i], i > arrives ? last : last - 1);
          }
        });
        if (testing::Test::HasFailure()) return;
        ASSERT_EQ(paths, expected);
      }
    }
  }
  EXPECT_GT(minimal, 100U);
  EXPECT_GT(nonminimal, 500U);
}

INSTANTIATE_TEST_SUITE_P(Relation, DragonflyOwnVcs,
                         testing::Values(Revised{"ugal_lg", false}, Revised{"ugal_lg", true},
                                         Revised{"ugal_ln", false}, Revised{"ugal_ln", true},
                                         Revised{"par", true}, Revised{"ugal_le", false}),
                         [](const auto& instance) {
                           return std::string(instance.param.algorithm) +
                                  (instance.param.reconsider ? "_revised" : "");
                         });

TEST(DragonflyMin, WithOneLinkBetweenGroupsThereIsOnePathAndItIsTheShortest) {
  for (const DragonflyCase& d : small_dragonflies()) {
    if (d.links != 1) continue;
    const SmallNetwork n(dragonfly_spec(d, "min"));
    EXPECT_TRUE(n.relation->in_order());
    Walker walker(n);
    for (std::uint32_t s = 0; s < n.topology->num_routers(); ++s) {
      for (std::uint32_t e = 0; e < n.topology->num_routers(); ++e) {
        unsigned paths = 0;
        walker.all(RouterId{s}, TerminalId{e * d.p}, [&](const Path& path) {
          ++paths;
          EXPECT_EQ(path.size(), topology::Dragonfly(n.topology->spec()).distance(s, e));
        });
        EXPECT_EQ(paths, 1U);
      }
    }
  }
}

TEST(DragonflyMin, SeveralLinksOrSeveralVcsOfAStepLoseTheOrder) {
  EXPECT_FALSE(SmallNetwork(dragonfly_spec({1, 4, 2, 5, 2}, "min")).relation->in_order());
  EXPECT_FALSE(SmallNetwork(dragonfly_spec({1, 4, 2, 5, 1}, "min", 2)).relation->in_order());
  EXPECT_TRUE(SmallNetwork(dragonfly_spec({1, 4, 2, 5, 1}, "min")).relation->in_order());
  EXPECT_FALSE(SmallNetwork(dragonfly_spec({1, 4, 2, 5, 1}, "ugal_ln")).relation->in_order());
}

INSTANTIATE_TEST_SUITE_P(
    Relation, Dragonfly, testing::ValuesIn(kDragonflyRoutings), [](const auto& algorithm) {
      return SmallNetwork(dragonfly_spec({1, 2, 1, 3}, algorithm.param)).relation->name();
    });

}  // namespace
}  // namespace hopwise::test
