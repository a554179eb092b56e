// SPDX-License-Identifier: Apache-2.0
// Extensions (`--with DIR`): compiled on demand, cached, loaded, and added to the built-in lists.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/key_table.hpp"
#include "support/diagnostics.hpp"

namespace hopwise::app {

/// The built-in lists and those of extensions. What is loaded stays loaded until the process ends.
class Extensions {
 public:
  /// Adds what is in each directory: C++ files, SystemVerilog units, and nothing else but pages and
  /// examples. Shared libraries are kept in `cache`, by the hash of all that they are made from;
  /// `own_cache`: see open_cache. Errors: extension.directory, extension.file, extension.compiler
  /// (its output), extension.load, extension.version, extension.name (what it adds is there
  /// already), cache.directory.
  Diagnostics load(const std::vector<std::string>& directories, const std::filesystem::path& cache,
                   bool own_cache);

  config::Catalogue catalogue() const { return {kinds_, families_, patterns_}; }
  Extensions();

 private:
  Diagnostics load(const std::filesystem::path& directory, const std::filesystem::path& cache,
                   bool own_cache);

  std::vector<const topology::Kind*> kinds_;
  std::vector<const routing::Family*> families_;
  std::vector<const spec::PatternDeclaration*> patterns_;
};

}  // namespace hopwise::app
