// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/agents.hpp"
#include "app/commands.hpp"
#include "app/compare.hpp"
#include "app/files.hpp"
#include "app/jobs.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "app/synth.hpp"
#include "app/tables.hpp"
#include "measure/search.hpp"
#include "report/report.hpp"
#include "spec/pattern_name.hpp"
#include "traffic/trace.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Point {
  std::size_t network = 0;
  std::string pattern;
  double load = 0;
};

class Simulation {
 public:
  explicit Simulation(const SimulateOptions& options) : options_(options) {}

  /// Loads, proves and compiles all routing variants.
  int prepare() {
    auto lineup = load_lineup(options_.input, options_.others);
    if (!lineup) return report(lineup.errors());
    experiment_ = std::move(lineup.value().experiment);
    contenders_ = std::move(lineup.value().contenders);
    std::vector<deadlock::ProvenNetwork> proven;
    for (const auto& contender : contenders_) {
      auto outcome = prove(contender.spec, options_.input.families);
      if (const auto* failure = std::get_if<deadlock::ProofFailure>(&outcome)) {
        fmt::print(stderr, "{}: {}: not proved, so it is not simulated\n{}", contender.file,
                   contender.label, failure->text);
        return kFailed;
      }
      proven.push_back(std::get<deadlock::ProvenNetwork>(std::move(outcome)));
    }
    if (const int status = check_traffic(proven); status != kGood) return status;
    for (std::size_t n = 0; n < proven.size(); ++n) {
      for (const auto& pattern : experiment_.base.experiment.patterns) {
        if (spec::sets_load(pattern))
          points_.push_back({n, pattern, 0});
        else
          for (const double load : experiment_.base.experiment.loads)
            points_.push_back({n, pattern, load});
      }
    }
    if ((!options_.wave_routers.empty() || !options_.record_trace.empty() || with_tables()) &&
        points_.size() != 1) {
      return report({{"app.one-point",
                      {options_.input.file, 0, 0},
                      "experiment",
                      fmt::format("{} points", points_.size()),
                      "a single point with --wave, --record-trace, --save-tables or --load-tables",
                      "choose one with --routing LABEL --pattern NAME --load L"}});
    }
    for (const std::uint32_t r : options_.wave_routers) {
      if (const std::size_t routers = proven.front().topology().num_routers(); r >= routers) {
        return report({{"app.no-such-router",
                        {options_.input.file, 0, 0},
                        "--wave",
                        fmt::format("router {}", r),
                        fmt::format("0 to {}", routers - 1),
                        ""}});
      }
    }
    if (const int status = check_tables(proven.front()); status != kGood) return status;
    for (const auto& file : {options_.record_trace, options_.save_tables}) {
      if (const Diagnostics failed = check_writable(options_.output, file); !failed.empty())
        return report(failed);
    }
    std::vector<std::shared_ptr<const learn::DqnAgents>> agents;
    for (std::size_t i = 0; i < proven.size(); ++i) {
      auto named = configured_agents(proven[i], options_.input, contenders_[i].file);
      if (!named) return report(named.errors());
      agents.push_back(std::move(named).value());
    }
    for (std::size_t i = 0; i < proven.size(); ++i) {
      auto compiled = compile(std::move(proven[i]), contenders_[i].label, options_.model);
      if (!compiled) {
        if (interrupted()) return kInterrupted;
        report(compiled.errors());
        return kFailed;
      }
      networks_.push_back(std::move(compiled).value());
      networks_.back().agents = agents[i];
    }
    return kGood;
  }

