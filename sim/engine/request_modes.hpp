// SPDX-License-Identifier: Apache-2.0
// What requests of message interfaces met, by the routing mode in their heads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/options.hpp"

namespace hopwise::engine {

/// Of one interface, as the packets on its wires show it. The interface's own counters say the same
/// of all modes together.
class RequestModes {
 public:
  /// `ids`: requests without response have different ids below.
  explicit RequestModes(std::size_t ids) : sent_(ids) {}

  /// The head of a request is on the pins. `ticket`: {generation, id}, as its response will have.
  void head(std::uint32_t ticket, std::uint32_t mode, std::uint64_t cycle) {
    under_way_ = mode;
    sent_[ticket % sent_.size()] = {.cycle = cycle, .ticket = ticket, .mode = mode};
  }
  /// Its tail. `stalled`: cycles in which a request flit has waited for a credit, so far.
  void tail(std::uint32_t flits, std::uint64_t stalled) {
    InterfaceCounts& counts = counts_[under_way_];
    ++counts.request_packets;
    counts.request_flits += flits;
    counts.request_stalled += stalled - stalled_;
    stalled_ = stalled;
  }
  /// The last flit of a response has come. One whose request is over does not count.
  void response(std::uint32_t ticket, std::uint64_t cycle) {
    Sent& request = sent_[ticket % sent_.size()];
    if (request.cycle == kNever || request.ticket != ticket) return;
    ++counts_[request.mode].response_packets;
    counts_[request.mode].response_latency += cycle - request.cycle;
    request.cycle = kNever;
  }

  const ModeCounts& counts() const { return counts_; }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Sent {
    std::uint64_t cycle = kNever;
    std::uint32_t ticket = 0, mode = 0;
  };
  std::vector<Sent> sent_;       // [id]
  std::uint32_t under_way_ = 0;  // mode of the request
  std::uint64_t stalled_ = 0;
  ModeCounts counts_;
};

}  // namespace hopwise::engine
