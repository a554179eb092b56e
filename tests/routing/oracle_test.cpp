// SPDX-License-Identifier: Apache-2.0
// The relations against an oracle that finds every way by walking it.
#include <gtest/gtest.h>

#include "routing/dor/dor.hpp"
#include "small_networks.hpp"

namespace hopwise::test {
namespace {

using routing::Move;
using routing::Moves;
using routing::Query;

/// Answers for one network, straight from the definitions.
class Oracle {
 public:
  explicit Oracle(const SmallNetwork& n)
      : spec_(n.spec.network), topology_(*n.topology), torus_(spec_.topology.has_wraparound()) {}

  std::vector<Move> moves(const Query& q) const {
    if (topology_.router_of(q.dst) == q.at) return {{topology_.port_of(q.dst), 1, true, 0}};
    std::vector<Move> result;
    std::vector<unsigned> open;
    for (unsigned d = 0; d < topology_.num_dims(); ++d) {
      if (here(q, d) != there(q, d)) open.push_back(d);
    }
    const bool star = spec_.routing.algorithm == "star_channel";
    for (unsigned d : open) {
      if (star) result.push_back({port(d, goes_plus(q, d)), class_mask(torus_ ? 2 : 1), false, 0});
    }
    const bool balanced = torus_ && !star && routing::dor::balanced(spec_.routing);
    const unsigned d = open.front();
    result.push_back(
        {port(d, goes_plus(q, d)), balanced ? balanced_mask(q, d) : classic_mask(q, d), true, 0});
    return result;
  }

 private:
  unsigned here(const Query& q, unsigned d) const { return topology_.coordinate(q.at, d); }
  unsigned there(const Query& q, unsigned d) const {
    return topology_.coordinate(topology_.router_of(q.dst), d);
  }
  unsigned size(unsigned d) const { return topology_.dims()[d]; }
  static PortId port(unsigned d, bool plus) {
    return PortId(static_cast<std::uint16_t>(plus ? 2 * d : 2 * d + 1));
  }

  VcMask class_mask(std::size_t c) const {
    VcMask mask = 0;
    unsigned vc = 0;
    for (std::size_t i = 0; i <= c; ++i) {
      for (unsigned n = 0; n < spec_.routing.vcs_per_class[i]; ++n, ++vc) {
        if (i == c) mask |= VcMask{1} << vc;
      }
    }
    return mask;
  }

  /// Steps from here to there in one direction, and whether the wraparound channel is among them;
  /// -1 over a mesh's border.
  struct Way {
    int steps = 0;
    bool wraps = false;
  };
  Way walk(const Query& q, unsigned d, bool plus) const {
    Way way;
    for (unsigned c = here(q, d); c != there(q, d); ++way.steps) {
      const bool border = plus ? c + 1 == size(d) : c == 0;
      if (border && !torus_) return {-1, false};
      way.wraps |= border;
      c = border ? (plus ? 0 : size(d) - 1) : (plus ? c + 1 : c - 1);
    }
    return way;
  }

  bool goes_plus(const Query& q, unsigned d) const {
    const int plus = walk(q, d, true).steps, minus = walk(q, d, false).steps;
    if (plus < 0 || minus < 0) return plus > 0;
    return plus == minus ? here(q, d) % 2 == 0 : plus < minus;
  }

  VcMask classic_mask(const Query& q, unsigned d) const {
    return class_mask(torus_ && !walk(q, d, goes_plus(q, d)).wraps ? 1 : 0);
  }

  VcMask balanced_mask(const Query& q, unsigned d) const {
    const bool plus = goes_plus(q, d);
    if (walk(q, d, plus).wraps) return class_mask(0);
    const auto in = topology_.in_channel(q.at, q.in_port);
    if (!in) return class_mask(0) | class_mask(1);
    const topology::Channel& c = topology_.channel(*in);
    if (c.link_class != d || c.plus != plus) return class_mask(0) | class_mask(1);
    const bool came_on_escape1 = (class_mask(1) & VcMask{1} << index(q.in_vc)) != 0;
    return came_on_escape1 || c.wraparound ? class_mask(1) : class_mask(0) | class_mask(1);
  }

  const spec::NetworkSpec& spec_;
  const topology::Topology& topology_;
  bool torus_;
};

std::string text(const Move& m) {
  return std::to_string(index(m.out_port)) + "/" + std::to_string(m.vcs) + (m.escape ? "e" : "a") +
         std::to_string(m.next_class);
}

template <class List>
std::string text_of_all(const List& moves) {
  std::string all;
  for (const Move& m : moves) all += text(m) + " ";
  return all;
}

void expect_oracle(const SmallNetwork& n) {
  const Oracle oracle(n);
  Moves moves;
  for (std::uint32_t at = 0; at < n.topology->num_routers(); ++at) {
    for (std::uint16_t port = 0; port < n.topology->num_ports(); ++port) {
      for (std::uint8_t vc = 0; vc < n.spec.network.router.vcs; ++vc) {
        for (std::uint32_t dst = 0; dst < n.topology->num_terminals(); ++dst) {
          const Query q{RouterId{at}, PortId{port}, VcId{vc}, 0, TerminalId{dst}};
          n.relation->moves(q, moves);
          ASSERT_EQ(text_of_all(moves), text_of_all(oracle.moves(q)))
              << "at " << at << " port " << port << " vc " << int{vc} << " to " << dst;
        }
      }
    }
  }
}

TEST(Relations, AnswerEveryQueryAsTheOracleDoes) {
  for (const Shape& shape : small_shapes()) {
    for (Routing routing : kRoutings) {
      SCOPED_TRACE(name(shape) + ", " + name(routing));
      expect_oracle(SmallNetwork(small_spec(shape.kind, shape.dims, routing)));
      expect_oracle(SmallNetwork(small_spec(shape.kind, shape.dims, routing, 2, 3)));
    }
  }
}

TEST(Relations, ClassesOfDifferentSizesKeepTheirVcsApart) {
  spec::Spec spec = small_spec(Grid::kTorus, {4, 5}, Routing::kStarChannel);
  spec.network.routing.vcs_per_class = {2, 1, 3};
  spec.network.router.vcs = 6;
  expect_oracle(SmallNetwork(spec));
}

}  // namespace
}  // namespace hopwise::test
