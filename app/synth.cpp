// SPDX-License-Identifier: Apache-2.0
#include "app/synth.hpp"

#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/files.hpp"
#include "app/progress.hpp"
#include "app/synth_text.hpp"
#include "emit/bundle.hpp"
#include "emit/shape.hpp"
#include "emit/terminal_parts.hpp"
#include "engine/options.hpp"
#include "report/fields.hpp"
#include "synth/src/synthesis.hpp"

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;

/// The texts of its sources, and all headers.
synth::Design with_files(synth::Design design, const emit::Files& bundle) {
  for (const auto& path : design.sources) design.files[path] = bundle.at(path);
  for (const auto& [path, text] : bundle) {
    if (path.ends_with(".svh")) design.files[path] = text;
  }
  return design;
}

/// A part of a node, as its file list in the bundle has it: "router", "csr" or "guards". Without a
/// top where there is no such list.
synth::Design design_of(const emit::Files& bundle, const std::string& part) {
  synth::Design design;
  const std::string ending = fmt::format("_{}.f", part);
  for (const auto& [path, text] : bundle) {
    if (!path.ends_with(ending)) continue;
    design.top = path.substr(0, path.size() - 2);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("rtl/")) design.sources.push_back(line);
    }
  }
  return with_files(std::move(design), bundle);
}

using Designs = std::vector<std::pair<std::string, synth::Design>>;

/// What stands beside a router: its keys in synth.json, and its modules.
Designs designs_beside(const deadlock::ProvenNetwork& network, const emit::Files& bundle) {
  Designs designs;
  for (const char* part : {"csr", "guards"}) {
    synth::Design design = design_of(bundle, part);
    if (!design.top.empty()) designs.emplace_back(part, std::move(design));
  }
  for (emit::TerminalPart& part : emit::terminal_parts(network)) {
    synth::Design design{part.module, {}, std::move(part.sources), std::move(part.parameters)};
    designs.emplace_back(part.name, with_files(std::move(design), bundle));
  }
  return designs;
}

/// Adds the sizes of a module to those of its line, which has the longest path of all of them.
void add_module(Json& line, const Json& sizes) {
  for (const char* key : {"area", "flip_flops", "ram_bits", "luts"}) {
    if (!line.contains(key) || line[key].is_null())
      line[key] = sizes[key];
    else if (line[key].is_number_float())
      line[key] = line[key].get<double>() + sizes[key].get<double>();
    else
      line[key] = line[key].get<std::uint64_t>() + sizes[key].get<std::uint64_t>();
  }
  const Json& path = sizes["path_ns"];
  if (!line.contains("path_ns") || (!path.is_null() && path > line["path_ns"])) {
    line["path_ns"] = path;
    line["path_to"] = sizes["path_to"];
  }
}

Diagnostic bad_activity(const std::string& found, const std::string& allowed) {
  return {"app.activity", {found, 0, 0}, "--activity", "no measured activity", allowed, ""};
}

Result<Performance> performance_of(const std::string& given, const std::string& routing) {
  if (given.empty()) return Performance{};
  char* end = nullptr;
  const double number = std::strtod(given.c_str(), &end);
  if (*end == '\0') {
    if (number > 0 && number <= 2) return Performance{number, "given"};
    return Diagnostic{"app.activity",
                      {"", 0, 0},
                      "--activity",
                      given,
                      "transitions per net and cycle, above 0 and at most 2",
                      ""};
  }
  auto text = read_file(given);
  if (!text) return text.errors();
  return measured(nlohmann::json::parse(text.value(), nullptr, false), given, routing);
}

/// What a router takes of a device, and the parts of the whole that this is.
Json share_of(const synth::Device& device, const Json& cost) {
  const auto part = [](double taken, std::uint64_t all) {
    return all == 0 ? Json(nullptr)
                    : Json(std::round(1e4 * taken / static_cast<double>(all)) / 1e4);
  };
  const auto taken = [&](const char* key) { return cost.at(key).get<double>(); };
  return {{"name", device.name},
          {"luts", part(taken("luts") + taken("lut_ram_luts"), device.luts)},
          {"flip_flops", part(taken("flip_flops"), device.flip_flops)},
          {"block_rams", part(taken("block_rams"), device.block_rams)},
          {"dsps", part(taken("dsps"), device.dsps)}};
}

