// SPDX-License-Identifier: Apache-2.0
#include "traffic/tables.hpp"

namespace hopwise::traffic {

extern constinit const PatternKind kUniform{
    {.name = "uniform", .doc = "any other terminal, equally likely"},
    [](const Ground& ground) { return made<Uniform>(ground.topology.num_terminals()); }};

}  // namespace hopwise::traffic
