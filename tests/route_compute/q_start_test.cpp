// SPDX-License-Identifier: Apache-2.0
// The values that the tables of small networks start from, against paths along their links; and the
// arithmetic of these links.
#include <algorithm>
#include <set>

#include "q_model.hpp"
#include "routing/q/q.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::test {
namespace {

/// Compares the start values of every router and row.
QResult compare_start(std::size_t number) {
  QModel m(number);
  const auto& t = m.network.topology();
  const routing::q::Settings q = routing::q::settings(m.spec.routing);
  const bool dragonfly = t.has_groups();
  const bool two_level = dragonfly && m.spec.routing.algorithm != "q_routing";
  const bool optimistic = q.initial == routing::q::Initial::kOptimistic;
  const std::uint64_t infinity = (1ULL << q.value_bits) - 1;
  const auto time = [&](const topology::Channel& c) {
    return std::uint64_t{m.spec.router.pipeline_cycles + q.table_cycles + c.latency_cycles}
           << q.fraction_bits;
  };
  const auto out = [&](RouterId r, unsigned p) -> const topology::Channel* {
    const auto id = t.out_channel(r, PortId(static_cast<std::uint16_t>(p)));
    return id ? &t.channel(*id) : nullptr;
  };
  // Time of the minimal path: over the links of a dragonfly; on a torus the shortest of all.
  const auto way = [&](RouterId from, unsigned group, RouterId to) {
    std::uint64_t sum = 0;
    while (two_level ? t.coordinate(from, 1) != group : from != to) {
      const topology::Channel* taken = nullptr;
      for (unsigned p = 0; p < t.network_ports() && !taken; ++p) {
        const auto* c = out(from, p);
        if (c && (t.coordinate(from, 1) == group ? c->dst == to : t.coordinate(c->dst, 1) == group))
          taken = c;
      }
      for (unsigned p = 0; p < t.network_ports() && !taken; ++p) {
        const auto* c = out(from, p);
        for (unsigned o = 0;
             c && t.coordinate(c->dst, 1) == t.coordinate(from, 1) && o < t.network_ports(); ++o) {
          const auto* next = out(c->dst, o);
          if (next && t.coordinate(next->dst, 1) == group) taken = c;
        }
      }
      sum += time(*taken);
      from = taken->dst;
    }
    return sum;
  };
  const auto distances = [&](RouterId to) {  // Bellman and Ford
    std::vector<std::uint64_t> d(t.num_routers(), 1ULL << 40);
    d[index(to)] = 0;
    for (std::size_t n = 0; n < t.num_routers(); ++n) {
      for (const auto& c : t.channels())
        d[index(c.src)] = std::min(d[index(c.src)], d[index(c.dst)] + time(c));
    }
    return d;
  };
  QResult result;
  for (std::uint32_t row = 0; row < q_rows(m.shape); ++row) {
    const unsigned per_group = two_level   ? t.terminals_per_router()
                               : dragonfly ? topology::Dragonfly(t.spec()).routers_per_group()
                                           : 1;
    const unsigned group = row / per_group;
    RouterId to{};
    std::vector<std::uint64_t> all;
    if (dragonfly) {
      to = t.router_at({two_level ? 0 : row % per_group, group});
    } else {
      std::vector<unsigned> at;
      unsigned rest = row;
      bool exists = true;
      for (unsigned d = 0; d < t.num_dims(); ++d) {
        const unsigned width = m.shape.format.dst_coord[d].width;
        at.push_back(rest & ((1U << width) - 1));
        rest >>= width;
        exists = exists && at.back() < m.spec.topology.dims[d];
      }
      if (!exists) continue;  // never asked for
      to = t.router_at(at);
      all = distances(to);
    }
    for (std::uint32_t r = 0; r < t.num_routers(); ++r) {
      m->coord_i = static_cast<std::uint32_t>(emit::coordinate_value(m.shape, t, RouterId{r}));
      m->row_i = row;
      m.ask();
      std::vector<std::uint64_t> expected(t.network_ports(), infinity);
      for (unsigned p = 0; p < t.network_ports(); ++p) {
        const auto* c = out(RouterId{r}, p);
        if (!c) continue;
        expected[p] = time(*c) + (dragonfly ? way(c->dst, group, to) : all[index(c->dst)]);
        if (!optimistic || !dragonfly) continue;
        const std::uint64_t local = time(*out(RouterId{r}, 0)),
                            global = time(
                                *out(RouterId{0}, topology::Dragonfly(t.spec()).local_ports()));
        expected[p] = local + global;
        if (!topology::Dragonfly(t.spec()).is_local(p) && t.coordinate(c->dst, 1) == group)
          expected[p] = global;
        if (!two_level && t.coordinate(RouterId{r}, 1) == group)
          expected[p] = topology::Dragonfly(t.spec()).is_local(p) ? 2 * local : 2 * global;
      }
      for (unsigned p = 0; p < t.network_ports(); ++p) {
        const bool connected = out(RouterId{r}, p) != nullptr;
        if (connected) expected[p] = std::min(expected[p], infinity - 1);
        const std::uint64_t found = m.get("values", p);
        ++result.compared;
        if ((found == expected[p] && (m.get("connected", p) != 0) == connected) ||
            result.wrong++ > 0)
          continue;
        result.first = fmt::format("router {} row {} port {}: {}, expected {}", t.name(RouterId{r}),
                                   row, p, found, expected[p]);
      }
    }
  }
  return result;
}

class QStart : public testing::TestWithParam<std::size_t> {};

TEST_P(QStart, IsTheTimeOfThePathAlongTheLinks) {
  const QResult result = compare_start(GetParam());
  EXPECT_EQ(result.wrong, 0U) << "of " << result.compared << "; " << result.first;
  EXPECT_GT(result.compared, 0U);
  fmt::print("{} values\n", result.compared);
}

class FaultyQStart : public testing::TestWithParam<std::size_t> {};

TEST_P(FaultyQStart, IsCaught) { EXPECT_GT(compare_start(GetParam()).wrong, 0U); }

TEST(DragonflyPackage, TheGroupAtAPlaceIsTheInverseOfThePlaceOfAGroup) {
  Vq_variants model;
  std::uint64_t compared = 0;
  for (unsigned arrangement = 0; arrangement < 3; ++arrangement) {
    for (const unsigned groups : {2U, 3U, 4U, 5U, 8U, 9U, 33U, 64U, 73U, 510U, 1025U, 2046U}) {
      for (unsigned from = 0; from < groups; from += 1 + groups / 40) {
        std::set<unsigned> seen;
        for (unsigned place = 0; place + 1 < groups; ++place) {
          model.arrangement_i = static_cast<std::uint8_t>(arrangement);
          model.groups_i = static_cast<std::uint16_t>(groups);
          model.from_i = static_cast<std::uint16_t>(from);
          model.place_i = static_cast<std::uint16_t>(place);
          model.eval();
          ASSERT_LT(model.group_o, groups);
          ASSERT_NE(model.group_o, from);
          ASSERT_EQ(model.position_o, place)
              << "arrangement " << arrangement << ", " << groups << " groups, from " << from;
          ASSERT_TRUE(seen.insert(model.group_o).second);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100000U);
  model.final();
}

INSTANTIATE_TEST_SUITE_P(Emitted, QStart, testing::ValuesIn(q_numbers(QFault::kNone)),
                         q_variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, FaultyQStart, testing::ValuesIn(q_numbers(QFault::kStart)),
                         q_variant_name);

}  // namespace
}  // namespace hopwise::test