  int execute() {
    results_ =
        network_json(experiment_.base, networks_.front().proven->topology(),
                     routing::family_of(options_.input.families, experiment_.base.network.routing),
                     experiment_.text);
    if (!options_.others.empty()) results_["networks"] = other_networks();
    Json& proofs = results_["proofs"] = Json::array();
    for (const auto& n : networks_) proofs.push_back(proof_json(n));
    results_["overrides"] = options_.input.overrides;
    if (!options_.load_tables.empty()) results_["loaded_tables"] = options_.load_tables;
    restore();
    const bool search = experiment_.base.experiment.find_saturation && points_.size() > 1;
    const auto searches = search ? search_jobs() : std::vector<Point>{};
    const auto workers =
        static_cast<unsigned>(std::clamp<std::size_t>(points_.size(), 1, options_.threads));
    const unsigned threads_each = std::max(1u, options_.threads / workers);
    ProgressBar bar(points_.size() + searches.size(), options_.quiet);
    std::vector<Json> points(points_.size()), speeds(points_.size());
    for_all(points_.size(), workers, [&](std::size_t i) {
      const Point& p = points_[i];
      if (const auto kept = kept_.find(key(p)); kept != kept_.end()) {
        points[i] = kept->second.first;
        speeds[i] = kept->second.second;
        remember(p, points[i]);
        return;
      }
      if (interrupted()) return;
      const engine::RunResult r =
          run_point(p, threads_each, true, [&](double part) { bar.update(i, part, name(p)); });
      points[i] =
          point_json(networks_[p.network].label, p.pattern, r, networks_[p.network].proven->spec());
      speeds[i] = speed_json(networks_[p.network].label, p.pattern, r,
                             networks_[p.network].proven->topology().num_routers());
      if (r.stopped == "interrupted") points[i]["partial"] = true;
      remember(p, points[i]);
      bar.update(i, 1, name(p));
    });
    std::vector<Json> saturation(searches.size());
    for_all(searches.size(), workers, [&](std::size_t i) {
      if (interrupted()) return;
      if (const auto kept = kept_saturation_.find(search_key(searches[i]));
          kept != kept_saturation_.end()) {
        saturation[i] = kept->second;
        return;
      }
      Json found = find_saturation(searches[i], threads_each, [&](double part) {
        bar.update(points_.size() + i, part, "saturation, " + name(searches[i]));
      });
      if (!interrupted()) saturation[i] = std::move(found);
      bar.update(points_.size() + i, 1, "saturation");
    });
    const auto keep = [](std::vector<Json>& from, Json& to) {
      to = Json::array();
      for (auto& json : from) {
        if (!json.is_null()) to.push_back(std::move(json));
      }
    };
    keep(points, results_["points"]);
    keep(saturation, results_["saturation"]);
    keep(speeds, speeds_["points"]);
    if (interrupted()) results_["interrupted"] = true;
    for (const auto& point : results_["points"]) {
      for (const auto& failure : point["failures"]) {
        fmt::print(stderr, "{} {} load {}: {}\n", point["routing"].get<std::string>(),
                   point["pattern"].get<std::string>(), point["offered_load"].get<double>(),
                   failure.get<std::string>());
        failed_ = true;
      }
    }
    if (!interrupted() && add_costs(networks_, options_.synth, results_) != kGood) failed_ = true;
    return interrupted() ? kInterrupted : failed_ ? kFailed : kGood;
  }

  int write(bool with_report) {
    Diagnostics errors;
    const auto put = [&](const char* file, const std::string& text) {
      if (errors.empty()) errors = write_file(options_.output / file, text);
    };
    put("results.json", results_.dump(1) + "\n");
    put("speed.json", speeds_.dump(1) + "\n");
    const nlohmann::json results = results_;
    put("points.csv", report::points_csv(results));
    if (with_report) {
      auto html = report::render_html(results);
      if (!html)
        errors = html.errors();
      else
        put("report.html", html.value());
    }
    if (!options_.record_trace.empty() && errors.empty())
      errors = write_file(options_.record_trace, recorded_trace_);
    if (!learned_tables_.empty() && errors.empty())
      errors = write_file(options_.save_tables, learned_tables_);
    if (!errors.empty()) return report(errors);
    fmt::print("{}", report::points_table(results));
    if (results_.contains("costs"))
      fmt::print("\n{}", synth_table(results_["costs"].get<std::vector<Json>>()));
    return kGood;
  }

  const std::vector<Simulated>& networks() const { return networks_; }

 private:
  using Report = std::function<void(double)>;

  std::string name(const Point& p) const {
    return fmt::format("{} {} {:g}", networks_[p.network].label, p.pattern, p.load);
  }
  static std::string key(const std::string& routing, const std::string& pattern, double load) {
    return fmt::format("{}/{}/{:.12g}", routing, pattern, load);
  }
  std::string key(const Point& p) const {
    return key(networks_[p.network].label, p.pattern, p.load);
  }

