// SPDX-License-Identifier: Apache-2.0
// Fully adaptive minimal routing: any adaptive VC in any dimension left to correct, and the
// dimension-order channel as escape. Gravano, Pifarre, Berman & Sanz, "Adaptive deadlock- and
// livelock-free routing with all minimal paths in torus networks", IEEE Trans. Parallel and
// Distributed Systems, 1994; proof by Duato's condition.
#include "routing/star_channel/star_channel.hpp"

#include "routing/dor_bias.hpp"
#include "routing/grid.hpp"
#include "routing/modes.hpp"

namespace hopwise::routing::star_channel {
namespace {

class StarChannel final : public RoutingRelation {
 public:
  StarChannel(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : order_(topology),
        classes_(grid_vc_classes(spec, true)),
        escape_(spec, classes_),
        adaptive_(classes_.back().mask()) {}

  std::string name() const override { return "star_channel"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return false; }
  bool in_order() const override { return false; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    for (unsigned dim = 0; dim < order_.num_dims(); ++dim) {
      const Step& step = order_.step(dim, query.at, query.dst);
      if (!step.arrived) out.push({DimensionOrder::port(dim, step.plus), adaptive_, false, 0});
    }
    const auto hop = order_.next(query);
    if (!hop) return out.push(order_.ejection(query.dst));
    // The class depends on the place and the destination alone, so a packet may leave the escape
    // channels and come back to them anywhere.
    out.push({hop->port, escape_.mask(hop->step), true, 0});
  }
  void moves_in(spec::Mode mode, const Query& query, Moves& out) const override {
    moves(query, out);
    if (mode != spec::Mode::kInOrder) return;
    keep(out, [](const Move& move) { return move.escape; });
    for (Move& move : out) move.vcs = lowest(move.vcs);
  }

 private:
  DimensionOrder order_;
  std::vector<VcClass> classes_;
  ClassicDateline escape_;
  VcMask adaptive_;
};

constexpr std::array kVariants{
    Variant{"star_channel", "minimal and adaptive, with dimension order as its escape"}};
constexpr std::array kModes{spec::Mode::kAdaptive0, spec::Mode::kInOrder};

constexpr std::array kKeys{
    kModesKey,
    kDorBiasKey,
};

}  // namespace

constinit const Family kFamily{
    .name = "star_channel",
    .variants = kVariants,
    .keys = kKeys,
    .fits = [](const spec::TopologySpec& t, std::string_view) { return t.is_grid(); },
    .complete =
        [](Request& request) {
          if (!has_modes(request.settings())) request.settings().erase("modes");
        },
    .vc_classes = [](const spec::TopologySpec& t,
                     const spec::RoutingSpec&) { return grid_class_names(t, true); },
    .header =
        [](const spec::TopologySpec&, const spec::RoutingSpec& routing) {
          return topology::HeaderState{.modes = has_modes(routing.settings)};
        },
    .modes = [](const spec::RoutingSpec& routing) -> std::span<const spec::Mode> {
      if (has_modes(routing.settings)) return kModes;
      return {};
    },
    .relation = [](const spec::NetworkSpec& spec,
                   const topology::Topology& topology) -> std::unique_ptr<RoutingRelation> {
      return std::make_unique<StarChannel>(spec, topology);
    },
    .unit = unit,
};

}  // namespace hopwise::routing::star_channel
