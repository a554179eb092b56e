// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "routing/algorithms.hpp"

namespace hopwise::routing {

std::unique_ptr<RoutingRelation> make_relation(const config::NetworkSpec& spec,
                                               const topology::Topology& topology) {
  switch (spec.routing.algorithm) {
    case config::Algorithm::kDor: return make_dor(spec, topology);
    case config::Algorithm::kStarChannel: return make_star_channel(spec, topology);
    case config::Algorithm::kValiant: return make_valiant(spec, topology);
    case config::Algorithm::kQRouting:
    case config::Algorithm::kQAdaptive:
    case config::Algorithm::kQPar:
    case config::Algorithm::kDqn: return make_q_routing(spec, topology);
    case config::Algorithm::kMin:
    case config::Algorithm::kValg:
    case config::Algorithm::kValn:
    case config::Algorithm::kUgalLg:
    case config::Algorithm::kUgalLn:
    case config::Algorithm::kUgalGlobal:
    case config::Algorithm::kPar:
    case config::Algorithm::kDgb:
    case config::Algorithm::kEdgb:
    case config::Algorithm::kUgalLe: return make_dragonfly(spec, topology);
  }
  std::abort();  // every enumerator is handled above
}

}  // namespace hopwise::routing
