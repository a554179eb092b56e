// SPDX-License-Identifier: Apache-2.0
// What the families share whose packets take the output VC with the most space, and dimension order
// unless another port is clearly more free.
#pragma once

#include <algorithm>

#include "routing/unit.hpp"
#include "spec/key.hpp"

namespace hopwise::routing {

/// `routing.dor_bias_flits`.
inline constexpr spec::Key kDorBiasKey{
    .path = "dor_bias_flits",
    .type = spec::KeyType::kInteger,
    .range = {0, 4096},
    .default_words = "half the deepest VC",
    .doc =
        "Of routings whose packets take the port with the most space: flits by which another "
        "direction must have more before a packet leaves the dimension-order direction."};

/// DorBias of hw_router: at most what a decision's space can say.
inline Parameter dor_bias(const UnitContext& c) {
  const spec::Settings& settings = c.spec.routing.settings;
  const auto& depths = c.spec.router.vc_depth_flits;
  const unsigned flits = settings.has("dor_bias_flits") ? settings.number("dor_bias_flits")
                                                        : *std::ranges::max_element(depths) / 2;
  return {"DorBias", std::uint64_t{std::min(flits, (1U << c.space_width()) - 1)}};
}

}  // namespace hopwise::routing
