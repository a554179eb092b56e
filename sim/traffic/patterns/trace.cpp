// SPDX-License-Identifier: Apache-2.0
// Traces are replayed, not drawn: see traffic/trace.hpp.
#include "traffic/pattern.hpp"

namespace hopwise::traffic {
namespace {

constexpr spec::Key kKeys[] = {
    {.path = "traffic.trace",
     .default_words = "none",
     .doc = "Path of the trace that the pattern `trace` replays."},
};

}  // namespace

extern constinit const PatternKind kTrace{{.name = "trace",
                                           .doc = "that of each packet of a file, [below](#traces)",
                                           .keys = kKeys,
                                           .replays = kKeys[0].path}};

}  // namespace hopwise::traffic
