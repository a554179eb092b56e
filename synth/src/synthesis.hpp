// SPDX-License-Identifier: Apache-2.0
// The cost of a router: Yosys and, for standard cells, OpenSTA run on its SystemVerilog.
//
// All figures are post-synthesis, pre-layout: no wires, no clock tree, no placement.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/result.hpp"
#include "synth/src/target.hpp"

namespace hopwise::synth {

struct Design {
  std::string top;
  std::map<std::string, std::string> files;  ///< path -> text; includes are found in rtl/common
  std::vector<std::string> sources;          ///< paths of what is read, in order
  /// of the top, name and value; others have their defaults
  std::vector<std::pair<std::string, std::string>> parameters = {};

  /// Those as options of Yosys' `hierarchy`.
  std::string parameter_options() const {
    std::string text;
    for (const auto& [name, value] : parameters)
      text.append(" -chparam ").append(name).append(" ").append(value);
    return text;
  }
};

struct Options {
  const Target* target = nullptr;
  /// memories as macros (FPGA: as block or LUT RAM); false: as flip-flops
  bool macros = true;
  bool beside = false;    ///< of what stands beside a router: no power, and it is not placed
  double activity = 0.1;  ///< transitions per net and cycle
  /// directory with NAME/NAME_stdcells.lib of each standard-cell target
  std::filesystem::path technology;
  std::filesystem::path cache;  ///< directory of earlier results, and of the files in work
  bool own_cache = false;       ///< the user did not name it: see open_cache
  std::filesystem::path logs;   ///< where the log of a tool that failed is kept
  unsigned jobs = 2;            ///< processes side by side
  const std::atomic<bool>* stop = nullptr;
};

/// Told what begins, and how many seconds it may take; 0: not known.
using Progress = std::function<void(const std::string& what, double seconds)>;

/// Beyond so many LUTs, of the modules added up, the router of an FPGA is not flattened: Yosys
/// would take hours for what changes the sum by some per cent.
inline constexpr std::uint64_t kMostFlatLuts = 10000;

/// Synthesises `design` twice, flattened for area, power and time, and with its modules kept for
/// their areas (FPGAs: alone where these are large); both are found in the cache where the design,
/// the target, the options, the flows, the liberty file and the tools are the same. The layout of
/// the result is in docs/reference/synth.md. All of it but wall_s and peak_mib is a function of
/// those.
///
/// Errors: synth.liberty (missing or unusable), synth.tool (missing), synth.failed (a tool stopped;
/// its log is kept), cache.directory.
Result<nlohmann::ordered_json> synthesize(const Design& design, const Options& options,
                                          const Progress& progress);

}  // namespace hopwise::synth
