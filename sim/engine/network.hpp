// SPDX-License-Identifier: Apache-2.0
// A network under simulation: router banks, wires and terminals, in partitions that threads step
// side by side.
#pragma once

#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/boundary.hpp"
#include "engine/host.hpp"
#include "engine/layout.hpp"
#include "engine/options.hpp"
#include "engine/probe.hpp"
#include "engine/terminal.hpp"
#include "engine/timed_ranks.hpp"

namespace hopwise::engine {

/// Partitions are runs of routers with their terminals. What a router drives in one cycle reaches
/// its neighbour no sooner than the link's latency plus one, so partitions meet only once per epoch
/// of that many cycles.
///
/// With several ranks this is the part of one, and one partition. What it says of the network it
/// says of all of it: every rank asks the same, in the same order.
class Network {
 public:
  /// `berth`: its lanes in banks that somebody else steps for several networks; nullptr: it has
  /// banks of its own.
  Network(const Setup& setup, const RunOptions& options, std::vector<traffic::Source> sources,
          const Berth* berth = nullptr);
  ~Network();

  /// Core cycles between two meetings: a property of the network, whatever the number of
  /// partitions.
  std::uint64_t epoch_cycles() const { return layout_.epoch; }

  /// Steps all partitions by `epochs` epochs; `now()` moves on. Throws std::runtime_error where an
  /// assertion fails.
  void advance(std::uint64_t epochs);
  /// In a berth: a cycle before the banks' step, and after it.
  void before_step();
  void after_step();
  /// CPU time of the banks that this network's lanes account for, whole and in routers proper.
  void charge(double cpu, double eval) {
    cpu_share_ += cpu;
    eval_share_ += eval;
  }
  std::uint64_t now() const { return now_; }
  double cpu_seconds() const;
  double eval_seconds() const;  ///< of cpu_seconds, in routers proper

  bool quiescent();  ///< no flit and no credit anywhere, wires included
  /// It is so in some rank.
  bool anywhere(bool here) const { return any(ranks_, here); }
  /// Takes what other ranks have sent: before the last time that they are asked.
  void catch_up();
  void stop_generating();
  bool sources_done() const;
  measure::Window take_window();  ///< since the last take, all partitions added up
  /// Decisions of each router, and the sum of the mapped counter over them, since the last
  /// take_window but one; empty where none is mapped.
  struct RouterDecisions {
    std::uint32_t decisions = 0, mapped = 0;
  };
  const std::vector<RouterDecisions>& router_decisions() const { return router_decisions_; }
  void clear_measured();  ///< measuring begins
  std::uint64_t injected() const;
  std::uint64_t delivered() const;
  std::uint64_t bad() const;      ///< injected with a wrong head
  std::uint64_t hits() const;     ///< heads that were flipped
  std::uint64_t damaged() const;  ///< arrived with a flipped head
  /// Packets that routers and, for their parity, terminals have dropped, by cause. Counts at least
  /// once in 65,536 drops of a router.
  std::array<std::uint64_t, kDropCauses> count_drops();
  /// Reports of the routers' watchdogs, and what they say of a network that stands still: empty
  /// where they say nothing.
  std::uint64_t stuck_reports() const;
  std::string who_waits() const;
  /// Of a packet's tail; 0 where none has arrived.
  std::uint64_t last_delivery_cycle() const;
  /// histograms, hops and links over the measuring interval, which has so many core cycles
  void summarise(RunResult& result, double cycles) const;
  /// latencies over the whole run
  void summarise(JobResult& job) const;
  /// Where terminals have message interfaces, at the end of the drain.
  std::optional<MessageCounts> count_messages() const;
  /// From the start of the measuring interval until now. `asked`: flits that each terminal that
  /// sends was asked for; without, what it generated.
  void judge_fairness(RunResult& result, std::optional<double> asked) const;
  /// through the CSR blocks; the network is quiescent
  void read_counters(RunResult& result);
  void read_probes(RunResult& result);          ///< likewise, what probes want to read
  void report_probes(RunResult& result) const;  ///< what they have to say after any run
  /// Flits since measuring began to the terminals that `hot` has, and to the others.
  template <class F>
  std::pair<std::uint64_t, std::uint64_t> ejected(F&& hot) const {
    std::pair<std::uint64_t, std::uint64_t> sum;
    std::uint32_t terminal = shared_.own.first;
    for (const auto* t : terminals_) {
      for (const std::uint64_t flits : t->ejected())
        (hot(TerminalId{terminal++}) ? sum.first : sum.second) += flits;
    }
    return {engine::sum(ranks_, sum.first), engine::sum(ranks_, sum.second)};
  }
  void collect_records(RunResult& result);  ///< failures, deliveries, generated packets
  std::vector<RankCosts> rank_costs() const;
  void open_waves(RunResult& result);

