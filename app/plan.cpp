// SPDX-License-Identifier: Apache-2.0
#include "app/plan.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/bundles.hpp"
#include "app/files.hpp"
#include "app/learned.hpp"
#include "app/ranks.hpp"
#include "topology/packet_format.hpp"
#include "traffic/traffic.hpp"

namespace hopwise::app {

namespace {

/// Tables to start from must fit the network; a routing without tables has none to save.
int check_tables(const SimulateOptions& options, const deadlock::ProvenNetwork& network,
                 Plan& plan) {
  if (!with_tables(options)) return kGood;
  if (probes::probes_of(network.family()).blank == nullptr) {
    std::vector<std::string_view> learners;
    for (const routing::Family* family : options.input.catalogue.families) {
      if (probes::probes_of(*family).blank == nullptr) continue;
      for (const routing::Variant& variant : family->variants) learners.push_back(variant.name);
    }
    return report({{"app.no-tables",
                    {options.input.file, 0, 0},
                    "routing.algorithm",
                    network.spec().network.routing.algorithm,
                    join_names(learners) + " with --save-tables or --load-tables",
                    ""}});
  }
  if (options.load_tables.empty()) return kGood;
  auto tables = read_learned(probed(network, plan.contenders.front().label), options.load_tables);
  if (!tables) return report(tables.errors());
  plan.start_tables = std::move(tables).value();
  return kGood;
}

/// Patterns and trace must fit before anything is compiled or written.
int check_traffic(const SimulateOptions& options,
                  const std::vector<deadlock::ProvenNetwork>& proven, Plan& plan) {
  Diagnostics errors;
  for (const auto& pattern : plan.experiment.base.experiment.patterns) {
    const auto& network = proven.front().spec().network;
    if (const std::string key(plan.pattern_of(pattern).replays); !key.empty()) {
      const auto path = named_file(options.input, options.input.file, key,
                                   plan.experiment.base.traffic.settings.word(key));
      const unsigned shortest = topology::overhead_flits(network.packet);
      auto trace = traffic::read_trace(path.string(), {proven.front().topology().num_terminals(),
                                                       shortest, network.packet.max_flits});
      if (!trace)
        errors.insert(errors.end(), trace.errors().begin(), trace.errors().end());
      else
        plan.trace.emplace(std::move(trace).value());
      if (const auto text = read_file(path)) plan.trace_hash = text_hash(text.value());
      continue;
    }
    for (std::size_t n = 0; n < proven.size(); ++n) {
      if (n > 0 && plan.contenders[n].file == plan.contenders[n - 1].file) continue;
      spec::TrafficSpec both =
          n == 0 ? plan.experiment.base.traffic : plan.contenders[n].spec.traffic;
      both.pattern = pattern;
      const auto made = traffic::make_traffic(plan.patterns, both, both.load, proven[n].topology(),
                                              proven[n].spec().network.link.cycles_per_flit, 1);
      if (made) continue;
      for (Diagnostic d : made.errors()) {
        if (d.where.file.empty()) d.where.file = plan.contenders[n].file;
        errors.push_back(d);
      }
    }
  }
  return errors.empty() ? kGood : report(errors);
}

/// The job of each network, which its packets carry.
int make_jobs(Plan& plan) {
  Diagnostics errors;
  for (std::size_t n = 0; n < plan.proven.size(); ++n) {
    plan.jobs.emplace_back();
    const Contender& contender = plan.contenders[n];
    if (!contender.spec.job.any()) continue;
    auto job =
        traffic::make_job(contender.spec.job, contender.spec.network, plan.proven[n].topology());
    if (job)
      plan.jobs.back() = std::move(job).value();
    else if (errors.empty())  // the others would say the same
      errors = job.errors();
  }
  return errors.empty() ? kGood : report(errors);
}

/// What the command asks of a single point, and where its files go.
int check_wishes(const SimulateOptions& options, const deadlock::ProvenNetwork& network,
                 Plan& plan) {
  if ((!options.wave_routers.empty() || !options.record_trace.empty() || with_tables(options)) &&
      plan.points.size() != 1) {
    return report({{"app.one-point",
                    {options.input.file, 0, 0},
                    "experiment",
                    fmt::format("{} points", plan.points.size()),
                    "a single point with --wave, --record-trace, --save-tables or --load-tables",
                    "choose one with --routing LABEL --pattern NAME --load L"}});
  }
  for (const std::uint32_t r : options.wave_routers) {
    if (const std::size_t routers = network.topology().num_routers(); r >= routers) {
      return report({{"app.no-such-router",
                      {options.input.file, 0, 0},
                      "--wave",
                      fmt::format("router {}", r),
                      fmt::format("0 to {}", routers - 1),
                      ""}});
    }
  }
  if (const int status = check_tables(options, network, plan); status != kGood) return status;
  for (const auto& file : {options.record_trace, options.save_tables}) {
    if (const Diagnostics failed = check_writable(options.output, file); !failed.empty())
      return report(failed);
  }
  return kGood;
}

/// All directories that bundles will replace, before anything is compiled or written.
int check_bundles(const SimulateOptions& options,
                  const std::vector<deadlock::ProvenNetwork>& proven, const Plan& plan) {
  Diagnostics errors;
  for (std::size_t n = 0; options.bundles && n < proven.size(); ++n) {
    if (proven[n].simulation_only()) continue;
    for (const Diagnostic& lost :
         check_replaceable(bundle_directory(options.output, plan.contenders[n].label)))
      errors.push_back(lost);
  }
  return errors.empty() ? kGood : report(errors);
}

std::vector<Point> all_points(const Plan& plan, std::size_t networks) {
  const spec::ExperimentSpec& experiment = plan.experiment.base.experiment;
  std::vector<Point> points;
  for (std::size_t n = 0; n < networks; ++n) {
    for (const auto& pattern : experiment.patterns) {
      if (plan.pattern_of(pattern).sets_load()) {
        points.push_back({n, pattern, 0});
        continue;
      }
      for (const double load : experiment.loads) points.push_back({n, pattern, load});
    }
  }
  return points;
}

/// What the networks name that their routers have learned.
int load_learned(const SimulateOptions& options, Plan& plan) {
  for (std::size_t i = 0; i < plan.proven.size(); ++i) {
    const Contender& contender = plan.contenders[i];
    auto named = configured(probed(plan.proven[i], contender.label), options.input, contender.file);
    if (!named) return report(named.errors());
    plan.learned.push_back(std::move(named).value());
  }
  return kGood;
}

void add_warnings(Plan& plan) {
  for (std::size_t i = 0; i < plan.proven.size(); ++i) {
    const std::string& label = plan.contenders[i].label;
    for (const Warning& w : network_warnings(plan.proven[i], label, plan.patterns,
                                             plan.experiment.base.experiment.patterns))
      add(plan.warnings, w);
    const auto& doubt = probes::probes_of(plan.proven[i].family()).doubt;
    if (doubt == nullptr) continue;
    for (const Warning& w : doubt(probed(plan.proven[i], label), plan.learned[i].get()))
      add(plan.warnings, w);
  }
}

}  // namespace

std::string Plan::name(const Point& p) const {
  return fmt::format("{} {} {:g}", contenders[p.network].label, p.pattern, p.load);
}
std::string Plan::key(const std::string& routing, const std::string& pattern, double load) {
  return fmt::format("{}/{}/{:.12g}", routing, pattern, load);
}
std::string Plan::key(const Point& p) const {
  return key(contenders[p.network].label, p.pattern, p.load);
}

std::string Plan::key(const nlohmann::ordered_json& result) const {
  const auto pattern = result["pattern"].get<std::string>();
  const bool no_load = std::any_of(points.begin(), points.end(), [&](const Point& p) {
    return p.pattern == pattern && pattern_of(pattern).sets_load();
  });
  return key(result["routing"].get<std::string>(), pattern,
             no_load ? 0 : result["offered_load"].get<double>());
}

std::vector<std::string> file_keys(const config::Catalogue& catalogue) {
  std::vector<std::string> keys;
  for (const routing::Family* family : catalogue.families) {
    const std::string key(probes::probes_of(*family).file_key);
    if (!key.empty()) keys.push_back(routing::path_of(key));
  }
  for (const spec::PatternDeclaration* pattern : catalogue.patterns) {
    if (!pattern->replays.empty()) keys.emplace_back(pattern->replays);
  }
  return keys;
}

bool with_tables(const SimulateOptions& options) {
  return !options.save_tables.empty() || !options.load_tables.empty();
}

int make_plan(const SimulateOptions& options, Plan& plan) {
  auto lineup = load_lineup(options.input, options.others);
  if (!lineup) return report(lineup.errors());
  plan.experiment = std::move(lineup.value().experiment);
  plan.contenders = std::move(lineup.value().contenders);
  plan.patterns = options.input.catalogue.patterns;
  for (const auto& contender : plan.contenders) {
    auto network =
        prove_or_say(contender.spec, options.input.catalogue,
                     contender.file + ": " + contender.label, ", so it is not simulated");
    if (!network) return kFailed;
    plan.proven.push_back(std::move(*network));
  }
  if (const int status = check_traffic(options, plan.proven, plan); status != kGood) return status;
  if (const int status = make_jobs(plan); status != kGood) return status;
  if (options.mpi) {
    const Diagnostics errors = check_ranks(plan, options.model.ranks);
    if (!errors.empty()) return report(errors);
  }
  if (const int status = check_bundles(options, plan.proven, plan); status != kGood) return status;
  plan.points = all_points(plan, plan.proven.size());
  if (const int status = check_wishes(options, plan.proven.front(), plan); status != kGood)
    return status;
  if (const int status = load_learned(options, plan); status != kGood) return status;
  add_warnings(plan);
  std::fputs(format(plan.warnings).c_str(), stderr);
  return kGood;
}

int compile_plan(const SimulateOptions& options, Plan& plan) {
  for (std::size_t i = 0; i < plan.contenders.size(); ++i) {
    auto compiled = compile(std::move(plan.proven[i]), plan.contenders[i].label, options.model);
    if (!compiled) return report_failed(compiled.errors());
    plan.networks.push_back(std::move(compiled).value());
    if (options.model.trace) {
      const Diagnostics failed = add_shadows(plan.networks.back(), options.model);
      if (!failed.empty()) return report_failed(failed);
    }
    plan.networks.back().learned = plan.learned[i];
  }
  plan.proven.clear();
  return kGood;
}

}  // namespace hopwise::app
