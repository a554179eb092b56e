// SPDX-License-Identifier: Apache-2.0
#include "app/network.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files.hpp"
#include "app/progress.hpp"
#include "config/keys.hpp"
#include "config/load.hpp"
#include "config/warnings.hpp"
#include "emit/bundle.hpp"
#include "emit/shape.hpp"
#include "support/hash.hpp"
#include "support/words.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::app {

namespace {

/// `network`: see load_network.
Result<Experiment> load_routings(const Input& input, bool network) {
  auto text = read_file(input.file);
  if (!text) return text.errors();
  auto spec = config::load(text.value(), input.file, input.overrides, input.catalogue);
  if (!spec) return spec.errors();
  Experiment e{.base = std::move(spec).value(), .variants = {}, .text = std::move(text).value()};
  // An algorithm on the command line is the one to run, whatever the file compares.
  const bool commanded = sets(input, "routing.algorithm") && !sets(input, "experiment.routings");
  const bool written = network && input.routings.empty() && e.base.experiment.algorithm_written;
  e.compared = e.base.experiment.routings.size();
  if (commanded || written) e.base.experiment.routings = {{e.base.network.routing.algorithm, {}}};
  std::vector<std::string> labels;
  for (const auto& variant : e.base.experiment.routings) {
    const auto asked = std::find(input.routings.begin(), input.routings.end(), variant.label);
    if (input.routings.empty() || asked != input.routings.end()) e.variants.push_back(variant);
    labels.push_back(variant.label);
  }
  if (input.among_files && !e.variants.empty()) return e;
  const Diagnostics errors = unknown_routings(input.routings, labels, input.file);
  if (!errors.empty()) return errors;
  return e;
}

}  // namespace

Diagnostics unknown_routings(const std::vector<std::string>& asked,
                             const std::vector<std::string>& labels, const std::string& file) {
  Diagnostics errors;
  for (const std::string& label : asked) {
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) continue;
    const auto near = nearest(label, labels);
    errors.push_back({"app.no-such-routing",
                      {file, 0, 0},
                      "--routing",
                      label,
                      fmt::format("{}", fmt::join(labels, ", ")),
                      near ? fmt::format("did you mean '{}'?", *near) : ""});
  }
  return errors;
}

config::Catalogue builtin_catalogue() {
  return config::builtin_catalogue(traffic::builtin_patterns());
}

Result<Experiment> load_experiment(const Input& input) { return load_routings(input, false); }

Result<Experiment> load_network(const Input& input) { return load_routings(input, true); }

Result<Experiment> load_one_network(const Input& input) {
  auto e = load_network(input);
  if (!e || e.value().variants.size() == 1) return e;
  std::string labels;
  for (const auto& variant : e.value().variants)
    labels += (labels.empty() ? "" : ", ") + variant.label;
  return Diagnostic{
      "app.which-routing",   {input.file, 0, 0},
      "experiment.routings", labels,
      "one routing",         "say which: --routing LABEL, or routing.algorithm in the file"};
}

Result<spec::Spec> load_variant(const Input& input, const Experiment& experiment,
                                const spec::RoutingVariant& variant) {
  std::vector<std::string> overrides = input.overrides;
  overrides.insert(overrides.end(), variant.overrides.begin(), variant.overrides.end());
  return config::load(experiment.text, input.file, overrides, input.catalogue);
}

Diagnostics refuse_job(const spec::Spec& spec) {
  if (!spec.job.any()) return {};
  return {{"app.job", spec.job.where, "job.program", spec.job.name,
           "no job, but with hopwise simulate, run and compare", "--set job=null leaves it out"}};
}

std::variant<deadlock::ProvenNetwork, deadlock::ProofFailure> prove(
    const spec::Spec& spec, const config::Catalogue& catalogue) {
  auto topology = std::make_shared<const topology::Topology>(catalogue.kinds, spec.network.topology,
                                                             spec.network.link);
  const routing::Family& family = routing::family_of(catalogue.families, spec.network.routing);
  const std::shared_ptr<const routing::RoutingRelation> relation =
      routing::make_relation(catalogue.families, spec.network, *topology);
  if (auto failure = deadlock::check_header(spec.network, *relation, family)) return *failure;
  return deadlock::prove(spec, topology, relation, family);
}

std::optional<deadlock::ProvenNetwork> prove_or_say(const spec::Spec& spec,
                                                    const config::Catalogue& catalogue,
                                                    const std::string& name, const char* follows) {
  auto outcome = prove(spec, catalogue);
  if (auto* network = std::get_if<deadlock::ProvenNetwork>(&outcome)) return std::move(*network);
  fmt::print(stderr, "{}: not proved{}\n{}", name, follows,
             std::get<deadlock::ProofFailure>(outcome).text);
  return std::nullopt;
}

Warnings network_warnings(const deadlock::ProvenNetwork& network, const std::string& label,
                          spec::Patterns known, const std::vector<std::string>& patterns) {
  const unsigned route_cycles = network.family().route_cycles(network.spec().network.routing);
  return config::warnings(label, network.spec(), network.topology(), network.relation(),
                          route_cycles, known, patterns);
}

std::string rtl_hash(const deadlock::ProvenNetwork& network) {
  emit::Files all;
  for (const emit::RouterShape& shape : emit::router_shapes(network, true)) {
    std::string top;
    all.merge(emit::emit_node(network, shape, top));
  }
  std::uint64_t h = kFnv1aStart;
  for (const auto& [path, text] : all) h = fnv1a(text, fnv1a_step(fnv1a(path, h), 0));
  return fmt::format("{:016x}", h);
}

bool sets(const Input& input, std::string_view key) {
  const std::string begin = std::string(key) + "=";
  return std::any_of(input.overrides.begin(), input.overrides.end(),
                     [&begin](const std::string& set) { return set.starts_with(begin); });
}

std::filesystem::path named_file(const Input& input, const std::string& file, std::string_view key,
                                 const std::string& word) {
  if (sets(input, key)) return word;
  return std::filesystem::path(file).parent_path() / word;  // where that is absolute: itself
}

std::filesystem::path default_cache() {
  namespace fs = std::filesystem;
  const auto place = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
  };
  if (const fs::path xdg = place("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "hopwise";
  if (const fs::path home = place("HOME"); !home.empty()) return home / ".cache/hopwise";
  std::error_code none;
  const fs::path scratch = fs::temp_directory_path(none);
  return (none ? fs::path("/tmp") : scratch) / fmt::format("hopwise-{}", geteuid());
}

int report(const Diagnostics& diagnostics) {
  std::fputs(format(diagnostics).c_str(), stderr);
  return kBadInput;
}

int report_failed(const Diagnostics& diagnostics) {
  if (interrupted()) return kInterrupted;
  report(diagnostics);
  return diagnostics.front().code == "cache.directory" ? kBadInput : kFailed;
}

}  // namespace hopwise::app
