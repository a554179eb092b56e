// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

/// Terminals of a group have consecutive numbers.
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

std::optional<spec::Misfit> fits(const spec::PatternName& name,
                                 const spec::TopologySpec& topology) {
  if (auto misfit = fits_groups(name, topology)) return misfit;
  const unsigned groups = topology.dims[1];
  if (name.numbers[0] < groups) return std::nullopt;
  return spec::Misfit{groups == 2 ? "adv+1" : fmt::format("adv+1 to adv+{}", groups - 1),
                      "the offset counts groups, modulo their number"};
}

Made make(const Ground& ground) {
  const unsigned groups = ground.topology.dims()[1];
  return made<Adversarial>(ground.name.numbers[0], groups,
                           ground.topology.num_terminals() / groups);
}

}  // namespace

extern constinit const PatternKind kAdversarial{
    {.name = "adv",
     .doc = "any terminal of the group `I` groups on, modulo `g`, equally likely (Kim et al., ISCA "
            "2008; Kang et al., HPDC 2021)",
     .form = spec::WordForm{.head = "adv",
                            .mark = '+',
                            .letter = "I",
                            .min = 1,
                            .max = 1024,
                            .regex = "^adv\\+[1-9][0-9]{0,3}$"},
     .alone = false,
     .needs = kNeedsGroups,
     .fits = fits},
    make};

}  // namespace hopwise::traffic
