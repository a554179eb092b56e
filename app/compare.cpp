// SPDX-License-Identifier: Apache-2.0
#include "app/compare.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "topology/packet_format.hpp"

namespace hopwise::app {

namespace {

/// Stems of the files; the path where two have the same.
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  const auto stem = [](const std::string& file) {
    return std::filesystem::path(file).stem().string();
  };
  std::vector<std::string> names;
  for (const auto& file : files) {
    const bool alone = std::count_if(files.begin(), files.end(),
                                     [&](const auto& f) { return stem(f) == stem(file); }) == 1;
    names.push_back(alone ? stem(file) : file);
  }
  return names;
}

/// Whether `spec` can carry the traffic of `first`.
Diagnostics check_fit(const spec::Spec& first, const spec::Spec& spec, const Input& first_input,
                      const std::string& file) {
  Diagnostics errors;
  const std::size_t wanted = first.network.topology.terminals,
                    found = spec.network.topology.terminals;
  if (found != wanted) {
    errors.push_back({"app.terminals",
                      {file, 0, 0},
                      "topology",
                      fmt::format("{} terminals", found),
                      fmt::format("{}, as in {}", wanted, first_input.file),
                      "compare networks that serve the same terminals"});
  }
  const auto& patterns = first.experiment.patterns;
  const bool trace = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& name) {
    return !spec::pattern_of(first_input.catalogue.patterns, name).replays.empty();
  });
  const auto shortest = [](const spec::NetworkSpec& n) {
    return topology::overhead_flits(n.packet);
  };
  const unsigned from = trace ? shortest(first.network) : first.traffic.length.min_flits;
  const unsigned to = trace ? first.network.packet.max_flits : first.traffic.length.max_flits;
  if (from < shortest(spec.network) || to > spec.network.packet.max_flits) {
    errors.push_back(
        {"app.packets",
         {file, 0, 0},
         "packet",
         fmt::format("{} to {} flits", shortest(spec.network), spec.network.packet.max_flits),
         fmt::format("packets of {} to {} flits, as {} sends them", from, to, first_input.file),
         "see packet.max_flits, packet.format and the first file's traffic.packet_flits"});
  }
  return errors;
}

/// The traffic of `first` for a network whose links have another speed: the same link cycles, in
/// its own core cycles.
spec::TrafficSpec same_traffic(const spec::Spec& first, const spec::Rational& other) {
  spec::TrafficSpec traffic = first.traffic;
  const spec::Rational& own = first.network.link.cycles_per_flit;
  const std::uint64_t link_cycle = traffic.switch_cycle * own.den / own.num;
  traffic.switch_cycle = (link_cycle * other.num + other.den - 1) / other.den;
  return traffic;
}

}  // namespace

Result<Lineup> load_lineup(const Input& first, const std::vector<std::string>& others) {
  std::vector<std::string> files = {first.file};
  files.insert(files.end(), others.begin(), others.end());
  const std::vector<std::string> names = names_of(files);
  Lineup lineup;
  Diagnostics errors;
  for (std::size_t i = 1; i < files.size(); ++i) {
    const auto here = files.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(files.begin(), here, *here) == here) continue;
    errors.push_back({"app.same-file",
                      {files[i], 0, 0},
                      "",
                      "a file that was given before",
                      "different files",
                      ""});
  }
  if (!errors.empty()) return errors;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Input input = first;
    input.file = files[i];
    input.among_files = files.size() > 1;
    auto experiment = load_experiment(input);
    if (!experiment) {
      errors.insert(errors.end(), experiment.errors().begin(), experiment.errors().end());
      if (i == 0) return errors;
      continue;
    }
    for (const auto& variant : experiment.value().variants) {
      labels.push_back(variant.label);
      auto spec = load_variant(input, experiment.value(), variant);
      if (!spec) {
        errors.insert(errors.end(), spec.errors().begin(), spec.errors().end());
        continue;
      }
      Contender c{.label = others.empty() ? variant.label : names[i] + "/" + variant.label,
                  .file = files[i],
                  .spec = std::move(spec).value()};
      if (i > 0) {
        const spec::Spec& base = lineup.experiment.base;
        const Diagnostics misfits = check_fit(base, c.spec, first, files[i]);
        if (!misfits.empty()) {
          errors.insert(errors.end(), misfits.begin(), misfits.end());
          break;
        }
        c.spec.traffic = same_traffic(base, c.spec.network.link.cycles_per_flit);
        c.spec.job = base.job;
        c.spec.simulation = base.simulation;
        c.spec.fault = base.fault;
      }
      lineup.contenders.push_back(std::move(c));
    }
    if (i == 0) {
      lineup.experiment = std::move(experiment).value();
      if (!others.empty())
        lineup.experiment.text = fmt::format("# {}\n{}", names[i], lineup.experiment.text);
    } else {
      lineup.experiment.text += fmt::format("\n# {}\n{}", names[i], experiment.value().text);
    }
  }
  if (errors.empty() && files.size() > 1)
    errors = unknown_routings(first.routings, labels, "compare");
  if (!errors.empty()) return errors;
  return lineup;
}

}  // namespace hopwise::app
