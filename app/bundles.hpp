// SPDX-License-Identifier: Apache-2.0
// The directories of bundles: each file in one is the bundle's, as its manifest.json has it, or
// somebody's who wants to keep it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/compiled.hpp"
#include "emit/bundle.hpp"
#include "support/result.hpp"

namespace hopwise::app {

/// How a directory differs from its manifest. Paths from the directory on, in order; a directory
/// that the manifest does not know stands for all that is in it. `obj/`, which the bundle's
/// Makefile builds, is no difference.
struct BundleChanges {
  std::vector<std::string> changed;  ///< other bytes than the manifest's hash says
  std::vector<std::string> added;    ///< files, directories and symbolic links
  std::vector<std::string> missing;

  bool none() const { return changed.empty() && added.empty() && missing.empty(); }
};

/// Compares all files with the manifest. Names in the manifest are compared, never opened. Errors:
/// app.cannot-read (also where there is no manifest), app.bad-manifest.
Result<BundleChanges> compare_bundle(const std::filesystem::path& directory);

/// Whether write_bundle may replace `directory`: it is not there, empty, or a bundle in which
/// nothing was changed or added. Errors: app.not-a-bundle, app.changed-bundle, with the paths; and
/// those of compare_bundle.
Diagnostics check_replaceable(const std::filesystem::path& directory);

/// Where `run` writes the bundle of a network.
std::filesystem::path bundle_directory(const std::filesystem::path& output,
                                       const std::string& label);

/// Replaces `directory`, which must pass check_replaceable, by the bundle. Written beside it and
/// renamed: what fails leaves it as it was. app.cannot-write.
Diagnostics write_bundle(const std::filesystem::path& directory, const emit::Files& files);

/// The bundles of networks that hardware can have, in `output`.
Diagnostics write_bundles(const std::filesystem::path& output,
                          const std::vector<Simulated>& networks);

}  // namespace hopwise::app
