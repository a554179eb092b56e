// SPDX-License-Identifier: Apache-2.0
// Reading results.json, where any field may be missing or null. Inside sim/report only.
#pragma once

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace hopwise::report {

/// The value at a path of keys; null where any of them is missing.
inline const nlohmann::json& at(const nlohmann::json& value,
                                std::initializer_list<std::string_view> path) {
  static const nlohmann::json missing;
  const nlohmann::json* here = &value;
  for (const auto key : path) {
    if (!here->is_object()) return missing;
    const auto found = here->find(std::string(key));
    if (found == here->end()) return missing;
    here = &*found;
  }
  return *here;
}

/// The elements of an array; nothing where the value is no array.
inline const nlohmann::json& elements(const nlohmann::json& results, std::string_view key) {
  static const nlohmann::json none = nlohmann::json::array();
  const nlohmann::json& value = at(results, {key});
  return value.is_array() ? value : none;
}

inline std::string plain(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

inline bool is_saturated(const nlohmann::json& point) {
  return at(point, {"saturated"}) == nlohmann::json(true);
}

/// Is it the published load? An interval of whole nanoseconds is not quite 0.45.
inline bool same_load(double load, double published) {
  return std::abs(load - published) <= 0.0051;
}
inline bool has_load(const nlohmann::json& point, double published) {
  return same_load(at(point, {"offered_load"}).get<double>(), published);
}

/// Core cycles until all of a workload was delivered; null where it does not end by itself.
inline const nlohmann::json& completion(const nlohmann::json& point) {
  return at(point, {"completion_cycles"});
}

/// The network that the routing of a label runs on: several files may be compared.
inline const nlohmann::json& network_of(const nlohmann::json& results,
                                        const nlohmann::json& label) {
  for (const nlohmann::json& other : elements(results, "networks")) {
    for (const nlohmann::json& routing : elements(other, "routings")) {
      if (routing == label) return at(other, {"network"});
    }
  }
  return at(results, {"network"});
}

/// An interruption cut it short, or a failure: what it measured so far is no result.
inline bool is_partial(const nlohmann::json& point) {
  return at(point, {"partial"}) == nlohmann::json(true) ||
         at(point, {"stopped"}) == nlohmann::json("failed");
}

}  // namespace hopwise::report
