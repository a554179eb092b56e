// SPDX-License-Identifier: Apache-2.0
// Networks side by side in the lanes of one set of routers: points of an experiment that share a
// model fill words that one network leaves half empty, and share the evaluation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/layout.hpp"
#include "engine/options.hpp"

namespace hopwise::engine {

class Run;

/// One thread steps all of a batch in lockstep, each network in cycles of its own. A network begins
/// where another has ended. What a network finds is what it finds alone, but for the times.
class Batch {
 public:
  struct Job {
    RunOptions options;  ///< threads, shadows, waves, skewed clocks and lost feedback: not here
    /// Hears the result, or errors of the traffic.
    std::function<void(Result<RunResult>)> done;
  };

  /// Room for `places` networks of this setup, which outlives the batch. Its models are in lanes.
  Batch(const Setup& setup, std::size_t places);
  ~Batch();

  /// Runs jobs until `next` has none when all are done. `next` is asked for one whenever there may
  /// be room. Where the evaluation itself ends with an error (an assertion of the RTL, say), all
  /// that runs fails with it: whoever wants to know whose fault it was runs each alone.
  void run(const std::function<std::unique_ptr<Job>()>& next);

  static constexpr std::size_t kMostPlaces = 16;
  /// How many networks make good use of the lanes of the setup's models: words are full, or nearly.
  static std::size_t useful_places(const Setup& setup);

 private:
  struct Seat;
  struct Shape {
    Blocks wires;
    std::unique_ptr<model::RouterBank> bank;
    std::size_t routers = 0;  // of a network
  };

  void fill(const std::function<std::unique_ptr<Job>()>& next);
  bool begin(Seat& seat, std::unique_ptr<Job> job);
  template <class F>
  void attempt(Seat& seat, F&& work);
  void step();
  void charge();
  void end(Seat& seat);

  const Setup& setup_;
  const Layout layout_;
  std::vector<Shape> shapes_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::size_t taken_ = 0;      // seats
  std::uint64_t cycle_ = 0;    // of the banks
  std::uint64_t turn_ = 1;     // cycles from one that networks may begin in to the next
  double cpu_ = 0, eval_ = 0;  // s, that have been charged for
};

}  // namespace hopwise::engine
