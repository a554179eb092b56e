// SPDX-License-Identifier: Apache-2.0
#include "engine/global_queues.hpp"

namespace hopwise::engine {

GlobalQueues::GlobalQueues(const topology::Topology& topology)
    : topology_(topology), ports_(topology.num_ports()) {
  for (auto& side : sides_) side.assign(topology.num_routers() * ports_, 0);
}

unsigned GlobalQueues::path_queue(unsigned from, unsigned via, unsigned to, unsigned link) const {
  unsigned sum = 0;
  unsigned at = from;
  for (const unsigned target : {via, to}) {
    while (at != target) {
      const unsigned port = next_port(at, target, link);
      sum += sides_[read_][at * ports_ + port];
      const auto channel =
          topology_.out_channel(RouterId{at}, PortId(static_cast<std::uint16_t>(port)));
      at = static_cast<unsigned>(index(topology_.channel(*channel).dst));
    }
    link = 0;
  }
  return sum;
}

unsigned GlobalQueues::next_port(unsigned at, unsigned target, unsigned link) const {
  const topology::Dragonfly& d = topology_.dragonfly();
  const unsigned a = d.routers_per_group();
  if (at / a == target / a) return d.local_port(at % a, target % a);
  const auto end = d.global_end(at / a, target / a, link);
  return end.router == at % a ? end.port : d.local_port(at % a, end.router);
}

}  // namespace hopwise::engine
