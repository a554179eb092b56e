// SPDX-License-Identifier: Apache-2.0
// Up*/down* routing on a fat tree (Schroeder et al., Autonet, 1991): up to any spine router, down
// to the leaf of the destination. No packet goes up after it went down, so that no dependencies
// close a cycle: any VC will do.
#include "fat_tree.hpp"

#include <array>

namespace {

using namespace hopwise;
using namespace hopwise::routing;

class UpDown final : public RoutingRelation {
 public:
  UpDown(const spec::NetworkSpec& spec, const topology::Topology& topology)
      : topology_(topology),
        leaves_(fat_tree::leaves(spec.topology)),
        spines_(fat_tree::spines(spec.topology)),
        classes_(with_counts({{"any", true}}, spec.routing.vcs_per_class)) {}

  std::string name() const override { return "updown"; }
  const std::vector<VcClass>& vc_classes() const override { return classes_; }
  bool acyclic() const override { return true; }
  bool in_order() const override { return false; }

  void moves(const Query& query, Moves& out) const override {
    out.clear();
    const auto to = static_cast<std::uint16_t>(index(topology_.router_of(query.dst)));
    if (query.at == topology_.router_of(query.dst)) {
      out.push({topology_.port_of(query.dst), VcMask{1}, true, 0});
    } else if (index(query.at) >= leaves_) {
      out.push({PortId{to}, classes_[0].mask(), true, 0});
    } else {
      for (std::uint16_t spine = 0; spine < spines_; ++spine)
        out.push({PortId{spine}, classes_[0].mask(), true, 0});
    }
  }

 private:
  const topology::Topology& topology_;
  unsigned leaves_, spines_;
  std::vector<VcClass> classes_;
};

Unit unit(const UnitContext& c) {
  Unit u;
  u.late_ports.assign(c.router().num_ports(), false);  // the head says all
  u.module = "updown_unit";
  u.one_port = "updown_route";
  u.candidates = fat_tree::spines(c.spec.topology);  // of them, the one with the most space
  u.parameters = {{"NumLeaves", std::uint64_t{fat_tree::leaves(c.spec.topology)}},
                  {"DstLsb", std::uint64_t{c.format.dst_coord[0].lsb}},
                  {"SlotLsb", std::uint64_t{c.format.dst_slot.lsb}},
                  {"SlotBits", std::uint64_t{c.format.dst_slot.width}}};
  return u;
}

constexpr std::array kVariants{Variant{"updown", "up to any spine router, down to the leaf"}};

constexpr Family kFamily{
    .name = "updown",
    .variants = kVariants,
    .fits = [](const spec::TopologySpec& t, std::string_view) { return fat_tree::is_fat_tree(t); },
    .vc_classes =
        [](const spec::TopologySpec&, const spec::RoutingSpec&) {
          return std::vector<VcClass>{{"any", true}};
        },
    .relation = [](const spec::NetworkSpec& spec, const topology::Topology& topology)
        -> std::unique_ptr<RoutingRelation> { return std::make_unique<UpDown>(spec, topology); },
    .unit = unit};

constexpr std::array kKinds{&fat_tree::kKind};
constexpr std::array kFamilies{&kFamily};

}  // namespace

HOPWISE_EXTENSION(.kinds = kKinds, .families = kFamilies)
