// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/places.hpp"
#include "app/progress.hpp"
#include "app/synth.hpp"

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
      "mW | path ends in |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
      first["example"].get<std::string>(), first["target"].get<std::string>(), unit,
      first["routing"].get<std::string>());
  for (const Json* row : rows) {
    const Json& r = *row;
    text += fmt::format(
        "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", r["routing"].get<std::string>(),
        number(r[key], 0),
        row == &first ? "" : percent_over(r[key].get<double>(), first[key].get<double>()),
        number(r["flip_flops"], 0), number(r["ram_bits"], 0), number(r["levels"], 0),
        number(r["path_ns"], 2), number(r["fmax_mhz"], 1), number(r["power_mw"], 2),
        r["path_module"].is_null() ? "" : "`" + r["path_module"].get<std::string>() + "`");
  }
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

}  // namespace

int campaign_cost(const SynthOptions& options, std::vector<std::string> files,
                  const std::vector<std::string>& only) {
  const std::vector<std::string> targets =
      options.targets.empty() ? std::vector<std::string>{"osu018"} : options.targets;
  if (files.empty()) {
    for (const char* home : kHomes) {
      auto file = example(home);
      if (!file) return report(file.errors());
      files.push_back(std::move(file).value());
    }
  }
  if (const Diagnostics failed = check_writable(options.output, {}); !failed.empty())
    return report(failed);
  catch_interrupts();
  std::vector<Json> rows;
  std::set<std::string> asked(only.begin(), only.end());
  for (const auto& file : files) {
    Input input = options.input;
    input.file = file;
    const std::string example = fs::path(file).stem().string();
    const auto experiment = load_experiment(input);
    if (!experiment) return report(experiment.errors());
    for (const auto& variant : experiment.value().variants) {
      const std::string row_name = example + "/" + variant.label;
      if (!only.empty() && std::find(only.begin(), only.end(), row_name) == only.end() &&
          std::find(only.begin(), only.end(), variant.label) == only.end()) {
        continue;
      }
      asked.erase(row_name);
      asked.erase(variant.label);
      const auto spec = load_variant(input, experiment.value(), variant);
      if (!spec) return report(spec.errors());
      if (const Diagnostics none = check_synthesizable(spec.value(), input); !none.empty())
        return report(none);
      const auto network =
          prove_or_say(spec.value(), input.catalogue, row_name, ", so it is not synthesised");
      if (!network) return kFailed;
      for (const auto& target : targets) {
        auto row = synthesize_variant(*network, variant.label, options, target, Activity{});
        if (interrupted()) return kInterrupted;
        if (!row) return report_failed(row.errors());
        rows.push_back({{"example", example}});
        rows.back().update(row.value());
        Diagnostics failed =
            write_file(options.output / "cost.json", Json{{"rows", rows}}.dump(1) + "\n");
        if (failed.empty()) failed = write_file(options.output / "cost.md", cost_page(rows));
        if (!failed.empty()) return report(failed);
      }
    }
  }
  if (!asked.empty()) {
    return report({{"app.no-such-routing",
                    {"", 0, 0},
                    "--only",
                    fmt::format("{}", fmt::join(asked, ", ")),
                    "routings of the files, by label or FILE/LABEL",
                    ""}});
  }
  fmt::print("{}", synth_table(rows));
  return kGood;
}

}  // namespace hopwise::app
