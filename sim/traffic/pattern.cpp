// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "spec/pattern_name.hpp"
#include "traffic/rounds.hpp"

namespace hopwise::traffic {
namespace {

using spec::PatternKind;
using Coordinates = std::vector<unsigned>;

constexpr std::uint64_t kPermutationStream = kNetworkStreams;
constexpr std::uint64_t kMixtureStream = kNetworkStreams + 1;
constexpr std::uint64_t kNeighbourStream = kNetworkStreams + 2;

TerminalId terminal_id(std::uint64_t number) {
  return TerminalId{static_cast<std::uint32_t>(number)};
}

/// One of n terminals other than src, equally likely.
TerminalId any_other(std::size_t n, TerminalId src, Random& random) {
  const std::uint64_t drawn = random.below(n - 1);
  return terminal_id(drawn < index(src) ? drawn : drawn + 1);
}

class Uniform final : public Pattern {
 public:
  explicit Uniform(std::size_t num_terminals) : num_terminals_(num_terminals) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    return any_other(num_terminals_, src, random);
  }

 private:
  std::size_t num_terminals_;
};

/// Every terminal has one destination; where that is itself, it is silent.
class Fixed final : public Pattern {
 public:
  explicit Fixed(std::vector<TerminalId> table) : table_(std::move(table)) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random&) const override {
    return table_[index(src)];
  }
  bool silent(TerminalId src) const override { return table_[index(src)] == src; }

 private:
  std::vector<TerminalId> table_;
};

/// Some terminals have one destination, the others are uniform; these stand in the table with
/// themselves.
class Mixed final : public Pattern {
 public:
  explicit Mixed(std::vector<TerminalId> table) : table_(std::move(table)) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    const TerminalId to = table_[index(src)];
    return to == src ? any_other(table_.size(), src, random) : to;
  }

 private:
  std::vector<TerminalId> table_;
};

/// Any terminal of the group that is `offset` groups on. Terminals of a group have consecutive
/// numbers.
class Adversarial final : public Pattern {
 public:
  Adversarial(unsigned offset, unsigned groups, std::size_t per_group)
      : offset_(offset), groups_(groups), per_group_(per_group) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    const std::size_t to = (index(src) / per_group_ + offset_) % groups_;
    return terminal_id(to * per_group_ + random.below(per_group_));
  }

 private:
  unsigned offset_, groups_;
  std::size_t per_group_;
};

class Hot final : public Pattern {
 public:
  Hot(std::vector<TerminalId> hot, double fraction, std::size_t num_terminals)
      : hot_(std::move(hot)), is_hot_(num_terminals, false), fraction_(fraction) {
    for (const TerminalId t : hot_) is_hot_[index(t)] = true;
  }
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    const std::size_t others = hot_.size() - (is_hot_[index(src)] ? 1 : 0);
    if (!fraction_(random) || others == 0) return any_other(is_hot_.size(), src, random);
    // A hot source draws from all but the last; should it draw itself, the last stands in.
    const TerminalId drawn = hot_[random.below(others)];
    return drawn == src ? hot_.back() : drawn;
  }

 private:
  std::vector<TerminalId> hot_;
  std::vector<bool> is_hot_;
  Chance fraction_;
};

Coordinates coordinates_of(const topology::Topology& topology, RouterId router) {
  Coordinates c(topology.num_dims());
  for (unsigned d = 0; d < c.size(); ++d) c[d] = topology.coordinate(router, d);
  return c;
}

/// The table of a pattern that moves coordinates and keeps the slot.
template <class Move>
std::vector<TerminalId> table_of(const topology::Topology& topology, Move move) {
  std::vector<TerminalId> table(topology.num_terminals());
  for (std::size_t t = 0; t < table.size(); ++t) {
    const TerminalId src = terminal_id(t);
    const RouterId to = topology.router_at(move(coordinates_of(topology, topology.router_of(src))));
    table[t] = topology.terminal_at(to, topology.slot_of(src));
  }
  return table;
}

/// The table of x + offset(k) modulo k; in a dragonfly only the group moves.
template <class Offset>
std::vector<TerminalId> shifted(const topology::Topology& topology, Offset offset) {
  const unsigned first = topology.has_groups() ? 1 : 0;
  return table_of(topology, [&](Coordinates c) {
    for (unsigned d = first; d < c.size(); ++d)
      c[d] = (c[d] + offset(topology.dims()[d])) % topology.dims()[d];
    return c;
  });
}

