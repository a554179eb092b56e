// SPDX-License-Identifier: Apache-2.0
// The emitted route computations of small dragonflies. They draw paths at random, so packets are
// followed through the whole network: every answer is a move of the relation, and in the end no
// move of the relation is missing. The choice between minimal and non-minimal paths is compared
// with the rule of UGAL, written down from the links of the network.
#include <algorithm>
#include <map>
#include <set>

#include "../rtl_common/bench.hpp"
#include "Vdragonfly_variants.h"
#include "dragonfly_variants.hpp"
#include "routing/ugal/ugal.hpp"

namespace hopwise::test {
namespace {

using routing::Move;
using Algorithm = std::string_view;

constexpr unsigned kAdaptive = 0, kMinimal = 1, kNonminimal = 2;  // modes of configuration word 0

/// One variant's route computations.
class RouteModel {
 public:
  explicit RouteModel(std::size_t number)
      : network(prove_variant(all_dragonflies()[number])),
        shape(emit::router_shape(network)),
        words_((all_dragonflies().size() + 31) / 32),
        bit_(words_) {
    set_bits(bit_, static_cast<unsigned>(number), 1, 1);
    model_->rst_ni = 0;
    raise(model_->ask_i, false);
    model_->number_i = static_cast<std::uint32_t>(number);
    model_->eval();
    model_->rst_ni = 1;
    model_->eval();
    seed(0x1234567 + static_cast<std::uint32_t>(number));
  }
  ~RouteModel() { model_->final(); }
  RouteModel(const RouteModel&) = delete;
  RouteModel& operator=(const RouteModel&) = delete;

  struct Request {
    RouterId at{};
    unsigned vc = 0;
    /// routing state of the head flit: class, via router, via group
    std::uint64_t state = 0;
    TerminalId dst{};
    unsigned mode = kAdaptive;
    int bias = 0;
    std::vector<unsigned> queues = {};  ///< per port; empty: all 0
    unsigned count = 0;                 ///< contention factor
    std::int16_t learned = 0;           ///< learned bias
  };
  struct Answer {
    unsigned port = 0;
    VcMask vcs = 0;
    std::uint64_t state = 0, decision = 0;
    bool valid = false;
    unsigned vc = 0;
  };

  void seed(std::uint32_t value) {
    Words cfg(kDragonflyCfg);
    cfg[0] = emit::kLoadSeed;
    cfg[1] = value;
    write_port(model_->cfg_i, cfg);
    raise(model_->ask_i, true);
    clock();
  }

  /// The request at all input ports, from now on.
  void ask(const Request& q) {
    Words cfg(kDragonflyCfg);
    cfg[0] = q.mode;
    cfg[2] = static_cast<std::uint32_t>(q.bias) & 0xffff;
    write_port(model_->cfg_i, cfg);
    const auto& t = network.topology();
    model_->coord_i = static_cast<std::uint32_t>(emit::coordinate_value(shape, t, q.at));
    model_->vc_i = static_cast<std::uint8_t>(q.vc);
    Words header(kDragonflyHeader / 32);
    // fields that routing does not read
    for (auto& word : header) word = static_cast<std::uint32_t>(random());
    for (unsigned d = 0; d < 2; ++d) {
      set_bits(header, shape.format.dst_coord[d].lsb, shape.format.dst_coord[d].width,
               t.coordinate(t.router_of(q.dst), d));
    }
    set_bits(header, shape.format.dst_slot.lsb, shape.format.dst_slot.width, t.slot_of(q.dst));
    if (shape.state_bits() > 0)
      set_bits(header, shape.format.routing_class.lsb, shape.state_bits(), q.state);
    write_port(model_->bits_i, header);
    Words queues((kDragonflyQueueBits + 31) / 32);
    for (unsigned p = 0; p < q.queues.size(); ++p)
      set_bits(queues, p * shape.queue_width, shape.queue_width, q.queues[p]);
    write_port(model_->queue_i, queues);
    Words counts((kDragonflyCountBits + 31) / 32);
    for (unsigned p = 0; p < shape.ports; ++p)
      set_bits(counts, p * count_width(shape), count_width(shape), q.count);
    write_port(model_->count_i, counts);
    model_->bias_i = static_cast<std::uint16_t>(q.learned);
    raise(model_->ask_i, true);
    for (unsigned cycle = 0; cycle < network.family().route_cycles(network.spec().network.routing);
         ++cycle) {
      clock();
      if (cycle == 0) ask_something_else();
    }
    raise(model_->ask_i, false);
    valid_ = read_port(model_->valid_o, kDragonflyBits[0]);
    read();
  }
  /// The next draw for the same request.
  void clock() {
    raise(model_->ask_i, false);
    raise(model_->clk_i, true);
    raise(model_->clk_i, false);
    read();
  }
  Answer answer(unsigned p) const {
    Answer a;
    a.valid = get_bits(valid_, p, 1) != 0;
    a.vc = static_cast<unsigned>(get_bits(vc_, p * shape.vc_width(), shape.vc_width()));
    a.port = static_cast<unsigned>(get_bits(port_, p * shape.port_width(), shape.port_width()));
    a.vcs = static_cast<VcMask>(get_bits(vcs_, p * shape.vcs, shape.vcs));
    a.state = get_bits(state_, p * shape.state_width(), shape.state_width());
    a.decision = get_bits(decision_, p * decision_width(shape), decision_width(shape));
    return a;
  }
  std::vector<unsigned> random_queues() {
    std::vector<unsigned> queues(shape.ports);
    for (auto& q : queues) q = static_cast<unsigned>(random() % (1U << shape.queue_width));
    return queues;
  }

