// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/output.hpp"
#include "app/places.hpp"
#include "app/progress.hpp"
#include "app/synth.hpp"
#include "app/synth_text.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Home topologies of the routings: routers of 5, 7, 15 and 19 ports.
const char* const kHomes[] = {"cost_torus_2d", "cost_torus_3d", "cost_dragonfly_15",
                              "cost_dragonfly_19"};

std::string number(const Json& value, int digits) {
  return value.is_null() ? "" : fmt::format("{:.{}f}", value.get<double>(), digits);
}

/// A load without queues, and the highest.
const char* const kMeasuredLoads = "experiment.loads=[0.01,1]";

/// The size of a router or a block: area, or LUTs.
const char* size_key(const Json& row) { return row["area"].is_null() ? "luts" : "area"; }

std::string percent_over(double value, double first) {
  return first == 0 ? "" : fmt::format("{:+.1f} %", 100 * (value / first - 1));
}

/// Own sizes of the modules of a router, variants of a module taken together.
std::map<std::string, double> blocks(const Json& row) {
  std::map<std::string, double> sizes;
  const std::string key = std::string("own_") + size_key(row);
  for (const auto& m : row["modules"]) {
    std::string name = m["module"];
    if (name == row["top"]) name = "router";
    sizes[name.substr(0, name.find('('))] += m[key].get<double>() * m["instances"].get<double>();
  }
  return sizes;
}

/// What the same routers carry, as they were measured.
std::string throughput_table(const std::vector<const Json*>& rows) {
  std::string text =
      "\n| routing | pattern | saturation | accepted at 1.0 | worst terminal | flits per ns per "
      "port "
      "| the same per mm2 | ns per hop | latency, ns | questions per cycle |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const Json* row : rows) {
    const Json& t = (*row)["throughput"];
    const Json& path = (*row)["path_ns"];
    const Json cycles = t["low_load_latency_cycles"];
    const Json latency = path.is_null() || cycles.is_null()
                             ? Json(nullptr)
                             : Json(path.get<double>() * cycles.get<double>());
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                        (*row)["routing"].get<std::string>(), t["pattern"].get<std::string>(),
                        number(t["saturation"], 3), number(t["accepted_at_1"], 3),
                        number(t["worst_terminal_at_1"], 3), number(t["flits_per_ns_per_port"], 4),
                        number(t["flits_per_ns_per_port_per_mm2"], 4),
                        number((*row)["zero_load_ns_per_hop"], 1), number(latency, 1),
                        number((*row)["questions_per_cycle"], 2));
  }
  return text;
}

/// Rows of one network and one target: the routers, and by how much each block differs from the
/// first routing's.
std::string group_table(const std::vector<const Json*>& rows) {
  const Json& first = *rows.front();
  const std::string key = size_key(first),
                    unit = first["area_unit"].is_null()
                               ? "LUTs"
                               : "area, " + first["area_unit"].get<std::string>();
  std::string text = fmt::format(
      "## {}, {}\n\n| routing | {} | over {} | flip-flops | RAM bits | levels | path, ns | MHz | "
      "mW | path ends in | CSRs beside it | of its logic | flip-flops | RAM bits |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | "
      "---: |\n",
      first["example"].get<std::string>(), first["target"].get<std::string>(), unit,
      first["routing"].get<std::string>());
  for (const Json* row : rows) {
    const Json& r = *row;
    text += fmt::format(
        "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} % | {} | {} |\n",
        r["routing"].get<std::string>(), number(r[key], 0),
        row == &first ? "" : percent_over(r[key].get<double>(), first[key].get<double>()),
        number(r["flip_flops"], 0), number(r["ram_bits"], 0), number(r["levels"], 0),
        number(r["path_ns"], 2), number(r["fmax_mhz"], 1), number(r["power_mw"], 2),
        r["path_module"].is_null() ? "" : "`" + r["path_module"].get<std::string>() + "`",
        number(r["csr"][key], 0), 100 * r["csr"][key].get<double>() / r[key].get<double>(),
        number(r["csr"]["flip_flops"], 0), number(r["csr"]["ram_bits"], 0));
  }
  text += throughput_table(rows);
  if (rows.size() == 1) return text + "\n";
  const auto base = blocks(first);
  std::map<std::string, std::map<const Json*, double>> changes;  // by block
  for (const Json* row : rows) {
    auto sizes = blocks(*row);
    for (const auto& [name, size] : base) sizes[name] -= size;
    for (const auto& [name, difference] : sizes) {
      if (difference != 0) changes[name][row] = difference;
    }
  }
  text += fmt::format(
      "\nBlocks that differ from those of `{}`, {}, synthesised module by module:\n\n| block |",
      first["routing"].get<std::string>(), unit);
  std::string rule = "| --- |";
  for (const Json* row : rows) {
    if (row == &first) continue;
    text += fmt::format(" `{}` |", (*row)["routing"].get<std::string>());
    rule += " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const auto& [name, by_row] : changes) {
    text += fmt::format("| `{}` |", name);
    for (const Json* row : rows) {
      if (row == &first) continue;
      const auto difference = by_row.find(row);
      text += difference == by_row.end() ? "  |" : fmt::format(" {:+.0f} |", difference->second);
    }
    text += "\n";
  }
  return text + "\n";
}