  bool with_tables() const {
    return !options_.save_tables.empty() || !options_.load_tables.empty();
  }

  /// Tables to start from must fit the network; a routing without tables has none to save.
  int check_tables(const deadlock::ProvenNetwork& network) {
    if (!with_tables()) return kGood;
    if (!network.spec().network.routing.settings.has("q_alpha")) {
      return report({{"app.no-tables",
                      {options_.input.file, 0, 0},
                      "routing.algorithm",
                      network.relation().name(),
                      "q_routing, q_adaptive or q_par with --save-tables or --load-tables",
                      ""}});
    }
    if (options_.load_tables.empty()) return kGood;
    auto tables = read_tables(network, options_.load_tables);
    if (!tables) return report(tables.errors());
    start_tables_.emplace(std::move(tables).value());
    return kGood;
  }

  /// Patterns and trace must fit before anything is compiled or written.
  int check_traffic(const std::vector<deadlock::ProvenNetwork>& proven) {
    Diagnostics errors;
    for (const auto& pattern : experiment_.base.experiment.patterns) {
      const auto& network = proven.front().spec().network;
      if (pattern == "trace") {
        fs::path path = experiment_.base.traffic.trace_file;
        const bool from_command =
            std::any_of(options_.input.overrides.begin(), options_.input.overrides.end(),
                        [](const std::string& o) { return o.starts_with("traffic.trace="); });
        if (path.is_relative() && !from_command)
          path = fs::path(options_.input.file).parent_path() / path;
        const unsigned shortest = network.packet.format == spec::PacketFormatKind::kApenet ? 2 : 1;
        auto trace = traffic::read_trace(path.string(), {proven.front().topology().num_terminals(),
                                                         shortest, network.packet.max_flits});
        if (!trace)
          errors.insert(errors.end(), trace.errors().begin(), trace.errors().end());
        else
          trace_.emplace(std::move(trace).value());
        continue;
      }
      for (std::size_t n = 0; n < proven.size(); ++n) {
        if (n > 0 && contenders_[n].file == contenders_[n - 1].file) continue;
        spec::TrafficSpec both = n == 0 ? experiment_.base.traffic : contenders_[n].spec.traffic;
        both.pattern = pattern;
        const auto made = traffic::make_traffic(both, both.load, proven[n].topology(),
                                                proven[n].spec().network.link.cycles_per_flit, 1);
        if (made) continue;
        for (Diagnostic d : made.errors()) {
          if (d.where.file.empty()) d.where.file = contenders_[n].file;
          errors.push_back(d);
        }
      }
    }
    return errors.empty() ? kGood : report(errors);
  }

  /// The networks of further files, and the labels that run on each.
  Json other_networks() const {
    Json others = Json::array();
    for (std::size_t n = 0; n < contenders_.size(); ++n) {
      if (contenders_[n].file == options_.input.file) continue;
      if (contenders_[n].file != contenders_[n - 1].file) {
        Json whole = network_json(contenders_[n].spec, networks_[n].proven->topology(),
                                  networks_[n].proven->family(), "");
        others.push_back({{"routings", Json::array()},
                          {"network", whole["network"]},
                          {"channels", whole["channels"]}});
      }
      others.back()["routings"].push_back(contenders_[n].label);
    }
    return others;
  }

