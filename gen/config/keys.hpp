// SPDX-License-Identifier: Apache-2.0
// The keys of the YAML file that belong to no kind of topology, no routing family and no pattern,
// and how keys are described.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/network_config.hpp"
#include "spec/key.hpp"
#include "support/ids.hpp"
#include "support/words.hpp"

namespace hopwise::config {

// Names in YAML, in the order of the enumerators in spec.hpp.
inline constexpr std::array<std::string_view, 2> kPacketFormats{"compact", "apenet"};
inline constexpr std::array<std::string_view, 3> kSwitchings{"vct", "saf", "wormhole"};
inline constexpr std::array<std::string_view, 2> kAllocators{"separable_input_first",
                                                             "separable_output_first"};
inline constexpr std::array<std::string_view, 2> kArbiters{"weighted", "round_robin"};
inline constexpr std::array<std::string_view, 2> kGranularities{"packet", "flit"};
inline constexpr std::array<std::string_view, 3> kRooms{"packet", "longest", "collect"};
inline constexpr std::array<std::string_view, 3> kEngines{"auto", "verilator", "lanes"};
inline constexpr std::array<std::string_view, 3> kInjections{"bernoulli", "on_off", "periodic"};
inline constexpr std::array<std::string_view, 10> kPrograms{
    "ping_pong", "barrier", "broadcast", "allreduce", "allgather",
    "alltoall",  "halo3d",  "sweep3d",   "fft",       "custom"};
inline constexpr std::array<std::string_view, 2> kJobAlgorithms{"recursive_doubling", "ring"};
inline constexpr std::array<std::string_view, 2> kTransfers{"send", "get"};
inline constexpr std::array<std::string_view, 3> kPlacements{"continuous", "random", "list"};
inline constexpr std::array<std::string_view, 4> kFaultKinds{"destination", "length", "class",
                                                             "stream"};
inline constexpr std::array<std::string_view, 2> kFaultEnters{"router", "interface"};
inline constexpr std::array<std::string_view, 9> kJobModes{"adaptive_0", "adaptive_1", "adaptive_2",
                                                           "adaptive_3", "min_hash",   "nmin_hash",
                                                           "in_order",   "auto",       "software"};
inline constexpr std::array<std::string_view, 2> kTerminalInjections{"store", "cut_through"};
inline constexpr std::array<std::string_view, 2> kTerminalInterfaces{"streams", "messages"};

template <class T>
using FieldOf = Field<T> NetworkConfig::*;
/// The field of a key that a kind of topology, a family or a pattern declares:
/// NetworkConfig::settings has it by path.
struct SettingRef {};
/// In the order of spec::KeyType.
using FieldRef = std::variant<FieldOf<std::string>, FieldOf<std::uint64_t>, FieldOf<double>,
                              FieldOf<bool>, FieldOf<UIntList>, FieldOf<Reals>,
                              FieldOf<spec::Rational>, FieldOf<spec::PacketLength>, FieldOf<Names>,
                              FieldOf<Pairs>, FieldOf<Routings>, SettingRef>;

/// A key and where its value goes. `key.type` of the rows below follows from the field.
struct Row {
  FieldRef field;
  spec::Key key;
};

std::span<const Row> network_keys();  ///< of the network, those of kinds and families left out
std::span<const Row> run_keys();      ///< traffic, those of patterns left out; job, simulation,
                                      ///< experiment

/// What a diagnostic prints behind "allowed": "an integer from 1 to 8", "torus or mesh".
std::string describe_allowed(const spec::Key& key);

/// "1 to 8", "above 0, up to 1".
std::string describe_range(const spec::Range& range);

/// The words that a key takes: its names, then its forms as the manual writes them.
std::vector<std::string> words_of(const spec::Key& key);

}  // namespace hopwise::config