/// Of the first pattern that was searched for saturation, uniform before others; without a search,
/// of the first pattern.
Json throughput_of(const nlohmann::json& results, const std::string& routing) {
  const nlohmann::json* search = nullptr;
  const auto none = nlohmann::json::array();
  const auto& searches = results.contains("saturation") ? results["saturation"] : none;
  for (const auto& s : searches) {
    if (s.at("routing") != routing) continue;
    if (search == nullptr || s.at("pattern") == "uniform") search = &s;
  }
  const auto searched = [&](const char* key) {
    return search == nullptr ? Json(nullptr) : Json(search->value(key, nlohmann::json()));
  };
  const Json fairness = searched("fairness_beyond");
  Json found = nullptr;
  for (const auto& point : results.at("points")) {
    if (point.at("routing") != routing) continue;
    if (search != nullptr && point.at("pattern") != search->at("pattern")) continue;
    if (found.is_null()) {
      found = {{"pattern", point.at("pattern")},
               {"saturation", searched("throughput")},
               {"accepted_at_1", searched("accepted_beyond")},
               {"worst_terminal_at_1", fairness.is_null() ? fairness : fairness.at("min")},
               {"low_load", point.at("offered_load")},
               {"low_load_latency_cycles", point.at("network_latency_cycles").at("mean")}};
    }
    if (point.at("pattern") != found["pattern"] || point.at("offered_load") != 1.0) continue;
    found["accepted_at_1"] = point.at("accepted_load");
    found["worst_terminal_at_1"] = point.at("fairness").at("min");
  }
  return found;
}

/// A hop's cycles at zero load: router, and link.
double hop_cycles(const deadlock::ProvenNetwork& network) {
  const auto path = network.topology().mean_minimal_path();
  return engine::zero_load_router_cycles(
             network.spec().network,
             network.family().route_cycles(network.spec().network.routing)) +
         (path.hops == 0 ? 0 : path.wire_cycles / path.hops);
}

/// What was measured in cycles, by the clock that was found.
void put_in_time(Json& whole, const deadlock::ProvenNetwork& network, const Performance& measured) {
  Json& found = whole["throughput"] = measured.throughput;
  const Json path = whole["path_ns"];
  whole["questions_per_cycle"] = emit::router_shapes(network).front().unit.questions_per_cycle;
  whole["zero_load_ns_per_hop"] =
      path.is_null() ? Json(nullptr) : Json(hop_cycles(network) * path.get<double>());
  if (found.is_null()) return;
  found["flits_per_ns_per_port"] = nullptr;
  found["flits_per_ns_per_port_per_mm2"] = nullptr;
  if (path.is_null() || found["saturation"].is_null()) return;
  const double flits = found["saturation"].get<double>() /
                       network.spec().network.link.cycles_per_flit.value() / path.get<double>();
  found["flits_per_ns_per_port"] = flits;
  if (whole["area_unit"] == "um2")
    found["flits_per_ns_per_port_per_mm2"] = flits / (whole["area"].get<double>() / 1e6);
}

}  // namespace

// Network ports are counted by the loads of the links, terminal ports by the accepted load. A net
// of the data path changes with every second flit of random data.
Result<Performance> measured(const nlohmann::json& results, const std::string& file,
                             const std::string& routing) {
  try {
    const nlohmann::json* best = nullptr;
    for (const auto& point : results.at("points")) {
      if (point.at("routing") != routing || !point.at("accepted_load").is_number()) continue;
      if (best == nullptr || point.at("accepted_load") > best->at("accepted_load")) best = &point;
    }
    if (best == nullptr) return bad_activity(file, "results of the routing " + routing);
    const auto& network = report::network_of(results, routing);
    double ports = network.at("terminals").get<double>();
    double loads = best->at("accepted_load").get<double>() * ports;
    for (const auto& load : best->at("link_utilisation")) {
      loads += load.get<double>();
      ++ports;
    }
    const double flits = loads / network.at("cycles_per_flit").get<double>() / ports;
    return Performance{0.5 * flits,
                       fmt::format("0.5 x {:.4f} flits per port and cycle, measured", flits),
                       throughput_of(results, routing)};
  } catch (const nlohmann::json::exception&) {
    return bad_activity(file, "the results.json of `hopwise simulate`");
  }
}

Diagnostics check_device(const SynthOptions& options) {
  if (options.device.empty()) return {};
  for (const std::string& target : options.targets) {
    const synth::Target& chosen = *synth::find_target(target);
    if (synth::find_device(options.device, chosen) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const synth::Device& d : synth::devices()) {
      if (d.target == target) names.push_back(d.name);
    }
    return {{"synth.device",
             {"", 0, 0},
             "--device",
             options.device,
             names.empty() ? "no device: " + target + " is no FPGA" : join_names(names),
             ""}};
  }
  return {};
}

Diagnostics check_synthesizable(const spec::Spec& spec, const Input& input) {
  const std::string& name = spec.network.routing.algorithm;
  if (!routing::find_variant(input.catalogue.families, name)->simulation_only) return {};
  return {{"app.simulation-only",
           {input.file, 0, 0},
           "routing.algorithm",
           name,
           "a routing that hardware can have",
           "this one is an ideal for comparison; `simulate` and `run` take it"}};
}

