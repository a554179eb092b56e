// SPDX-License-Identifier: Apache-2.0
#include "engine/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace hopwise::engine {

namespace {

std::uint64_t sum_of(const std::array<std::uint64_t, kDropCauses>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Diagnostics Run::begin(const Berth* berth) {
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
  if (options_.job != nullptr) job_.emplace(*options_.job, sources);
  closed_loop_ = job_ || (traffic_ && traffic_->closed_loop());
  if (setup_.terminal_model != nullptr && closed_loop_ && !job_) {
    return {{"config.messages-with",
             {},
             "traffic.pattern",
             options_.traffic.pattern,
             "a pattern that does not wait for packets, or a job",
             "messages of message interfaces end in windows that ranks of a job open"}};
  }
  if (closed_loop_ && options_.faults.resets_any()) {
    return {{"config.fault-reset",
             {},
             "fault.resets",
             "resets with a program of the terminals",
             "none",
             "it would wait for packets that are lost"}};
  }
  ends_ = job_ || (traffic_ ? traffic_->ends() : recording() == nullptr);
  result_.offered_load = options_.load;
  result_.active_terminals = static_cast<double>(setup_.topology.num_terminals());
  if (job_) {
    result_.active_terminals =
        static_cast<double>(job_->senders(*traffic_, setup_.topology.num_terminals()));
    beside_ = !spec::pattern_of(options_.patterns, options_.traffic.pattern).idle;
  }
  result_.seed = options_.simulation.seed;
  for (const model::RouterModel* model : setup_.models)
    result_.lanes = std::max(result_.lanes, unsigned{model->lanes});
  network_ = std::make_unique<Network>(setup_, options_, std::move(sources), berth);
  network_->open_waves(result_);
  start_seconds_ = seconds();
  choose_windows();
  return {};
}

std::uint64_t Run::next() {
  if (phase_ == Phase::kMeasure) {
    if (in_window_) end_window();
    in_window_ = true;
    if (result_.stopped.empty()) {
      if (options_.progress) options_.progress(part_done());
      return window_epochs_;
    }
    end_measuring();
    phase_ = Phase::kDrain;
  }
  if (phase_ == Phase::kDrain) {
    if (!drained()) return std::max<std::uint64_t>(1, 64 / network_->epoch_cycles());
    end_drain();
    phase_ = Phase::kOver;
  }
  return 0;
}

double Run::part_done() const {
  if (job_) return job_->part_done();
  if (ends_ && options_.trace == nullptr) return 0;
  const auto last = static_cast<double>(ends_ ? options_.trace->last_cycle() : bound_);
  return std::min(1.0, static_cast<double>(network_->now()) / std::max(1.0, last));
}

void Run::failed() {
  phase_ = Phase::kOver;
  result_.stopped = "failed";
  try {
    throw;
  } catch (const model::AssertionFailed& e) {
    result_.failures.push_back(e.what());
    result_.failed_router = RouterId{e.router()};
  } catch (const std::runtime_error& e) {
    result_.failures.push_back(e.what());
  }
}

RunResult Run::result() {
  if (network_) {
    result_.total_cycles = network_->now();
    result_.ranks = network_->rank_costs();
    for (const RankCosts& rank : result_.ranks) {
      result_.cpu_seconds += rank.cpu;
      result_.eval_seconds += rank.eval;
    }
    result_.wall_seconds = seconds() - start_seconds_;
  }
  return std::move(result_);
}

/// Of the run that the trace comes from; null where it does not tell, or nothing is replayed.
const traffic::Recording* Run::recording() const {
  const bool tells = options_.trace != nullptr && options_.trace->recording();
  return tells ? &*options_.trace->recording() : nullptr;
}

/// Flits that loads ask for in [from, to), whole network, where that is not what the sources
/// generate: those that wait for room in bounded queues.
std::optional<double> Run::asked(std::uint64_t from, std::uint64_t to) const {
  if (options_.traffic.source_queue_packets == 0) return std::nullopt;
  if (const traffic::Recording* r = recording()) {
    return r->offered_load / flit_time() * r->active_terminals * static_cast<double>(to - from);
  }
  if (!traffic_ || closed_loop_ || options_.traffic.injection != spec::Injection::kPeriodic)
    return std::nullopt;
  return traffic_->offered_flits(from, to);
}

measure::SteadyStateOptions Run::steady_options() const {
  const std::uint64_t window = window_cycles_;
  const spec::SimulationSpec& sim = options_.simulation;
  measure::SteadyStateOptions o;
  o.window_cycles = window;
  const std::uint64_t warmup = recording() != nullptr ? recording()->from : sim.warmup_cycles;
  o.warmup_windows = (warmup + window - 1) / window;
  const std::uint64_t half = std::max<std::uint64_t>(1, bound_ / 2 / window);
  o.max_warmup_windows =
      std::max(sim.cycles != 0 ? sim.cycles / window : half, std::min<std::uint64_t>(half, 60));
  o.slack_flits =
      static_cast<double>(setup_.topology.num_terminals()) * setup_.network.packet.max_flits;
  o.latency_limit_cycles = latency_limit(setup_, options_.traffic, options_.simulation);
  return o;
}

/// Runs that end by themselves (a trace, the last step of a closed loop) are measured as a whole.
void Run::choose_windows() {
  const spec::SimulationSpec& sim = options_.simulation;
  const traffic::Recording* recorded = recording();
  bound_ = recorded != nullptr ? recorded->to
           : sim.cycles != 0   ? sim.warmup_cycles + sim.cycles
                               : sim.max_cycles;
  const std::uint64_t epoch = network_->epoch_cycles();
  // A run to convergence takes 100 windows at least, and few take the bound's time.
  const std::uint64_t expected = ends_ && options_.trace != nullptr ? options_.trace->last_cycle()
                                 : sim.cycles != 0                  ? sim.cycles
                                                                    : bound_ / 4;
  const std::uint64_t wanted =
      recorded != nullptr ? recorded->window : std::clamp<std::uint64_t>(expected / 200, 20, 2000);
  window_epochs_ = std::max<std::uint64_t>(1, wanted / epoch);
  window_cycles_ = window_epochs_ * epoch;
  steady_.emplace(steady_options());
  series_.emplace(window_cycles_);
}

void Run::end_window() {
  measure::Window w = network_->take_window();
  // Rounded at each end, so that windows add up.
  const std::uint64_t now = network_->now();
  if (const auto flits = asked(0, now)) {
    w.offered_flits = static_cast<std::uint64_t>(std::llround(*flits) -
                                                 std::llround(*asked(0, now - window_cycles_)));
  }
  series_->add(w);
  result_.whole += w;
  if (!network_->router_decisions().empty()) map_.add(network_->router_decisions());
  const bool now_warm = steady_->add(w);
  if (now_warm && !warm_ && !ends_) {
    warm_ = true;
    network_->clear_measured();
  }
  // How well the terminals of a trace were served shows while it still generates.
  if (ends_ && options_.trace != nullptr && now > options_.trace->last_cycle() &&
      now - window_cycles_ <= options_.trace->last_cycle()) {
    network_->judge_fairness(result_, std::nullopt);
    result_.saturated = steady_->queues_grow();
  }
  still_ = w.accepted_flits == 0 && w.in_flight_flits != 0 ? still_ + window_cycles_ : 0;
  if (still_ > patience_ && under_way(w)) {
    result_.failures.push_back(
        fmt::format("cycle {}: {} flits in the network, none ejected for {} cycles{}", now,
                    w.in_flight_flits, still_, who_waits()));
    result_.stopped = "failed";
  } else {
    result_.stopped = why_stop(w);
  }
}

/// Of packets that were lost, or whose heads were flipped, it is not known how many flits are under
/// way.
bool Run::under_way(const measure::Window& window) {
  return options_.faults.header_flips > 0 || options_.faults.resets_any()
             ? !network_->quiescent()
             : window.in_flight_flits != 0;
}

/// RunResult::stopped after the window; empty: the run goes on.
const char* Run::why_stop(const measure::Window& window) {
  const spec::SimulationSpec& sim = options_.simulation;
  if (network_->anywhere(options_.stop && options_.stop())) return "interrupted";
  if (job_) return job_goes_on() ? "" : job_->done() ? "last-step" : "limit";
  if (ends_) {
    if (!network_->sources_done() || under_way(window)) return "";
    return closed_loop_ ? "last-step" : "trace-end";
  }
  if (recording() != nullptr) return network_->now() >= bound_ ? "trace-end" : "";
  if (sim.cycles != 0) return steady_->measured_cycles() >= sim.cycles ? "cycles" : "";
  if (steady_->precise(sim.ci_relative)) return "converged";
  if (options_.until_verdict && steady_->verdict() != measure::Verdict::kOpen) return "verdict";
  return network_->now() >= bound_ ? "limit" : "";
}

/// A job ends the run; what goes on beside it has no end. One that is not done, and can be no more,
/// has failed.
bool Run::job_goes_on() {
  if (job_->done()) return false;
  const bool starved = network_->sources_done() && network_->quiescent();
  if (!starved && !job_->gives_up(network_->now())) return true;
  result_.failures.push_back(fmt::format("cycle {}: {}{}", network_->now(), job_->who_waits(),
                                         starved ? ", and nothing is under way" : ""));
  return false;
}

void Run::end_measuring() {
  result_.cycles = network_->now();
  result_.series = series_->rows();
  add_settling(ends_ ? 0 : options_.traffic.switch_cycle);
  map_.write(result_, window_cycles_);
  result_.injected = network_->injected();
  result_.delivered = network_->delivered();
  if (ends_)
    summarise_whole();
  else
    summarise_interval();
  // No packet enters any more; whatever does not come out now is lost.
  network_->stop_generating();
  drain_start_ = quiet_since_ = network_->now();
  last_gone_ = delivered_or_gone();
}

/// Flits per core cycle of the whole network as loads.
void Run::set_loads(double accepted, std::optional<double> offered) {
  result_.accepted_flits_per_cycle = accepted / result_.active_terminals;
  result_.accepted_load = result_.accepted_flits_per_cycle * flit_time();
  if (offered) result_.offered_load = *offered / result_.active_terminals * flit_time();
}

void Run::summarise_interval() {
  const traffic::Recording* recorded = recording();
  result_.warmup_cycles = steady_->warmup_cycles();
  result_.measured_cycles = steady_->measured_cycles();
  result_.measured = steady_->measured();
  const std::uint64_t to = result_.cycles, from = to - result_.measured_cycles;
  if (recorded != nullptr) {
    result_.active_terminals = recorded->active_terminals;
    result_.offered_load = recorded->offered_load;
  } else if (from < to) {
    result_.active_terminals = traffic_->active_terminals(from, to);
  }
  set_loads(steady_->accepted(), closed_loop_ ? std::optional(steady_->offered()) : std::nullopt);
  result_.saturated = !closed_loop_ && (result_.stopped == "verdict"
                                            ? steady_->verdict() == measure::Verdict::kSaturated
                                            : steady_->saturated());
  network_->summarise(result_, static_cast<double>(from < to ? to - from : to));
  const auto flits = asked(from, to);
  network_->judge_fairness(result_,
                           flits ? std::optional(*flits / result_.active_terminals) : flits);
  if (traffic_ && from < to && steady_->measured_cycles() != 0) tell_hot(to - from);
  result_.latency.ci95 = steady_->ci95();
  if (0 < from && from < to)
    result_.recording = {from, to, window_cycles_, result_.offered_load, result_.active_terminals};
}

/// With one phase of traffic, of which some terminals are hot.
void Run::tell_hot(std::uint64_t cycles) {
  if (traffic_->phases().size() != 1) return;
  const traffic::Pattern& pattern = *traffic_->phases().front().pattern;
  bool any = false;
  for (std::uint32_t t = 0; t < setup_.topology.num_terminals(); ++t)
    any |= pattern.hot(TerminalId{t});
  if (!any) return;
  const auto [hot, others] = network_->ejected([&](TerminalId t) { return pattern.hot(t); });
  const double load = flit_time() / result_.active_terminals / static_cast<double>(cycles);
  result_.hot_and_others = {static_cast<double>(hot) * load, static_cast<double>(others) * load};
}

/// Bursts, and the end of what there is to send, have no steady state: every cycle counts, up to
/// the last delivery.
void Run::summarise_whole() {
  result_.completed = result_.stopped == "trace-end" || result_.stopped == "last-step";
  if (result_.completed && !beside_)
    result_.cycles = result_.delivered == 0 ? 0 : network_->last_delivery_cycle() + 1;
  result_.measured_cycles = result_.cycles;
  result_.measured = result_.whole;
  const double cycles = static_cast<double>(std::max<std::uint64_t>(result_.cycles, 1));
  if (options_.trace != nullptr) {
    const std::size_t active = options_.trace->active_terminals();
    result_.active_terminals = static_cast<double>(std::max<std::size_t>(active, 1));
    set_loads(static_cast<double>(result_.whole.accepted_flits) / cycles,
              options_.trace->offered_flits_per_cycle(setup_.network.link.cycles_per_flit));
  } else {
    if (!job_) result_.active_terminals = traffic_->active_terminals(0, 1);
    const double offered = static_cast<double>(result_.whole.offered_flits) / cycles;
    set_loads(static_cast<double>(result_.whole.accepted_flits) / cycles,
              beside_ ? std::nullopt : std::optional(offered));
    network_->judge_fairness(result_, std::nullopt);
  }
  if (job_) summarise_job();
  network_->summarise(result_, cycles);
  result_.latency.ci95 = INFINITY;
  // Terminals that wait for each other offer no more than the network takes.
  result_.saturated =
      !closed_loop_ &&
      (result_.saturated ||
       result_.latency.mean > latency_limit(setup_, options_.traffic, options_.simulation));
}

void Run::summarise_job() {
  result_.jobs.push_back(job_->result());
  network_->summarise(result_.jobs.back());
}

void Run::add_settling(std::uint64_t switch_cycle) {
  const auto add = [&](std::uint64_t from, std::uint64_t to) {
    const auto found = measure::settling_times(
        *series_, {.from = from, .to = to, .window_cycles = options_.simulation.settling_cycles});
    if (found) result_.settling.push_back(*found);
  };
  add(0, switch_cycle);
  if (switch_cycle != 0) add(switch_cycle, 0);
}

/// For a message: what the routers' watchdogs say.
std::string Run::who_waits() const {
  const std::string chain = network_->who_waits();
  return chain.empty() ? chain : "; " + chain;
}

/// Packets that are no longer under way.
std::uint64_t Run::delivered_or_gone() const {
  return network_->delivered() + network_->damaged() + sum_of(network_->count_drops());
}

bool Run::drained() {
  if (result_.stopped == "failed" || (network_->sources_done() && network_->quiescent()))
    return true;
  const std::uint64_t now = network_->now();
  if (const std::uint64_t gone = delivered_or_gone(); gone != last_gone_) {
    last_gone_ = gone;
    quiet_since_ = now;
  }
  if (now - quiet_since_ <= patience_) return false;
  result_.failures.push_back(
      fmt::format("cycle {}: the network does not drain, {} packets are stuck{}", now,
                  network_->injected() - delivered_or_gone(), who_waits()));
  return true;
}

void Run::end_drain() {
  network_->catch_up();
  result_.drain_cycles = network_->now() - drain_start_;
  // A packet whose tail was still to come when injection stopped counts as injected in the run.
  result_.injected = network_->injected();
  result_.lost = network_->injected() - delivered_or_gone();
  result_.dropped = network_->count_drops();
  result_.stuck_vcs = network_->stuck_reports();
  result_.damaged = network_->damaged();
  result_.in_flight = network_->delivered() - result_.delivered;
  if (result_.lost != 0)
    result_.failures.push_back(fmt::format("{} packets are lost", result_.lost));
  if (const std::uint64_t odd = sum_of(result_.dropped) + result_.damaged;
      options_.faults.header_flips > 0 && !options_.faults.resets_any() &&
      odd > network_->bad() + network_->hits()) {
    result_.failures.push_back(
        fmt::format("{} packets are dropped or damaged, {} were injected with a bad head and {} "
                    "heads were flipped",
                    odd, network_->bad(), network_->hits()));
  }
  if (const std::uint64_t dropped = sum_of(result_.dropped); options_.faults.header_flips == 0 &&
                                                             !options_.faults.resets_any() &&
                                                             dropped != network_->bad()) {
    result_.failures.push_back(fmt::format(
        "{} packets are dropped, {} were injected with a bad head", dropped, network_->bad()));
  }
  result_.last_delivery_cycle = network_->last_delivery_cycle();
  result_.messages = network_->count_messages();
  if (const auto& m = result_.messages; m && result_.failures.empty()) {
    if (m->sent != m->completed || m->bytes_sent != m->bytes_written)
      result_.failures.push_back(
          fmt::format("{} messages of {} bytes were handed over, {} of {} bytes came in", m->sent,
                      m->bytes_sent, m->completed, m->bytes_written));
  }
  if (result_.failures.empty()) {
    network_->read_counters(result_);
    network_->read_probes(result_);
  }
  network_->report_probes(result_);
  network_->collect_records(result_);
}

Result<RunResult> simulate(const Setup& setup, const RunOptions& options) {
  Run run(setup, options);
  try {
    if (Diagnostics errors = run.begin(); !errors.empty()) return errors;
    while (const std::uint64_t epochs = run.next()) run.network().advance(epochs);
  } catch (...) {
    run.failed();
  }
  return run.result();
}

}  // namespace hopwise::engine
