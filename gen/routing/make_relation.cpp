// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "routing/algorithms.hpp"

namespace hopwise::routing {

std::unique_ptr<RoutingRelation> make_relation(const spec::NetworkSpec& spec,
                                               const topology::Topology& topology) {
  switch (spec.routing.algorithm) {
    case spec::Algorithm::kDor: return make_dor(spec, topology);
    case spec::Algorithm::kStarChannel: return make_star_channel(spec, topology);
    case spec::Algorithm::kValiant: return make_valiant(spec, topology);
    case spec::Algorithm::kQRouting:
    case spec::Algorithm::kQAdaptive:
    case spec::Algorithm::kQPar:
    case spec::Algorithm::kDqn: return make_q_routing(spec, topology);
    case spec::Algorithm::kMin:
    case spec::Algorithm::kValg:
    case spec::Algorithm::kValn:
    case spec::Algorithm::kUgalLg:
    case spec::Algorithm::kUgalLn:
    case spec::Algorithm::kUgalGlobal:
    case spec::Algorithm::kPar:
    case spec::Algorithm::kDgb:
    case spec::Algorithm::kEdgb:
    case spec::Algorithm::kUgalLe: return make_dragonfly(spec, topology);
  }
  std::abort();  // every enumerator is handled above
}

}  // namespace hopwise::routing
