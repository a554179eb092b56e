// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include <nlohmann/json.hpp>

#include "report/report.hpp"
#include "report/verdict.hpp"

namespace hopwise::report {
namespace {

using nlohmann::json;

json sample() {
  std::ifstream file(HOPWISE_SOURCE_DIR "/tests/report/sample_results.json");
  return json::parse(file);
}

constexpr std::string_view kOpen = "<script type=\"application/json\" id=\"hopwise-results\">";
constexpr std::string_view kVerdict = "<script type=\"application/json\" id=\"hopwise-verdict\">";
constexpr std::string_view kClose = "</script>";

/// The text of one of the page's data elements, as a browser cuts it out.
std::string embedded(const std::string& page, std::string_view open = kOpen) {
  const auto from = page.find(open) + open.size();
  return page.substr(from, page.find(kClose, from) - from);
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(RenderHtml, carries_the_results_unchanged) {
  const json results = sample();
  const auto page = render_html(results);
  ASSERT_TRUE(page.ok()) << format(page.errors());
  EXPECT_EQ(json::parse(embedded(page.value())), results);
  EXPECT_EQ(page.value().find("@@HOPWISE"), std::string::npos);
}

TEST(RenderHtml, carries_the_verdict_on_the_results) {
  const auto page = render_html(sample());
  ASSERT_TRUE(page.ok());
  const json found = json::parse(embedded(page.value(), kVerdict));
  json with_published = verdict(sample());
  with_published["published"] = json::array();
  EXPECT_EQ(found, with_published);
  EXPECT_EQ(found["patterns"][0]["choice"]["routings"], json({"star_channel"}));
}

TEST(RenderHtml, loads_nothing_from_elsewhere) {
  const auto page = render_html(sample());
  ASSERT_TRUE(page.ok());
  const std::string& html = page.value();
  EXPECT_FALSE(std::regex_search(
      html, std::regex(R"((src|href)\s*=\s*\\?["'`]?\s*(https?:)?//)", std::regex::icase)));
  EXPECT_FALSE(
      std::regex_search(html, std::regex(R"(<(link|iframe|script)[^>]{0,200}\s(src|href)=)")));
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_FALSE(std::regex_search(html, std::regex(R"(url\(\s*["']?https?:)")));
  EXPECT_EQ(html.find("sourceMappingURL"), std::string::npos);
}

TEST(RenderHtml, is_not_ended_early_by_what_a_configuration_says) {
  const auto clean = render_html(sample());
  ASSERT_TRUE(clean.ok());
  json results = sample();
  results["config_yaml"] = "name: </script><script>alert(1)</script> <!-- & \"quotes\" \\ \u2028";
  results["network"]["name"] = "<b>@@HOPWISE_RESULTS@@</b>";
  const auto page = render_html(results);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(json::parse(embedded(page.value())), results);
  json judged = verdict(results);
  judged["published"] = json::array();
  EXPECT_EQ(json::parse(embedded(page.value(), kVerdict)), judged);
  EXPECT_EQ(count(page.value(), "</script>"), count(clean.value(), "</script>"));
  EXPECT_EQ(count(page.value(), "<script>"), count(clean.value(), "<script>"));
}

TEST(RenderHtml, survives_text_that_is_not_utf8) {
  json results = sample();
  results["config_yaml"] = "name: \xff\xfe";
  const auto page = render_html(results);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(json::accept(embedded(page.value())));
}

TEST(RenderHtml, gives_the_same_bytes_for_the_same_results) {
  EXPECT_EQ(render_html(sample()).value(), render_html(sample()).value());
}

TEST(RenderHtml, rejects_what_describes_no_network) {
  for (const auto* text : {"[]", "null", "{}", R"({"network": "torus"})"}) {
    const auto page = render_html(json::parse(text));
    ASSERT_FALSE(page.ok()) << text;
    EXPECT_EQ(page.errors().front().code, "report.results");
  }
}

}  // namespace
}  // namespace hopwise::report
