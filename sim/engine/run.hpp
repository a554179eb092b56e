// SPDX-License-Identifier: Apache-2.0
// One simulation as a sequence of steps that somebody else takes: warm-up and measuring in windows,
// then the drain.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include "engine/counter_map.hpp"
#include "engine/network.hpp"
#include "engine/options.hpp"
#include "engine/running_job.hpp"
#include "measure/steady_state.hpp"
#include "support/result.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::engine {

class Run {
 public:
  /// Both outlive the run.
  Run(const Setup& setup, const RunOptions& options) : setup_(setup), options_(options) {}

  /// Makes traffic and network. Errors: of the traffic. As next(), it may throw.
  Diagnostics begin(const Berth* berth = nullptr);

  /// How many epochs to advance the network before the next call; 0: the run is over. Throws
  /// std::runtime_error, as advancing may: see failed.
  std::uint64_t next();
  Network& network() { return *network_; }
  /// See Network::charge; nothing where there is no network yet.
  void charge(double cpu, double eval) {
    if (network_) network_->charge(cpu, eval);
  }

  /// In the handler of what begin(), next() or the network has thrown: the run ends here. Throws on
  /// what is no std::runtime_error.
  void failed();
  /// Once, when the run is over.
  RunResult result();

 private:
  enum class Phase { kMeasure, kDrain, kOver };

  const traffic::Recording* recording() const;
  double flit_time() const { return setup_.network.link.cycles_per_flit.value(); }
  std::optional<double> asked(std::uint64_t from, std::uint64_t to) const;
  measure::SteadyStateOptions steady_options() const;
  void choose_windows();
  void end_window();
  double part_done() const;  ///< of the run; 0 where nobody knows
  const char* why_stop(const measure::Window& window);
  bool under_way(const measure::Window& window);
  bool job_goes_on();
  void end_measuring();
  void set_loads(double accepted, std::optional<double> offered);
  void summarise_interval();
  void tell_hot(std::uint64_t cycles);
  void summarise_whole();
  void summarise_job();
  void add_settling(std::uint64_t switch_cycle);
  std::uint64_t delivered_or_gone() const;
  std::string who_waits() const;
  bool drained();
  void end_drain();

  const Setup& setup_;
  const RunOptions& options_;
  const std::uint64_t patience_ = patience(setup_, options_.simulation);
  std::optional<traffic::Traffic> traffic_;  // none where a trace is replayed
  std::optional<RunningJob> job_;
  bool beside_ = false;       // the job, others send at the load asked for
  bool closed_loop_ = false;  // terminals wait for each other
  bool ends_ = false;         // by itself, and is measured as a whole
  std::unique_ptr<Network> network_;
  RunResult result_;
  double start_seconds_ = 0;

  Phase phase_ = Phase::kMeasure;
  std::uint64_t bound_ = 0;  // core cycles, where the run does not end by itself
  std::uint64_t window_epochs_ = 1;
  std::uint64_t window_cycles_ = 1;
  std::optional<measure::SteadyState> steady_;
  std::optional<measure::TimeSeries> series_;
  CounterMap map_;
  std::uint64_t still_ = 0;  // core cycles without a flit ejected, while there are some
  bool warm_ = false, in_window_ = false;

  std::uint64_t drain_start_ = 0, quiet_since_ = 0, last_gone_ = 0;
};

}  // namespace hopwise::engine
