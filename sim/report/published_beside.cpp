// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/fields.hpp"
#include "report/published.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

constexpr double kApart = 0.02;  ///< published values that are closer have no order

/// In what a network differs from the published set-up, as far as both tell.
std::vector<std::string> differences(const json& network, const json& setup) {
  std::vector<std::string> found;
  const auto compare = [&found](const char* what, const std::string& here,
                                const std::string& there) {
    if (here != there) found.push_back(fmt::format("{}: {} (published: {})", what, here, there));
  };
  const auto known = [&setup](const char* key) { return setup.contains(key); };
  const json& topology = at(network, {"topology"});
  if (topology.contains("routers_per_group")) {
    for (const auto& [key, what] : {std::pair{"arrangement", "global arrangement"},
                                    std::pair{"group_rows", "rows of a group"}}) {
      if (known(key)) compare(what, plain(at(topology, {key})), plain(setup[key]));
    }
  }
  const json& per_flit = at(network, {"cycles_per_flit"});
  for (const auto& [key, what] : {std::pair{"cycles_per_flit", "core cycles per flit"},
                                  std::pair{"max_flits", "flits per packet, at most"},
                                  std::pair{"flit_bits", "bits of a flit"}}) {
    if (known(key) && at(network, {key}) != setup[key])
      compare(what, plain(at(network, {key})), plain(setup[key]));
  }
  if (known("link_latency_link_cycles") && per_flit.is_number()) {
    std::string here, there;
    for (const json& cycles : elements(network, "link_latency_cycles"))
      here += (here.empty() ? "" : " and ") + plain(cycles);
    for (const json& cycles : setup["link_latency_link_cycles"])
      there += fmt::format("{}{:.0f}", there.empty() ? "" : " and ",
                           std::ceil(cycles.get<double>() * per_flit.get<double>()));
    compare("link latencies in core cycles", here, there);
  }
  return found;
}

json all_differences(const json& results, const json& rows, const json& setup) {
  json all = json::array();
  for (const json& row : rows) {
    for (const std::string& one : differences(network_of(results, row["routing"]), setup)) {
      if (std::find(all.begin(), all.end(), json(one)) == all.end()) all.push_back(one);
    }
  }
  return all;
}

/// Of a range, its middle.
double middle(const json& value) {
  return value.is_array() ? (value[0].get<double>() + value[1].get<double>()) / 2
                          : value.get<double>();
}

/// Of each network and pattern, whether saturations stand in the published order: `pairs` of
/// routings whose published values are apart, and of these the `wrong` ones.
json orders(const json& rows) {
  json all = json::array();
  for (const json& high : rows) {
    if (high["quantity"] != "saturation") continue;
    for (const json& low : rows) {
      if (low["quantity"] != "saturation" || low["network"] != high["network"] ||
          low["pattern"] != high["pattern"] ||
          middle(high["published"]) - middle(low["published"]) <= kApart + 1e-9)
        continue;
      auto known = std::find_if(all.begin(), all.end(), [&](const json& o) {
        return o["network"] == high["network"] && o["pattern"] == high["pattern"];
      });
      if (known == all.end()) {
        all.push_back({{"network", high["network"]},
                       {"pattern", high["pattern"]},
                       {"pairs", 0},
                       {"wrong", json::array()}});
        known = all.end() - 1;
      }
      (*known)["pairs"] = (*known)["pairs"].get<int>() + 1;
      if (high["measured"] <= low["measured"])
        (*known)["wrong"].push_back({high["routing"], low["routing"]});
    }
  }
  return all;
}

}  // namespace

json published_beside(const json& results) {
  json all = json::array();
  const json experiments = json::array({{{"name", ""}, {"results", results}}});
  for (const std::string& name : publications()) {
    const json file = publication(name).value();
    json rows = json::array();
    for (json& row : compare_published(file, experiments)) {
      if (!row["measured"].is_null()) rows.push_back(std::move(row));
    }
    if (rows.empty()) continue;
    json one = {{"citation", at(file, {"citation"})},
                {"doi", at(file, {"doi"})},
                {"what", at(file, {"what"})},
                {"differences", all_differences(results, rows, at(file, {"setup"}))},
                {"orders", orders(rows)}};
    one["rows"] = std::move(rows);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace hopwise::report
