// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/counter_map.hpp"
#include "engine/network.hpp"
#include "engine/options.hpp"
#include "measure/steady_state.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::engine {

namespace {

/// Cycles after which a network with flits in it that ejects none counts as stuck: far beyond any
/// round trip.
std::uint64_t patience(const Setup& setup) {
  std::uint64_t longest = setup.topology.terminal_latency_cycles();
  for (const auto& c : setup.topology.channels())
    longest = std::max<std::uint64_t>(longest, c.latency_cycles);
  return 20000 + 100 * longest + setup.longest_wait_cycles;
}

class Run {
 public:
  Run(const Setup& setup, const RunOptions& options) : setup_(setup), options_(options) {}

  Result<RunResult> operator()() {
    std::vector<traffic::Source> sources;
    if (options_.trace != nullptr) {
      sources = options_.trace->sources();
    } else {
      auto made =
          traffic::make_traffic(options_.patterns, options_.traffic, options_.load, setup_.topology,
                                setup_.network.link.cycles_per_flit, options_.simulation.seed);
      if (!made) return made.errors();
      traffic_.emplace(std::move(made).value());
      sources = traffic_->sources();
    }
    closed_loop_ = traffic_ && traffic_->closed_loop();
    ends_ = traffic_ ? traffic_->ends() : recording() == nullptr;
    result_.offered_load = options_.load;
    result_.active_terminals = static_cast<double>(setup_.topology.num_terminals());
    result_.seed = options_.simulation.seed;
    try {
      Network network(setup_, options_, std::move(sources));
      network.open_waves(result_);
      const auto start = std::chrono::steady_clock::now();
      const measure::SteadyState steady = measure_until_done(network);
      result_.injected = network.injected();
      result_.delivered = network.delivered();
      if (ends_)
        summarise_whole(network);
      else
        summarise_interval(network, steady);
      drain(network);
      result_.last_delivery_cycle = network.last_delivery_cycle();
      result_.wall_seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      result_.cpu_seconds = network.cpu_seconds();
      result_.eval_seconds = network.eval_seconds();
      for (const model::RouterModel* model : setup_.models)
        result_.lanes = std::max(result_.lanes, unsigned{model->lanes});
      result_.total_cycles = network.now();
      if (result_.failures.empty()) {
        network.read_counters(result_);
        network.read_probes(result_);
      }
      network.report_probes(result_);
      network.collect_records(result_);
    } catch (const model::AssertionFailed& e) {
      result_.stopped = "failed";
      result_.failures.push_back(e.what());
      result_.failed_router = RouterId{e.router()};
    } catch (const std::runtime_error& e) {
      result_.stopped = "failed";
      result_.failures.push_back(e.what());
    }
    return std::move(result_);
  }

 private:
  /// Of the run that the trace comes from; null where it does not tell, or nothing is replayed.
  const traffic::Recording* recording() const {
    const bool tells = options_.trace != nullptr && options_.trace->recording();
    return tells ? &*options_.trace->recording() : nullptr;
  }

  double flit_time() const { return setup_.network.link.cycles_per_flit.value(); }

  /// Flits that loads ask for in [from, to), whole network, where that is not what the sources
  /// generate: those that wait for room in bounded queues.
  std::optional<double> asked(std::uint64_t from, std::uint64_t to) const {
    if (options_.traffic.source_queue_packets == 0) return std::nullopt;
    if (const traffic::Recording* r = recording()) {
      return r->offered_load / flit_time() * r->active_terminals * static_cast<double>(to - from);
    }
    if (!traffic_ || closed_loop_ || options_.traffic.injection != spec::Injection::kPeriodic)
      return std::nullopt;
    return traffic_->offered_flits(from, to);
  }

  measure::SteadyStateOptions steady_options(std::uint64_t window, std::uint64_t bound) const {
    const spec::SimulationSpec& sim = options_.simulation;
    measure::SteadyStateOptions o;
    o.window_cycles = window;
    const std::uint64_t warmup = recording() != nullptr ? recording()->from : sim.warmup_cycles;
    o.warmup_windows = (warmup + window - 1) / window;
    o.max_warmup_windows =
        std::max<std::uint64_t>(sim.cycles != 0 ? sim.cycles / window : bound / 2 / window, 60);
    o.latency_limit_cycles = latency_limit(setup_, options_.traffic);
    return o;
  }