Result<Json> synthesize_variant(const deadlock::ProvenNetwork& network, const std::string& label,
                                const SynthOptions& options, const std::string& target,
                                const Performance& performance) {
  const synth::Options run{.target = synth::find_target(target),
                           .macros = options.memories == "macros",
                           .activity = performance.activity,
                           .technology = options.technology,
                           .cache = options.cache,
                           .own_cache = options.own_cache,
                           .logs = options.output,
                           .jobs = options.jobs,
                           .stop = &interrupted()};
  Spinner spinner;
  const auto progress = [&](const std::string& what, double seconds) {
    if (!options.quiet) spinner.say(fmt::format("{} on {}: {}", label, target, what), seconds);
  };
  const emit::Files bundle = emit::emit_bundle(network);
  auto result = synth::synthesize(design_of(bundle, "router"), run, progress);
  if (!result) return result.errors();
  synth::Options of_beside = run;
  of_beside.beside = true;
  Json beside = Json::object();
  const auto designs = options.router_only ? Designs{} : designs_beside(network, bundle);
  for (const auto& [part, design] : designs) {
    const auto sizes = synth::synthesize(design, of_beside, progress);
    if (!sizes) return sizes.errors();
    add_module(beside[part], sizes.value());
  }
  spinner.stop();
  Json whole = {{"network", network.spec().network.name}, {"routing", label}};
  whole.update(result.value());
  whole.update(beside);
  if (!whole["power_mw"].is_null()) whole["activity_source"] = performance.activity_source;
  put_in_time(whole, network, performance);
  if (const auto* device = synth::find_device(options.device, *run.target))
    whole["device"] = share_of(*device, whole);
  return whole;
}

int add_costs(const std::vector<Simulated>& networks, const SynthOptions& options, Json& results) {
  if (options.targets.empty()) return kGood;
  const nlohmann::json whole = results;
  Json& costs = results["costs"] = Json::array();
  for (const auto& n : networks) {
    if (n.proven->simulation_only()) continue;
    const auto performance = measured(whole, "results.json", n.label);
    auto cost = synthesize_variant(*n.proven, n.label, options, options.targets.front(),
                                   performance ? performance.value() : Performance{});
    if (interrupted()) return kInterrupted;
    if (!cost) return report_failed(cost.errors());
    for (const char* key : {"wall_s", "peak_mib", "cached", "cells", "modules", "memory_list"})
      cost.value().erase(key);
    costs.push_back(std::move(cost).value());
  }
  return kGood;
}

int synth(const SynthOptions& options) {
  auto experiment = load_one_network(options.input);
  if (!experiment) return report(experiment.errors());
  const auto& variant = experiment.value().variants.front();
  auto spec = load_variant(options.input, experiment.value(), variant);
  if (!spec) return report(spec.errors());
  if (const Diagnostics none = check_synthesizable(spec.value(), options.input); !none.empty())
    return report(none);
  if (const Diagnostics none = check_device(options); !none.empty()) return report(none);
  const auto performance = performance_of(options.activity, variant.label);
  if (!performance) return report(performance.errors());
  if (const Diagnostics failed = check_writable(options.output, {}); !failed.empty())
    return report(failed);
  const auto network =
      prove_or_say(spec.value(), options.input.catalogue, options.input.file + ": " + variant.label,
                   ", so it is not synthesised");
  if (!network) return kFailed;
  catch_interrupts();
  std::vector<Json> results;
  int status = kGood;
  for (const std::string& target : options.targets) {
    auto result = synthesize_variant(*network, variant.label, options, target, performance.value());
    status = interrupted() ? kInterrupted : result ? kGood : report_failed(result.errors());
    if (status != kGood) break;
    results.push_back(std::move(result).value());
    // What is finished stays, whatever becomes of the next.
    const Json file = options.targets.size() == 1 ? results.front() : Json(results);
    if (const Diagnostics failed = write_file(options.output / "synth.json", file.dump(1) + "\n");
        !failed.empty()) {
      return report(failed);
    }
  }
  if (results.empty()) return status;
  fmt::print("{}", synth_table(results));
  for (const Json& r : results) {
    const std::string name = results.size() == 1 ? "" : r["target"].get<std::string>() + ": ";
    fmt::print("{}", synth_text(r, name));
  }
  if (status != kGood) {
    fmt::print("{} of {} targets are finished; the same command goes on after them\n",
               results.size(), options.targets.size());
  }
  return status;
}

}  // namespace hopwise::app
