// SPDX-License-Identifier: Apache-2.0
// The door for routings, topologies and traffic patterns from outside the tree: `--with DIR`
// compiles the C++ files of DIR against the installed headers and takes its SystemVerilog units.
// What is built in uses the same interface. See docs/extending.md.
//
//   #include "hopwise/extension.hpp"
//   ...
//   HOPWISE_EXTENSION(.families = kFamilies)
#pragma once

#include <span>

#include "routing/family.hpp"
#include "routing/unit_parameters.hpp"
#include "topology/kind.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace hopwise {

/// Changes whenever an extension has to be written anew.
inline constexpr unsigned kExtensionVersion = 1;

/// What an extension adds to the built-in lists. Names that are there already are refused.
struct Extension {
  std::span<const topology::Kind* const> kinds = {};
  std::span<const routing::Family* const> families = {};
  /// Each of them a traffic::PatternKind.
  spec::Patterns patterns = {};
};

}  // namespace hopwise

/// Once in an extension, outside of all namespaces: its lists.
#define HOPWISE_EXTENSION(...)                                                      \
  extern "C" const unsigned hopwise_extension_version = hopwise::kExtensionVersion; \
  extern "C" const hopwise::Extension& hopwise_extension();                         \
  extern "C" const hopwise::Extension& hopwise_extension() {                        \
    static const hopwise::Extension extension{__VA_ARGS__};                         \
    return extension;                                                               \
  }
