// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace hopwise::traffic {
namespace {

using Coordinates = std::vector<unsigned>;

constexpr std::uint64_t kPermutationStream = std::uint64_t{1} << 63;
constexpr std::array<std::string_view, 8> kNames = {"bit_complement", "hot_region", "hot_spot", "neighbour",
                                                    "permutation",    "tornado",    "transpose", "uniform"};

TerminalId terminal_id(std::uint64_t number) { return TerminalId{static_cast<std::uint32_t>(number)}; }

/// One of n terminals other than src, equally likely.
TerminalId any_other(std::size_t n, TerminalId src, Random& random) {
  const std::uint64_t drawn = random.below(n - 1);
  return terminal_id(drawn < index(src) ? drawn : drawn + 1);
}

class Uniform final : public Pattern {
 public:
  explicit Uniform(std::size_t num_terminals) : num_terminals_(num_terminals) {}
  TerminalId destination(TerminalId src, Random& random) const override {
    return any_other(num_terminals_, src, random);
  }

 private:
  std::size_t num_terminals_;
};

/// Every terminal has one destination; where that is itself, it is silent.
class Fixed final : public Pattern {
 public:
  explicit Fixed(std::vector<TerminalId> table) : table_(std::move(table)) {}
  TerminalId destination(TerminalId src, Random&) const override { return table_[index(src)]; }
  bool silent(TerminalId src) const override { return table_[index(src)] == src; }

 private:
  std::vector<TerminalId> table_;
};

class Hot final : public Pattern {
 public:
  Hot(std::vector<TerminalId> hot, double fraction, std::size_t num_terminals)
      : hot_(std::move(hot)), is_hot_(num_terminals, false), fraction_(fraction) {
    for (const TerminalId t : hot_) is_hot_[index(t)] = true;
  }
  TerminalId destination(TerminalId src, Random& random) const override {
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
    table[t] = terminal_id(index(to) * topology.terminals_per_router() + topology.slot_of(src));
  }
  return table;
}

template <class Offset>
std::vector<TerminalId> shifted(const topology::Topology& topology, Offset offset) {
  return table_of(topology, [&](Coordinates c) {
    for (unsigned d = 0; d < c.size(); ++d) c[d] = (c[d] + offset(topology.dims()[d])) % topology.dims()[d];
    return c;
  });
}

/// Uniform over the permutations without fixed points: shuffles until there is none (e = 2.7 times on average).
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

Diagnostic unfit(std::string found, std::string allowed, std::string hint) {
  return {"traffic.unfit-topology", {}, "traffic.pattern", std::move(found), std::move(allowed), std::move(hint)};
}

std::string sizes(const topology::Topology& topology) {
  return fmt::format("{}", fmt::join(topology.dims(), "x"));
}

Result<std::unique_ptr<Pattern>> fixed(std::vector<TerminalId> table, const std::string& name,
                                       const topology::Topology& topology) {
  auto pattern = std::make_unique<Fixed>(std::move(table));
  if (active_terminals(*pattern, topology.num_terminals()) == 0) {
    return unfit(fmt::format("{} on {}", name, sizes(topology)), "sizes for which some terminal sends to another",
                 name == "tornado" ? "tornado moves ceil(k/2) - 1, which is 0 for k = 2" : "");
  }
  return std::unique_ptr<Pattern>(std::move(pattern));
}

Result<std::unique_ptr<Pattern>> transpose(const topology::Topology& topology) {
  const auto& dims = topology.dims();
  if (dims.size() < 2 || std::any_of(dims.begin(), dims.end(), [&](unsigned k) { return k != dims[0]; })) {
    return unfit("transpose on " + sizes(topology), "two or more dimensions of equal size",
                 "permutation is a fixed pattern for any sizes");
  }
  return fixed(table_of(topology,
                        [](Coordinates c) {
                          std::rotate(c.begin(), c.end() - 1, c.end());
                          return c;
                        }),
               "transpose", topology);
}

void check_fraction(double fraction, Diagnostics& errors) {
  if (fraction >= 0 && fraction <= 1) return;
  errors.push_back({"traffic.hot-fraction", {}, "traffic.hot_fraction", fmt::format("{}", fraction), "0 to 1", ""});
}

Result<std::unique_ptr<Pattern>> hot_spot(const config::TrafficSpec& spec, const topology::Topology& topology) {
  Diagnostics errors;
  check_fraction(spec.hot_fraction, errors);
  std::vector<TerminalId> hot;
  for (const unsigned t : spec.hot_terminals) {
    const bool twice = std::find(hot.begin(), hot.end(), TerminalId{t}) != hot.end();
    if (twice || t >= topology.num_terminals()) {
      errors.push_back({"traffic.hot-terminal", {}, "traffic.hot_terminals",
                        fmt::format("{}{}", t, twice ? " twice" : ""),
                        fmt::format("terminals 0 to {}, each once", topology.num_terminals() - 1), ""});
    }
    hot.push_back(TerminalId{t});
  }
  if (!errors.empty()) return errors;
  if (hot.empty()) {
    Coordinates middle = topology.dims();
    for (unsigned& c : middle) c /= 2;
    hot.push_back(terminal_id(index(topology.router_at(middle)) * topology.terminals_per_router()));
  }
  return std::unique_ptr<Pattern>(std::make_unique<Hot>(std::move(hot), spec.hot_fraction, topology.num_terminals()));
}

Result<std::unique_ptr<Pattern>> hot_region(const config::TrafficSpec& spec, const topology::Topology& topology) {
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
  return std::unique_ptr<Pattern>(std::make_unique<Hot>(std::move(hot), spec.hot_fraction, topology.num_terminals()));
}

}  // namespace

std::span<const std::string_view> pattern_names() { return kNames; }

std::size_t active_terminals(const Pattern& pattern, std::size_t num_terminals) {
  std::size_t active = 0;
  for (std::size_t t = 0; t < num_terminals; ++t) active += pattern.silent(terminal_id(t)) ? 0 : 1;
  return active;
}

Result<std::unique_ptr<Pattern>> make_pattern(const config::TrafficSpec& spec, const std::string& pattern_name,
                                              const topology::Topology& topology, std::uint64_t seed) {
  const auto& dims = topology.dims();
  if (pattern_name == "uniform") {
    return std::unique_ptr<Pattern>(std::make_unique<Uniform>(topology.num_terminals()));
  }
  if (pattern_name == "tornado") {
    return fixed(shifted(topology, [](unsigned k) { return (k + 1) / 2 - 1; }), pattern_name, topology);
  }
  if (pattern_name == "neighbour") {
    return fixed(shifted(topology, [](unsigned) { return 1u; }), pattern_name, topology);
  }
  if (pattern_name == "bit_complement") {
    const auto complement = [&](Coordinates c) {
      for (unsigned d = 0; d < c.size(); ++d) c[d] = dims[d] - 1 - c[d];
      return c;
    };
    return fixed(table_of(topology, complement), pattern_name, topology);
  }
  if (pattern_name == "permutation") {
    return fixed(derangement(topology.num_terminals(), seed), pattern_name, topology);
  }
  if (pattern_name == "transpose") return transpose(topology);
  if (pattern_name == "hot_spot") return hot_spot(spec, topology);
  if (pattern_name == "hot_region") return hot_region(spec, topology);
  return Diagnostic{"traffic.unknown-pattern", {}, "traffic.pattern", pattern_name,
                    fmt::format("{}", fmt::join(kNames, ", ")),
                    pattern_name == "trace" ? "a trace is replayed from traffic.trace, not drawn" : ""};
}

}  // namespace hopwise::traffic
