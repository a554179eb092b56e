// SPDX-License-Identifier: Apache-2.0
// The pages inside the command.
#pragma once

#include <map>
#include <string>

namespace hopwise::report {

/// As web/build.mjs joins them: `report_template.html`, that results are put into; the markers
/// @@HOPWISE_VERDICT@@ and @@HOPWISE_RESULTS@@ stand in it once. `live_page.html`, complete.
const std::map<std::string, std::string>& report_template();

}  // namespace hopwise::report
