// SPDX-License-Identifier: Apache-2.0
#include "support/diagnostics.hpp"

#include <fmt/format.h>

namespace hopwise {

std::string format(const Diagnostic& d) {
  std::string place = d.where.file;
  if (d.where.line != 0) place += fmt::format(":{}:{}", d.where.line, d.where.column);
  std::string text = fmt::format("{}: error[{}]: ", place, d.code);
  if (!d.key.empty()) text += fmt::format("{}: ", d.key);
  text += fmt::format("found {}, allowed: {}\n", d.found, d.allowed);
  if (!d.hint.empty()) text += fmt::format("  hint: {}\n", d.hint);
  return text;
}

std::string format(const Diagnostics& diagnostics) {
  std::string text;
  for (const auto& d : diagnostics) text += format(d);
  return text;
}

}  // namespace hopwise
