// SPDX-License-Identifier: Apache-2.0
// What a family of routings adds to a run, as one value: keys of results.json for its counters,
// probes that load, follow and check its routers, files of learned values, and training. A family
// may have none. The list is in probes/probes.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/options.hpp"
#include "routing/family.hpp"
#include "spec/spec.hpp"
#include "support/result.hpp"
#include "support/warning.hpp"
#include "topology/topology.hpp"

namespace hopwise::probes {

/// A number of results.json: the one place where a counter's name meets its key.
struct Field {
  std::string_view key, counter;
  /// a mean over what this counter counts; empty: the count itself
  std::string_view over = {};
};
/// Probes that watch queues count this, for any routing.
inline constexpr Field kPathQueue = {"path_queue", "path_queue", "watched_packets"};

struct CounterLayout {
  /// Of a point, for its measuring interval and for the whole run. Empty: there is none, and the
  /// heads of packets tell whether they went minimally.
  std::string_view section = {};
  std::vector<Field> totals = {};  ///< of the section
  /// Of a row of time_series; a mean of nothing is left out.
  std::vector<Field> series = {};
  std::string_view mapped = {};  ///< the counter of contention_map; empty: none
};

struct Options;

/// The network whose routers learn; borrowed.
struct Network {
  const std::string& label;  ///< of its routing
  const spec::Spec& spec;
  const topology::Topology& topology;
  const routing::Family& family;
};

/// What routers have learned: tables, agents.
class Learned {
 public:
  virtual ~Learned() = default;
  /// Routers begin with it. It outlives the run.
  virtual void start(const Network& network, Options& options) const = 0;
  /// It becomes what the routers end with, if nothing fails in the run.
  virtual void collect(Options& options) = 0;
  virtual bool empty() const = 0;
  /// Of a file that `FamilyProbes::parse` takes.
  virtual std::string text(const Network& network) const = 0;
};

/// Agents that learn in a run which has no other purpose.
class Lesson {
 public:
  virtual ~Lesson() = default;
  virtual double load() const = 0;  ///< offered while they learn
  /// They learn in this run, and outlive it.
  virtual void join(Options& options) = 0;
  /// Decisions of the agent that has taken the fewest, and how many are wanted of each.
  virtual std::uint64_t decisions() const = 0;
  virtual std::uint64_t wanted() const = 0;
  /// After the run: the file of the agents, the section `training` of results.json, and lines of
  /// text for people.
  virtual std::string text() = 0;
  virtual nlohmann::ordered_json course() const = 0;
  virtual std::string summary(std::uint64_t cycles) = 0;
  /// What the agents should not be used for, and why.
  virtual Warnings doubts() const = 0;
};

/// A file that was made from another one, and what to say of it.
struct Translated {
  std::string text, summary;
};

struct FamilyProbes {
  std::string_view family;  ///< routing::Family::name
  CounterLayout (*layout)(const spec::RoutingSpec&);
  /// engine::Setup::longest_wait_cycles
  std::uint64_t longest_wait_cycles = 0;
  /// Routers ask for the queues of the whole network.
  bool (*asks_queues)(const spec::RoutingSpec&) = nullptr;
  /// The probes of a run, if it wants any.
  std::vector<engine::MakeProbe> (*probes)(const Options&) = nullptr;

  /// What is learned, from a file that must fit the network.
  Result<std::shared_ptr<const Learned>> (*parse)(const Network&, std::string_view text,
                                                  const std::string& file) = nullptr;
  /// The setting of the routing that names such a file; empty: none does.
  std::string_view file_key = {};
  /// Why routers may not route as their routing is meant to, with what they were loaded with
  /// (nullptr: nothing).
  Warnings (*doubt)(const Network&, const Learned*) = nullptr;
  /// To collect what routers learn in any run; nullptr: they do not.
  std::shared_ptr<Learned> (*blank)() = nullptr;

  /// Agents for training; nullptr: there are none.
  std::unique_ptr<Lesson> (*lesson)(const Network&) = nullptr;
  /// Settings of the network that they learn in, "key=value"; they hold above the file's.
  std::span<const std::string_view> lesson_settings = {};
  /// An agent from and to a model of other tools. Errors: those of the model; of a file of agents,
  /// and app.no-such-agent.
  Result<Translated> (*import_model)(const Network&, std::string_view bytes,
                                     const std::string& file) = nullptr;
  Result<std::string> (*export_model)(std::string_view text, const std::string& file,
                                      std::size_t agent) = nullptr;
};

}  // namespace hopwise::probes
