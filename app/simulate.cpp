// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "app/bundles.hpp"
#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/output.hpp"
#include "app/plan.hpp"
#include "app/point_tasks.hpp"
#include "app/progress.hpp"
#include "app/ranks.hpp"
#include "app/results.hpp"
#include "app/resume.hpp"
#include "app/runner.hpp"
#include "app/saturation.hpp"
#include "app/synth.hpp"
#include "app/synth_text.hpp"
#include "report/report.hpp"
#include "report/verdict.hpp"
#include "report/warnings.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

class Simulation {
 public:
  Simulation(const SimulateOptions& options, Processes& processes, Plan plan, Earlier earlier)
      : options_(options),
        processes_(processes),
        plan_(std::move(plan)),
        earlier_(std::move(earlier)) {}

  /// What all points share. kGood, or the exit status after saying why.
  int begin() {
    const spec::Spec& base = plan_.experiment.base;
    results_ = network_json(base, plan_.networks.front().proven->topology(),
                            options_.input.catalogue, plan_.experiment.text);
    if (!options_.others.empty()) results_["networks"] = other_networks();
    Json& proofs = results_["proofs"] = Json::array();
    for (const auto& n : plan_.networks) proofs.push_back(proof_json(n));
    results_["overrides"] = options_.input.overrides;
    if (!options_.input.extensions.empty()) results_["extensions"] = options_.input.extensions;
    if (!options_.load_tables.empty()) results_["loaded_tables"] = options_.load_tables;
    if (options_.check_learning) results_["checked_learning"] = true;
    if (!plan_.trace_hash.empty()) results_["trace_hash"] = plan_.trace_hash;
    if (const Diagnostics other = check_same_networks(earlier_, results_); !other.empty())
      return report(other);
    keep_routings(earlier_, results_);
    results_["warnings"] = report::warnings_json(kept_warnings(earlier_, plan_));
    divide_earlier();
    return kGood;
  }

  int execute() {
    const bool search = plan_.experiment.base.experiment.find_saturation && plan_.points.size() > 1;
    const auto jobs = search ? searches_.jobs() : std::vector<Point>{};
    ProgressBar bar(plan_.points.size() + jobs.size(), options_.quiet);
    run_points(bar);
    run_searches(jobs, bar);
    bool failed = search_failed_, partial = stopping();
    for (const auto& point : results_["points"]) {
      for (const auto& failure : point["failures"]) {
        fmt::print(stderr, "{} {} load {}: {}\n", point["routing"].get<std::string>(),
                   point["pattern"].get<std::string>(), point["offered_load"].get<double>(),
                   failure.get<std::string>());
        failed = true;
      }
      partial = partial || point.contains("partial");
    }
    if (partial) results_["interrupted"] = true;
    for (const Json& w : report::warnings_json(report::point_warnings(nlohmann::json(results_))))
      results_["warnings"].push_back(w);
    const bool costs = !stopping() && !options_.synth.targets.empty() && processes_.first();
    const bool found = costs && add_costs(plan_.networks, options_.synth, results_) == kGood;
    failed = failed || costs != found;
    keep_costs(found);
    return interrupted() ? kInterrupted : journal_.failed() ? kBadInput : failed ? kFailed : kGood;
  }

  int write(bool with_report) {
    Diagnostics errors;
    const auto put = [&](const char* file, const std::string& text) {
      if (errors.empty()) errors = write_durably(options_.output / file, text);
    };
    put(kResultsFile, results_.dump(1) + "\n");
    put(kSpeedFile, speeds_.dump(1) + "\n");
    const nlohmann::json results = results_;
    put("points.csv", report::points_csv(results));
    if (with_report) {
      auto html = report::render_html(results);
      if (!html)
        errors = html.errors();
      else
        put("report.html", html.value());
    }
    if (errors.empty()) errors = tasks_.write();
    if (!errors.empty()) return report(errors);
    if (!with_report) remove_stale(options_.output / "report.html");
    journal_.remove();
    fmt::print("{}", report::points_table(results));
    if (results_.contains("costs"))
      fmt::print("\n{}", synth_table(results_["costs"].get<std::vector<Json>>()));
    if (const std::string answer = report::verdict_text(results); !answer.empty())
      fmt::print("\n{}", answer);
    if (const std::string doubts = report::warnings_text(results); !doubts.empty())
      fmt::print("\n{}", doubts);
    return kGood;
  }

  const std::vector<Simulated>& networks() const { return plan_.networks; }

 private:
  using Purpose = PointTasks::Purpose;
  using Done = std::function<void(const engine::RunResult&)>;

  /// No further point is begun: it could not be finished, or not kept.
  bool stopping() const { return processes_.any(interrupted() || journal_.failed()); }

