// SPDX-License-Identifier: Apache-2.0
// Patterns that prefer some terminals.
#include <algorithm>

#include <fmt/format.h>

#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

constexpr std::string_view kFraction = "traffic.hot_fraction", kTerminals = "traffic.hot_terminals";

constexpr spec::Key kKeys[] = {
    {.path = kFraction,
     .type = spec::KeyType::kReal,
     .range = {.min = 0, .max = 1, .above_min = true},
     .default_yaml = "0.1",
     .doc = "Part of the packets that `hot_spot` and `hot_region` send to the hot terminals."},
    {.path = kTerminals,
     .type = spec::KeyType::kIntegers,
     .range = {0, 524287},
     .min_entries = 0,
     .max_entries = 1024,
     .default_yaml = "[]",
     .doc = "Terminal numbers that `hot_spot` prefers; empty: the one in the middle."},
};

/// A hot draw is uniform over the hot terminals other than the source; where there is none, the
/// packet is uniform.
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
  bool hot(TerminalId terminal) const override { return is_hot_[index(terminal)]; }

 private:
  std::vector<TerminalId> hot_;
  std::vector<bool> is_hot_;
  Chance fraction_;
};

/// Where `errors` are none.
Made make_hot(const Ground& ground, std::vector<TerminalId> hot, Diagnostics errors) {
  const double fraction = ground.traffic.settings.real(kFraction);
  if (!(fraction >= 0 && fraction <= 1)) {
    errors.insert(errors.begin(), {"traffic.hot-fraction",
                                   {},
                                   std::string(kFraction),
                                   fmt::format("{}", fraction),
                                   "0 to 1",
                                   ""});
  }
  if (!errors.empty()) return errors;
  return made<Hot>(std::move(hot), fraction, ground.topology.num_terminals());
}

/// Without hot terminals there is one: slot 0 of the router at k/2 (rounded down) in every
/// dimension.
Made make_hot_spot(const Ground& ground) {
  const topology::Topology& topology = ground.topology;
  Diagnostics errors;
  std::vector<TerminalId> hot;
  for (const unsigned t : ground.traffic.settings.numbers(kTerminals)) {
    const bool twice = std::find(hot.begin(), hot.end(), TerminalId{t}) != hot.end();
    if (twice || t >= topology.num_terminals()) {
      errors.push_back({"traffic.hot-terminal",
                        {},
                        std::string(kTerminals),
                        fmt::format("{}{}", t, twice ? " twice" : ""),
                        fmt::format("terminals 0 to {}, each once", topology.num_terminals() - 1),
                        ""});
    }
    hot.push_back(TerminalId{t});
  }
  if (hot.empty()) {
    Coordinates middle = topology.dims();
    for (unsigned& c : middle) c /= 2;
    const bool places = topology.is_grid() || topology.has_groups();
    hot.push_back(places ? topology.terminal_at(topology.router_at(middle), 0)
                         : terminal_id(topology.num_terminals() / 2));
  }
  return make_hot(ground, std::move(hot), std::move(errors));
}

/// The corner x < ceil(k/2) in every dimension.
Made make_hot_region(const Ground& ground) {
  const topology::Topology& topology = ground.topology;
  std::vector<TerminalId> hot;
  for (std::size_t t = 0; t < topology.num_terminals(); ++t) {
    const Coordinates c = coordinates_of(topology, topology.router_of(terminal_id(t)));
    bool inside = true;
    for (unsigned d = 0; d < c.size(); ++d) inside &= c[d] < (topology.dims()[d] + 1) / 2;
    if (inside) hot.push_back(terminal_id(t));
  }
  return make_hot(ground, std::move(hot), {});
}

/// The network has the terminals, whatever the pattern.
void check(const spec::PatternCheck& check) {
  const spec::KeyPlace& place = check.keys.find(kTerminals)->second;
  if (place.bad || check.terminals == 0) return;
  const auto numbers = check.traffic.settings.numbers(kTerminals);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < check.terminals) continue;
    check.errors.push_back({"config.no-such-terminal", place.items[i],
                            fmt::format("{}[{}]", kTerminals, i), fmt::format("{}", numbers[i]),
                            fmt::format("0 to {}", check.terminals - 1), ""});
  }
}

}  // namespace

extern constinit const PatternKind kHotSpot{
    {.name = "hot_spot",
     .doc = "with probability `hot_fraction` a hot terminal, else uniform",
     .keys = kKeys,
     .check = check},
    make_hot_spot};

extern constinit const PatternKind kHotRegion{
    {.name = "hot_region",
     .doc = "with probability `hot_fraction` a terminal of the hot region, else uniform",
     .keys = kKeys,
     .fits = fits_coordinates},
    make_hot_region};

}  // namespace hopwise::traffic
