// SPDX-License-Identifier: Apache-2.0
// Files of what routers have learned.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/network.hpp"
#include "probes/probes.hpp"

namespace hopwise::app {

/// For those who look at its learners; borrows both.
probes::Network probed(const deadlock::ProvenNetwork& network, const std::string& label);

using Learned = std::shared_ptr<const probes::Learned>;

/// What a file holds, which must fit the network. Errors: app.cannot-read, and those of the family.
Result<Learned> read_learned(const probes::Network& network, const std::filesystem::path& file);

/// What the setting of the routing names that its family says, from the directory of `file` on
/// unless it is an override; nullptr where there is none.
Result<Learned> configured(const probes::Network& network, const Input& input,
                           const std::string& file);

}  // namespace hopwise::app
