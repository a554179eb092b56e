// SPDX-License-Identifier: Apache-2.0
#include "probes/ugal/global_queues.hpp"

#include <utility>

namespace hopwise::probes::ugal {

GlobalQueues::GlobalQueues(const engine::Scene& scene)
    : topology_(scene.setup.topology),
      dragonfly_(topology_.spec()),
      ports_(topology_.num_ports()),
      ranks_(scene.ranks),
      watched_(scene.partitions) {
  for (auto& side : sides_) side.assign(topology_.num_routers() * ports_, 0);
}

measure::Counters GlobalQueues::counters() const {
  return {{"watched_packets", "packets", "injected while queues are watched"},
          {"path_queue", "flits", "sum over these packets: queued along their minimal paths"}};
}

void GlobalQueues::prepare(const engine::Section& section) {
  section.bank->set_oracle(this);
  if (ranks_ != nullptr) own_ = section;
}

void GlobalQueues::observe_injection(std::size_t partition, RouterId from, RouterId to) {
  const auto src = static_cast<unsigned>(index(from)), dst = static_cast<unsigned>(index(to));
  ++watched_[partition].packets;
  watched_[partition].flits += path_queue(src, dst, dst, 0);
}

void GlobalQueues::leave_epoch(const engine::Section& section) {
  for (std::uint32_t r = section.first; r < section.end; ++r)
    section.bank->sample_queues(r - section.first, sides_[1 - read_].data() + r * ports_);
}

void GlobalQueues::end_epoch(std::uint64_t) {
  auto& side = sides_[1 - read_];
  if (ranks_ != nullptr) {
    const auto row = [&](std::uint32_t r) {
      return side.begin() + static_cast<std::ptrdiff_t>(r * ports_);
    };
    side = engine::gathered(*ranks_, std::vector(row(own_.first), row(own_.end)));
  }
  read_ = 1 - read_;
}

void GlobalQueues::take_counts(std::span<std::int64_t> counts) {
  for (Watched& partition : watched_) {
    const Watched since = std::exchange(partition, {});
    counts[0] += since.packets;
    counts[1] += since.flits;
  }
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
  const topology::Dragonfly& d = dragonfly_;
  const unsigned a = d.routers_per_group();
  if (at / a == target / a) return d.local_port(at % a, target % a);
  const auto end = d.global_end(at / a, target / a, link);
  return end.router == at % a ? end.port : d.local_port(at % a, end.router);
}

std::unique_ptr<engine::Probe> make_probe(const engine::Scene& scene, bool asked) {
  const bool wanted = asked || scene.options.simulation.path_queues;
  const bool paths = topology::is_dragonfly(scene.setup.topology.spec());
  if (!wanted || !paths || scene.setup.models.front()->queue_bits == 0) return nullptr;
  return std::make_unique<GlobalQueues>(scene);
}

}  // namespace hopwise::probes::ugal