  /// Runs that end by themselves (a trace, the last step of a closed loop) are measured as a whole.
  measure::SteadyState measure_until_done(Network& network) {
    const spec::SimulationSpec& sim = options_.simulation;
    const traffic::Recording* recorded = recording();
    const std::uint64_t bound = recorded != nullptr ? recorded->to
                                : sim.cycles != 0   ? sim.warmup_cycles + sim.cycles
                                                    : sim.max_cycles;
    const std::uint64_t epoch = network.epoch_cycles();
    // A run to convergence takes 100 windows at least, and few take the bound's time.
    const std::uint64_t expected = ends_ && options_.trace != nullptr ? options_.trace->last_cycle()
                                   : sim.cycles != 0                  ? sim.cycles
                                                                      : bound / 4;
    const std::uint64_t wanted = recorded != nullptr
                                     ? recorded->window
                                     : std::clamp<std::uint64_t>(expected / 200, 20, 2000);
    const std::uint64_t epochs = std::max<std::uint64_t>(1, wanted / epoch);
    const std::uint64_t window = window_cycles_ = epochs * epoch;
    measure::SteadyState steady(steady_options(window, bound));
    measure::TimeSeries series(window);
    CounterMap map;
    std::uint64_t still = 0;
    bool warm = false;
    while (result_.stopped.empty()) {
      // 0: not known
      const std::uint64_t last = !ends_                      ? bound
                                 : options_.trace != nullptr ? options_.trace->last_cycle()
                                                             : 0;
      if (options_.progress) options_.progress(network.now(), last);
      network.advance(epochs);
      measure::Window w = network.take_window();
      // Rounded at each end, so that windows add up.
      const std::uint64_t now = network.now();
      if (const auto flits = asked(0, now)) {
        w.offered_flits = static_cast<std::uint64_t>(std::llround(*flits) -
                                                     std::llround(*asked(0, now - window)));
      }
      series.add(w);
      result_.whole += w;
      if (!network.router_decisions().empty()) map.add(network.router_decisions());
      const bool now_warm = steady.add(w);
      if (now_warm && !warm && !ends_) {
        warm = true;
        network.clear_measured();
      }
      // How well the terminals of a trace were served shows while it still generates.
      if (ends_ && options_.trace != nullptr && now > options_.trace->last_cycle() &&
          now - window <= options_.trace->last_cycle()) {
        network.judge_fairness(result_, std::nullopt);
        result_.saturated = steady.queues_grow();
      }
      still = w.accepted_flits == 0 && w.in_flight_flits != 0 ? still + window : 0;
      if (still > patience(setup_)) {
        result_.failures.push_back(
            fmt::format("cycle {}: {} flits in the network, none ejected for {} cycles", now,
                        w.in_flight_flits, still));
        result_.stopped = "failed";
      } else {
        result_.stopped = why_stop(network, w, steady, bound);
      }
    }
    result_.cycles = network.now();
    result_.series = series.rows();
    add_settling(series, ends_ ? 0 : options_.traffic.switch_cycle);
    map.write(result_, window);
    return steady;
  }

  /// RunResult::stopped after the window; empty: the run goes on.
  const char* why_stop(const Network& network, const measure::Window& window,
                       const measure::SteadyState& steady, std::uint64_t bound) const {
    const spec::SimulationSpec& sim = options_.simulation;
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
      return "interrupted";
    if (ends_) {
      if (!network.sources_done() || window.in_flight_flits != 0) return "";
      return closed_loop_ ? "last-step" : "trace-end";
    }
    if (recording() != nullptr) return network.now() >= bound ? "trace-end" : "";
    if (sim.cycles != 0) return steady.measured_cycles() >= sim.cycles ? "cycles" : "";
    if (steady.precise(sim.ci_relative)) return "converged";
    if (options_.until_verdict && steady.verdict() != measure::Verdict::kOpen) return "verdict";
    return network.now() >= bound ? "limit" : "";
  }

  /// Flits per core cycle of the whole network as loads.
  void set_loads(double accepted, std::optional<double> offered) {
    result_.accepted_flits_per_cycle = accepted / result_.active_terminals;
    result_.accepted_load = result_.accepted_flits_per_cycle * flit_time();
    if (offered) result_.offered_load = *offered / result_.active_terminals * flit_time();
  }

  void summarise_interval(Network& network, const measure::SteadyState& steady) {
    const traffic::Recording* recorded = recording();
    result_.warmup_cycles = steady.warmup_cycles();
    result_.measured_cycles = steady.measured_cycles();
    result_.measured = steady.measured();
    const std::uint64_t to = result_.cycles, from = to - result_.measured_cycles;
    if (recorded != nullptr) {
      result_.active_terminals = recorded->active_terminals;
      result_.offered_load = recorded->offered_load;
    } else if (from < to) {
      result_.active_terminals = traffic_->active_terminals(from, to);
    }
    set_loads(steady.accepted(), closed_loop_ ? std::optional(steady.offered()) : std::nullopt);
    result_.saturated = !closed_loop_ && (result_.stopped == "verdict"
                                              ? steady.verdict() == measure::Verdict::kSaturated
                                              : steady.saturated());
    network.summarise(result_, static_cast<double>(from < to ? to - from : to));
    const auto flits = asked(from, to);
    network.judge_fairness(result_,
                           flits ? std::optional(*flits / result_.active_terminals) : flits);
    result_.latency.ci95 = steady.ci95();
    if (0 < from && from < to)
      result_.recording = {from, to, window_cycles_, result_.offered_load,
                           result_.active_terminals};
  }

