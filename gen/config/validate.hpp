// SPDX-License-Identifier: Apache-2.0
// From typed values to a Spec: derived defaults, and every combination that cannot work.
#pragma once

#include "config/key_table.hpp"
#include "spec/spec.hpp"
#include "support/diagnostics.hpp"

namespace hopwise::config {

/// The network sections. The result is complete only where nothing was appended to `errors`; a
/// check that needs a value reported already stays silent.
spec::NetworkSpec validate_network(const KeyTable& table, const NetworkConfig& config,
                                   Diagnostics& errors);

/// The topology section, on which the others build; as `validate_network`, which asks for it.
spec::TopologySpec validate_topology(const KeyTable& table, const NetworkConfig& config,
                                     const spec::KeyPlaces& places, Diagnostics& errors);

/// The link section, after that of topology, whose links it is about.
void validate_link(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                   Diagnostics& errors);

/// The router section and who replies, after that of links; VCs and their depths, which the routing
/// knows, are not among it.
void validate_router(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                     Diagnostics& errors);

/// Message interfaces, after the sections of router and packet: their message classes, and the
/// place of their fields in heads.
void validate_messages(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                       Diagnostics& errors);

/// The congestion section, after those of router and packet, in which heads get its fields.
void validate_congestion(const KeyTable& table, const NetworkConfig& config,
                         spec::NetworkSpec& spec, Diagnostics& errors);

/// The job section, before that of traffic, whose pattern is then what goes on beside it.
void validate_job(const KeyTable& table, const NetworkConfig& config, spec::Spec& spec,
                  Diagnostics& errors);

/// The traffic, simulation and experiment sections, on top of the network in `spec`. The overrides
/// of the experiment's routings are copied, not applied.
void validate_run(const KeyTable& table, const NetworkConfig& config, spec::Spec& spec,
                  Diagnostics& errors);

}  // namespace hopwise::config
