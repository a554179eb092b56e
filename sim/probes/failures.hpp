// SPDX-License-Identifier: Apache-2.0
// What checks find wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/options.hpp"

namespace hopwise::probes {

struct Failure {
  std::uint64_t cycle = 0;
  std::uint32_t router = 0;
  std::string what;
};

/// The first few, in the order of (cycle, router), and how many more there are. At most one of each
/// router is told: what follows it follows from it.
void report_failures(std::vector<Failure> failures, engine::RunResult& result);

}  // namespace hopwise::probes
