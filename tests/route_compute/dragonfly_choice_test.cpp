// SPDX-License-Identifier: Apache-2.0
// The choice of small dragonflies between minimal and non-minimal paths, compared with the rule of
// UGAL, written down from the links of the network.
#include "dragonfly_model.hpp"
#include "topology/dragonfly.hpp"

namespace hopwise::test {
namespace {

/// The rule of UGAL over the links of the network.
class Ugal {
 public:
  explicit Ugal(const topology::Topology& topology) : t_(topology) {
    for (const auto& c : t_.channels()) {
      if (c.link_class == topology::kGlobalLinks) links_[{group(c.src), group(c.dst)}] = c;
    }
  }

  unsigned group(RouterId r) const { return t_.coordinate(r, 1); }
  bool own_link(RouterId at, TerminalId dst) const {
    return link(at, group(t_.router_of(dst))).src == at;
  }
  unsigned minimal_hops(RouterId at, TerminalId dst) const { return leg(at, t_.router_of(dst)); }
  /// via_router: the intermediate one, or none: where the packet enters the group.
  unsigned nonminimal_hops(RouterId at, unsigned via_group, std::optional<unsigned> via_router,
                           TerminalId dst) const {
    const RouterId via =
        via_router ? t_.router_at({*via_router, via_group}) : link(at, via_group).dst;
    return leg(at, via) + leg(via, t_.router_of(dst));
  }

 private:
  const topology::Channel& link(RouterId from, unsigned to) const {
    return links_.at({group(from), to});
  }
  unsigned leg(RouterId from, RouterId to) const {
    const topology::Channel& c = link(from, group(to));
    return t_.distance(from, c.src) + 1 + t_.distance(c.dst, to);  // within a group
  }

