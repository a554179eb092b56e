// SPDX-License-Identifier: Apache-2.0
// hw_router with Watched: a VC that does not move tells for want of what, and nothing else does.
#include "Vwatch_blames_room.h"
#include "Vwatch_forgets_the_kept.h"
#include "Vwatch_saf.h"
#include "Vwatch_vct.h"
#include "Vwatch_vct_4.h"
#include "Vwatch_wormhole.h"
#include "router_harness.hpp"

namespace hopwise::test {
namespace {

using WatchedVct = Router<Vwatch_vct, Flow::kVct, 2, 4, 6, 9>;
using WatchedVct4 = Router<Vwatch_vct_4, Flow::kVct, 4, 4, 6, 9>;
using WatchedSaf = Router<Vwatch_saf, Flow::kSaf, 2, 4, 6, 9>;
using WatchedWormhole = Router<Vwatch_wormhole, Flow::kWormhole, 2, 4, 2, 3>;

// as hw_router_pkg has them
enum Wait : unsigned { kNoWait, kRoute, kTail, kOwner, kRoom, kSwitch };

/// What a visit finds of a VC.
struct Finding {
  bool stuck = false;
  unsigned cause = kNoWait;
  Candidate first, second;
};
bool operator==(const Finding& a, const Finding& b) {
  const auto same = [](Candidate c, Candidate d) { return c.port == d.port && c.vcs == d.vcs; };
  return a.stuck == b.stuck && a.cause == b.cause && same(a.first, b.first) &&
         same(a.second, b.second);
}
std::ostream& operator<<(std::ostream& out, const Finding& f) {
  return out << "stuck " << f.stuck << " cause " << f.cause << " (" << f.first.port << ", "
             << f.first.vcs << ") (" << f.second.port << ", " << f.second.vcs << ")";
}

template <class T>
Finding visit(RouterBench<T>& bench, unsigned port, unsigned vc) {
  auto& m = bench.router.model();
  m.visit_i = static_cast<std::uint8_t>(1U << port);
  m.visit_vc_i = vc & 1;
  bench.router.settle();
  const auto wants = [&](unsigned lsb) {
    const unsigned bits = m.stuck_wants_o >> (8 * port + lsb);
    return Candidate{bits & 3, bits >> 2 & 3};
  };
  const Finding found{(m.stuck_o >> port & 1) != 0, m.stuck_cause_o >> (3 * port) & 7U, wants(0),
                      wants(4)};
  for (unsigned other = 0; other < kPorts; ++other) {
    if (other == port) continue;
    EXPECT_EQ(m.stuck_o >> other & 1, 0) << "a port that is not visited";
    EXPECT_EQ(m.stuck_cause_o >> (3 * other) & 7, 0);
  }
  bench.cycle();
  m.visit_i = 0;
  return found;
}

/// Two visits some cycles apart.
template <class T>
Finding watched(RouterBench<T>& bench, unsigned port, unsigned vc) {
  EXPECT_FALSE(visit(bench, port, vc).stuck) << "of the first visit";
  bench.run(20);
  return visit(bench, port, vc);
}

/// Packets of four flits for 6 places at (1, VC 0), no credits: the second has no room.
template <class T>
void expect_no_room(Candidate first, Candidate second) {
  RouterBench<T> bench;
  bench.credit_percent = 0;
  bench.send(0, 1, {4, {1, 1}, {}, 0, 1});
  bench.send(0, 1, {4, first, second, 0, 2});
  bench.run(60);
  EXPECT_EQ(watched(bench, 0, 1), (Finding{true, kRoom, first, second}));
  EXPECT_FALSE(watched(bench, 0, 0).stuck) << "an empty VC";
  bench.credit_percent = 100;
  bench.run(60);
  EXPECT_EQ(bench.arrivals.size(), 8u);
  EXPECT_FALSE(watched(bench, 0, 1).stuck) << "it has moved";
}

template <class T>
class WatchedRouter : public testing::Test {};
using WithWatch = testing::Types<WatchedVct, WatchedVct4, WatchedSaf>;
TYPED_TEST_SUITE(WatchedRouter, WithWatch);

TYPED_TEST(WatchedRouter, TellsThatThereIsNoRoom) {
  expect_no_room<TypeParam>({1, 1}, {});
  expect_no_room<TypeParam>({1, 1}, {1, 1});
}

TYPED_TEST(WatchedRouter, TellsThatRoutingDoesNotAnswer) {
  RouterBench<TypeParam> bench;
  bench.route_latency = 1000;
  bench.send(2, 0, {2, {1, 1}, {}, 0, 1});
  bench.run(20);
  EXPECT_EQ(watched(bench, 2, 0), (Finding{true, kRoute, {}, {}}));
}

TYPED_TEST(WatchedRouter, SaysNothingOfOneThatMovesSlowly) {
  RouterBench<TypeParam> bench(7);
  bench.credit_percent = 30;
  for (unsigned n = 0; n < 400; ++n) bench.send(n % 3, n / 3 % 2, {4, {n % 2, 3}, {2, 3}, 0, n});
  for (int n = 0; n < 40; ++n) {
    for (unsigned v = 0; v < 2; ++v) EXPECT_FALSE(visit(bench, n % 3, v).stuck);
    bench.run(200);
  }
}

TEST(WatchedRouters, TellThatTheTailHasNotCome) {
  RouterBench<WatchedSaf> bench;
  bench.send(1, 0, {4, {2, 1}, {}, 0, 1});
  bench.source[1][0].pop_back();
  bench.run(20);
  EXPECT_EQ(watched(bench, 1, 0), (Finding{true, kTail, {}, {}}));
}

/// A packet whose flits do not come keeps (1, VC 0); one behind it, in another VC, comes and waits.
template <class T>
Finding behind_one_that_stops(Candidate first) {
  RouterBench<T> bench;
  bench.send(0, 0, {4, {1, 1}, {}, 0, 1});
  bench.source[0][0].resize(1);
  bench.run(20);
  bench.send(2, 1, {1, first, {}, 0, 2});
  bench.run(20);
  return watched(bench, 2, 1);
}

TEST(WatchedRouters, TellThatAnotherPacketHasTheOutputVc) {
  EXPECT_EQ(behind_one_that_stops<WatchedWormhole>({1, 1}), (Finding{true, kOwner, {1, 1}, {}}));
  EXPECT_FALSE(behind_one_that_stops<WatchedWormhole>({1, 2}).stuck) << "wormhole holds no output";
}

TEST(WatchedRouters, TellThatTheSwitchServesAnother) {
  EXPECT_EQ(behind_one_that_stops<WatchedVct>({1, 2}), (Finding{true, kSwitch, {1, 2}, {}}));
}

/// The second packet's head has left; its body waits in the VC that it keeps.
template <class T>
void expect_the_kept_one() {
  RouterBench<T> bench;
  bench.credit_percent = 0;
  bench.send(0, 0, {4, {1, 3}, {2, 1}, 0, 1});
  bench.run(60);
  EXPECT_EQ(watched(bench, 0, 0), (Finding{true, kRoom, {1, 2}, {}}));
}

TEST(WatchedRouters, TellOfABodyTheOutputVcThatItKeeps) { expect_the_kept_one<WatchedWormhole>(); }

template <class Model>
using Faulty = Router<Model, Flow::kWormhole, 2, 4, 2, 3>;

TEST(WatchedRouters, WithAFaultAreCaught) {
  EXPECT_GT(failures([] { expect_the_kept_one<Faulty<Vwatch_forgets_the_kept>>(); }), 0);
  EXPECT_NE(behind_one_that_stops<Faulty<Vwatch_blames_room>>({1, 1}).cause, kOwner);
}

}  // namespace
}  // namespace hopwise::test
