// SPDX-License-Identifier: Apache-2.0
// The modules of a terminal that are costed on lines of their own (docs/reference/synth.md).
#pragma once

#include <string>
#include <vector>

#include "deadlock/proof.hpp"
#include "sv/writer.hpp"

namespace hopwise::emit {

struct TerminalPart {
  std::string name;  ///< of the line; modules of one name are costed on one line
  std::string module;
  sv::Bindings parameters;
  std::vector<std::string> sources;  ///< paths in the bundle, in compile order
};

/// The whole of what stands between a port and a host, and the parts of message interfaces in it.
std::vector<TerminalPart> terminal_parts(const deadlock::ProvenNetwork& network);

}  // namespace hopwise::emit
