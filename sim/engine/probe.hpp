// SPDX-License-Identifier: Apache-2.0
// Who looks at a network while it runs, or has a hand in it: checks, training, oracles. The engine
// knows no routing; what one of them needs beside its RTL is a probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/blocks.hpp"
#include "engine/options.hpp"
#include "measure/counts.hpp"
#include "model/router_bank.hpp"

namespace hopwise::engine {

/// What a probe is made for. All of it outlives the probe.
struct Scene {
  const Setup& setup;
  const RunOptions& options;
  std::size_t partitions = 1;
  std::size_t packets_under_way = 0;  ///< most of one terminal: packet ids count modulo this
  Ranks* ranks = nullptr;             ///< of several: where the other routers are
};

/// The routers [first, end), which one thread steps.
struct Section {
  std::size_t partition = 0;
  std::uint32_t first = 0, end = 0;
  model::RouterBank* bank = nullptr;
  const InputPins* pins = nullptr;  ///< of each of these routers
};

/// What a probe takes part in while the network runs. What it does not need costs nothing.
struct Needs {
  bool wires = false;       ///< observe_wires, in every cycle
  bool routers = false;     ///< observe_routers, in every cycle
  bool injections = false;  ///< observe_injection, for every packet
  bool meetings = false;  ///< leave_epoch and end_epoch: all threads wait for each other once more
};

/// One probe of one run. Functions that take a section or a partition are called by the thread that
/// steps it, for different partitions at the same time; the others by one thread, while no router
/// is stepped. Errors: std::runtime_error ends the run.
class Probe {
 public:
  virtual ~Probe() = default;

  /// Asked once.
  virtual Needs needs() const = 0;
  /// What it counts itself, beside the routers' counters: see take_counts. Asked once.
  virtual measure::Counters counters() const { return {}; }

  /// Before the first cycle, while the network's clock stands still: CSRs may be written.
  virtual void prepare(const Section&) {}
  /// Input pins of `cycle`, before the routers' step.
  virtual void observe_wires(const Section&, std::uint64_t /*cycle*/) {}
  /// After the routers' step.
  virtual void observe_routers(const Section&, std::uint64_t /*cycle*/) {}
  /// A terminal of the partition begins to inject a packet.
  virtual void observe_injection(std::size_t /*partition*/, RouterId /*from*/, RouterId /*to*/) {}

  /// After the partition's part of an epoch, and after that of all before cycle `now`: what is seen
  /// and steered here does not depend on the partitions. CSR writes are queued.
  virtual void leave_epoch(const Section&) {}
  virtual void end_epoch(std::uint64_t /*now*/) {}

  /// Nothing new is steered from now on.
  virtual void stop() {}
  /// Something is on its way to the routers: they are not at rest.
  virtual bool busy() const { return false; }

  /// What was counted since the last call, in the order of counters().
  virtual void take_counts(std::span<std::int64_t> /*counts*/) {}

  /// After the run, if nothing has failed: CSRs may be read. `quiescent`: no flit and no credit is
  /// left anywhere.
  virtual void read(std::uint64_t /*now*/, bool /*quiescent*/, RunResult&) {}
  /// At the end of every run, after read().
  virtual void report(RunResult&) const {}
};

}  // namespace hopwise::engine
