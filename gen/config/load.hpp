// SPDX-License-Identifier: Apache-2.0
// From YAML text to a validated Spec: the only door.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/key_table.hpp"
#include "spec/spec.hpp"
#include "support/result.hpp"

namespace hopwise::config {

/// Parses `text`, applies the overrides (`topology.dims=[4,4]`: dotted key, YAML value) and
/// validates; networks and runs may have what `catalogue` lists. Every mistake is reported, each
/// with file, line and column; an override's "file" is
/// `--set KEY=VALUE`. `file` names the text in diagnostics only; nothing is read from disk.
Result<spec::Spec> load(std::string_view text, std::string_view file,
                        std::span<const std::string> overrides, const Catalogue& catalogue);

/// The JSON schema (draft 2020-12) of the YAML file, made from the same key table that validates
/// it.
std::string json_schema(const Catalogue& catalogue);

/// The key reference of the documentation (Markdown table), from the same key table.
std::string key_reference(const Catalogue& catalogue);

/// The table of the patterns in the documentation: names and destinations.
std::string pattern_reference(spec::Patterns patterns);

}  // namespace hopwise::config