  engine::RunResult run_point(const Point& p, unsigned threads, bool whole,
                              const Report& progress) {
    engine::RunOptions run;
    run.traffic = networks_[p.network].proven->spec().traffic;
    run.traffic.pattern = p.pattern;
    run.simulation = networks_[p.network].proven->spec().simulation;
    run.load = p.load;
    run.threads = threads;
    run.stop = &interrupted();
    run.progress = [&](std::uint64_t cycle, std::uint64_t bound) {
      progress(bound == 0 ? 0 : static_cast<double>(cycle) / static_cast<double>(bound));
    };
    if (p.pattern == "trace") run.trace = &*trace_;
    run.learning.check = options_.check_learning;
    const Simulated& network = networks_[p.network];
    if (network.agents) run.dqn = dqn_options(*network.proven, network.agents.get());
    run.learning.start = start_tables_ ? &*start_tables_ : nullptr;
    if (whole) {
      for (const std::uint32_t r : options_.wave_routers) {
        std::error_code ignored;
        fs::create_directories(options_.output, ignored);
        run.waves.emplace_back(RouterId{r},
                               (options_.output / fmt::format("router_{}.fst", r)).string());
      }
      run.record_packets = !options_.record_trace.empty();
      run.learning.read_tables = !options_.save_tables.empty();
    }
    auto result = engine::simulate(*networks_[p.network].setup, run);
    if (!result) {
      engine::RunResult failed;
      failed.stopped = "failed";
      for (const auto& d : result.errors()) failed.failures.push_back(format(d));
      return failed;
    }
    if (run.record_packets) recorded_trace_ = traffic::format_trace(result.value().packets);
    if (const auto& t = result.value().tables; !t.empty()) {  // of a run that failed there are none
      learned_tables_ = format_tables(*networks_[p.network].proven, networks_[p.network].label, t);
    }
    return std::move(result).value();
  }

  /// What the saturation search need not run again.
  void remember(const Point& p, const Json& point) {
    const Json& latency = point["latency_cycles"]["mean"];
    const Json& accepted = point["accepted_load"];
    if (!accepted.is_number() || point["stopped"] == "failed" || point["stopped"] == "interrupted")
      return;
    const double link = networks_[p.network].proven->spec().network.link.cycles_per_flit.value();
    const std::lock_guard lock(known_mutex_);
    known_[key(p)] = {.accepted = accepted.get<double>(),
                      .offered = 0,
                      .mean_latency_link_cycles =
                          (latency.is_number() ? latency.get<double>() : INFINITY) / link};
  }

  std::vector<Point> search_jobs() const {
    std::vector<Point> jobs;
    std::set<std::pair<std::size_t, std::string>> seen;
    for (const Point& p : points_) {
      if (!spec::sets_load(p.pattern) && seen.emplace(p.network, p.pattern).second)
        jobs.push_back(p);
    }
    return jobs;
  }

  Json find_saturation(const Point& job, unsigned threads, const Report& progress) {
    Point p = job;
    measure::SaturationCriteria criteria;
    const auto& spec = networks_[job.network].proven->spec();
    criteria.latency_limit_link_cycles =
        engine::latency_limit(*networks_[job.network].setup, spec.traffic) /
        spec.network.link.cycles_per_flit.value();
    for (const double load : experiment_.base.experiment.loads) {
      p.load = load;
      const std::lock_guard lock(known_mutex_);
      const auto known = known_.find(key(p));
      if (known == known_.end() || !measure::sustained(load, known->second, criteria)) break;
      criteria.known_sustained = load;
    }
    double beyond = NAN;
    unsigned steps = 0;
    const auto found = measure::find_saturation(
        [&](double load) {
          p.load = load;
          progress(std::min(0.95, 0.1 * ++steps));
          {
            const std::lock_guard lock(known_mutex_);
            const auto known = known_.find(key(p));
            if (known != known_.end()) {
              if (load == 1.0) beyond = known->second.accepted;
              return known->second;
            }
          }
          const engine::RunResult r = run_point(p, threads, false, [](double) {});
          if (!r.failures.empty()) failed_ = true;
          const double link =
              networks_[p.network].proven->spec().network.link.cycles_per_flit.value();
          if (load == 1.0) beyond = r.accepted_load;
          return measure::Probe{.accepted = r.accepted_load,
                                .offered = 0,
                                .mean_latency_link_cycles = r.latency.mean / link};
        },
        criteria);
    return {{"routing", networks_[job.network].label},
            {"pattern", job.pattern},
            {"throughput", found.load},
            {"at_highest", found.at_highest},
            {"accepted_beyond", std::isfinite(beyond) ? Json(beyond) : Json(nullptr)}};
  }

  std::string search_key(const Point& p) const {
    return networks_[p.network].label + "/" + p.pattern;
  }

