// SPDX-License-Identifier: Apache-2.0
// Which networks go through one experiment: the routings of a file, or those of several files under
// the first one's traffic.
#pragma once

#include <string>
#include <vector>

#include "app/network.hpp"

namespace hopwise::app {

/// One curve of the results.
struct Contender {
  std::string label;  ///< routing; of several files: FILE/ROUTING
  std::string file;
  spec::Spec spec;
};

struct Lineup {
  Experiment experiment;              ///< the first file's; its text is that of all files
  std::vector<Contender> contenders;  ///< in the order of files, then routings
};

/// The routings of `first` and, with `others`, those of further files. All files hear the same
/// overrides and the same
/// --routing; traffic, seed and length of the simulation are the first file's for all, so that
/// their terminals send the same packets.
///
/// Errors: those of the files; app.same-file where one is given twice, app.terminals where a file
/// has another number of terminals, app.packets where its packets cannot be as long, or as short,
/// as the first file's.
Result<Lineup> load_lineup(const Input& first, const std::vector<std::string>& others);

}  // namespace hopwise::app
