// SPDX-License-Identifier: Apache-2.0
// What users read: the examples, the JSON schema and the reference page.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "config/key_table.hpp"
#include "config/load.hpp"
#include "files.hpp"

namespace hopwise::config {
namespace {

Result<spec::Spec> load_example(const std::string& name,
                                const std::vector<std::string>& overrides = {}) {
  return load_builtin(read_file(source_dir() / "examples" / name), name, overrides);
}

TEST(Examples, EveryOneLoads) {
  const auto examples = files_in(source_dir() / "examples", ".yaml");
  EXPECT_GE(examples.size(), 5u);
  for (const auto& file : examples) {
    const auto result = load_builtin(read_file(file), file.filename().string(), {});
    EXPECT_TRUE(result.ok()) << format(result.ok() ? Diagnostics{} : result.errors());
  }
}

TEST(Examples, ExanestIsTheNetworkOfTheThesis) {
  const auto result = load_example("exanest_4x4.yaml");
  ASSERT_TRUE(result.ok());
  const spec::Spec& s = result.value();
  EXPECT_EQ(s.network.packet.max_flits, 258u);
  EXPECT_EQ(s.traffic.length.min_flits, 3u);
  EXPECT_EQ(s.network.link.latency_cycles, (std::vector<unsigned>{100, 100}));
  ASSERT_EQ(s.experiment.routings.size(), 2u);
  const auto star = load_example("exanest_4x4.yaml", s.experiment.routings[1].overrides);
  ASSERT_TRUE(star.ok());
  EXPECT_EQ(star.value().network.routing.vcs_per_class, (std::vector<unsigned>{1, 1, 1}));
  EXPECT_EQ(s.experiment.loads.size(), 9u);
}

TEST(Examples, ExanestStaysSoundWhenItsSizesAreEdited) {
  std::string text = read_file(source_dir() / "examples" / "exanest_4x4.yaml");
  const std::string before = "dims: [4, 4]";
  const auto at = text.find(before);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, before.size(), "dims: [3, 5, 2]");
  const auto result = load_builtin(text, "exanest", {});
  ASSERT_TRUE(result.ok()) << format(result.errors());
  EXPECT_EQ(result.value().network.name, "torus_3x5x2");
}

TEST(Examples, Torus8x8TakesItsSizesFromTheCommandLine) {
  const std::vector<std::string> overrides{"topology.dims=[4,4]"};
  const auto result = load_example("torus_8x8.yaml", overrides);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().network.topology.dims, (std::vector<unsigned>{4, 4}));
  EXPECT_EQ(result.value().network.routing.vcs_per_class, (std::vector<unsigned>{2, 2}));
}

TEST(Schema, ThePublishedSchemaIsUpToDate) {
  expect_golden(source_dir() / "schema" / "hopwise.schema.json", json_schema(builtin()));
}

TEST(Schema, HasEveryKeyOfTheTableWithItsMeaning) {
  const auto schema = nlohmann::json::parse(json_schema(builtin()));
  const KeyTable table(builtin());
  for (const Row& row : table.rows()) {
    const spec::Key& key = row.key;
    const nlohmann::json* at = &schema;
    std::istringstream parts{std::string(key.path)};
    for (std::string part; std::getline(parts, part, '.');) {
      EXPECT_EQ(at->at("additionalProperties"), false) << key.path;
      at = &at->at("properties").at(part);
    }
    EXPECT_FALSE(at->at("description").get<std::string>().empty()) << key.path;
    EXPECT_EQ(at->contains("default"), !key.default_yaml.empty()) << key.path;
  }
}

/// What stands on a page of docs between a line `begin` and a line `end` is `text`.
void expect_section(const char* name, const std::string& begin, const std::string& end,
                    const std::string& text) {
  const auto path = source_dir() / "docs" / name;
  const std::string page = read_file(path);
  const auto first = page.find(begin);
  const auto last = page.find(end);
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(last, std::string::npos);
  expect_golden(path, page.substr(0, first) + begin + "\n" + text + "\n" + page.substr(last));
}

TEST(Reference, TheKeyTableOfTheManualIsUpToDate) {
  expect_section("reference/configuration.md",
                 "<!-- keys: generated from what gen/config, kinds and families declare -->\n",
                 "<!-- end of keys -->\n", key_reference(builtin()));
}

TEST(Reference, TheTableOfPatternsOfTheManualIsUpToDate) {
  expect_section("reference/traffic.md", "<!-- patterns: generated from sim/traffic/patterns -->\n",
                 "<!-- end of patterns -->\n", pattern_reference(builtin().patterns));
}

/// A line for each family: the title of its page, and its variants; of a lone one, what it is.
std::string routing_pages() {
  std::string text;
  for (const routing::Family* family : builtin().families) {
    const std::string page = fmt::format("reference/routing-{}.md", family->name);
    std::istringstream lines(read_file(source_dir() / "docs" / page));
    std::string title;
    std::getline(lines, title);
    EXPECT_TRUE(title.starts_with("# ")) << page;
    std::vector<std::string> variants;
    for (const routing::Variant& variant : family->variants)
      variants.push_back(fmt::format("`{}`", variant.name));
    if (variants.size() == 1) variants.emplace_back(family->variants[0].doc);
    text += fmt::format("* [{}]({}): {}\n", title.substr(std::min<std::size_t>(2, title.size())),
                        page, fmt::join(variants, ", "));
  }
  return text;
}

TEST(Reference, TheIndexListsThePageOfEveryFamilyOfRoutings) {
  expect_section("index.md", "<!-- routings: generated from gen/routing -->\n",
                 "<!-- end of routings -->\n", routing_pages());
}

TEST(Reference, EveryKeyHasADefaultOrIsRequired) {
  const KeyTable table(builtin());
  for (const Row& row : table.rows()) {
    const spec::Key& key = row.key;
    const int given = (key.required ? 1 : 0) + (key.default_yaml.empty() ? 0 : 1) +
                      (key.default_words.empty() ? 0 : 1);
    EXPECT_EQ(given, 1) << key.path;
  }
}

}  // namespace
}  // namespace hopwise::config
