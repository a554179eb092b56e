// SPDX-License-Identifier: Apache-2.0
// The headers that a router model is compiled with, inside the command.
#pragma once

#include <map>
#include <string>

namespace hopwise::model {

/// Name, without folder, to text: verilated_bank.hpp and the headers of this folder that it
/// includes.
const std::map<std::string, std::string>& model_headers();

}  // namespace hopwise::model
