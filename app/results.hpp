// SPDX-License-Identifier: Apache-2.0
// results.json and speed.json; their layout is in docs/reference/report.md.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "app/compiled.hpp"
#include "config/key_table.hpp"
#include "engine/options.hpp"

namespace hopwise::app {

/// Numbers of one network that all its points share.
nlohmann::ordered_json network_json(const spec::Spec& spec, const topology::Topology& topology,
                                    const config::Catalogue& catalogue, const std::string& yaml);
nlohmann::ordered_json proof_json(const Simulated& simulated);
nlohmann::ordered_json point_json(const std::string& routing, const std::string& pattern,
                                  const engine::RunResult& result,
                                  const deadlock::ProvenNetwork& network);
nlohmann::ordered_json fairness_json(const measure::Fairness& fairness);
/// Times of one point; kept apart, since results.json is a function of configuration and seed
/// alone.
nlohmann::ordered_json speed_json(const std::string& routing, const std::string& pattern,
                                  const engine::RunResult& result, std::size_t routers);
/// Of the speeds of all points, together.
nlohmann::ordered_json run_speed_json(const nlohmann::ordered_json& points);

}  // namespace hopwise::app
