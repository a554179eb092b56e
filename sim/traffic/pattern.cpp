// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.hpp"

#include <fmt/format.h>

namespace hopwise::traffic {

std::size_t active_terminals(const Pattern& pattern, std::size_t num_terminals) {
  std::size_t active = 0;
  for (std::uint32_t t = 0; t < num_terminals; ++t) active += pattern.silent(TerminalId{t}) ? 0 : 1;
  return active;
}

Result<std::unique_ptr<Pattern>> make_pattern(spec::Patterns patterns,
                                              const spec::TrafficSpec& spec,
                                              std::string_view pattern_name,
                                              const topology::Topology& topology,
                                              std::uint64_t seed) {
  const auto refused = [](Diagnostic error, const char* code) {
    error.code = code;
    error.key = "traffic.pattern";
    return error;
  };
  const auto name = spec::parse_pattern(patterns, pattern_name);
  if (!name) return refused(name.errors().front(), "traffic.unknown-pattern");
  const spec::PatternDeclaration& declared = *name.value().pattern;
  if (!declared.replays.empty()) {
    const std::string hint =
        fmt::format("a {} is replayed from {}, not drawn", declared.name, declared.replays);
    return refused(
        {"", {}, "", fmt::format("'{}'", declared.name), "a pattern that is drawn", hint},
        "traffic.unknown-pattern");
  }
  if (const auto error = spec::misfit(name.value(), topology.spec()))
    return refused(*error, "traffic.unfit-topology");
  return static_cast<const PatternKind&>(declared).make({name.value(), spec, topology, seed});
}

}  // namespace hopwise::traffic
