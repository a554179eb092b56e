// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/published.hpp"
#include "report/report.hpp"
#include "report/report_template.hpp"
#include "report/verdict.hpp"

namespace hopwise::report {
namespace {

constexpr std::string_view kResults = "@@HOPWISE_RESULTS@@";
constexpr std::string_view kVerdict = "@@HOPWISE_VERDICT@@";

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
  const auto at_results = page.find(kResults), at_verdict = page.find(kVerdict);
  if (at_verdict == std::string::npos || at_results > at_verdict) std::abort();  // build.mjs checks
  // from the end: what is put in may hold a marker
  nlohmann::json judged = verdict(results);
  judged["published"] = published_beside(results);
  page.replace(at_verdict, kVerdict.size(), json_in_html(judged));
  page.replace(at_results, kResults.size(), json_in_html(results));
  return page;
}

const std::string& live_page() { return report_template().at("live_page.html"); }

}  // namespace hopwise::report