  const topology::Topology& t_;
  std::map<std::pair<unsigned, unsigned>, topology::Channel> links_;
};

/// What the mode of a packet adds to the non-minimal side, at an input port.
int bias_of(const RouteModel::Request& q, unsigned in, const topology::Dragonfly& d) {
  const std::size_t place = !d.is_local(in) ? 0 : in < d.row_ports() ? 1 : 2;
  switch (q.flow->mode) {
    case spec::Mode::kAdaptive1: return static_cast<int>(q.biases[2 + place]);
    case spec::Mode::kAdaptive2: return static_cast<int>(q.biases[0]);
    case spec::Mode::kAdaptive3: return static_cast<int>(q.biases[1]);
    default: return q.bias;
  }
}

class DragonflyChoice : public testing::TestWithParam<std::size_t> {};

TEST_P(DragonflyChoice, WeighsQueuesByHopsAsUgalDoes) {
  RouteModel model(GetParam());
  const spec::NetworkSpec& spec = model.network.spec().network;
  const auto& t = model.network.topology();
  const emit::RouterShape& s = model.shape;
  const Ugal ugal(t);
  const bool to_router = spec.routing.algorithm != "ugal_lg";
  const routing::ugal::Settings settings = routing::ugal::settings(spec.routing);
  const bool one_two = settings.hop_metric == routing::ugal::HopMetric::kOneTwo;
  const bool own_vcs = settings.minimal_vcs == routing::ugal::MinimalVcs::kOwn;
  const unsigned router_bits = s.format.via_coord[0].width;
  std::uint64_t taken[2] = {0, 0}, same_port = 0;
  for (unsigned trial = 0; trial < 3000; ++trial) {
    RouteModel::Request q;
    q.at = RouterId{static_cast<std::uint32_t>(model.random() % t.num_routers())};
    q.dst = TerminalId{static_cast<std::uint32_t>(model.random() % t.num_terminals())};
    if (ugal.group(q.at) == ugal.group(t.router_of(q.dst))) continue;
    q.queues = model.random_queues();
    if (model.random() % 2 == 0) {
      for (auto& length : q.queues) length %= 4;  // ties are frequent
    }
    if (own_vcs) {
      q.min_used = model.random_queues();
      q.non_used = model.random_queues();
    }
    q.bias = model.random() % 2 == 0 ? 0 : static_cast<int>(model.random() % 200) - 100;
    if (count_width(s) > 1)
      q.count = static_cast<unsigned>(model.random() % (spec.topology.dims[0] + 1));
    q.learned = static_cast<std::int16_t>(model.random() % 3 == 0 ? model.random() % 400 : 0);
    if (model.random() % 2 == 0) q.learned = static_cast<std::int16_t>(-q.learned / 8);
    const bool modes = s.format.mode.width > 0;
    if (modes) {
      q.flow = {static_cast<spec::Mode>(model.random() % 4), q.dst,
                static_cast<unsigned>(model.random() % 16)};
      for (auto& bias : q.biases) bias = static_cast<unsigned>(model.random() % 300);
    }
    const int longest = (1 << (s.queue_width + 2)) - 1;
    for (unsigned in = 0; in < t.num_ports(); ++in) {
      const bool local = in < topology::Dragonfly(t.spec()).local_ports();
      if (!t.is_terminal_port(RouterId{0}, PortId(static_cast<std::uint16_t>(in))) &&
          !(local && settings.reconsider))
        continue;
      // The same random state three times: both candidates, then the choice.
      RouteModel::Answer a[3];
      const auto state = static_cast<std::uint32_t>(model.random());
      for (const unsigned mode : {kMinimal, kNonminimal, kAdaptive}) {
        q.mode = mode;
        model.seed(state);
        model.ask(q);
        a[mode] = model.answer(in);
      }
      const std::uint64_t via = a[kNonminimal].state >> 2;
      const auto via_router = static_cast<unsigned>(via & ((1U << router_bits) - 1));
      const unsigned hops_m = one_two ? 1 : ugal.minimal_hops(q.at, q.dst);
      const unsigned hops_n =
          one_two
              ? 2
              : ugal.nonminimal_hops(q.at, static_cast<unsigned>(via >> router_bits),
                                     to_router ? std::optional(via_router) : std::nullopt, q.dst);
      const unsigned more = q.count == 0 || ugal.own_link(q.at, q.dst) ? 0 : q.count - 1;
      const unsigned port_m = a[kMinimal].port, port_n = a[kNonminimal].port;
      const bool vcs = own_vcs && port_m == port_n;  // compared, not ports
      same_port += vcs;
      const unsigned queue_m = q.queues[port_m];
      const int estimate = static_cast<int>((vcs ? q.min_used[port_m] : queue_m) * (hops_m + more));
      const unsigned first_n = vcs ? q.non_used[port_n] : q.queues[port_n];
      const int queue_n = std::clamp(static_cast<int>(first_n) + q.learned, 0, longest);
      const int bias = modes ? bias_of(q, in, topology::Dragonfly(t.spec())) : q.bias;
      const bool minimal = estimate <= queue_n * static_cast<int>(hops_n) + bias;
      const RouteModel::Answer& expected = a[minimal ? kMinimal : kNonminimal];
      ++taken[minimal ? 0 : 1];
      ASSERT_EQ(a[kAdaptive].port, expected.port) << "trial " << trial << " input " << in;
      ASSERT_EQ(a[kAdaptive].state, expected.state) << "trial " << trial << " input " << in;
      ASSERT_EQ(a[kAdaptive].vcs, expected.vcs) << "trial " << trial << " input " << in;
      const std::uint64_t decision =
          1 | std::uint64_t{!minimal} << 1 | std::uint64_t{queue_m} << 2 |
          static_cast<std::uint64_t>(estimate) << (2 + s.queue_width) |
          std::uint64_t{q.count} << (2 + s.queue_width + estimate_width(s)) |
          std::uint64_t{static_cast<std::uint16_t>(q.learned)}
              << (2 + s.queue_width + estimate_width(s) + count_width(s));
      ASSERT_EQ(a[kAdaptive].decision, decision) << "trial " << trial << " input " << in;
    }
  }
  EXPECT_GT(taken[0], 500U);
  EXPECT_GT(taken[1], 500U);
  EXPECT_TRUE(!own_vcs || same_port > 50U) << same_port;
}

/// Those that choose between one minimal and one non-minimal path, with one link between two
/// groups.
std::vector<std::size_t> single_choices() {
  const auto all = all_dragonflies();
  std::vector<std::size_t> out;
  for (const std::size_t i : dragonfly_numbers(false)) {
    const bool chooses = all[i].yaml.find("algorithm: ugal") != std::string::npos ||
                         all[i].yaml.find("algorithm: par") != std::string::npos;
    if (chooses && all[i].yaml.find("candidates") == std::string::npos &&
        all[i].yaml.find("links_per_group_pair: 1,") != std::string::npos) {
      out.push_back(i);
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Emitted, DragonflyChoice, testing::ValuesIn(single_choices()),
                         dragonfly_name);

}  // namespace
}  // namespace hopwise::test
