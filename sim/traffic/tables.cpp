// SPDX-License-Identifier: Apache-2.0
#include "traffic/tables.hpp"

#include <fmt/format.h>

namespace hopwise::traffic {
namespace {

class Fixed final : public Pattern {
 public:
  explicit Fixed(Destinations table) : table_(std::move(table)) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random&) const override {
    return table_[index(src)];
  }
  bool silent(TerminalId src) const override { return table_[index(src)] == src; }

 private:
  Destinations table_;
};

}  // namespace

TerminalId any_other(std::size_t n, TerminalId src, Random& random) {
  const std::uint64_t drawn = random.below(n - 1);
  return terminal_id(drawn < index(src) ? drawn : drawn + 1);
}

std::unique_ptr<Pattern> fixed(Destinations table) {
  return std::make_unique<Fixed>(std::move(table));
}

Coordinates coordinates_of(const topology::Topology& topology, RouterId router) {
  Coordinates c(topology.num_dims());
  for (unsigned d = 0; d < c.size(); ++d) c[d] = topology.coordinate(router, d);
  return c;
}

Destinations next_group(const topology::Topology& topology) {
  return shifted(topology, [](unsigned) { return 1u; });
}

Destinations derangement(std::size_t n, std::uint64_t seed) {
  Random random(seed, kPermutationStream);
  Destinations table(n);
  for (bool fixed_point = true; fixed_point;) {
    for (std::size_t t = 0; t < n; ++t) table[t] = terminal_id(t);
    for (std::size_t t = n; t > 1; --t) std::swap(table[t - 1], table[random.below(t)]);
    fixed_point = false;
    for (std::size_t t = 0; t < n; ++t) fixed_point |= table[t] == terminal_id(t);
  }
  return table;
}

std::optional<spec::Misfit> fits_coordinates(const spec::PatternName& name,
                                             const spec::TopologySpec& topology) {
  if (topology.is_grid() || topology.has_groups()) return std::nullopt;
  return spec::Misfit{"a grid, or a topology with groups",
                      fmt::format("{} reckons with coordinates", spec::to_string(name))};
}

std::optional<spec::Misfit> fits_groups(const spec::PatternName& name,
                                        const spec::TopologySpec& topology) {
  if (topology.has_groups()) return std::nullopt;
  return spec::Misfit{std::string(kWithGroups), fmt::format("{} needs groups", to_string(name))};
}

}  // namespace hopwise::traffic
