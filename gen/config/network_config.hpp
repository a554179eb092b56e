// SPDX-License-Identifier: Apache-2.0
// What the user wrote, typed, each value with its place; not yet known to fit together. `read`
// makes it, `validate` turns it into a Spec.
#pragma once

#include <cstdint>
#include <string>
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
using Reals = std::vector<double>;
using Routings = std::vector<RoutingEntry>;

/// One member per key of the table in keys.cpp, in its order.
struct NetworkConfig {
  Field<std::string> name;

  Field<std::string> kind;
  Field<UIntList> dims;
  Field<std::uint64_t> terminals_per_router;
  Field<std::uint64_t> routers_per_group;
  Field<std::uint64_t> global_ports;
  Field<std::uint64_t> groups;
  Field<std::uint64_t> links_per_group_pair;
  Field<std::uint64_t> group_rows;
  Field<std::string> arrangement;

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
  Field<std::uint64_t> pipeline_cycles;
  Field<bool> counters;

  Field<std::string> algorithm;
  Field<std::string> dateline;
  Field<UIntList> vcs_per_class;
  Field<std::uint64_t> dor_bias;
  Field<std::uint64_t> route_cycles;
  Field<std::uint64_t> minimal_candidates;
  Field<std::uint64_t> nonminimal_candidates;
  Field<double> bias_flits;
  Field<std::string> queue_metric;
  Field<std::string> hop_metric;
  Field<bool> reconsider;
  Field<std::uint64_t> contention_window;
  Field<std::uint64_t> contention_threshold;
  Field<std::string> contention_count;
  Field<double> learning_rate;
  Field<double> q_alpha;
  Field<double> q_beta;
  Field<double> q_epsilon;
  Field<double> q_threshold_source;
  Field<double> q_threshold_intermediate;
  Field<std::uint64_t> q_max_hops;
  Field<std::uint64_t> q_value_bits;
  Field<std::uint64_t> q_fraction_bits;
  Field<std::uint64_t> q_table_cycles;
  Field<std::string> q_initial;
  Field<std::string> q_feedback;
  Field<bool> q_local_detours;
  Field<bool> q_queues;
  Field<bool> q_progressive;
  Field<UIntList> dqn_hidden;
  Field<std::uint64_t> dqn_macs;
  Field<bool> dqn_zero_time;
  Field<std::string> dqn_observation;
  Field<std::string> dqn_mask;
  Field<std::uint64_t> dqn_pending;
  Field<std::uint64_t> dqn_max_hops;
  Field<std::uint64_t> dqn_ack_ratio;
  Field<double> dqn_epsilon;
  Field<bool> dqn_patient;
  Field<std::string> agent;

  Field<std::string> pattern;
  Field<double> load;
  Field<std::string> injection;
  Field<double> mean_burst;
  Field<std::uint64_t> source_queue;
  Field<spec::PacketLength> packet_flits;
  Field<double> hot_fraction;
  Field<UIntList> hot_terminals;
  Field<double> dpsnn_rate;
  Field<std::uint64_t> dpsnn_neurons;
  Field<std::uint64_t> dpsnn_steps;
  Field<std::uint64_t> dpsnn_spike_cycles;
  Field<std::string> trace;
  Field<std::uint64_t> switch_at;
  Field<std::string> switch_pattern;
  Field<double> switch_load;

  Field<std::uint64_t> seed;
  Field<std::uint64_t> cycles;
  Field<std::uint64_t> warmup_cycles;
  Field<std::uint64_t> max_cycles;
  Field<double> confidence;
  Field<bool> path_queues;
  Field<std::uint64_t> settling_cycles;

  Field<std::string> training_share;
  Field<std::uint64_t> training_decisions;
  Field<double> training_load;
  Field<std::uint64_t> training_batch;
  Field<std::uint64_t> training_start;
  Field<std::uint64_t> training_interval;
  Field<std::uint64_t> training_replay;
  Field<double> training_rate;
  Field<double> training_huber;
  Field<UIntList> training_epsilon_steps;
  Field<Reals> training_epsilon;
  Field<std::uint64_t> training_delay;
  Field<bool> training_quantised;

  Field<Routings> routings;
  Field<Names> patterns;
  Field<Reals> loads;
  Field<bool> find_saturation;
};

}  // namespace hopwise::config
