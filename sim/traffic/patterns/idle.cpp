// SPDX-License-Identifier: Apache-2.0
// What goes on beside a job that has the network to itself: nothing.
#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

class Idle final : public Uniform {
 public:
  using Uniform::Uniform;
  bool silent(TerminalId /*src*/) const override { return true; }
};

}  // namespace

extern constinit const PatternKind kIdle{
    {.name = "idle",
     .doc = "nobody sends: beside a [job](jobs.md), which then has the network to itself",
     .idle = true},
    [](const Ground& ground) { return made<Idle>(ground.topology.num_terminals()); }};

}  // namespace hopwise::traffic
