// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "routing/algorithms.hpp"

namespace hopwise::routing {

std::unique_ptr<RoutingRelation> make_relation(const config::NetworkSpec& spec, const topology::Topology& topology) {
  switch (spec.routing.algorithm) {
    case config::Algorithm::kDor: return make_dor(spec, topology);
    case config::Algorithm::kStarChannel: return make_star_channel(spec, topology);
  }
  std::abort();  // every enumerator is handled above
}

}  // namespace hopwise::routing
