// SPDX-License-Identifier: Apache-2.0
// A variant of UGAL with another estimate of a queue: up to `near_flits` count as none, so that
// packets leave the minimal path when they must, and not when they might.
#include "hopwise/extension.hpp"

#include <algorithm>
#include <array>

#include "routing/ugal/ugal.hpp"

namespace {

using namespace hopwise;
using namespace hopwise::routing;

/// In all but the estimate it is the built-in variant through a router.
spec::RoutingSpec as_ugal(spec::RoutingSpec routing) {
  routing.algorithm = "ugal_ln";
  return routing;
}
spec::NetworkSpec as_ugal(spec::NetworkSpec network) {
  network.routing = as_ugal(network.routing);
  return network;
}

std::span<const spec::Key> keys() {
  static const std::vector<spec::Key> all = [] {
    std::vector<spec::Key> list(ugal::kFamily.keys.begin(), ugal::kFamily.keys.end());
    // Its computation has no part that reads modes of packets, nor one that sees what VCs hold.
    std::erase_if(list, [](const spec::Key& key) {
      return key.path == "modes" || key.path == "minimal_vcs";
    });
    list.push_back({.path = "near_flits",
                    .type = spec::KeyType::kInteger,
                    .range = {0, 255},
                    .default_yaml = "4",
                    .doc = "`my_ugal`: a queue of so many flits counts as none."});
    return list;
  }();
  return all;
}

Unit unit(const UnitContext& c) {
  const spec::NetworkSpec spec = as_ugal(c.spec);
  Unit u = ugal::unit({spec, c.topology, c.format, c.escape0, c.escape1, c.adaptive_vcs, c.shape});
  u.one_port = "my_ugal_route";
  u.one_port_cycles = ugal::settings(spec.routing).route_cycles;
  u.table_words = 0;  // no counters
  u.parameters.push_back(
      {"NearFlits", std::uint64_t{c.spec.routing.settings.number("near_flits")}});
  return u;
}

constexpr std::array kVariants{Variant{"my_ugal", "UGAL that does not see short queues"}};

const Family kFamily{
    .name = "my_ugal",
    .variants = kVariants,
    .keys = keys(),
    .fits = ugal::kFamily.fits,
    .complete =
        [](Request& request) {
          std::string name = std::exchange(request.network.routing.algorithm, "ugal_ln");
          ugal::kFamily.complete(request);
          request.network.routing.algorithm = std::move(name);
        },
    .vc_classes = [](const auto& t,
                     const auto& r) { return ugal::kFamily.vc_classes(t, as_ugal(r)); },
    .header = [](const auto& t, const auto& r) { return ugal::kFamily.header(t, as_ugal(r)); },
    .relation = [](const auto& n, const auto& t) { return ugal::kFamily.relation(as_ugal(n), t); },
    .route_cycles = [](const auto& r) { return ugal::kFamily.route_cycles(as_ugal(r)); },
    .unit = unit};

const std::array kFamilies{&kFamily};

}  // namespace

HOPWISE_EXTENSION(.families = kFamilies)