  /// Of the earlier results, what is asked for again, and the others, which stay as they are.
  void divide_earlier() {
    std::set<std::string> asked;
    for (const Point& p : plan_.points) asked.insert(plan_.key(p));
    std::vector<std::string> patterns;
    for (const auto& point : earlier_.points) {
      const Json& p = point.result;
      patterns.push_back(p["pattern"].get<std::string>());
      const std::string key = plan_.key(p);
      if (asked.count(key) == 0)
        other_points_.push_back(point);
      else if (!p.contains("partial") && p["stopped"] != "failed")
        kept_points_[key] = point;
    }
    for (const Json& proof : results_["proofs"])
      routings_.push_back(proof["routing"].get<std::string>());
    patterns_ = merged(plan_.experiment.base.experiment.patterns, patterns);
    if (!options_.resume) return;
    fmt::print(stderr, "resume: {} of {} points kept, {} to run", kept_points_.size(),
               plan_.points.size(), plan_.points.size() - kept_points_.size());
    if (!other_points_.empty()) fmt::print(stderr, "; {} others stay", other_points_.size());
    fmt::print(stderr, "\n");
  }

  /// The first lines of the journal: this run, and all that the earlier one had.
  std::string journal_start() const {
    Json head = results_;
    head.erase("points");  // already there where a search is the first to be added
    if (earlier_.head.contains("costs")) head["costs"] = earlier_.head["costs"];
    std::string text = Journal::text(head);
    for (const auto& p : earlier_.points)
      text += Journal::text({{"point", p.result}, {"speed", p.speed}});
    for (const Json& s : earlier_.searches) text += Journal::text({{"saturation", s}});
    return text;
  }

  /// For the order of the results: routings, then patterns, then loads.
  std::tuple<std::size_t, std::size_t, double> place(const Json& entry) const {
    const auto in = [&](const std::vector<std::string>& names, const char* key) {
      const auto name = entry.contains(key) ? entry[key] : Json();
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const auto load = entry.find("offered_load");
    return {in(routings_, "routing"), in(patterns_, "pattern"),
            load != entry.end() && load->is_number() ? load->get<double>() : 0};
  }

  void run_points(ProgressBar& bar) {
    const auto& points = plan_.points;
    std::vector<Earlier::Point> all(points.size());
    TaskList tasks([this] { return stopping(); });
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& p = points[i];
      if (const auto kept = kept_points_.find(plan_.key(p)); kept != kept_points_.end()) {
        all[i] = kept->second;
        searches_.remember(p, all[i].result);
        bar.update(i, 1, plan_.name(p));
        continue;
      }
      tasks.add(p.network, [this, &p, &bar, i, &all] {
        return tasks_.make(
            p, Purpose::kPoint,
            {.stop = {},
             .progress = [this, &p, &bar, i](double part) { bar.update(i, part, plan_.name(p)); },
             .done =
                 [this, &p, &bar, i, &all](const engine::RunResult& r) {
                   keep_point(p, r, all[i]);
                   bar.update(i, 1, plan_.name(p));
                 }});
      });
    }
    run_tasks(tasks, plan_.networks, options_.model, options_.threads, tasks.size());
    std::erase_if(all, [](const auto& point) { return point.result.is_null(); });
    if (!other_points_.empty()) {
      all.insert(all.end(), other_points_.begin(), other_points_.end());
      std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
        return place(a.result) < place(b.result);
      });
    }
    Json &results = results_["points"] = Json::array(), &speeds = speeds_["points"] = Json::array();
    for (auto& point : all) {
      results.push_back(std::move(point.result));
      if (!point.speed.is_null()) speeds.push_back(std::move(point.speed));
    }
    speeds_["run"] = run_speed_json(speeds);
  }

  void keep_point(const Point& p, const engine::RunResult& r, Earlier::Point& point) {
    const Simulated& network = plan_.networks[p.network];
    Json& result = point.result = point_json(network.label, p.pattern, r, *network.proven);
    point.speed = speed_json(network.label, p.pattern, r, network.proven->topology().num_routers());
    if (r.ranks.size() > 1) {
      const std::vector<std::uint64_t> peaks = processes_.peak_memory();
      for (std::size_t rank = 0; rank < peaks.size(); ++rank)
        point.speed["ranks"][rank]["peak_bytes"] = peaks[rank];
    }
    if (r.stopped == "interrupted")
      result["partial"] = true;
    else
      keep({{"point", result}, {"speed", point.speed}});
    searches_.remember(p, result);
  }

  /// In the journal, which is one for all processes.
  void keep(const Json& line) {
    if (processes_.first()) journal_.add(line);
  }

  void run_searches(const std::vector<Point>& jobs, ProgressBar& bar) {
    const std::size_t first = plan_.points.size();  // of the bar
    std::map<std::string, Json> old;
    for (const Json& s : earlier_.searches) old[curve_of(s)] = s;
    std::vector<Json> all(jobs.size());
    std::vector<std::size_t> open;  // jobs to do
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto kept = old.find(searches_.key(jobs[i]));
      const bool same = kept != old.end() && searches_.same(jobs[i], kept->second);
      if (kept != old.end()) all[i] = kept->second;  // if only until it is found anew
      if (same)
        bar.update(first + i, 1, "saturation");
      else
        open.push_back(i);
      old.erase(searches_.key(jobs[i]));
    }
    if (options_.resume && !jobs.empty() && !stopping()) {
      fmt::print(stderr, "resume: {} of {} searches for saturation kept, {} to run\n",
                 jobs.size() - open.size(), jobs.size(), open.size());
    }
    SearchTasks tasks(
        [this] { return stopping(); },
        [this](const Point& p, const SaturationSearch::Load& load, const Done& done) {
          return tasks_.make(p, load.until_verdict ? Purpose::kVerdict : Purpose::kSearch,
                             {.stop = [needless = load.needless] { return needless->load(); },
                              .progress = {},
                              .done = done});
        },
        [&](std::size_t n, const SaturationSearch& search) {
          const std::size_t i = open[n];
          Json found = search.entry();
          if (found.is_null() && !search.ended()) {
            bar.update(first + i, search.progress(), "saturation, " + plan_.name(jobs[i]));
            return;
          }
          if (!found.is_null()) keep({{"saturation", found}});
          all[i] = std::move(found);
          bar.update(first + i, 1, "saturation");
        });
    for (const std::size_t i : open) tasks.add(searches_, jobs[i]);
    run_tasks(tasks, plan_.networks, options_.model, options_.threads, tasks.most_at_a_time());
    search_failed_ = tasks.failed();
    std::erase_if(all, [](const Json& search) { return search.is_null(); });
    for (const auto& [curve, search] : old) all.push_back(search);
    if (!old.empty()) sort(all);
    results_["saturation"] = std::move(all);
  }

  void sort(std::vector<Json>& entries) const {
    std::stable_sort(entries.begin(), entries.end(),
                     [&](const Json& a, const Json& b) { return place(a) < place(b); });
  }

  /// Costs of the earlier run that this one has not found anew.
  void keep_costs(bool found) {
    if (!earlier_.head.contains("costs")) return;
    auto costs = found ? results_["costs"].get<std::vector<Json>>() : std::vector<Json>{};
    for (const Json& old : earlier_.head["costs"]) {
      const auto same = [&](const Contender& c) { return c.label == old["routing"]; };
      if (found && std::any_of(plan_.contenders.begin(), plan_.contenders.end(), same)) continue;
      costs.push_back(old);
    }
    sort(costs);
    results_["costs"] = std::move(costs);
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

  const SimulateOptions& options_;
  Processes& processes_;
  Plan plan_;
  PointTasks tasks_{options_, plan_, processes_.several()};
  const Earlier earlier_;
  std::map<std::string, Earlier::Point> kept_points_;  // asked for again, by Plan::key
  std::vector<Earlier::Point> other_points_;           // not asked for
  std::vector<std::string> routings_, patterns_;       // of both runs, in their order
  SaturationSearches searches_{plan_};
  bool search_failed_ = false;
  Journal journal_{options_.output, [this] { return journal_start(); }};
  Json results_, speeds_;
};

