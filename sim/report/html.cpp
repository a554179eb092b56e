// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/report.hpp"
#include "report/report_template.hpp"

namespace hopwise::report {
namespace {

constexpr std::string_view kMarker = "@@HOPWISE_RESULTS@@";

/// JSON that can stand inside a <script> element: "<" occurs in strings only, and there \u003c
/// means the same.
std::string json_in_html(const nlohmann::json& value) {
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Result<std::string> render_html(const nlohmann::json& results) {
  if (!results.is_object() || !results.contains("network") || !results["network"].is_object()) {
    return Diagnostic{
        .code = "report.results",
        .where = {},
        .key = "network",
        .found = results.is_object() ? "no such object" : std::string(results.type_name()),
        .allowed = "an object that describes the network",
        .hint = "results.json is written by `hopwise run`; docs/reference/report.md describes it"};
  }
  std::string page = report_template().at("report_template.html");
  const auto at = page.find(kMarker);
  if (at == std::string::npos) std::abort();  // build.mjs has counted it
  page.replace(at, kMarker.size(), json_in_html(results));
  return page;
}

}  // namespace hopwise::report