  /// Bursts, and the end of what there is to send, have no steady state: every cycle counts, up to
  /// the last delivery.
  void summarise_whole(Network& network) {
    result_.completed = result_.stopped == "trace-end" || result_.stopped == "last-step";
    if (result_.completed)
      result_.cycles = result_.delivered == 0 ? 0 : network.last_delivery_cycle() + 1;
    result_.measured_cycles = result_.cycles;
    result_.measured = result_.whole;
    const double cycles = static_cast<double>(std::max<std::uint64_t>(result_.cycles, 1));
    if (options_.trace != nullptr) {
      const std::size_t active = options_.trace->active_terminals();
      result_.active_terminals = static_cast<double>(std::max<std::size_t>(active, 1));
      set_loads(static_cast<double>(result_.whole.accepted_flits) / cycles,
                options_.trace->offered_flits_per_cycle(setup_.network.link.cycles_per_flit));
    } else {
      result_.active_terminals = traffic_->active_terminals(0, 1);
      set_loads(static_cast<double>(result_.whole.accepted_flits) / cycles,
                static_cast<double>(result_.whole.offered_flits) / cycles);
      network.judge_fairness(result_, std::nullopt);
    }
    network.summarise(result_, cycles);
    result_.latency.ci95 = INFINITY;
    // Terminals that wait for each other offer no more than the network takes.
    result_.saturated =
        !closed_loop_ &&
        (result_.saturated || result_.latency.mean > latency_limit(setup_, options_.traffic));
  }

  void add_settling(const measure::TimeSeries& series, std::uint64_t switch_cycle) {
    const auto add = [&](std::uint64_t from, std::uint64_t to) {
      const auto found = measure::settling_times(
          series, {.from = from, .to = to, .window_cycles = options_.simulation.settling_cycles});
      if (found) result_.settling.push_back(*found);
    };
    add(0, switch_cycle);
    if (switch_cycle != 0) add(switch_cycle, 0);
  }

  /// No packet enters any more; whatever does not come out now is lost.
  void drain(Network& network) {
    network.stop_generating();
    const std::uint64_t start = network.now(), limit = patience(setup_);
    std::uint64_t last_delivered = network.delivered(), quiet_since = start;
    const std::uint64_t chunk = std::max<std::uint64_t>(1, 64 / network.epoch_cycles());
    while (result_.stopped != "failed" && !(network.sources_done() && network.quiescent())) {
      network.advance(chunk);
      if (network.delivered() != last_delivered) {
        last_delivered = network.delivered();
        quiet_since = network.now();
      } else if (network.now() - quiet_since > limit) {
        result_.failures.push_back(
            fmt::format("cycle {}: the network does not drain, {} packets are stuck", network.now(),
                        network.injected() - network.delivered()));
        break;
      }
    }
    result_.drain_cycles = network.now() - start;
    // A packet whose tail was still to come when injection stopped counts as injected in the run.
    result_.injected = network.injected();
    result_.lost = network.injected() - network.delivered();
    result_.in_flight = network.delivered() - result_.delivered;
    if (result_.lost != 0)
      result_.failures.push_back(fmt::format("{} packets are lost", result_.lost));
  }

  const Setup& setup_;
  const RunOptions& options_;
  std::optional<traffic::Traffic> traffic_;  // none where a trace is replayed
  bool closed_loop_ = false;                 // terminals wait for each other
  bool ends_ = false;                        // by itself, and is measured as a whole
  std::uint64_t window_cycles_ = 1;
  RunResult result_;
};

}  // namespace

double zero_load_latency(const Setup& setup, const spec::TrafficSpec& traffic) {
  const auto& topology = setup.topology;
  const double router =
      setup.network.router.pipeline_cycles + setup.route_cycles +
      (setup.network.link.idle_wait ? setup.network.link.cycles_per_flit.value() + 1 : 0);
  const auto path = topology.mean_minimal_path();
  const double flits = 0.5 * (traffic.length.min_flits + traffic.length.max_flits);
  return (path.hops + 1) * router + path.wire_cycles + 2.0 * topology.terminal_latency_cycles() +
         (flits - 1) * setup.network.link.cycles_per_flit.value();
}

double latency_limit(const Setup& setup, const spec::TrafficSpec& traffic) {
  return std::max(500 * setup.network.link.cycles_per_flit.value(),
                  10 * zero_load_latency(setup, traffic));
}

Result<RunResult> simulate(const Setup& setup, const RunOptions& options) {
  return Run(setup, options)();
}

}  // namespace hopwise::engine
