// SPDX-License-Identifier: Apache-2.0
// Saturation throughput by bisection.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace hopwise::measure {

struct SearchRange {
  double tolerance = 0.01;  ///< the search ends when the bracket is not wider, > 0
  /// a load known to be sustained: the bracket's lower end
  double known_sustained = 0;
  double highest = 1;  ///< the highest load of interest, probed first
};

struct Saturation {
  /// highest load found sustained; `known_sustained` where no probe was
  double load = 0;
  bool at_highest = false;  ///< even the highest load is sustained: the limit lies beyond
};

/// The search as one who runs several loads at a time sees it: answers come in any order, and loads
/// may be run before it is known that they are needed. What it finds depends on neither.
class Bisection {
 public:
  explicit Bisection(const SearchRange& range) : range_(range) {}

  /// The load is sustained, or is not. Loads that are never needed do no harm.
  void tell(double load, bool sustained) { told_[load] = sustained; }

  std::optional<Saturation> found() const;
  /// At most `most` loads to run: the one that is needed now, then those that may be needed after
  /// it, the sooner ones first. Empty: found.
  std::vector<double> wanted(std::size_t most) const;
  /// The loads that the search has gone by so far.
  std::vector<double> path() const;

 private:
  /// The search between two answers.
  struct Step {
    double low = 0, high = 0;
    bool highest_is_open = true;  // not yet told
  };
  /// As far as it goes with what was told; `path` hears the loads.
  Step reach(Step from, std::vector<double>* path = nullptr) const;
  bool is_end(const Step& s) const;
  double load(const Step& s) const;
  Step after(Step s, bool sustained) const;
  Step first() const { return {range_.known_sustained, range_.highest}; }

  SearchRange range_;
  std::map<double, bool> told_;
};

/// The highest load that is sustained, to within the tolerance, if loads below a sustained one are
/// sustained too. Probes log2(1 / tolerance) + 1 loads, which are binary fractions of the bracket.
Saturation find_saturation(const std::function<bool(double load)>& sustained,
                           const SearchRange& range = {});

}  // namespace hopwise::measure
