// SPDX-License-Identifier: Apache-2.0
// What the host computes in place of modules that no hardware has: a function for each, under the
// module's name, whose argument has the module's parameters and pins in the order of their names.
// Outputs change in the lanes that are `active` alone. Compiled into every model.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/lanes/lane_word.hpp"
#include "model/router_bank.hpp"

namespace hopwise::lanes {

class Host {
 public:
  /// nullptr: there is none, and the queues of this lane are 0.
  void set_oracle(unsigned lane, const model::QueueOracle* oracle) {
    oracles_[lane] = oracle;
    set_lane(has_oracle_, lane, oracle != nullptr);
  }

  /// rtl/simulation/hw_sim_global_queues.sv
  struct GlobalQueues {
    std::uint32_t NumRouters, NumberBits, RouterBits, Width;
    const Word *from_i, *link_i;
    Word* queue_o;
    const Word *stamp_i, *to_i, *valid_i, *via_i;
  };
  void hw_sim_global_queues(const GlobalQueues& m, const Word& active) const {
    constexpr unsigned kLinkBits = 8;
    constexpr std::size_t kRouterPlanes = 3 * 64;
    for (unsigned k = 0; k < kGroups; ++k) {
      const std::uint64_t lanes = group(active, k),
                          asking = group(*m.valid_i, k) & group(has_oracle_, k) & lanes;
      Word answers[32] = {};
      if (asking != 0) {
        std::uint8_t from[kRouterPlanes], via[kRouterPlanes], to[kRouterPlanes], link[64];
        std::uint8_t queue[4 * 64] = {};
        to_planes(m.from_i, m.RouterBits, k, from);
        to_planes(m.via_i, m.RouterBits, k, via);
        to_planes(m.to_i, m.RouterBits, k, to);
        to_planes(m.link_i, kLinkBits, k, link);
        for_lanes(asking, [&](unsigned l) {
          const auto router = [&](const std::uint8_t* planes) {
            const auto bits = static_cast<std::uint32_t>(in_planes(planes, m.RouterBits, l));
            return (bits >> m.NumberBits) * m.NumRouters + bits % (1u << m.NumberBits);
          };
          into_planes(
              queue, m.Width, l,
              oracles_[64 * k + l]->path_queue(router(from), router(via), router(to), link[l]));
        });
        from_planes(queue, m.Width, k, answers);
      }
      for (unsigned i = 0; i < m.Width; ++i)
        set_group(m.queue_o[i], k, (group(m.queue_o[i], k) & ~lanes) | group(answers[i], k));
    }
  }

 private:
  const model::QueueOracle* oracles_[kLanes] = {};
  Word has_oracle_{};  // in these lanes
};

}  // namespace hopwise::lanes
