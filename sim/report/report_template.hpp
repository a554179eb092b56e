// SPDX-License-Identifier: Apache-2.0
// The page that results are put into, inside the command.
#pragma once

#include <map>
#include <string>

namespace hopwise::report {

/// `report_template.html`, as web/build.mjs joins it; the markers @@HOPWISE_VERDICT@@ and
/// @@HOPWISE_RESULTS@@ stand in it once.
const std::map<std::string, std::string>& report_template();

}  // namespace hopwise::report
