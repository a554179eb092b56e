// SPDX-License-Identifier: Apache-2.0
// The one table of keys: it drives parsing, range checks, the JSON schema and the reference page.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/network_config.hpp"
#include "spec/pattern_name.hpp"
#include "support/ids.hpp"
#include "support/words.hpp"

namespace hopwise::config {

// Names in YAML, in the order of the enumerators in spec.hpp.
inline constexpr std::array<std::string_view, 3> kTopologyKinds{"torus", "mesh", "dragonfly"};
inline constexpr std::array<std::string_view, 3> kArrangements{"absolute", "palmtree", "circulant"};
inline constexpr std::array<std::string_view, 1> kArrangementAliases{"consecutive"};
inline constexpr std::array<std::string_view, 2> kPacketFormats{"compact", "apenet"};
inline constexpr std::array<std::string_view, 3> kSwitchings{"vct", "saf", "wormhole"};
inline constexpr std::array<std::string_view, 2> kAllocators{"separable_input_first",
                                                             "separable_output_first"};
inline constexpr std::array<std::string_view, 2> kArbiters{"round_robin", "least_recent"};
inline constexpr std::array<std::string_view, 2> kGranularities{"packet", "flit"};
inline constexpr std::array<std::string_view, 17> kAlgorithms{
    "dor",     "star_channel", "min",        "valg",    "valn",    "ugal_lg",
    "ugal_ln", "ugal_global",  "par",        "ugal_le", "valiant", "dgb",
    "edgb",    "q_routing",    "q_adaptive", "q_par",   "dqn"};
inline constexpr std::array<std::string_view, 4> kQueueMetrics{"local_queue", "used_credits",
                                                               "both", "in_flight_corrected"};
inline constexpr std::array<std::string_view, 2> kHopMetrics{"path", "one_two"};
inline constexpr std::array<std::string_view, 3> kContentionCounts{"latched", "live",
                                                                   "latched_or_live"};
inline constexpr std::array<std::string_view, 2> kQInitials{"zero_load", "optimistic"};
inline constexpr std::array<std::string_view, 2> kQFeedbacks{"free", "admissible"};
inline constexpr std::array<std::string_view, 2> kDqnObservations{"offsets", "coordinates"};
inline constexpr std::array<std::string_view, 3> kDqnMasks{"none", "receive", "room"};
inline constexpr std::array<std::string_view, 3> kAgentSharings{"router", "row", "all"};
inline constexpr std::array<std::string_view, 2> kDatelines{"classic", "balanced"};
inline constexpr std::array<std::string_view, 3> kInjections{"bernoulli", "on_off", "periodic"};

template <class T>
using FieldOf = Field<T> NetworkConfig::*;
using FieldRef =
    std::variant<FieldOf<std::string>, FieldOf<std::uint64_t>, FieldOf<double>, FieldOf<bool>,
                 FieldOf<spec::Rational>, FieldOf<UIntList>, FieldOf<spec::PacketLength>,
                 FieldOf<Names>, FieldOf<Reals>, FieldOf<Routings>>;

/// One key of the YAML file.
struct Key {
  std::string_view path;
  FieldRef field;
  std::span<const std::string_view> names = {};  ///< the words allowed; empty: free text or no text
  std::span<const std::string_view> also = {};   ///< other spellings that are read as well
  std::span<const spec::WordForm> forms = {};    ///< words with a parameter, as well as `names`
  /// decides about words where there are `forms`
  Result<spec::PatternName> (*parse)(std::string_view) = nullptr;
  double min = 0;  ///< of a number, and of each number of a list
  double max = 0;
  bool above_min = false;    ///< `min` itself is out of range
  unsigned min_entries = 1;  ///< of a list
  unsigned max_entries = 1;
  bool scalar_or_list = false;  ///< one value stands for a list as well
  bool required = false;
  std::string_view default_yaml = "";   ///< the default, as one would write it
  std::string_view default_words = "";  ///< where the default depends on other keys
  std::string_view doc;
};

/// A group of keys: `topology`, `router.allocator`.
struct Section {
  std::string_view path;
  std::string_view doc;
};

std::span<const Key> keys();
std::span<const Section> sections();

/// The key with this dotted path, or none.
const Key* find_key(std::string_view path);
bool is_section(std::string_view path);

/// What a diagnostic prints behind "allowed": "an integer from 1 to 8", "torus or mesh".
std::string describe_allowed(const Key& key);

/// "1 to 8", "above 0, up to 1".
std::string describe_range(const Key& key);

/// The words that a key takes: its names, then its forms as the manual writes them.
std::vector<std::string> words_of(const Key& key);

}  // namespace hopwise::config
