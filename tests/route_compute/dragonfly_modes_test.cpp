// SPDX-License-Identifier: Apache-2.0
// Packets whose mode says that a hash decides take the path that the hash names, whatever is drawn
// and however long the queues are; and the hash spreads them.
#include <bit>
#include <cmath>
#include <set>

#include "dragonfly_model.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::test {
namespace {

using Flow = RouteModel::Request::Flow;
using spec::Mode;

std::uint32_t xorshift(std::uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

std::uint32_t chi(std::uint32_t x) { return x ^ (~std::rotr(x, 5) & std::rotr(x, 11)); }

/// What hw_flow_hash makes of a key.
std::array<std::uint32_t, 2> hash(std::uint32_t to, std::uint32_t from) {
  std::uint32_t x = xorshift(chi(xorshift(xorshift(xorshift(0x9e3779b9 ^ to) ^ from))));
  std::array<std::uint32_t, 2> values{};
  for (auto& value : values) value = x = xorshift(x);
  return values;
}

/// Any bit of the key, those of the flow label among them, changes about half of each value; and
/// the 16 labels of a flow reach about as many of 7 groups as drawn ones do, 6.4.
TEST(FlowHash, EveryBitOfTheKeyReachesEveryValue) {
  std::mt19937 random(3);
  constexpr unsigned kTrials = 200, kGroups = 7;
  for (unsigned bit = 0; bit < 32; ++bit) {
    std::array<unsigned, 2> changed{};
    for (unsigned n = 0; n < kTrials; ++n) {
      const auto to = static_cast<std::uint32_t>(random()),
                 from = static_cast<std::uint32_t>(random());
      const auto one = hash(to, from), other = hash(to, from ^ 1u << bit);
      for (unsigned v = 0; v < 2; ++v) changed[v] += std::popcount(one[v] ^ other[v]);
    }
    for (const unsigned sum : changed) EXPECT_NEAR(sum / kTrials, 16, 3) << "bit " << bit;
  }
  unsigned reached = 0;
  for (unsigned n = 0; n < kTrials; ++n) {
    const auto to = static_cast<std::uint32_t>(random() % 1024),
               from = static_cast<std::uint32_t>(random() % 1024) << 4;
    std::set<std::uint32_t> groups;
    for (unsigned label = 0; label < 16; ++label)
      groups.insert((hash(to, from | label)[0] >> 16) * kGroups >> 16);
    reached += static_cast<unsigned>(groups.size());
  }
  EXPECT_NEAR(reached / double{kTrials}, 6.4, 0.3);
}

/// The words that hw_flow_hash has in the place of drawn ones.
std::array<std::uint32_t, 2> hash(const RouteModel& model, const Flow& flow, TerminalId dst) {
  const auto& t = model.network.topology();
  const auto& f = model.shape.format;
  std::uint64_t words[2] = {0, 0};
  const auto set = [&](const topology::HeaderField& field, std::uint64_t value) {
    topology::set_field(words, field, value);
  };
  for (unsigned d = 0; d < 2; ++d) {
    set(f.src_coord[d], t.coordinate(t.router_of(flow.src), d));
    set(f.dst_coord[d], t.coordinate(t.router_of(dst), d));
  }
  set(f.src_slot, t.slot_of(flow.src));
  set(f.dst_slot, t.slot_of(dst));
  if (flow.mode != Mode::kInOrder) set(f.label, flow.label);
  const auto to =
      static_cast<std::uint32_t>(words[0] & ((1ULL << (f.dst_slot.lsb + f.dst_slot.width)) - 1));
  const auto from = static_cast<std::uint32_t>(
      topology::get_field(words, {f.label.lsb, f.route_bits - f.label.lsb}));
  return hash(to, from);
}

class DragonflyModes : public testing::TestWithParam<std::size_t> {
 protected:
  DragonflyModes() : model(GetParam()), t(model.network.topology()), d(t.spec()) {}

  unsigned group(TerminalId terminal) const { return t.coordinate(t.router_of(terminal), 1); }

  /// A flow between two groups that asks at its source, with anything that hashes do not heed.
  RouteModel::Request ask(Mode mode) {
    const auto terminal = [&] {
      return TerminalId{static_cast<std::uint32_t>(model.random() % t.num_terminals())};
    };
    RouteModel::Request q;
    const TerminalId src = terminal();
    do q.dst = terminal();
    while (group(q.dst) == group(src));
    q.at = t.router_of(src);
    q.flow = {mode, src, static_cast<unsigned>(model.random() % 16)};
    return q;
  }
  RouteModel::Answer answer(RouteModel::Request q) {
    q.queues = model.random_queues();
    q.mode = static_cast<unsigned>(model.random() % 3);
    q.bias = static_cast<int>(model.random() % 200) - 100;
    model.seed(static_cast<std::uint32_t>(model.random()));
    model.ask(q);
    return model.answer(static_cast<unsigned>(index(t.port_of(q.flow->src))));
  }
  unsigned via(std::uint64_t state, unsigned coordinate) const {
    const auto& f = model.shape.format;
    return static_cast<unsigned>(state >> (f.via_coord[coordinate].lsb - f.routing_class.lsb) &
                                 ((1U << f.via_coord[coordinate].width) - 1));
  }

  RouteModel model;
  const topology::Topology& t;
  const topology::Dragonfly d;
};

TEST_P(DragonflyModes, HashesNameThePath) {
  const bool through_router =
      routing::ugal::settings(model.network.spec().network.routing).facts.through_router;
  for (unsigned trial = 0; trial < 1000; ++trial) {
    for (const Mode mode : {Mode::kMinHash, Mode::kNminHash, Mode::kInOrder}) {
      const RouteModel::Request q = ask(mode);
      const RouteModel::Answer a = answer(q), again = answer(q);
      ASSERT_EQ(a.port, again.port);
      ASSERT_EQ(a.vcs, again.vcs);
      ASSERT_EQ(a.state, again.state);
      const auto values = hash(model, *q.flow, q.dst);
      const unsigned from = group(q.flow->src), to = group(q.dst);
      const bool detour = mode == Mode::kNminHash;
      ASSERT_EQ(a.decision >> 1 & 1, detour);
      unsigned next = to;  // group
      if (detour) {
        next = static_cast<unsigned>((values[0] >> 16) * std::uint64_t{d.groups() - 2} >> 16);
        next += next >= std::min(from, to);
        next += next >= std::max(from, to);
        ASSERT_EQ(via(a.state, 1), next);
        if (through_router) {
          ASSERT_EQ(via(a.state, 0), (values[0] & 0xffff) * d.routers_per_group() >> 16);
        }
      }
      // The link that the hash names, or one that this router has.
      const auto start = (detour ? values[1] >> 16 : values[1] & 0xffff) *
                             std::uint64_t{d.links_per_group_pair()} >>
                         16;
      const unsigned here = t.coordinate(q.at, 0);
      unsigned gateway = d.global_end(from, next, static_cast<unsigned>(start)).router;
      for (unsigned copy = 0; copy < d.links_per_group_pair(); ++copy) {
        if (d.global_end(from, next, copy).router == here) gateway = here;
      }
      if (d.is_local(a.port)) {
        ASSERT_EQ(d.neighbour(here, a.port) % d.columns(), gateway % d.columns());
      } else {
        ASSERT_EQ(gateway, here);
        ASSERT_EQ(d.peer(from, here, a.port)->group, next);
      }
      if (mode == Mode::kInOrder) {
        ASSERT_EQ(std::popcount(a.vcs), 1);
      }
    }
  }
}

TEST_P(DragonflyModes, PacketsInOrderDoNotHeedTheFlowLabel) {
  for (unsigned trial = 0; trial < 300; ++trial) {
    RouteModel::Request q = ask(Mode::kInOrder);
    const RouteModel::Answer a = answer(q);
    q.flow->label = static_cast<unsigned>(model.random() % 16);
    ASSERT_EQ(answer(q).port, a.port);
  }
}

TEST_P(DragonflyModes, HashesSpreadFlowsOverGroupsEvenly) {
  std::map<unsigned, double> flows;  // by intermediate group, of all pairs of one pair of groups
  double all = 0;
  RouteModel::Request q = ask(Mode::kNminHash);
  for (std::uint32_t s = 0; s < t.num_terminals(); ++s) {
    for (std::uint32_t e = 0; e < t.num_terminals(); ++e) {
      const TerminalId src{s}, dst{e};
      if (group(src) != 0 || group(dst) != 1) continue;
      for (unsigned label = 0; label < 16; ++label) {
        q.at = t.router_of(src);
        q.dst = dst;
        q.flow = {Mode::kNminHash, src, label};
        ++flows[via(answer(q).state, 1)];
        ++all;
      }
    }
  }
  const double even = all / (d.groups() - 2);
  ASSERT_EQ(flows.size(), d.groups() - 2);
  for (const auto& [group, number] : flows)
    EXPECT_NEAR(number, even, 6 * std::sqrt(even)) << "group " << group;
}

std::vector<std::size_t> with_modes() {
  const auto all = all_dragonflies();
  std::vector<std::size_t> out;
  for (const std::size_t i : dragonfly_numbers(false)) {
    if (all[i].yaml.find("modes: true") != std::string::npos) out.push_back(i);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Emitted, DragonflyModes, testing::ValuesIn(with_modes()), dragonfly_name);

}  // namespace
}  // namespace hopwise::test
