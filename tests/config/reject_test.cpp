// SPDX-License-Identifier: Apache-2.0
// Bad inputs in tests/reject: each has its golden text beside it and a twin in good/ that loads.
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/load.hpp"
#include "files.hpp"

namespace hopwise::config {
namespace {

namespace fs = std::filesystem;

fs::path reject_dir() { return source_dir() / "tests" / "reject"; }

/// Command line overrides stand in comments of the input: `# --set KEY=VALUE`.
std::vector<std::string> overrides_of(const std::string& text) {
  constexpr std::string_view kMark = "# --set ";
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kMark)) out.push_back(line.substr(kMark.size()));
  }
  return out;
}

Result<spec::Spec> load_file(const fs::path& path) {
  const std::string text = read_file(path);
  const auto overrides = overrides_of(text);
  return load_builtin(text, path.filename().string(), overrides);
}

std::set<std::string> codes_in(const std::string& text, const char* pattern) {
  std::set<std::string> codes;
  const std::regex code(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), code), end; it != end; ++it)
    codes.insert((*it)[1]);
  return codes;
}

TEST(Reject, EveryBadInputIsReportedAsItsGoldenTextSays) {
  const auto inputs = files_in(reject_dir(), ".yaml");
  ASSERT_FALSE(inputs.empty());
  for (const auto& input : inputs) {
    SCOPED_TRACE(input);
    const auto result = load_file(input);
    ASSERT_FALSE(result.ok());
    fs::path golden = input;
    expect_golden(golden.replace_extension(".expected"), format(result.errors()));
  }
}

TEST(Reject, EveryBadInputHasAGoodTwinThatLoads) {
  for (const auto& input : files_in(reject_dir(), ".yaml")) {
    const fs::path twin = reject_dir() / "good" / input.filename();
    SCOPED_TRACE(twin);
    ASSERT_TRUE(fs::exists(twin));
    const auto result = load_file(twin);
    EXPECT_TRUE(result.ok()) << format(result.ok() ? Diagnostics{} : result.errors());
  }
}

TEST(Reject, EveryDiagnosticCodeHasABadInput) {
  std::string sources;
  for (const char* folder :
       {"gen/config", "gen/topology", "gen/spec", "gen/routing", "sim/traffic/patterns"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
      if (entry.path().extension() == ".cpp") sources += read_file(entry.path());
    }
  }
  std::string golden;
  for (const auto& file : files_in(reject_dir(), ".expected")) golden += read_file(file);
  const auto raised = codes_in(sources, "\"(config\\.[a-z-]+)\"");
  EXPECT_GT(raised.size(), 15u);
  EXPECT_EQ(raised, codes_in(golden, "error\\[([a-z.-]+)\\]"));
}

TEST(Reject, NoBadInputNamesAPlaceWithoutALineUnlessTheWholeFileIsMeant) {
  for (const auto& input : files_in(reject_dir(), ".yaml")) {
    if (input.stem() == "empty") continue;
    const auto result = load_file(input);
    ASSERT_FALSE(result.ok());
    for (const auto& error : result.errors()) {
      const bool from_command_line = error.where.file.starts_with("--set ");
      EXPECT_EQ(error.where.line == 0, from_command_line) << input << ": " << format(error);
    }
  }
}

TEST(Reject, OneMistakeIsOneError) {
  // Files with several mistakes, each of them seeded.
  const std::map<std::string, std::size_t> several = {
      {"apenet-field", 3},
      {"bad-name", 2},
      {"congestion", 3},
      {"dqn", 7},
      {"foreign-key-torus", 2},
      {"injection", 2},
      {"job-missing", 3},
      {"job-terminals", 3},
      {"job-with", 7},
      {"message-class", 2},
      {"messages", 7},
      {"messages-with", 3},
      {"missing-key-dragonfly", 2},
      {"no-such-mode", 2},
      {"out-of-range-cycles", 2},
      {"out-of-range", 11},
      {"override-value", 3},
      {"override", 3},
      {"own-vcs-candidates", 2},
      {"pattern-grid", 5},
      {"pattern-groups", 3},
      {"pattern-no-groups", 5},
      {"pattern-parameter", 8},
      {"q-foreign-key", 2},
      {"q-ranges", 5},
      {"routing-key", 9},
      {"dotted-key", 2},
      {"several", 4},
      {"unknown-key", 4},
      {"unknown-pattern", 2},
      {"wrong-length", 3},
      {"wrong-type", 12},
  };
  for (const auto& input : files_in(reject_dir(), ".yaml")) {
    const auto result = load_file(input);
    ASSERT_FALSE(result.ok());
    const auto listed = several.find(input.stem());
    EXPECT_EQ(result.errors().size(), listed == several.end() ? 1 : listed->second)
        << format(result.errors());
  }
}

/// Every key with a value that it refuses, in every `step`-th network: nothing is said that only
/// follows from the value being no value. Returns how many were refused.
std::size_t expect_one_error_each(std::size_t step) {
  const Catalogue catalogue = builtin();
  const KeyTable table(catalogue);
  const std::vector<std::string> bad = {"'?!'",   "-1", "1e99", "99999999999999999999",
                                        "{a: 1}", "[]", "[-1]"};
  std::size_t refused = 0, network = 0, turn = 0;
  for (const auto& input : files_in(reject_dir() / "good", ".yaml")) {
    if (++network % step != 0) continue;
    const std::string text = read_file(input);
    for (const Row& row : table.rows()) {
      std::vector<std::string> overrides = overrides_of(text);
      overrides.push_back(fmt::format("{}={}", row.key.path, bad[turn++ % bad.size()]));
      const auto result = load_builtin(text, input.filename().string(), overrides);
      if (result.ok()) continue;
      ++refused;
      EXPECT_EQ(result.errors().size(), 1u) << input << " with " << overrides.back() << "\n"
                                            << format(result.errors());
    }
  }
  return refused;
}

TEST(Reject, ARefusedValueHasNoConsequences) { EXPECT_GT(expect_one_error_each(16), 200u); }

TEST(RejectEverywhere, ARefusedValueHasNoConsequences) {
  EXPECT_GT(expect_one_error_each(1), 3000u);
}

}  // namespace
}  // namespace hopwise::config