 private:
  struct Partition;
  void divide(std::size_t partitions);
  void place_routers();
  void make_terminals(std::vector<traffic::Source> sources);
  model::Wire flit_wire(ChannelId id) const;
  model::Wire credit_wire(ChannelId id) const;
  model::RouterWiring wiring_of(RouterId router, const TerminalGroup& terminals,
                                std::uint32_t terminal) const;
  void make_routers(std::size_t partition);
  void read_counters(Partition& part, RunResult& result);
  std::unique_ptr<model::RouterBank> make_bank(
      std::size_t shape, const std::vector<model::RouterWiring>& wiring) const;
  void seed(Partition& part);
  std::uint64_t lost_flits(std::uint64_t resets) const;
  /// What a router's counter has counted since it was read last. For a while after a reset of the
  /// router was asked for, a lower value is one that began at 0 again.
  template <class T>
  T since_last(std::uint32_t router, T now, T& before) const {
    const T old = std::exchange(before, now);
    const bool again = !reset_.empty() && reset_[router] != 0 &&
                       reset_[router] + kUntilReset > taken_ && now < old;
    return again ? now : static_cast<T>(now - old);
  }
  std::uint64_t total(std::uint64_t (TerminalGroup::*count)() const) const;
  void make_probes(std::size_t partitions);
  void before_routers(Partition& part, std::uint64_t cycle);
  void after_routers(Partition& part, std::uint64_t cycle);
  void begin_epoch(std::size_t partition, std::uint64_t cycle);
  void end_epoch(std::size_t partition, std::uint64_t cycle);
  template <class F>
  void unless_failed(Partition& part, F&& work);
  void run_partition(std::size_t index, std::uint64_t epochs);
  template <class F>
  void in_parallel(F&& work);
  template <class F>
  void agreed(F&& work);
  void agree_on_failure(const std::exception_ptr& error);

  static constexpr std::uint64_t kUntilReset = 1024;  // cycles, some dozens of which it takes

  const Setup& setup_;
  const RunOptions& options_;
  const Berth* berth_;
  const Layout layout_;
  OneRank one_;
  mutable TimedRanks ranks_;
  const std::vector<std::uint32_t> cuts_;  // see cut_routers
  Shared shared_;
  std::vector<Blocks> blocks_;          // input wires, where they are its own
  std::vector<InputPins> pins_;         // of each router; of other ranks' none
  std::unique_ptr<Boundary> boundary_;  // where there are other ranks
  std::vector<std::unique_ptr<Probe>> probes_;
  std::vector<Probe*> of_wires_, of_routers_, of_meetings_;  // by their needs
  struct Counting {
    Probe* probe = nullptr;
    std::size_t first = 0, number = 0;  // its own among counters_
  };
  std::vector<Counting> counting_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::unique_ptr<HostSettings> hosts_;  // where terminals have message interfaces
  std::vector<TerminalGroup*> terminals_;
  std::shared_ptr<const measure::Counters> counters_;  // of the routers, then of each probe
  std::vector<std::uint32_t> totals_;                  // [router][word]: counters_o as last read
  std::vector<std::uint64_t> reset_;  // [router]: cycle after its last reset was asked for
  std::uint64_t taken_ = 0;           // when counters were last read
  bool draining_ = false;
  std::vector<RouterDecisions> router_decisions_;
  std::uint64_t now_ = 0;
  double cpu_share_ = 0, eval_share_ = 0;                                 // see charge
  std::vector<std::array<std::uint16_t, kRouterDropCauses>> drops_seen_;  // [router]
  std::array<std::uint64_t, kDropCauses> drops_{};                        // of this rank
  std::array<std::uint64_t, kDropCauses> terminal_drops_seen_{};          // of these, by terminals
  struct Meeting;
  std::unique_ptr<Meeting> meeting_;
};

}  // namespace hopwise::engine
