// SPDX-License-Identifier: Apache-2.0
// How fast a flattened netlist of standard cells is, by OpenSTA (synth/cells.tcl), and its power.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "support/result.hpp"
#include "synth/src/netlist.hpp"
#include "synth/src/workshop.hpp"

namespace hopwise::synth {

/// Functions return synth.failed or cache.directory.
class Timing {
 public:
  /// `directory`: of the workshop; holds memories.lib, and netlist.v and flat.txt, both also with
  /// `_carry`, of cells_netlist.ys. `places`: of cells.tcl but for period, ends and netlist.
  Timing(Workshop& shop, std::filesystem::path directory, Places places)
      : shop_(shop), directory_(std::move(directory)), places_(std::move(places)) {}

  /// Of the two netlists that which counts, by its longest path. Its cells are in flat.txt then.
  Diagnostics choose_netlist();

  /// Writes the longest path, its ends and, `with_power`, power and the paths of all modules.
  Diagnostics report(nlohmann::ordered_json& json, const Hierarchy& hierarchy,
                     const std::string& top, bool with_power);

  /// The longest path to the registers of the module of this label, ns; null where none is known.
  nlohmann::ordered_json path_to(const std::string& label) const;

 private:
  Diagnostics sta(const std::string& name, const std::string& netlist, double period,
                  const std::string& ends = "");
  void note_slowest(const std::string& log, const std::string& netlist, const Hierarchy& hierarchy,
                    const std::string& top);

  Workshop& shop_;
  const std::filesystem::path directory_;
  const Places places_;
  std::string netlist_ = "netlist";        // the one that counts
  std::optional<Path> path_;               // its longest
  std::map<std::string, double> slowest_;  // path to the registers of a module, by its label
};

}  // namespace hopwise::synth