  /// The overrides that change what a point is, not which points there are.
  static std::vector<std::string> of_points(const std::vector<std::string>& overrides) {
    std::vector<std::string> kept;
    for (const auto& o : overrides) {
      if (!o.starts_with("experiment.loads=") && !o.starts_with("experiment.patterns=") &&
          !o.starts_with("experiment.find_saturation=")) {
        kept.push_back(o);
      }
    }
    return kept;
  }

  /// With --resume: points of the same network, RTL, traffic and seed that an earlier run
  /// completed.
  void restore() {
    if (!options_.resume || with_tables() || options_.check_learning) return;
    const auto old = read_file(options_.output / "results.json"),
               old_speed = read_file(options_.output / "speed.json");
    if (!old || !old_speed) return;
    const Json results = Json::parse(old.value(), nullptr, false),
               speeds = Json::parse(old_speed.value(), nullptr, false);
    if (results.is_discarded() || speeds.is_discarded() ||
        results.value("config_yaml", "") != experiment_.text)
      return;
    if (results.value("hopwise", "") != results_["hopwise"] || !results.contains("overrides") ||
        results.contains("loaded_tables"))
      return;
    const auto overrides = results["overrides"].get<std::vector<std::string>>();
    if (of_points(overrides) != of_points(options_.input.overrides)) return;
    std::set<std::string> same_rtl;
    for (const auto& old_proof : results["proofs"]) {
      for (const auto& proof : results_["proofs"]) {
        if (old_proof == proof) same_rtl.insert(proof["routing"].get<std::string>());
      }
    }
    for (std::size_t i = 0; i < results["points"].size() && i < speeds["points"].size(); ++i) {
      const Json& p = results["points"][i];
      if (p.contains("partial") || p["stopped"] == "failed" ||
          p["seed"] != experiment_.base.simulation.seed ||
          same_rtl.count(p["routing"].get<std::string>()) == 0) {
        continue;
      }
      kept_[key(p["routing"].get<std::string>(), p["pattern"].get<std::string>(),
                p["offered_load"].get<double>())] = {p, speeds["points"][i]};
    }
    // A search starts from the points: with other loads it might end elsewhere within its
    // tolerance.
    if (results.contains("interrupted") || overrides != options_.input.overrides) return;
    for (const Json& s : results["saturation"]) {
      const auto routing = s["routing"].get<std::string>();
      if (same_rtl.count(routing) != 0)
        kept_saturation_[routing + "/" + s["pattern"].get<std::string>()] = s;
    }
  }

  const SimulateOptions& options_;
  Experiment experiment_;
  std::vector<Contender> contenders_;
  std::vector<Simulated> networks_;
  std::vector<Point> points_;
  std::optional<traffic::Trace> trace_;
  std::map<std::string, std::pair<Json, Json>> kept_;
  std::map<std::string, Json> kept_saturation_;
  std::mutex known_mutex_;
  std::map<std::string, measure::Probe> known_;
  std::optional<engine::Tables> start_tables_;
  std::string recorded_trace_, learned_tables_;
  Json results_, speeds_;
  std::atomic<bool> failed_ = false;
};

int run_all(const SimulateOptions& options, bool with_bundles, bool with_report) {
  catch_interrupts();
  Simulation simulation(options);
  if (const int status = simulation.prepare(); status != kGood) return status;
  if (with_bundles) {
    for (const auto& n : simulation.networks()) {
      // no hardware has it
      if (n.proven->simulation_only()) continue;
      const fs::path directory = options.output / "bundles" / n.label;
      if (const Diagnostics failed = write_bundle(directory, emit::emit_bundle(*n.proven));
          !failed.empty())
        return report(failed);
    }
  }
  const int status = simulation.execute();
  const int written = simulation.write(with_report);
  return written != kGood ? written : status;
}

int run_with_report(const SimulateOptions& options, bool with_bundles) {
  const int status = run_all(options, with_bundles, true);
  if (status != kBadInput)
    fmt::print("report: {}\n",
               (fs::absolute(options.output) / "report.html").lexically_normal().string());
  return status;
}

}  // namespace

int simulate(const SimulateOptions& options) { return run_all(options, false, false); }

int run(const SimulateOptions& options) { return run_with_report(options, true); }

int compare(const SimulateOptions& options) { return run_with_report(options, false); }

}  // namespace hopwise::app
