// SPDX-License-Identifier: Apache-2.0
#include "synth/src/timing.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "support/cache.hpp"

namespace hopwise::synth {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// ns; that of the second look at a netlist is its own longest path
constexpr double kFirstPeriod = 10;
// the second netlist counts where its longest path is shorter by more than that of equal designs
// differ
constexpr double kWorthwhile = 0.9;
constexpr const char* kEnds =
    "report_checks -from [all_registers -clock_pins] -to [all_registers -data_pins] "
    "-group_count 1000000 -format end -digits 4";

}  // namespace

Diagnostics Timing::choose_netlist() {
  for (const std::string name : {"", "_carry"}) {
    if (Diagnostics failed = sta("timing" + name, "netlist" + name, kFirstPeriod); !failed.empty())
      return failed;
    const auto path = read_path(read_text(directory_ / ("timing" + name + ".log")), kFirstPeriod);
    if (!path || (path_ && path->ns > kWorthwhile * path_->ns)) continue;
    path_ = path;
    netlist_ = "netlist" + name;
    fs::rename(directory_ / ("flat" + name + ".txt"), directory_ / "flat.txt");
  }
  return {};
}

Diagnostics Timing::report(Json& json, const Hierarchy& hierarchy, const std::string& top,
                           bool with_power) {
  json["carry_trees"] = netlist_ != "netlist";
  if (!path_) return {};
  const std::string netlist = read_text(directory_ / (netlist_ + ".v"));
  const std::string from = register_name(netlist, path_->from),
                    to = register_name(netlist, path_->to);
  const Place place = place_of(hierarchy, top, to);
  json["path_ns"] = rounded(path_->ns, 1e4);
  json["fmax_mhz"] = rounded(1000 / path_->ns, 10);
  json["path_from"] = from;
  json["path_to"] = to;
  json["path_instance"] = place.instance;
  json["path_module"] = place.module;
  json["levels"] = path_->levels;
  if (!with_power) return {};
  if (Diagnostics failed = sta("power", netlist_, path_->ns, kEnds); !failed.empty()) return failed;
  const std::string log = read_text(directory_ / "power.log");
  note_slowest(log, netlist, hierarchy, top);
  if (const auto power = read_power(log)) {
    json["power_mw"] = rounded((power->internal + power->switching + power->leakage) * 1e3, 1e6);
    json["leakage_mw"] = rounded(power->leakage * 1e3, 1e6);
    json["dynamic_mw"] = rounded((power->internal + power->switching) * 1e3, 1e6);
  }
  return {};
}

Json Timing::path_to(const std::string& label) const {
  const auto slowest = slowest_.find(label);
  return slowest == slowest_.end() ? Json(nullptr) : Json(rounded(slowest->second, 1e4));
}

Diagnostics Timing::sta(const std::string& name, const std::string& netlist, double period,
                        const std::string& ends) {
  Places at = places_;
  at["period"] = fmt::format("{:.4f}", period);
  at["ends"] = ends;
  at["netlist"] = netlist;
  return shop_.sta(name, filled("cells.tcl", at));
}

void Timing::note_slowest(const std::string& log, const std::string& netlist,
                          const Hierarchy& hierarchy, const std::string& top) {
  const auto names = register_names(netlist);
  for (const auto& [instance, ns] : read_ends(log, path_->ns)) {
    const auto found = names.find(instance);
    const std::string& name = found == names.end() ? instance : found->second;
    if (name.starts_with("_")) continue;  // a register that lost its name
    double& slowest = slowest_[place_of(hierarchy, top, name).module];
    slowest = std::max(slowest, ns);
  }
}

}  // namespace hopwise::synth
