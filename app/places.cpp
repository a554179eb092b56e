// SPDX-License-Identifier: Apache-2.0
#include "app/places.hpp"

#include <fstream>
#include <string_view>

namespace hopwise::app {

namespace {

namespace fs = std::filesystem;

/// The source tree that CMake builds into `directory`; empty: it is no build tree.
fs::path source_tree(const fs::path& directory) {
  std::ifstream cache(directory / "CMakeCache.txt");
  constexpr std::string_view kKey = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (std::string line; std::getline(cache, line);) {
    if (line.starts_with(kKey)) return line.substr(kKey.size());
  }
  return {};
}

}  // namespace

fs::path examples_directory() {
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  fs::path installed = here.parent_path() / "share/hopwise/examples";
  if (fs::is_directory(installed, none)) return installed;
  const fs::path source = source_tree(here);
  return source.empty() ? fs::path() : source / "examples";
}

std::vector<fs::path> header_directories() {
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  const fs::path installed = here.parent_path() / "include";
  if (fs::is_directory(installed / "hopwise", none)) return {installed, installed / "hopwise"};
  const fs::path source = source_tree(here);
  if (source.empty()) return {};
  return {source / "app/include", source / "gen", source / "sim"};
}

fs::path optional_library(const char* name) {
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& directory : {here.parent_path() / "lib/hopwise", here}) {
    if (fs::exists(directory / name, none)) return directory / name;
  }
  return {};
}

Result<std::string> example(const std::string& name) {
  const fs::path directory = examples_directory();
  if (!directory.empty()) return (directory / (name + ".yaml")).string();
  return Diagnostic{"app.no-examples",
                    {name + ".yaml", 0, 0},
                    "FILE",
                    "no share/hopwise/examples beside the command's bin/",
                    "an installed command, or files on the command line",
                    ""};
}

}  // namespace hopwise::app
