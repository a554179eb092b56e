// SPDX-License-Identifier: Apache-2.0
// The emitted route computations of small dragonflies. They draw paths at random, so packets are
// followed through the whole network: every answer is a move of the relation, and in the end no
// move of the relation is missing.
#include "topology/dragonfly.hpp"
#include "dragonfly_model.hpp"

namespace hopwise::test {
namespace {

using routing::Move;
using Algorithm = std::string_view;

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
        relation_(model_.network.relation()),
        many_links_(topology_.has_groups() && several_links(topology_.spec())) {}

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

  /// Links are drawn at routers that choose no path, too.
  static bool several_links(const spec::TopologySpec& topology) {
    const topology::Dragonfly d(topology);
    return d.links_per_group_pair() > 1 || d.column_links() > 1;
  }
  static PortId port(unsigned p) { return PortId(static_cast<std::uint16_t>(p)); }
  static unsigned class_of(std::uint64_t state) { return static_cast<unsigned>(state & 3); }

  void to(TerminalId dst) {
    dst_ = dst;
    left_.clear();
    places_.clear();
    for (std::uint32_t r = 0; r < topology_.num_routers(); ++r) {
      // A terminal's packets are of class 0, on any VC that its network interface has chosen.
      for (unsigned p = topology_.network_ports(); p < topology_.num_ports(); ++p)
        enter({r, p, r % model_.shape.vcs, 0});
    }
    constexpr unsigned kRounds = 60;
    std::size_t done = 0;
    for (unsigned round = 0; round < kRounds && result_.wrong == 0; ++round) {
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (i >= done || class_of(std::get<3>(open_[i])) == 0 || many_links_) draw(open_[i]);
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
    const bool drawn = class_of(state) == 0 || many_links_;
    for (unsigned n = 0; n < (drawn ? 12U : 1U); ++n) {
      model_.ask({.at = RouterId{at},
                  .vc = vc,
                  .state = state,
                  .dst = dst_,
                  .mode = static_cast<unsigned>(model_.random() % 3),
                  .queues = model_.random_queues(),
                  .min_used = model_.random_queues(),
                  .non_used = model_.random_queues()});
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
    return fmt::format("port {} VCs {:b} class {}", topology_.port_name(RouterId{0}, m.out_port),
                       m.vcs, m.next_class);
  }
  std::string text(const Place& place) const {
    const auto& [at, in, vc, state] = place;
    return fmt::format("router {} input {} VC {} state {:#x} to terminal {}",
                       topology_.name(RouterId{at}), topology_.port_name(RouterId{0}, port(in)), vc,
                       state, index(dst_));
  }

  // marks places of the relation in places_
  static constexpr std::uint64_t kRelation = std::uint64_t{1} << 32;
  RouteModel model_;
  const topology::Topology& topology_;
  const routing::RoutingRelation& relation_;
  const bool many_links_;
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

/// Heads have no modes: those that have are asked in each of them by `hopwise verify`, whose tests
/// have the label modes, and by dragonfly_modes_test.cpp.
std::vector<std::size_t> without_modes() {
  std::vector<std::size_t> numbers = dragonfly_numbers(false);
  std::erase_if(numbers, [all = all_dragonflies()](std::size_t n) {
    return all[n].yaml.find("modes: true") != std::string::npos;
  });
  return numbers;
}

INSTANTIATE_TEST_SUITE_P(Emitted, DragonflyRouteCompute, testing::ValuesIn(without_modes()),
                         dragonfly_name);
INSTANTIATE_TEST_SUITE_P(Emitted, FaultyDragonfly, testing::ValuesIn(dragonfly_numbers(true)),
                         dragonfly_name);
}  // namespace
}  // namespace hopwise::test