  deadlock::ProvenNetwork network;
  emit::RouterShape shape;
  std::mt19937_64 random{1};

 private:
  template <class Port>
  void raise(Port& port, bool value) {
    write_port(port, value ? bit_ : words_);
    model_->eval();
  }
  /// What comes after a question must not show in its answer; queues, which are read late, stay.
  void ask_something_else() {
    const auto words = [&](unsigned bits) {
      Words out((bits + 31) / 32);
      for (auto& word : out) word = static_cast<std::uint32_t>(random());
      return out;
    };
    write_port(model_->bits_i, words(kDragonflyHeader));
    write_port(model_->count_i, words(kDragonflyCountBits));
    model_->vc_i = static_cast<std::uint8_t>(random() % shape.vcs);
    model_->bias_i = static_cast<std::uint16_t>(random());
    raise(model_->ask_i, false);
    raise(model_->ask_i, true);
  }
  void read() {
    vc_ = read_port(model_->vc_o, kDragonflyBits[1]);
    port_ = read_port(model_->port_o, kDragonflyBits[2]);
    vcs_ = read_port(model_->vcs_o, kDragonflyBits[3]);
    state_ = read_port(model_->state_o, kDragonflyBits[4]);
    decision_ = read_port(model_->decision_o, kDragonflyBits[5]);
  }

  VerilatedContext context_;
  std::unique_ptr<Vdragonfly_variants> model_ = std::make_unique<Vdragonfly_variants>(&context_);
  Words words_, bit_;  // nothing raised; this variant's bit
  Words valid_, vc_, port_, vcs_, state_, decision_;
};

struct Result {
  std::uint64_t states = 0, moves = 0, answers = 0, wrong = 0, missing = 0;
  std::string first;  ///< the first difference
  bool ok() const { return wrong + missing == 0; }
};

/// Follows packets to some destinations through all that the route computations answer.
class Follower {
 public:
  explicit Follower(std::size_t number)
      : model_(number),
        topology_(model_.network.topology()),
        relation_(model_.network.relation()) {}

  Result run() {
    const auto routers = static_cast<std::uint32_t>(topology_.num_routers());
    constexpr std::uint32_t kAll = 20, kSome = 5;
    for (std::uint32_t n = 0; n < std::min(routers, routers <= kAll ? routers : kSome); ++n) {
      const std::uint32_t router =
          routers <= kAll ? n : static_cast<std::uint32_t>(model_.random() % routers);
      for (unsigned slot = 0; slot < topology_.terminals_per_router(); ++slot) {
        to(TerminalId{router * topology_.terminals_per_router() + slot});
        if (result_.wrong > 0) return result_;
      }
    }
    return result_;
  }

 private:
  /// What stands where: input port and VC of a router, with the class (to the relation) or the
  /// whole state (to the RTL).
  using Place = std::tuple<std::uint32_t, unsigned, unsigned, std::uint64_t>;

  static PortId port(unsigned p) { return PortId(static_cast<std::uint16_t>(p)); }
  static unsigned class_of(std::uint64_t state) { return static_cast<unsigned>(state & 3); }

