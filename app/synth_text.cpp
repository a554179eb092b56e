// SPDX-License-Identifier: Apache-2.0
#include "app/synth_text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace hopwise::app {

namespace {

using Json = nlohmann::ordered_json;

/// Keys of what stands beside a router, and what it is called.
constexpr std::pair<const char*, const char*> kBeside[] = {
    {"csr", "CSRs and counters"},
    {"guards", "guards of links"},
    {"terminal", "all of a terminal"},
    {"message_interface", "message interface of a terminal"},
    {"nic_counters", "NIC counters of a terminal"},
    {"message_registers", "message registers of a terminal"},
    {"mode_selector", "mode selector of a terminal"}};

std::string number(const Json& value, const char* format) {
  return value.is_null() ? "-" : fmt::format(fmt::runtime(format), value.get<double>());
}

/// The longest path; nothing of what has no clock.
std::string path_text(const Json& r, const std::string& name) {
  if (r["path_from"].is_null()) return "";
  return fmt::format("{}longest path, {} cells: {} to {}, in {}\n", name,
                     r["levels"].get<unsigned>(), r["path_from"].get<std::string>(),
                     r["path_to"].get<std::string>(), r["path_module"].get<std::string>());
}

/// The longest paths to the registers of the slowest modules, variants of a module taken together.
std::string slow_modules_text(const Json& r, const std::string& name) {
  std::map<std::string, double> slowest;
  for (const Json& m : r["modules"]) {
    if (m["path_ns"].is_null()) continue;
    const std::string label = m["module"].get<std::string>();
    double& ns = slowest[label.substr(0, label.find('('))];
    ns = std::max(ns, m["path_ns"].get<double>());
  }
  std::multimap<double, std::string, std::greater<>> modules;
  for (const auto& [module, ns] : slowest) modules.emplace(ns, module);
  std::vector<std::string> list;
  for (const auto& [ns, module] : modules)
    if (list.size() < 6) list.push_back(fmt::format("{} {:.2f}", module, ns));
  if (list.empty()) return "";
  return fmt::format("{}longest paths by module, ns: {}\n", name, fmt::join(list, ", "));
}

/// What stands beside the router and is in none of its figures, as lines that begin with `name`.
std::string beside_text(const Json& r, const std::string& name) {
  std::string text;
  for (const auto& [part, what] : kBeside) {
    if (!r.contains(part)) continue;
    const Json& beside = r[part];
    const char* key = beside["area"].is_null() ? "luts" : "area";
    const double size = beside[key].get<double>();
    text += fmt::format(
        "{}{} beside it: {:.0f} {}, {:.1f} % of its logic; {} flip-flops, {} RAM bits\n", name,
        what, size, beside["area"].is_null() ? "LUTs" : r["area_unit"].get<std::string>(),
        100 * size / r[key].get<double>(), beside["flip_flops"].get<std::uint64_t>(),
        beside["ram_bits"].get<std::uint64_t>());
    if (!beside["path_ns"].is_null())
      text += fmt::format("{}{}: longest path {:.2f} ns\n", name, what,
                          beside["path_ns"].get<double>());
  }
  return text;
}

/// What a router carries, as a line that begins with `name`; nothing of one that has no clock.
std::string throughput_text(const Json& r, const std::string& name) {
  if (r["path_ns"].is_null()) return "";
  std::string text = fmt::format("{}{:.1f} ns per hop at zero load", name,
                                 r["zero_load_ns_per_hop"].get<double>());
  if (r["throughput"].is_null()) return text + "; throughput: not measured, see --activity\n";
  const Json& t = r["throughput"];
  if (!t["flits_per_ns_per_port"].is_null()) {
    text += fmt::format("; {}: saturation {:.3f}, {:.4f} flits per ns per port",
                        t["pattern"].get<std::string>(), t["saturation"].get<double>(),
                        t["flits_per_ns_per_port"].get<double>());
  }
  return text + "\n";
}

/// What an FPGA's router takes, and why it may have no clock, as lines for a terminal that begin
/// with `name`; nothing of standard cells.
std::string device_text(const Json& r, const std::string& name) {
  if (!r.contains("device")) return "";
  const Json& d = r["device"];
  const auto percent = [&](const char* key) {
    return d[key].is_null() ? std::string("-")
                            : fmt::format("{:.1f} %", 100 * d[key].get<double>());
  };
  std::string text = fmt::format(
      "{0}LUTs of logic {1}, of memory {2}; block RAMs {3:g}; DSPs {4}\n"
      "{0}of an {5}: LUTs {6}, flip-flops {7}, block RAMs {8}, DSPs {9}\n",
      name, r["luts"].get<std::uint64_t>(), r["lut_ram_luts"].get<std::uint64_t>(),
      r["block_rams"].get<double>(), r["dsps"].get<std::uint64_t>(), d["name"].get<std::string>(),
      percent("luts"), percent("flip_flops"), percent("block_rams"), percent("dsps"));
  if (!r["flattened"].get<bool>())
    text +=
        name + "modules added up; one this large is not flattened, which would save some LUTs\n";
  if (!r["no_clock"].is_null())
    text += name + "no clock: " + r["no_clock"].get<std::string>() + "\n";
  return text;
}

}  // namespace

std::string synth_table(const std::vector<Json>& results) {
  std::string text =
      fmt::format("{:<20} {:<8} {:>12} {:>6} {:>9} {:>8} {:>9} {:>9} {:>10} {:>7}\n", "routing",
                  "target", "area", "", "FF", "RAM bits", "LUTs", "path ns", "MHz", "mW");
  for (const auto& r : results) {
    text += fmt::format("{:<20} {:<8} {:>12} {:>6} {:>9} {:>8} {:>9} {:>9} {:>10} {:>7}\n",
                        r["routing"].get<std::string>(), r["target"].get<std::string>(),
                        number(r["area"], "{:.0f}"),
                        r["area_unit"].is_null() ? "" : r["area_unit"].get<std::string>(),
                        number(r["flip_flops"], "{:.0f}"), number(r["ram_bits"], "{:.0f}"),
                        number(r["luts"], "{:.0f}"), number(r["path_ns"], "{:.2f}"),
                        number(r["fmax_mhz"], "{:.1f}"), number(r["power_mw"], "{:.2f}"));
  }
  return text + "post-synthesis, pre-layout\n";
}

std::string synth_text(const Json& result, const std::string& name) {
  return path_text(result, name) + slow_modules_text(result, name) + beside_text(result, name) +
         throughput_text(result, name) + device_text(result, name) +
         fmt::format("{}{:.0f} s, {:.0f} MiB{}\n", name, result["wall_s"].get<double>(),
                     result["peak_mib"].get<double>(),
                     result["cached"].get<bool>() ? "; from the cache" : "");
}

}  // namespace hopwise::app
