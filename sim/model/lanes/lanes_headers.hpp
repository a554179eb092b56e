// SPDX-License-Identifier: Apache-2.0
// The headers that a model in lanes is compiled with, inside the command.
#pragma once

#include <map>
#include <string>

namespace hopwise::model {

/// Name, without folder, to text: the headers of this folder that lanes_bank.hpp includes, and it.
const std::map<std::string, std::string>& lanes_headers();

}  // namespace hopwise::model
