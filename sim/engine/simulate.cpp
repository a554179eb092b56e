// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
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
    const double flit_time = setup_.network.link.cycles_per_flit.value();
    std::optional<traffic::Traffic> traffic;
    std::vector<traffic::Source> sources;
    if (options_.trace != nullptr) {
      sources = options_.trace->sources();
    } else {
      auto made =
          traffic::make_traffic(options_.patterns, options_.traffic, options_.load, setup_.topology,
                                setup_.network.link.cycles_per_flit, options_.simulation.seed);
      if (!made) return made.errors();
      traffic.emplace(std::move(made).value());
      sources = traffic->sources();
    }
    result_.offered_load = options_.load;
    result_.seed = options_.simulation.seed;
    try {
      Network network(setup_, options_, std::move(sources));
      network.open_waves(result_);
      const auto start = std::chrono::steady_clock::now();
      closed_loop_ = traffic && traffic->closed_loop();
      ends_ = options_.trace != nullptr || (traffic && traffic->ends());
      const bool drawn = options_.trace == nullptr && !closed_loop_;
      const auto steady =
          measure_until_done(network, drawn && sleeping_sources() ? &*traffic : nullptr);
      const std::uint64_t to = result_.cycles, from = to - result_.measured_cycles;
      const double per_terminal = traffic && from < to
                                      ? traffic->active_terminals(from, to)
                                      : static_cast<double>(setup_.topology.num_terminals());
      // Of a closed loop that ends, every cycle counts: its bursts have no steady state to wait
      // for.
      const bool all = closed_loop_ && ends_;
      const auto flits_per_cycle = [&](std::uint64_t flits) {
        return static_cast<double>(flits) / static_cast<double>(to);
      };
      const double accepted =
          all ? flits_per_cycle(result_.whole.accepted_flits) : steady.accepted();
      const double offered = all ? flits_per_cycle(result_.whole.offered_flits) : steady.offered();
      result_.accepted_flits_per_cycle = accepted / per_terminal;
      result_.accepted_load = result_.accepted_flits_per_cycle * flit_time;
      if (!drawn) result_.offered_load = offered / per_terminal * flit_time;
      result_.saturated = drawn && steady.saturated();
      network.summarise(result_);
      result_.latency.ci95 = steady.ci95();
      result_.network_latency.ci95 = INFINITY;
      drain(network);
      result_.wall_seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      result_.cpu_seconds = network.cpu_seconds();
      result_.total_cycles = network.now();
      if (result_.failures.empty()) {
        network.read_counters(result_);
        network.read_probes(result_);
      }
      network.report_probes(result_);
      network.collect_records(result_);
    } catch (const std::runtime_error& e) {
      result_.stopped = "failed";
      result_.failures.push_back(e.what());
    }
    return std::move(result_);
  }

 private:
  /// Sources that wait for room: what they do not generate was asked for all the same.
  bool sleeping_sources() const {
    return options_.traffic.source_queue_packets != 0 &&
           options_.traffic.injection == spec::Injection::kPeriodic;
  }

  /// Runs that end by themselves (a trace, the last step of a closed loop) are measured as a whole.
  /// `asked`: where given, its loads are what is offered, and not what the sources generated.
  measure::SteadyState measure_until_done(Network& network, const traffic::Traffic* asked) {
    const spec::SimulationSpec& sim = options_.simulation;
    const std::uint64_t bound = sim.cycles != 0 ? sim.warmup_cycles + sim.cycles : sim.max_cycles;
    const std::uint64_t epoch = network.epoch_cycles();
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>((sim.cycles != 0 ? sim.cycles : bound) / 200, 20, 2000);
    const std::uint64_t epochs = std::max<std::uint64_t>(1, wanted / epoch);
    const std::uint64_t window = epochs * epoch;
    measure::SteadyStateOptions steady_options;
    steady_options.window_cycles = window;
    steady_options.warmup_windows = (sim.warmup_cycles + window - 1) / window;
    steady_options.max_warmup_windows =
        std::max<std::uint64_t>(sim.cycles != 0 ? sim.cycles / window : bound / 2 / window, 60);
    steady_options.latency_limit_cycles = latency_limit(setup_, options_.traffic);
    measure::SteadyState steady(steady_options);
    measure::TimeSeries series(window);
    CounterMap map;
    std::uint64_t still = 0;
    bool warm = false;
    while (result_.stopped.empty()) {
      // 0: not known
      const std::uint64_t last = options_.trace != nullptr ? options_.trace->last_cycle()
                                 : ends_                   ? 0
                                                           : bound;
      if (options_.progress) options_.progress(network.now(), last);
      network.advance(epochs);
      measure::Window w = network.take_window();
      if (asked != nullptr) {
        // Rounded at each end, so that windows add up.
        const std::uint64_t now = network.now();
        w.offered_flits =
            static_cast<std::uint64_t>(std::llround(asked->offered_flits(0, now)) -
                                       std::llround(asked->offered_flits(0, now - window)));
      }
      series.add(w);
      result_.whole += w;
      if (!network.router_decisions().empty()) map.add(network.router_decisions());
      const bool now_warm = steady.add(w);
      if (now_warm && !warm && !ends_) {
        warm = true;
        network.clear_measured();
      }
      still = w.accepted_flits == 0 && w.in_flight_flits != 0 ? still + window : 0;
      if (still > patience(setup_)) {
        result_.failures.push_back(
            fmt::format("cycle {}: {} flits in the network, none ejected for {} cycles",
                        network.now(), w.in_flight_flits, still));
        result_.stopped = "failed";
      } else {
        result_.stopped = why_stop(network, w, steady, bound);
      }
    }
    result_.cycles = network.now();
    result_.warmup_cycles = ends_ ? 0 : steady.warmup_cycles();
    result_.measured_cycles = ends_ ? network.now() : steady.measured_cycles();
    result_.series = series.rows();
    result_.measured = ends_ ? result_.whole : steady.measured();
    add_settling(series, ends_ ? 0 : options_.traffic.switch_cycle);
    map.write(result_, window);
    result_.injected = network.injected();
    result_.delivered = network.delivered();
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
    if (sim.cycles != 0) return steady.measured_cycles() >= sim.cycles ? "cycles" : "";
    if (steady.precise(sim.ci_relative)) return "converged";
    return network.now() >= bound ? "limit" : "";
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
  bool closed_loop_ = false;  ///< terminals wait for each other
  bool ends_ = false;         ///< by itself
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