  void to(TerminalId dst) {
    dst_ = dst;
    left_.clear();
    places_.clear();
    const bool many_links = topology_.dragonfly().links_per_group_pair() > 1;
    for (std::uint32_t r = 0; r < topology_.num_routers(); ++r) {
      // A terminal's packets are of class 0, on any VC that its network interface has chosen.
      for (unsigned p = topology_.network_ports(); p < topology_.num_ports(); ++p)
        enter({r, p, r % model_.shape.vcs, 0});
    }
    constexpr unsigned kRounds = 60;
    std::size_t done = 0;
    for (unsigned round = 0; round < kRounds && result_.wrong == 0; ++round) {
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (i >= done || class_of(std::get<3>(open_[i])) == 0 || many_links) draw(open_[i]);
      }
      done = open_.size();
      if (left_.empty()) break;
    }
    for (const auto& [place, moves] : left_) {
      for (const Move& m : moves) {
        ++result_.missing;
        if (result_.first.empty()) result_.first = text(place) + ": never " + text(m);
      }
    }
    open_.clear();
  }

  void enter(const Place& place) {
    if (!places_.insert(place).second) return;
    open_.push_back(place);
    const auto& [at, in, vc, state] = place;
    const Place relation_place{at, in, vc, class_of(state)};
    if (places_.count({at, in, vc, kRelation | class_of(state)}) != 0) return;
    places_.insert({at, in, vc, kRelation | class_of(state)});
    ++result_.states;
    routing::Moves moves;
    relation_.moves(
        {RouterId{at}, port(in), VcId(static_cast<std::uint8_t>(vc)), class_of(state), dst_},
        moves);
    result_.moves += moves.size();
    left_[relation_place].assign(moves.begin(), moves.end());
  }

  /// Asks about one place, with several draws where draws make a difference.
  void draw(const Place place) {  // by value: open_ grows
    const auto& [at, in, vc, state] = place;
    const bool drawn = class_of(state) == 0 || topology_.dragonfly().links_per_group_pair() > 1;
    for (unsigned n = 0; n < (drawn ? 12U : 1U); ++n) {
      model_.ask({RouterId{at}, vc, state, dst_, static_cast<unsigned>(model_.random() % 3), 0,
                  model_.random_queues(), 0, 0});
      check(place, model_.answer(in));
      if (drawn) model_.clock();
    }
  }

  void check(const Place& place, const RouteModel::Answer& a) {
    const auto& [at, in, vc, state] = place;
    ++result_.answers;
    Move move{port(a.port), a.vcs, true, static_cast<std::uint8_t>(class_of(a.state))};
    const bool ejects = a.port >= topology_.network_ports();
    if (ejects) move.next_class = 0;  // means nothing any more
    routing::Moves moves;
    relation_.moves(
        {RouterId{at}, port(in), VcId(static_cast<std::uint8_t>(vc)), class_of(state), dst_},
        moves);
    if (!a.valid || a.vc != vc || !moves.has(move)) {
      if (result_.wrong++ > 0) return;
      result_.first = text(place) + ": " + text(move) + "; allowed:";
      for (const Move& m : moves) result_.first += " " + text(m);
      return;
    }
    const auto left = left_.find({at, in, vc, class_of(state)});
    if (left != left_.end()) {
      std::erase(left->second, move);
      if (left->second.empty()) left_.erase(left);
    }
    if (ejects) return;
    const topology::Channel& c =
        topology_.channel(*topology_.out_channel(RouterId{at}, port(a.port)));
    for (unsigned v = 0; v < model_.shape.vcs; ++v) {
      const std::uint64_t next = model_.shape.state_bits() == 0 ? 0 : a.state;
      if ((a.vcs >> v & 1) != 0)
        enter({static_cast<std::uint32_t>(index(c.dst)), static_cast<unsigned>(index(c.dst_port)),
               v, next});
    }
  }

  std::string text(const Move& m) const {
    return fmt::format("port {} VCs {:b} class {}", topology_.port_name(m.out_port), m.vcs,
                       m.next_class);
  }
  std::string text(const Place& place) const {
    const auto& [at, in, vc, state] = place;
    return fmt::format("router {} input {} VC {} state {:#x} to terminal {}",
                       topology_.name(RouterId{at}), topology_.port_name(port(in)), vc, state,
                       index(dst_));
  }

