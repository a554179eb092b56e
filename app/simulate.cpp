// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/jobs.hpp"
#include "app/learned.hpp"
#include "app/plan.hpp"
#include "app/progress.hpp"
#include "app/results.hpp"
#include "app/resume.hpp"
#include "app/saturation.hpp"
#include "app/synth.hpp"
#include "emit/bundle.hpp"
#include "report/report.hpp"
#include "report/verdict.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

class Simulation {
 public:
  Simulation(const SimulateOptions& options, Plan plan)
      : options_(options), plan_(std::move(plan)) {}

  int execute() {
    const spec::Spec& base = plan_.experiment.base;
    results_ = network_json(base, plan_.networks.front().proven->topology(),
                            options_.input.catalogue, plan_.experiment.text);
    if (!options_.others.empty()) results_["networks"] = other_networks();
    Json& proofs = results_["proofs"] = Json::array();
    for (const auto& n : plan_.networks) proofs.push_back(proof_json(n));
    results_["overrides"] = options_.input.overrides;
    if (!options_.load_tables.empty()) results_["loaded_tables"] = options_.load_tables;
    const Earlier earlier = earlier_results(options_, plan_, results_);
    const auto workers =
        static_cast<unsigned>(std::clamp<std::size_t>(plan_.points.size(), 1, options_.threads));
    const bool search = plan_.experiment.base.experiment.find_saturation && plan_.points.size() > 1;
    const auto jobs = search ? searches_.jobs() : std::vector<Point>{};
    ProgressBar bar(plan_.points.size() + jobs.size(), options_.quiet);
    run_points(earlier, workers, bar);
    run_searches(earlier, jobs, workers, bar);
    bool failed = searches_.failed();
    if (interrupted()) results_["interrupted"] = true;
    for (const auto& point : results_["points"]) {
      for (const auto& failure : point["failures"]) {
        fmt::print(stderr, "{} {} load {}: {}\n", point["routing"].get<std::string>(),
                   point["pattern"].get<std::string>(), point["offered_load"].get<double>(),
                   failure.get<std::string>());
        failed = true;
      }
    }
    if (!interrupted() && add_costs(plan_.networks, options_.synth, results_) != kGood)
      failed = true;
    return interrupted() ? kInterrupted : failed ? kFailed : kGood;
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
    if (const std::string answer = report::verdict_text(results); !answer.empty())
      fmt::print("\n{}", answer);
    return kGood;
  }

  const std::vector<Simulated>& networks() const { return plan_.networks; }

 private:
  using Report = std::function<void(double)>;

  /// Those that are there, without the places of those that an interrupt left out.
  static Json present(std::vector<Json> all) {
    std::erase_if(all, [](const Json& json) { return json.is_null(); });
    return all;
  }

  unsigned threads_each(unsigned workers) const { return std::max(1u, options_.threads / workers); }

  void run_points(const Earlier& earlier, unsigned workers, ProgressBar& bar) {
    const auto& points = plan_.points;
    std::vector<Json> results(points.size()), speeds(points.size());
    for_all(points.size(), workers, [&](std::size_t i) {
      const Point& p = points[i];
      if (const auto kept = earlier.points.find(plan_.key(p)); kept != earlier.points.end()) {
        results[i] = kept->second.result;
        speeds[i] = kept->second.speed;
        searches_.remember(p, results[i]);
        return;
      }
      if (interrupted()) return;
      const Simulated& network = plan_.networks[p.network];
      const engine::RunResult r = run_point(
          p, threads_each(workers), true, [&](double part) { bar.update(i, part, plan_.name(p)); });
      results[i] = point_json(network.label, p.pattern, r, *network.proven);
      speeds[i] = speed_json(network.label, p.pattern, r, network.proven->topology().num_routers());
      if (r.stopped == "interrupted") results[i]["partial"] = true;
      searches_.remember(p, results[i]);
      bar.update(i, 1, plan_.name(p));
    });
    results_["points"] = present(std::move(results));
    speeds_["points"] = present(std::move(speeds));
  }