std::vector<TerminalId> next_group(const topology::Topology& topology) {
  return shifted(topology, [](unsigned) { return 1u; });
}

/// Uniform over the permutations without fixed points: shuffles until there is none (e = 2.7 times
/// on average).
std::vector<TerminalId> derangement(std::size_t n, std::uint64_t seed) {
  Random random(seed, kPermutationStream);
  std::vector<TerminalId> table(n);
  for (bool fixed_point = true; fixed_point;) {
    for (std::size_t t = 0; t < n; ++t) table[t] = terminal_id(t);
    for (std::size_t t = n; t > 1; --t) std::swap(table[t - 1], table[random.below(t)]);
    fixed_point = false;
    for (std::size_t t = 0; t < n; ++t) fixed_point |= table[t] == terminal_id(t);
  }
  return table;
}

/// `percent` of n, rounded half up, drawn without repetition; a larger share holds every smaller
/// one.
std::vector<std::size_t> drawn_share(std::size_t n, unsigned percent, std::uint64_t seed) {
  Random random(seed, kMixtureStream);
  std::vector<std::size_t> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = i;
  const std::size_t share = (n * percent + 50) / 100;
  for (std::size_t i = 0; i < share; ++i) std::swap(all[i], all[i + random.below(n - i)]);
  all.resize(share);
  return all;
}

/// Of `fixed`, keeps what terminals do whose block of `block` consecutive terminals is drawn.
std::unique_ptr<Pattern> mixed(const std::vector<TerminalId>& fixed, std::size_t block,
                               unsigned percent, std::uint64_t seed) {
  std::vector<TerminalId> table(fixed.size());
  for (std::size_t t = 0; t < table.size(); ++t) table[t] = terminal_id(t);
  for (const std::size_t first : drawn_share(table.size() / block, percent, seed)) {
    for (std::size_t t = first * block; t < (first + 1) * block; ++t) table[t] = fixed[t];
  }
  return std::make_unique<Mixed>(std::move(table));
}

void check_fraction(double fraction, Diagnostics& errors) {
  if (fraction >= 0 && fraction <= 1) return;
  errors.push_back({"traffic.hot-fraction",
                    {},
                    "traffic.hot_fraction",
                    fmt::format("{}", fraction),
                    "0 to 1",
                    ""});
}

Result<std::unique_ptr<Pattern>> hot_spot(const spec::TrafficSpec& spec,
                                          const topology::Topology& topology) {
  Diagnostics errors;
  check_fraction(spec.hot_fraction, errors);
  std::vector<TerminalId> hot;
  for (const unsigned t : spec.hot_terminals) {
    const bool twice = std::find(hot.begin(), hot.end(), TerminalId{t}) != hot.end();
    if (twice || t >= topology.num_terminals()) {
      errors.push_back({"traffic.hot-terminal",
                        {},
                        "traffic.hot_terminals",
                        fmt::format("{}{}", t, twice ? " twice" : ""),
                        fmt::format("terminals 0 to {}, each once", topology.num_terminals() - 1),
                        ""});
    }
    hot.push_back(TerminalId{t});
  }
  if (!errors.empty()) return errors;
  if (hot.empty()) {
    Coordinates middle = topology.dims();
    for (unsigned& c : middle) c /= 2;
    hot.push_back(topology.terminal_at(topology.router_at(middle), 0));
  }
  return std::unique_ptr<Pattern>(
      std::make_unique<Hot>(std::move(hot), spec.hot_fraction, topology.num_terminals()));
}

Result<std::unique_ptr<Pattern>> hot_region(const spec::TrafficSpec& spec,
                                            const topology::Topology& topology) {
  Diagnostics errors;
  check_fraction(spec.hot_fraction, errors);
  if (!errors.empty()) return errors;
  std::vector<TerminalId> hot;
  for (std::size_t t = 0; t < topology.num_terminals(); ++t) {
    const Coordinates c = coordinates_of(topology, topology.router_of(terminal_id(t)));
    bool inside = true;
    for (unsigned d = 0; d < c.size(); ++d) inside &= c[d] < (topology.dims()[d] + 1) / 2;
    if (inside) hot.push_back(terminal_id(t));
  }
  return std::unique_ptr<Pattern>(
      std::make_unique<Hot>(std::move(hot), spec.hot_fraction, topology.num_terminals()));
}

}  // namespace

