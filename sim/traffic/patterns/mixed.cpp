// SPDX-License-Identifier: Apache-2.0
// Random permutations, and mixtures in which some terminals have one destination and the others
// are uniform.
#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

/// Terminals that are uniform stand in the table with themselves.
class Mixed final : public Pattern {
 public:
  explicit Mixed(Destinations table) : table_(std::move(table)) {}
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    const TerminalId to = table_[index(src)];
    return to == src ? any_other(table_.size(), src, random) : to;
  }

 private:
  Destinations table_;
};

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

Destinations permuted(const Ground& ground) {
  return derangement(ground.topology.num_terminals(), ground.seed);
}
Destinations moved(const Ground& ground) { return next_group(ground.topology); }

/// Of `steady`, keeps what terminals do whose block of consecutive terminals is drawn: those of a
/// router, or one alone.
template <Destinations (*steady)(const Ground&), bool routers>
Made make_mixed(const Ground& ground) {
  const Destinations all = steady(ground);
  const std::size_t block = routers ? ground.topology.terminals_per_router() : 1;
  Destinations table(all.size());
  for (std::size_t t = 0; t < table.size(); ++t) table[t] = terminal_id(t);
  for (const std::size_t first :
       drawn_share(table.size() / block, ground.name.numbers[0], ground.seed)) {
    for (std::size_t t = first * block; t < (first + 1) * block; ++t) table[t] = all[t];
  }
  return made<Mixed>(std::move(table));
}

constexpr spec::WordForm percent_of(std::string_view head, std::string_view regex) {
  return {.head = head, .letter = "P", .min = 0, .max = 100, .regex = regex};
}

}  // namespace

extern constinit const PatternKind kPermutation{
    {.name = "permutation",
     .doc = "one random permutation without fixed points, drawn from the seed"},
    [](const Ground& ground) -> Made { return fixed(permuted(ground)); }};

extern constinit const PatternKind kMixedRouterShift{
    {.name = "mixed_router_shift",
     .doc = "terminals of `P` % of the routers: `shift`; all others: `uniform`",
     .form = percent_of("mixed_router_shift", "^mixed_router_shift:(0|[1-9][0-9]?|100)$"),
     .alone = false,
     .needs = kNeedsGroups,
     .fits = fits_groups},
    make_mixed<moved, true>};

extern constinit const PatternKind kMixedRouterPermutation{
    {.name = "mixed_router_permutation",
     .doc = "terminals of `P` % of the routers: `permutation`; all others: `uniform`",
     .form =
         percent_of("mixed_router_permutation", "^mixed_router_permutation:(0|[1-9][0-9]?|100)$"),
     .alone = false},
    make_mixed<permuted, true>};

extern constinit const PatternKind kMixedNodeShift{
    {.name = "mixed_node_shift",
     .doc = "`P` % of the terminals: `shift`; all others: `uniform`",
     .form = percent_of("mixed_node_shift", "^mixed_node_shift:(0|[1-9][0-9]?|100)$"),
     .alone = false,
     .needs = kNeedsGroups,
     .fits = fits_groups},
    make_mixed<moved, false>};

extern constinit const PatternKind kMixedNodePermutation{
    {.name = "mixed_node_permutation",
     .doc = "`P` % of the terminals: `permutation`; all others: `uniform`",
     .form = percent_of("mixed_node_permutation", "^mixed_node_permutation:(0|[1-9][0-9]?|100)$"),
     .alone = false},
    make_mixed<permuted, false>};

}  // namespace hopwise::traffic
