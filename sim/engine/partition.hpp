// SPDX-License-Identifier: Apache-2.0
// What one thread steps.
#pragma once

#include <exception>
#include <memory>

#include "engine/network.hpp"
#include "engine/stuck.hpp"

namespace hopwise::engine {

struct Network::Partition {
  std::uint32_t first = 0, end = 0;  // routers
  std::unique_ptr<model::RouterBank> bank;
  std::unique_ptr<TerminalGroup> terminals;
  StuckVcs stuck;
  Section section;  // as probes see it
  double cpu = 0;
  std::exception_ptr error;
};

}  // namespace hopwise::engine
