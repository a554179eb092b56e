// SPDX-License-Identifier: Apache-2.0
// Lists of words that a user may write, for messages and look-up.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hopwise {

/// "a, b or c".
std::string join_names(std::span<const std::string_view> names);

/// "1 entry", "2 entries".
std::string count_entries(std::size_t count);

/// The position of a name that the reader has checked; 0 for any other.
std::size_t name_index(std::span<const std::string_view> names, std::string_view name);

/// The candidate that a misspelt word most likely means, if one is near. Words of more than 64
/// letters mean nothing.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace hopwise