  void run_searches(const Earlier& earlier, const std::vector<Point>& jobs, unsigned workers,
                    ProgressBar& bar) {
    const std::size_t first = plan_.points.size();  // of the bar
    std::vector<Json> saturation(jobs.size());
    for_all(jobs.size(), workers, [&](std::size_t i) {
      if (interrupted()) return;
      if (const auto kept = earlier.saturations.find(searches_.key(jobs[i]));
          kept != earlier.saturations.end()) {
        saturation[i] = kept->second;
        return;
      }
      Json found = searches_.find(
          jobs[i],
          [&](const Point& p) { return run_point(p, threads_each(workers), false, [](double) {}); },
          [&](double part) { bar.update(first + i, part, "saturation, " + plan_.name(jobs[i])); });
      if (!interrupted()) saturation[i] = std::move(found);
      bar.update(first + i, 1, "saturation");
    });
    results_["saturation"] = present(std::move(saturation));
  }

  /// The networks of further files, and the labels that run on each.
  Json other_networks() const {
    Json others = Json::array();
    for (std::size_t n = 0; n < plan_.contenders.size(); ++n) {
      if (plan_.contenders[n].file == options_.input.file) continue;
      if (plan_.contenders[n].file != plan_.contenders[n - 1].file) {
        Json whole = network_json(plan_.contenders[n].spec, plan_.networks[n].proven->topology(),
                                  options_.input.catalogue, "");
        others.push_back({{"routings", Json::array()},
                          {"network", whole["network"]},
                          {"channels", whole["channels"]}});
      }
      others.back()["routings"].push_back(plan_.contenders[n].label);
    }
    return others;
  }

  engine::RunResult run_point(const Point& p, unsigned threads, bool whole,
                              const Report& progress) {
    engine::RunOptions run;
    run.traffic = plan_.networks[p.network].proven->spec().traffic;
    run.traffic.pattern = p.pattern;
    run.simulation = plan_.networks[p.network].proven->spec().simulation;
    run.load = p.load;
    run.threads = threads;
    run.stop = &interrupted();
    run.progress = [&](std::uint64_t cycle, std::uint64_t bound) {
      progress(bound == 0 ? 0 : static_cast<double>(cycle) / static_cast<double>(bound));
    };
    run.patterns = plan_.patterns;
    if (!plan_.pattern_of(p.pattern).replays.empty()) run.trace = &*plan_.trace;
    const Simulated& network = plan_.networks[p.network];
    const probes::Network probed = app::probed(*network.proven, network.label);
    const probes::FamilyProbes& family = probes::probes_of(probed.family);
    std::shared_ptr<probes::Learned> learned;
    probes::Options probing{.check = options_.check_learning};
    if (network.learned) network.learned->start(probed, probing);
    if (plan_.start_tables) plan_.start_tables->start(probed, probing);
    if (whole) {
      for (const std::uint32_t r : options_.wave_routers) {
        std::error_code ignored;
        fs::create_directories(options_.output, ignored);
        run.waves.emplace_back(RouterId{r},
                               (options_.output / fmt::format("router_{}.fst", r)).string());
      }
      run.record_packets = !options_.record_trace.empty();
      if (!options_.save_tables.empty()) {
        learned = family.blank();
        learned->collect(probing);
      }
    }
    run.probes = probes::make_probes(probed.family, probing);
    auto result = engine::simulate(*network.setup, run);
    if (!result) {
      engine::RunResult failed;
      failed.stopped = "failed";
      for (const auto& d : result.errors()) failed.failures.push_back(format(d));
      return failed;
    }
    if (run.record_packets) recorded_trace_ = traffic::format_trace(result.value().packets);
    // of a run that failed there are none
    if (learned && !learned->empty()) learned_tables_ = learned->text(probed);
    return std::move(result).value();
  }

  const SimulateOptions& options_;
  const Plan plan_;
  SaturationSearch searches_{plan_};
  std::string recorded_trace_, learned_tables_;
  Json results_, speeds_;
};

int run_all(const SimulateOptions& options, bool with_bundles, bool with_report) {
  catch_interrupts();
  Plan plan;
  if (const int status = make_plan(options, plan); status != kGood) return status;
  Simulation simulation(options, std::move(plan));
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
