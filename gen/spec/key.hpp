// SPDX-License-Identifier: Apache-2.0
// A key of the YAML file, declared by its reader: the front end, a kind of topology, a routing
// family or a traffic pattern. Reading, range checks, messages, the JSON schema and the reference
// page follow from the declaration.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.hpp"

namespace hopwise::spec {

/// Words with a decimal parameter, written without leading zeros: `adv+I`, I from 1 to 1024; or
/// with several of them joined by x: `stencil_3d:XxYxZ`.
struct WordForm {
  std::string_view head;    ///< `adv`
  char mark = ':';          ///< between head and parameter
  std::string_view letter;  ///< what the manual calls the parameter
  unsigned min = 0;
  unsigned max = 0;
  std::string_view regex;  ///< of the whole word, for the JSON schema
  unsigned numbers = 1;
};

/// "adv+I".
std::string display(const WordForm& form);

/// What a key holds. A family's or a pattern's keys hold one of the first six.
enum class KeyType : std::uint8_t {
  kText,
  kInteger,
  kReal,
  kFlag,
  kIntegers,
  kReals,
  kRational,
  kPacketLength,
  kNames,
  kPairs,
  kRoutings,
};

/// The numbers that a key takes.
struct Range {
  double min = 0;
  double max = 0;
  bool above_min = false;  ///< `min` itself is out of range

  bool contains(double value) const {
    return (above_min ? value > min : value >= min) && value <= max;
  }
};

struct Key {
  /// `topology.dims`. A family's key without a dot stands in the section `routing`.
  std::string_view path;
  KeyType type = KeyType::kText;
  std::span<const std::string_view> names = {};  ///< the words allowed; empty: free text or no text
  std::span<const std::string_view> also = {};   ///< other spellings that are read as well
  std::span<const WordForm> forms = {};          ///< words with a parameter, as well as `names`
  bool pattern = false;  ///< of the front end: names of traffic patterns, which set the three above
  Range range = {};      ///< of a number, and of each number of a list
  unsigned min_entries = 1;  ///< of a list
  unsigned max_entries = 1;
  bool scalar_or_list = false;  ///< one value stands for a list as well
  bool required = false;
  /// of a family: the hardware does not depend on it, and so neither do network hash and bundle
  bool run_only = false;
  /// of a family's flag: with this value it asks for a decision that only `owners` take, and is
  /// refused with the routings of other families
  std::string_view demand = "";
  std::string_view owners = "";
  std::string_view default_yaml = "";   ///< the default, as one would write it
  std::string_view default_words = "";  ///< where the default depends on other keys
  std::string_view doc;
};

/// A group of keys: `topology`, `router.allocator`.
struct Section {
  std::string_view path;
  std::string_view doc;
};

/// Where a key stands in the user's file.
struct KeyPlace {
  SourceLocation where;  ///< of a key that is not written: its section, or the whole file
  bool written = false;
  bool bad = false;  ///< missing or reported already: checks that need it stay silent
  std::vector<SourceLocation> items = {};  ///< of a list's entries
};
/// By path.
using KeyPlaces = std::map<std::string, KeyPlace, std::less<>>;

}  // namespace hopwise::spec
