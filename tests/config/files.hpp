// SPDX-License-Identifier: Apache-2.0
// Reading inputs and keeping golden files. HOPWISE_UPDATE_GOLDEN=1 in the environment rewrites the
// golden files.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "config/load.hpp"
#include "traffic/pattern.hpp"

namespace hopwise::config {

using Overrides = std::vector<std::string>;

inline const std::string kTorus = "topology: {kind: torus, dims: [4, 4]}\n";

inline Catalogue builtin() { return builtin_catalogue(traffic::builtin_patterns()); }

/// With all that is built in.
inline Result<spec::Spec> load_builtin(std::string_view text, std::string_view file,
                                       std::span<const std::string> overrides) {
  return load(text, file, overrides, builtin());
}

/// What a text without errors says.
inline spec::Spec good(const std::string& text, const Overrides& overrides = {}) {
  const auto result = load_builtin(text, "net.yaml", overrides);
  EXPECT_TRUE(result.ok()) << format(result.ok() ? Diagnostics{} : result.errors());
  return result.ok() ? result.value() : spec::Spec{};
}

inline std::filesystem::path source_dir() { return HOPWISE_SOURCE_DIR; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline bool updating() {
  const char* flag = std::getenv("HOPWISE_UPDATE_GOLDEN");
  return flag != nullptr && std::string_view(flag) == "1";
}

/// Compares `text` with the golden file, or writes the file where it is to be updated.
inline void expect_golden(const std::filesystem::path& path, const std::string& text) {
  if (updating()) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(text, read_file(path))
      << path << " is out of date: run the test with HOPWISE_UPDATE_GOLDEN=1";
}

/// The files of a folder with this extension, sorted.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   std::string_view extension) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace hopwise::config
