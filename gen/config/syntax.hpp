// SPDX-License-Identifier: Apache-2.0
// What is wrong with a text that is not YAML, in the words of who wrote it: the parser knows only
// where it could not go on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hopwise::config {

struct SyntaxFault {
  unsigned line = 0, column = 0;  ///< count from 1; 0: the parser's place is the best
  std::string found, allowed, hint;
  /// The parser may take the text for something else than its author does, without an error.
  bool silent = false;
};

/// A quote or a bracket that is open or closes nothing, where it stands; a tab as indentation.
std::optional<SyntaxFault> find_fault(std::string_view text);

/// For a text without these: what the parser's `message` at a line and a column means.
SyntaxFault explain(std::string_view text, unsigned line, unsigned column,
                    const std::string& message);

/// A scalar such as `vcs:2`.
SyntaxFault missing_space(std::string_view scalar);

}  // namespace hopwise::config