std::size_t active_terminals(const Pattern& pattern, std::size_t num_terminals) {
  std::size_t active = 0;
  for (std::size_t t = 0; t < num_terminals; ++t) active += pattern.silent(terminal_id(t)) ? 0 : 1;
  return active;
}

Result<std::unique_ptr<Pattern>> make_pattern(const spec::TrafficSpec& spec,
                                              const std::string& pattern_name,
                                              const topology::Topology& topology,
                                              std::uint64_t seed) {
  using Made = std::unique_ptr<Pattern>;
  const auto parsed = spec::parse_pattern(pattern_name);
  if (!parsed || parsed.value().base == PatternKind::kTrace) {
    const Diagnostic trace{"",
                           {},
                           "",
                           "'trace'",
                           "a pattern that is drawn",
                           "a trace is replayed from traffic.trace, not drawn"};
    Diagnostic error = parsed ? trace : parsed.errors().front();
    error.code = "traffic.unknown-pattern";
    error.key = "traffic.pattern";
    return error;
  }
  const spec::PatternName name = parsed.value();
  const auto& dims = topology.dims();
  if (auto error = spec::misfit(name, topology.spec())) {
    error->code = "traffic.unfit-topology";
    error->key = "traffic.pattern";
    return *error;
  }
  const std::size_t n = topology.num_terminals();
  const unsigned per_router = topology.terminals_per_router();
  const auto fixed = [](std::vector<TerminalId> table) {
    return Made(std::make_unique<Fixed>(std::move(table)));
  };
  switch (name.base) {
    case PatternKind::kDpsnn:
    case PatternKind::kDpsnnRate:
    case PatternKind::kUniform: return Made(std::make_unique<Uniform>(n));
    case PatternKind::kTornado:
      return fixed(shifted(topology, [](unsigned k) { return (k + 1) / 2 - 1; }));
    case PatternKind::kTranspose:
      return fixed(table_of(topology, [](Coordinates c) {
        std::rotate(c.begin(), c.end() - 1, c.end());
        return c;
      }));
    case PatternKind::kBitComplement:
      return fixed(table_of(topology, [&dims](Coordinates c) {
        for (unsigned d = 0; d < c.size(); ++d) c[d] = dims[d] - 1 - c[d];
        return c;
      }));
    case PatternKind::kNeighbour: return fixed(shifted(topology, [](unsigned) { return 1u; }));
    case PatternKind::kPermutation: return fixed(derangement(n, seed));
    case PatternKind::kHotSpot: return hot_spot(spec, topology);
    case PatternKind::kHotRegion: return hot_region(spec, topology);
    case PatternKind::kShift: return fixed(next_group(topology));
    case PatternKind::kAdversarial:
      return Made(std::make_unique<Adversarial>(name.offset, dims[1], n / dims[1]));
    case PatternKind::kMixedRouterShift:
      return mixed(next_group(topology), per_router, name.percent, seed);
    case PatternKind::kMixedRouterPermutation:
      return mixed(derangement(n, seed), per_router, name.percent, seed);
    case PatternKind::kMixedNodeShift: return mixed(next_group(topology), 1, name.percent, seed);
    case PatternKind::kMixedNodePermutation:
      return mixed(derangement(n, seed), 1, name.percent, seed);
    case PatternKind::kStencil3d:
    case PatternKind::kStencil3dGrid: return make_stencil(spec::grid_of(name, dims, per_router));
    case PatternKind::kManyToMany:
    case PatternKind::kManyToManyGrid:
      return make_many_to_many(spec::grid_of(name, dims, per_router));
    case PatternKind::kRandomNeighbors: return make_random_neighbours(n);
    case PatternKind::kFixedNeighbors:
      return make_fixed_neighbours(n, Random(seed, kNeighbourStream));
    case PatternKind::kTrace: break;
  }
  std::abort();
}

}  // namespace hopwise::traffic