  // marks places of the relation in places_
  static constexpr std::uint64_t kRelation = std::uint64_t{1} << 32;
  RouteModel model_;
  const topology::Topology& topology_;
  const routing::RoutingRelation& relation_;
  TerminalId dst_{};
  std::vector<Place> open_;  // of the RTL, in the order of discovery
  std::set<Place> places_;
  // moves of the relation that the RTL has not made yet
  std::map<Place, std::vector<Move>> left_;
  Result result_;
};

class DragonflyRouteCompute : public testing::TestWithParam<std::size_t> {};

TEST_P(DragonflyRouteCompute, MakesMovesOfTheRelationOnlyAndInTimeAllOfThem) {
  const Result result = Follower(GetParam()).run();
  EXPECT_EQ(result.wrong, 0U) << result.first;
  EXPECT_EQ(result.missing, 0U) << result.first;
  RecordProperty("states", std::to_string(result.states));
  fmt::print("{} states, {} moves, {} answers\n", result.states, result.moves, result.answers);
}

class FaultyDragonfly : public testing::TestWithParam<std::size_t> {};

TEST_P(FaultyDragonfly, IsCaught) { EXPECT_FALSE(Follower(GetParam()).run().ok()); }

/// The rule of UGAL over the links of the network.
class Ugal {
 public:
  explicit Ugal(const topology::Topology& topology) : t_(topology) {
    for (const auto& c : t_.channels()) {
      if (c.kind == topology::ChannelKind::kGlobal) links_[{group(c.src), group(c.dst)}] = c;
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

class DragonflyChoice : public testing::TestWithParam<std::size_t> {};

TEST_P(DragonflyChoice, WeighsQueuesByHopsAsUgalDoes) {
  RouteModel model(GetParam());
  const spec::NetworkSpec& spec = model.network.spec().network;
  const auto& t = model.network.topology();
  const emit::RouterShape& s = model.shape;
  const Ugal ugal(t);
  const bool to_router = spec.routing.algorithm != "ugal_lg";
  const bool one_two =
      routing::ugal::settings(spec.routing).hop_metric == routing::ugal::HopMetric::kOneTwo;
  const unsigned router_bits = s.format.via_coord[0].width;
  std::uint64_t taken[2] = {0, 0};
  for (unsigned trial = 0; trial < 3000; ++trial) {
    RouteModel::Request q;
    q.at = RouterId{static_cast<std::uint32_t>(model.random() % t.num_routers())};
    q.dst = TerminalId{static_cast<std::uint32_t>(model.random() % t.num_terminals())};
    if (ugal.group(q.at) == ugal.group(t.router_of(q.dst))) continue;
    q.queues = model.random_queues();
    if (model.random() % 2 == 0) {
      for (auto& length : q.queues) length %= 4;  // ties are frequent
    }
    q.bias = model.random() % 2 == 0 ? 0 : static_cast<int>(model.random() % 200) - 100;
    if (count_width(s) > 1)
      q.count =
          static_cast<unsigned>(model.random() % (spec.topology.dragonfly.routers_per_group + 1));
    q.learned = static_cast<std::int16_t>(model.random() % 3 == 0 ? model.random() % 400 : 0);
    if (model.random() % 2 == 0) q.learned = static_cast<std::int16_t>(-q.learned / 8);
    const int longest = (1 << (s.queue_width + 2)) - 1;
    for (unsigned in = 0; in < t.num_ports(); ++in) {
      const bool local = in < t.dragonfly().local_ports();
      if (!t.is_terminal_port(PortId(static_cast<std::uint16_t>(in))) &&
          !(local && routing::ugal::settings(spec.routing).reconsider))
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
      const unsigned queue_m = q.queues[a[kMinimal].port];
      const int estimate = static_cast<int>(queue_m * (hops_m + more));
      const int queue_n =
          std::clamp(static_cast<int>(q.queues[a[kNonminimal].port]) + q.learned, 0, longest);
      const bool minimal = estimate <= queue_n * static_cast<int>(hops_n) + q.bias;
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
}

std::vector<std::size_t> numbers(bool faulty) {
  const auto all = all_dragonflies();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<bool>(all[i].fault) == faulty) out.push_back(i);
  }
  return out;
}

/// Those that choose between one minimal and one non-minimal path, with one link between two
/// groups.
std::vector<std::size_t> single_choices() {
  const auto all = all_dragonflies();
  std::vector<std::size_t> out;
  for (const std::size_t i : numbers(false)) {
    const bool chooses = all[i].yaml.find("algorithm: ugal") != std::string::npos ||
                         all[i].yaml.find("algorithm: par") != std::string::npos;
    if (chooses && all[i].yaml.find("candidates") == std::string::npos &&
        all[i].yaml.find("links_per_group_pair: 1,") != std::string::npos) {
      out.push_back(i);
    }
  }
  return out;
}

std::string variant_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_dragonflies()[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(Emitted, DragonflyRouteCompute, testing::ValuesIn(numbers(false)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, FaultyDragonfly, testing::ValuesIn(numbers(true)), variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, DragonflyChoice, testing::ValuesIn(single_choices()),
                         variant_name);

}  // namespace
}  // namespace hopwise::test
