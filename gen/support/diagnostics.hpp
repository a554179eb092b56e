// SPDX-License-Identifier: Apache-2.0
// What a user can get wrong, as data: all of it is collected, then printed at once.
#pragma once

#include <string>
#include <vector>

namespace hopwise {

/// A place in a file that the user wrote. Line and column count from 1; 0 means "the whole file".
struct SourceLocation {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// One mistake. `code` is stable ("config.unknown-key"); tests and documentation refer to it.
struct Diagnostic {
  std::string code;
  SourceLocation where;
  std::string key;      ///< dotted path of the YAML key, or empty
  std::string found;    ///< what stands there
  std::string allowed;  ///< what may stand there
  std::string hint;     ///< how to mend it; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

/// `file:line:column: error[code]: key: found ..., allowed ...` and a hint line; ends with a
/// newline.
std::string format(const Diagnostic& diagnostic);
std::string format(const Diagnostics& diagnostics);

}  // namespace hopwise