/// What the directory holds is kept with --resume, replaced with --force, and else refused.
Diagnostics open_output(const SimulateOptions& options, const Plan& plan, Earlier& earlier) {
  if (options.force) return {};
  if (!options.resume) {
    return check_no_results(options.output,
                            "--resume keeps its points and runs those that are missing; --force "
                            "runs all anew in its place");
  }
  auto found = read_earlier(options.output);
  if (!found) return found.errors();
  earlier = std::move(found).value();
  return check_same_run(earlier, options, plan);
}

int run_all(SimulateOptions options, bool with_report) {
  catch_interrupts();
  const auto said = [](const Diagnostics& errors) {
    return errors.empty() ? kGood : report(errors);
  };
  Processes processes;
  int status = options.mpi ? said(processes.join()) : kGood;
  if (status != kGood) return status;
  options.model.ranks = processes.size();
  if (processes.several() != nullptr) options.threads = options.model.threads = 1;
  const auto first = [&](auto&& work) {
    return processes.agree(processes.first() ? said(work()) : kGood);
  };
  Plan plan;
  OutputLock lock;
  Earlier earlier;
  status = processes.agree(make_plan(options, plan));
  if (status == kGood) status = first([&] { return lock.take(options.output); });
  if (status == kGood) status = processes.agree(said(open_output(options, plan, earlier)));
  if (status == kGood) status = processes.in_turn([&] { return compile_plan(options, plan); });
  if (status != kGood) return status;
  Simulation simulation(options, processes, std::move(plan), std::move(earlier));
  status = processes.agree(simulation.begin());
  if (status == kGood && options.bundles)
    status = first([&] { return write_bundles(options.output, simulation.networks()); });
  if (status != kGood) return status;
  status = simulation.execute();
  const int written = processes.first() ? simulation.write(with_report) : kGood;
  return processes.agree(written != kGood ? written : status);
}

int run_with_report(const SimulateOptions& options) {
  const int status = run_all(options, true);
  const fs::path page = (fs::absolute(options.output) / "report.html").lexically_normal();
  if (status != kBadInput && fs::exists(page)) fmt::print("report: {}\n", page.string());
  return status;
}

}  // namespace

int simulate(const SimulateOptions& options) { return run_all(options, false); }

int run(SimulateOptions options) {
  options.bundles = true;
  return run_with_report(options);
}

int compare(const SimulateOptions& options) { return run_with_report(options); }

}  // namespace hopwise::app
