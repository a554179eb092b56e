// SPDX-License-Identifier: Apache-2.0
// Where the command finds what came with it. Nothing of this is known when it is built.
#pragma once

#include <filesystem>
#include <vector>

#include "support/result.hpp"

namespace hopwise::app {

/// The directory of the examples: share/hopwise/examples beside the bin/ of the executable, or, in
/// a build tree of CMake, examples/ of the source tree. Empty where there is neither.
std::filesystem::path examples_directory();

/// Directories that `#include`s of an extension are searched in: include/ and include/hopwise
/// beside the bin/ of the executable, or those of the source tree of its build tree. Empty where
/// there is neither.
std::vector<std::filesystem::path> header_directories();

/// A library that came with the command and is only loaded when it is asked for: beside the
/// executable in its build tree, or in lib/hopwise beside its bin/. Empty where there is none.
std::filesystem::path optional_library(const char* name);

/// The path of an example by its name, without ending. app.no-examples where there is no directory
/// of them.
Result<std::string> example(const std::string& name);

}  // namespace hopwise::app
