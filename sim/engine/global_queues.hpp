// SPDX-License-Identifier: Apache-2.0
// What routers of ugal_global are told: state that no router has.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/router_bank.hpp"
#include "topology/topology.hpp"

namespace hopwise::engine {

/// The queues of all ports, as they were at the last meeting of the partitions: between two
/// meetings routers read one side and the other is written. So every router sees the same state,
/// whatever the partitions.
class GlobalQueues final : public model::QueueOracle {
 public:
  /// `topology` is a dragonfly and outlives the object.
  explicit GlobalQueues(const topology::Topology& topology);

  unsigned path_queue(unsigned from, unsigned via, unsigned to, unsigned link) const override;

  /// Where a router's queues go, flits per port; seen by path_queue after the next swap.
  std::uint16_t* to_write(std::uint32_t router) {
    return sides_[1 - read_].data() + router * ports_;
  }
  void swap() { read_ = 1 - read_; }

 private:
  unsigned next_port(unsigned at, unsigned target, unsigned link) const;

  const topology::Topology& topology_;
  std::size_t ports_;
  std::array<std::vector<std::uint16_t>, 2> sides_;  // [router * ports + port]
  unsigned read_ = 0;
};

}  // namespace hopwise::engine
