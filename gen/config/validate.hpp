// SPDX-License-Identifier: Apache-2.0
// From typed values to a Spec: derived defaults, and every combination that cannot work.
#pragma once

#include "config/network_config.hpp"
#include "spec/spec.hpp"
#include "support/diagnostics.hpp"

namespace hopwise::config {

/// The network sections. The result is complete only where nothing was appended to `errors`; a
/// check that needs a value reported already stays silent.
spec::NetworkSpec validate_network(const NetworkConfig& config, Diagnostics& errors);

/// The topology section, on which the others build; as `validate_network`, which asks for it.
spec::TopologySpec validate_topology(const NetworkConfig& config, Diagnostics& errors);

/// The keys `routing.q_*`, for the topology and the algorithm of `network`; their defaults where
/// the routing learns no table. Reports too what the topology lacks for such a routing.
spec::QSpec validate_q(const NetworkConfig& config, const spec::NetworkSpec& network,
                       Diagnostics& errors);

/// The keys `routing.dqn_*`; their defaults with another routing. To be asked once the topology is
/// known.
spec::DqnSpec validate_dqn(const NetworkConfig& config, const spec::NetworkSpec& network,
                           Diagnostics& errors);

/// The training section.
spec::TrainingSpec validate_training(const NetworkConfig& config, Diagnostics& errors);

/// The traffic, simulation and experiment sections, on top of the network in `spec`. The overrides
/// of the experiment's routings are copied, not applied.
void validate_run(const NetworkConfig& config, spec::Spec& spec, Diagnostics& errors);

/// Names of the VC classes that the routing needs, in VC order: "escape0", "escape1", "adaptive";
/// "step0", ...; "hop0", ...
std::vector<std::string> vc_class_names(const spec::TopologySpec& topology,
                                        const spec::RoutingSpec& routing);

/// The topology of this kind has the routing.
bool is_routing_of(spec::Algorithm algorithm, spec::TopologyKind kind);
/// Chooses between minimal and non-minimal paths packet by packet.
bool is_adaptive(spec::Algorithm algorithm);

}  // namespace hopwise::config
