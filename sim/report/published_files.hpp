// SPDX-License-Identifier: Apache-2.0
// The files of sim/report/published, which the build embeds.
#pragma once

#include <map>
#include <string>

namespace hopwise::report {

const std::map<std::string, std::string>& published_files();

}  // namespace hopwise::report
