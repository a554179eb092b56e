// SPDX-License-Identifier: Apache-2.0
// Networks whose routing has a fault in its RTL.
#pragma once

#include "traffic/pattern.hpp"
#include "verify/verify.hpp"

#include <gtest/gtest.h>

#include "config/load.hpp"

namespace hopwise::verify {

/// Verifies a network with this routing, whose module's `line` is replaced first.
inline Outcome with_fault(const std::string& network_yaml, const std::string& routing,
                          const std::string& module, const std::string& line,
                          const std::string& replacement, std::vector<std::string> overrides = {}) {
  overrides.push_back("routing.algorithm=" + routing);
  auto spec = config::load(network_yaml, "test.yaml", overrides,
                           config::builtin_catalogue(traffic::builtin_patterns()));
  EXPECT_TRUE(spec.ok()) << (spec.ok() ? "" : format(spec.errors()));
  const auto& network = spec.value().network;
  const config::Catalogue catalogue = config::builtin_catalogue(traffic::builtin_patterns());
  const auto topology =
      std::make_shared<const topology::Topology>(catalogue.kinds, network.topology, network.link);
  const routing::Family& family = routing::family_of(catalogue.families, network.routing);
  const auto proved =
      deadlock::prove(spec.value(), topology,
                      routing::make_relation(catalogue.families, network, *topology), family);
  Options options;
  options.alter = [&](emit::Files& files) {
    for (auto& [path, text] : files) {
      if (!path.ends_with(module + ".sv")) continue;
      const std::size_t at = text.find(line);
      ASSERT_NE(at, std::string::npos);
      text.replace(at, line.size(), replacement);
    }
  };
  auto outcome =
      verify_units(std::get<deadlock::ProvenNetwork>(proved),
                   {.cache = HOPWISE_MODEL_CACHE, .machine = "", .quick = true}, options);
  EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : format(outcome.errors()));
  return outcome.value();
}

inline void expect_said(const Outcome& outcome, const std::string& what) {
  EXPECT_NE(outcome.fault.find(what), std::string::npos) << outcome.fault;
  EXPECT_FALSE(outcome.exhaustive);
}

}  // namespace hopwise::verify
