// SPDX-License-Identifier: Apache-2.0
// What the user wrote, typed, each value with its place; not yet known to fit together. `read`
// makes it, `validate` turns it into a Spec.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/tree.hpp"
#include "spec/spec.hpp"

namespace hopwise::config {

/// A value and where it comes from. `where` of a key that was not written is its section, or the
/// whole file.
template <class T>
struct Field {
  enum class State {
    kAbsent,   ///< not written, and its default depends on other keys
    kDefault,  ///< not written; `value` is the key table's default
    kWritten,
    kBad,  ///< missing or reported already: checks that need it stay silent
  };
  State state = State::kAbsent;
  T value{};
  SourceLocation where;
  std::vector<SourceLocation> items;  ///< places of a list's entries

  bool bad() const { return state == State::kBad; }
  bool written() const { return state == State::kWritten; }
  bool has_value() const { return state == State::kWritten || state == State::kDefault; }
};

/// A list of numbers, or one number for all its entries.
struct UIntList {
  std::vector<std::uint64_t> values;
  bool scalar = false;
};

/// One entry of experiment.routings.
struct RoutingEntry {
  struct Override {
    std::string path;
    Node value;
  };
  std::string label;
  SourceLocation where;
  std::vector<Override> overrides;
};

using Names = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;
using Reals = std::vector<double>;
using Routings = std::vector<RoutingEntry>;

/// One member per key of network_keys.cpp and run_keys.cpp, but those of families and patterns.
struct NetworkConfig {
  Field<std::string> name;

  Field<std::string> kind;
  Field<std::uint64_t> terminals_per_router;

  Field<UIntList> link_latency;
  Field<UIntList> link_latency_link_cycles;
  Field<Reals> link_latency_ns;
  Field<double> core_clock_ghz;
  Field<bool> idle_wait;
  Field<std::uint64_t> terminal_latency;
  Field<spec::Rational> cycles_per_flit;

  Field<std::string> format;
  Field<std::uint64_t> flit_bits;
  Field<std::uint64_t> max_flits;

  Field<std::string> switching;
  Field<std::uint64_t> vcs;
  Field<UIntList> vc_depth;
  Field<std::uint64_t> output_queue;
  Field<std::string> allocator_kind;
  Field<std::uint64_t> allocator_iterations;
  Field<std::string> arbiter;
  Field<std::string> granularity;
  Field<bool> reservations;
  Field<std::uint64_t> pipeline_cycles;
  Field<std::string> room;
  Field<bool> counters, checks, header_parity, memory_parity, partial_reset, clock_gating;
  Field<std::uint64_t> hop_limit, watchdog_cycles;
  Field<Names> message_classes, class_priority;
  Field<std::uint64_t> class_priority_packets;

  Field<std::string> terminal_injection;
  Field<std::uint64_t> pause_cycles;
  Field<bool> tkeep;
  Field<Pairs> replies;
  Field<std::string> terminal_interface;
  Field<std::uint64_t> outstanding, windows, timeout_cycles;
  Field<bool> mode_selector, message_registers;
  Field<std::uint64_t> selector_threshold_bytes, selector_max_age;
  Field<double> selector_lambda, selector_sigma;
  Field<std::uint64_t> counter_read_cycles;

  Field<bool> congestion_enabled, throttle;
  Field<std::uint64_t> flows, mark_inputs, mark_cycles, note_cycles, period_cycles, increase,
      decrease_shift;

  Field<std::string> algorithm;
  Field<UIntList> vcs_per_class;

  /// Of the keys that kinds of topology, families and patterns declare, by path.
  std::map<std::string, Field<spec::Setting>, std::less<>> settings;

  Field<std::string> pattern;
  Field<double> load;
  Field<std::string> injection;
  Field<double> mean_burst;
  Field<std::uint64_t> source_queue;
  Field<std::uint64_t> reply_queue;
  Field<spec::PacketLength> packet_flits;
  Field<std::uint64_t> switch_at;
  Field<std::string> switch_pattern, traffic_mode;
  Field<double> switch_load;

  Field<std::string> job_program, job_name;
  Field<std::uint64_t> job_ranks, job_bytes, job_iterations, job_warmup, job_compute_cycles;
  Field<double> job_compute_ns;
  Field<UIntList> job_grid;
  Field<std::uint64_t> job_blocks;
  Field<std::string> job_algorithm;
  Field<std::string> job_transfer;
  Field<Names> job_operations;
  Field<std::string> job_placement;
  Field<std::uint64_t> job_placement_seed;
  Field<UIntList> job_terminals;
  Field<std::string> job_mode;
  Field<std::uint64_t> job_max_cycles;

  Field<std::uint64_t> seed;
  Field<std::uint64_t> cycles;
  Field<std::uint64_t> warmup_cycles;
  Field<std::uint64_t> max_cycles;
  Field<double> confidence;
  Field<double> bad_packets, header_flips, reset_rate;
  Field<Names> bad_kinds, resets;
  Field<std::string> bad_enter;
  Field<bool> path_queues;
  Field<std::uint64_t> settling_cycles;
  Field<std::string> engine;
  Field<std::uint64_t> lanes, memory_latency;
  Field<double> memory_stalls;

  Field<Routings> routings;
  Field<Names> patterns;
  Field<Reals> loads;
  Field<bool> find_saturation;
};

}  // namespace hopwise::config
