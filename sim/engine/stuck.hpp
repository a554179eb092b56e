// SPDX-License-Identifier: Apache-2.0
// What the routers' watchdogs report: VCs that do not move, and what they wait for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/router_bank.hpp"
#include "spec/spec.hpp"
#include "topology/topology.hpp"

namespace hopwise::engine {

/// The reports of some routers, while a network runs.
class StuckVcs {
 public:
  /// A report: the registers STUCK and WAITS_FOR.
  struct Report {
    std::uint64_t cycle = 0;
    std::uint32_t router = 0;
    std::vector<std::uint32_t> words;
    unsigned cause() const { return words[0] & 0xff; }
    unsigned port() const { return words[0] >> 8 & 0xff; }
    unsigned vc() const { return words[0] >> 16 & 0xff; }
  };

  /// After each cycle, of routers [first, end), which are those of the bank. Nothing where there is
  /// no watchdog; else looks at the routers in the cycles in which they can report.
  void observe(const model::RouterBank& bank, std::uint32_t first, std::uint32_t end,
               std::uint64_t cycle);
  void watch(const spec::NetworkSpec& network, const topology::Topology& topology,
             bool clocks_agree, unsigned words);

  std::uint64_t reports() const { return reports_; }
  /// Those of the last `watchdog_cycles`: each VC that still does not move, once.
  const std::vector<Report>& last() const { return last_; }

 private:
  std::uint64_t cycles_ = 0;  ///< of the watchdog; 0: none
  std::uint64_t places_ = 0;  ///< of a round, in whose cycles reports come
  std::uint64_t reports_ = 0;
  std::vector<std::uint32_t> words_;
  std::vector<Report> last_;
};

/// A sentence of the VCs that do not move: how many, and the chain of those that wait for one
/// another, up to the first one again or to what the last one waits for. Of equal starts, the one
/// of the lowest router, port and VC. Empty where there are none.
std::string waiting_chain(std::vector<StuckVcs::Report> reports,
                          const topology::Topology& topology);

}  // namespace hopwise::engine