std::string cost_page(const std::vector<Json>& rows) {
  std::string text =
      "# Cost of the routers\n\nPost-synthesis, pre-layout: no wires, no clock tree.\n\n";
  std::vector<std::vector<const Json*>> groups;
  for (const auto& row : rows) {
    const auto same = [&](const auto& group) {
      const Json& first = *group.front();
      return first["example"] == row["example"] && first["target"] == row["target"];
    };
    const auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end())
      groups.push_back({&row});
    else
      group->push_back(&row);
  }
  for (const auto& group : groups) text += group_table(group);
  return text;
}

/// A file, and those of its routings that are asked for.
struct Home {
  std::string file, name;
  std::vector<std::pair<std::string, spec::Spec>> specs;  ///< by label
};

bool is_asked(const std::string& home, const std::string& label,
              const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& row) {
           return row == label || row == home + "/" + label;
         });
}

Result<Home> load_home(Input input, const std::string& file, const std::vector<std::string>& only) {
  Home home{.file = file, .name = fs::path(file).stem().string(), .specs = {}};
  input.file = file;
  const auto experiment = load_experiment(input);
  if (!experiment) return experiment.errors();
  for (const auto& variant : experiment.value().variants) {
    if (!is_asked(home.name, variant.label, only)) continue;
    auto spec = load_variant(input, experiment.value(), variant);
    if (!spec) return spec.errors();
    if (Diagnostics none = check_synthesizable(spec.value(), input); !none.empty()) return none;
    home.specs.emplace_back(variant.label, std::move(spec).value());
  }
  return home;
}

Diagnostics check_asked(const std::vector<Home>& homes, const std::vector<std::string>& only) {
  std::set<std::string> missing(only.begin(), only.end());
  for (const Home& home : homes) {
    for (const auto& [label, spec] : home.specs) {
      missing.erase(label);
      missing.erase(home.name + "/" + label);
    }
  }
  if (missing.empty()) return {};
  return {{"app.no-such-routing",
           {"", 0, 0},
           "--only",
           fmt::format("{}", fmt::join(missing, ", ")),
           "routings of the files, by label or FILE/LABEL",
           ""}};
}

/// Simulates a home's routings; what `output` holds of them already is kept.
int measure(SimulateOptions options, const Home& home, const fs::path& output) {
  options.input.file = home.file;
  options.input.routings.clear();
  for (const auto& [label, spec] : home.specs) options.input.routings.push_back(label);
  options.output = output;
  options.resume = fs::exists(output);
  options.synth.targets.clear();
  return simulate(options);
}

}  // namespace

int campaign_cost(SimulateOptions options, std::vector<std::string> files,
                  const std::vector<std::string>& only) {
  const SynthOptions& synth = options.synth;
  if (files.empty()) {
    for (const char* home : kHomes) {
      auto file = example(home);
      if (!file) return report(file.errors());
      files.push_back(std::move(file).value());
    }
  }
  std::vector<Home> homes;
  for (const auto& file : files) {
    auto home = load_home(options.input, file, only);
    if (!home) return report(home.errors());
    if (!home.value().specs.empty()) homes.push_back(std::move(home).value());
  }
  if (const Diagnostics none = check_asked(homes, only); !none.empty()) return report(none);
  if (const Diagnostics failed = check_writable(options.output, {}); !failed.empty())
    return report(failed);
  catch_interrupts();
  if (!sets(options.input, "experiment.loads"))
    options.input.overrides.emplace_back(kMeasuredLoads);
  const std::vector<std::string> targets =
      synth.targets.empty() ? std::vector<std::string>{"osu018"} : synth.targets;
  std::vector<Json> rows;
  for (const Home& home : homes) {
    const fs::path measurements = options.output / home.name;
    if (const int status = measure(options, home, measurements); status != kGood) return status;
    const std::string results = (measurements / kResultsFile).string();
    auto text = read_file(results);
    if (!text) return report(text.errors());
    const auto measurement = nlohmann::json::parse(text.value(), nullptr, false);
    for (const auto& [label, spec] : home.specs) {
      const auto performance = measured(measurement, results, label);
      if (!performance) return report(performance.errors());
      const auto network = prove_or_say(spec, options.input.catalogue, home.name + "/" + label,
                                        ", so it is not synthesised");
      if (!network) return kFailed;
      for (const auto& target : targets) {
        auto row = synthesize_variant(*network, label, synth, target, performance.value());
        if (interrupted()) return kInterrupted;
        if (!row) return report_failed(row.errors());
        rows.push_back({{"example", home.name}});
        rows.back().update(row.value());
        Diagnostics failed =
            write_file(options.output / "cost.json", Json{{"rows", rows}}.dump(1) + "\n");
        if (failed.empty()) failed = write_file(options.output / "cost.md", cost_page(rows));
        if (!failed.empty()) return report(failed);
      }
    }
  }
  fmt::print("{}", synth_table(rows));
  return kGood;
}

}  // namespace hopwise::app
