// SPDX-License-Identifier: Apache-2.0
// What routers of ugal_global are told, and who wants it may follow: state that no router has.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/probe.hpp"
#include "engine/ranks.hpp"
#include "probes/family.hpp"
#include "topology/dragonfly.hpp"
#include "topology/topology.hpp"

namespace hopwise::probes::ugal {

/// The queues of all ports, as they were at the last meeting of the partitions: between two
/// meetings routers read one side and the other is written. So every router sees the same state,
/// whatever the partitions. Counts the queues along the minimal path of every injected packet.
class GlobalQueues final : public engine::Probe, public model::QueueOracle {
 public:
  /// The topology is a dragonfly.
  explicit GlobalQueues(const engine::Scene& scene);

  unsigned path_queue(unsigned from, unsigned via, unsigned to, unsigned link) const override;

  engine::Needs needs() const override { return {.injections = true, .meetings = true}; }
  measure::Counters counters() const override;
  void prepare(const engine::Section& section) override;
  void observe_injection(std::size_t partition, RouterId from, RouterId to) override;
  void leave_epoch(const engine::Section& section) override;
  void end_epoch(std::uint64_t now) override;
  void take_counts(std::span<std::int64_t> counts) override;

 private:
  unsigned next_port(unsigned at, unsigned target, unsigned link) const;

  const topology::Topology& topology_;
  topology::Dragonfly dragonfly_;
  std::size_t ports_;
  engine::Ranks* ranks_;
  std::array<std::vector<std::uint16_t>, 2> sides_;  // [router * ports + port]
  unsigned read_ = 0;
  engine::Section own_;         // of this rank, where there may be several
  struct alignas(64) Watched {  // apart, since threads write side by side
    std::int64_t packets = 0, flits = 0;
  };
  std::vector<Watched> watched_;  // [partition]
};

extern const FamilyProbes kProbes;

/// Where the routers ask for the queues, or the run wants to follow them, the network is a
/// dragonfly and its routers show their queues; else nullptr.
std::unique_ptr<engine::Probe> make_probe(const engine::Scene& scene, bool asked);

}  // namespace hopwise::probes::ugal
