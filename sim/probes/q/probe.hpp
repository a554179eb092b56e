// SPDX-License-Identifier: Apache-2.0
// Routers that learn a table of delivery times: their tables are written before a run, followed
// during it and read after it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/probe.hpp"
#include "probes/family.hpp"
#include "probes/q/agent_model.hpp"

namespace hopwise::probes::q {

extern const FamilyProbes kProbes;

/// Q-tables of all routers: [router], row by row. See docs/reference/csr.md for rows and columns.
using Tables = std::vector<std::vector<std::uint32_t>>;

struct Options {
  /// what the tables start from, instead of their initialisation
  const Tables* start = nullptr;
  Tables* learned = nullptr;  ///< where the tables go after a run in which nothing failed
  bool freeze = false;        ///< decide by the tables, but do not learn
  /// for tests: the check must notice
  Fault fault = Fault::kNone;
};

/// Whether a run wants anything but the check.
inline bool asks(const Options& o) {
  return o.start != nullptr || o.learned != nullptr || o.freeze;
}

/// `check`: every decision, update, reward and feedback word is compared with the model of the
/// learner; `checked` of the result counts them as decisions, updates, rewards and feedbacks.
/// What the options point to outlives the probe. Throws std::runtime_error where routers and model
/// do not fit.
std::unique_ptr<engine::Probe> make_probe(const engine::Scene& scene, bool check,
                                          const Options& options);

}  // namespace hopwise::probes::q
