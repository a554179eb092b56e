// SPDX-License-Identifier: Apache-2.0
// The list of probes: which families of routings have any, and how a run asks for them.
#pragma once

#include <span>
#include <vector>

#include "probes/dqn/probe.hpp"
#include "probes/family.hpp"
#include "probes/q/probe.hpp"

namespace hopwise::probes {

/// What a run wants of the probes of its routing; a routing without such leaves it alone.
struct Options {
  bool check = false;  ///< what learners decide and learn, against their models
  q::Options q = {};
  dqn::Options dqn = {};
};

/// What is built in.
std::span<const FamilyProbes* const> builtin_probes();

/// Those of a family; a value with nothing in it where it has none.
const FamilyProbes& probes_of(const routing::Family& family);

/// Adds to the setup of a network what the family of its routing brings: names of counters and the
/// probes that its routers do not work without.
void equip(engine::Setup& setup, const routing::Family& family);

/// The probes of a run of a network of that family, for engine::RunOptions.
std::vector<engine::MakeProbe> make_probes(const routing::Family& family, const Options& options);

}  // namespace hopwise::probes
