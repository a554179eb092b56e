// SPDX-License-Identifier: Apache-2.0
#include "app/resume.hpp"

#include <set>

#include "app/files.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;

namespace {

/// The overrides that change what a point is, not which points there are.
std::vector<std::string> of_points(const std::vector<std::string>& overrides) {
  std::vector<std::string> kept;
  for (const auto& o : overrides) {
    if (!o.starts_with("experiment.loads=") && !o.starts_with("experiment.patterns=") &&
        !o.starts_with("experiment.find_saturation=")) {
      kept.push_back(o);
    }
  }
  return kept;
}

std::set<std::string> routings_with_the_same_rtl(const Json& old, const Json& now) {
  std::set<std::string> same;
  for (const auto& old_proof : old["proofs"]) {
    for (const auto& proof : now["proofs"]) {
      if (old_proof == proof) same.insert(proof["routing"].get<std::string>());
    }
  }
  return same;
}

}  // namespace

Earlier earlier_results(const SimulateOptions& options, const Plan& plan, const Json& results) {
  Earlier earlier;
  if (!options.resume || with_tables(options) || options.check_learning) return earlier;
  const auto text = read_file(options.output / "results.json"),
             speed_text = read_file(options.output / "speed.json");
  if (!text || !speed_text) return earlier;
  const Json old = Json::parse(text.value(), nullptr, false),
             speeds = Json::parse(speed_text.value(), nullptr, false);
  if (old.is_discarded() || speeds.is_discarded() ||
      old.value("config_yaml", "") != plan.experiment.text)
    return earlier;
  if (old.value("hopwise", "") != results["hopwise"] || !old.contains("overrides") ||
      old.contains("loaded_tables"))
    return earlier;
  const auto overrides = old["overrides"].get<std::vector<std::string>>();
  if (of_points(overrides) != of_points(options.input.overrides)) return earlier;
  const std::set<std::string> same_rtl = routings_with_the_same_rtl(old, results);
  for (std::size_t i = 0; i < old["points"].size() && i < speeds["points"].size(); ++i) {
    const Json& p = old["points"][i];
    if (p.contains("partial") || p["stopped"] == "failed" ||
        p["seed"] != plan.experiment.base.simulation.seed ||
        same_rtl.count(p["routing"].get<std::string>()) == 0) {
      continue;
    }
    earlier.points[Plan::key(p["routing"].get<std::string>(), p["pattern"].get<std::string>(),
                             p["offered_load"].get<double>())] = {p, speeds["points"][i]};
  }
  // A search starts from the points: with other loads it might end elsewhere within its tolerance.
  if (old.contains("interrupted") || overrides != options.input.overrides) return earlier;
  for (const Json& s : old["saturation"]) {
    const auto routing = s["routing"].get<std::string>();
    if (same_rtl.count(routing) != 0)
      earlier.saturations[routing + "/" + s["pattern"].get<std::string>()] = s;
  }
  return earlier;
}

}  // namespace hopwise::app
