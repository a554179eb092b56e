// SPDX-License-Identifier: Apache-2.0
// `--set KEY=VALUE` and the overrides of an experiment's routings, applied to the tree before
// anything is checked.
#pragma once

#include <string>
#include <string_view>

#include "config/tree.hpp"

namespace hopwise::config {

/// Puts `value` at the dotted `path`, and makes the maps that lead there. A map is merged with the
/// map that stands there; `null` removes the key, which gives it its default again.
void set_path(Node& root, std::string_view path, Node value);

/// What diagnostics call the place of an override: `--set KEY=VALUE`.
std::string override_place(const std::string& text);

/// Applies one `KEY=VALUE`; what it sets has `override_place` for its file. Errors:
/// config.override.
void apply_override(Node& root, const std::string& text, Diagnostics& errors);

}  // namespace hopwise::config
