// SPDX-License-Identifier: Apache-2.0
// Which words may name a network or a routing.
#pragma once

#include <cstddef>
#include <string_view>

namespace hopwise::config {

inline constexpr std::size_t kMaxNameLength = 40;

/// Letters, digits and underscores, not starting with a digit, 1 to 40 characters.
bool is_identifier(std::string_view name);

/// A reserved word of IEEE Std 1800-2017, annex B.
bool is_systemverilog_keyword(std::string_view name);

/// Text for reports: 1 to 40 letters, digits, spaces and `_ . + -`.
bool is_label(std::string_view text);

}  // namespace hopwise::config
