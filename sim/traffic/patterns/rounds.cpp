// SPDX-License-Identifier: Apache-2.0
// Patterns whose terminals send round after round: the communication patterns of Kang et al., HPDC
// 2021, section 6.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

using spec::Misfit;

/// Targets of a round of random_neighbors.
constexpr std::uint32_t kFewestNeighbours = 6, kMostNeighbours = 20;

/// Sizes of a grid of terminals, which are numbered along X first: number = x + X * (y + Y * z).
using Grid = std::array<unsigned, 3>;

/// As named, else that of a topology with groups: slot, router, group.
Grid grid_of(const Ground& ground) {
  const auto& named = ground.name.numbers;
  if (!named.empty()) return {named[0], named[1], named[2]};
  const auto& dims = ground.topology.dims();
  return {ground.topology.terminals_per_router(), dims[0], dims[1]};
}

std::optional<Misfit> fits_grid(const spec::PatternName& name, const spec::TopologySpec& topology) {
  if (name.numbers.empty()) {
    if (topology.has_groups()) return std::nullopt;
    return Misfit{std::string(kWithGroups),
                  fmt::format("elsewhere the grid is given: {}", display(*name.pattern->form))};
  }
  const std::uint64_t terminals = topology.terminals;
  std::uint64_t places = 1;
  for (const unsigned k : name.numbers) places *= k;
  if (places == terminals) return std::nullopt;
  return Misfit{fmt::format("a grid of {} places, one per terminal", terminals),
                fmt::format("this one has {}", places)};
}

std::optional<Misfit> fits_many_to_many(const spec::PatternName& name,
                                        const spec::TopologySpec& topology) {
  if (auto misfit = fits_grid(name, topology)) return misfit;
  if (name.numbers.empty() || name.numbers[2] > 1) return std::nullopt;
  return Misfit{"Z of two or more", "packets go along Z"};
}

/// One packet to each neighbour in the order x-, x+, y-, y+, z-, z+, round the ends of the grid. A
/// dimension of size 1 has no neighbours, one of size 2 the same one twice.
class Stencil final : public Pattern {
 public:
  explicit Stencil(Grid grid) {
    std::uint64_t stride = 1;
    for (const unsigned size : grid) {
      if (size > 1) axes_.push_back({stride, size});
      stride *= size;
    }
  }
  std::uint32_t round_packets(TerminalId, Random&) const override {
    return 2 * static_cast<std::uint32_t>(axes_.size());
  }
  TerminalId destination(TerminalId src, std::uint32_t place, Random&) const override {
    const Axis& axis = axes_[place / 2];
    const std::uint64_t at = index(src) / axis.stride % axis.size;
    const std::uint64_t to = (at + (place % 2 == 0 ? axis.size - 1 : 1)) % axis.size;
    return terminal_id(index(src) + to * axis.stride - at * axis.stride);
  }

 private:
  struct Axis {
    std::uint64_t stride, size;
  };
  std::vector<Axis> axes_;  // those along which there are neighbours
};

/// One packet to every other terminal with the same x and y, in ascending order of z.
class ManyToMany final : public Pattern {
 public:
  explicit ManyToMany(Grid grid) : plane_(std::uint64_t{grid[0]} * grid[1]), size_(grid[2]) {}
  std::uint32_t round_packets(TerminalId, Random&) const override { return size_ - 1; }
  TerminalId destination(TerminalId src, std::uint32_t place, Random&) const override {
    const std::uint64_t z = index(src) / plane_;
    return terminal_id(index(src) % plane_ + plane_ * (place < z ? place : place + 1));
  }

 private:
  std::uint64_t plane_;
  std::uint32_t size_;
};

std::uint32_t draw_count(Random& random) {
  return kFewestNeighbours +
         static_cast<std::uint32_t>(random.below(kMostNeighbours - kFewestNeighbours + 1));
}

/// Each round draws its length, and each packet any other terminal, independently.
class RandomNeighbours final : public Uniform {
 public:
  using Uniform::Uniform;
  std::uint32_t round_packets(TerminalId, Random& random) const override {
    return draw_count(random);
  }
};

/// Each terminal has different neighbours (all others where there are fewer), drawn once from
/// `random`; a round is one packet to each, in the order drawn.
class FixedNeighbours final : public Pattern {
 public:
  FixedNeighbours(std::size_t num_terminals, Random random) {
    for (std::uint64_t src = 0; src < num_terminals; ++src) {
      first_.push_back(neighbours_.size());
      const std::uint64_t wanted = std::min<std::uint64_t>(draw_count(random), num_terminals - 1);
      while (neighbours_.size() - first_.back() < wanted) {
        const std::uint64_t drawn = random.below(num_terminals - 1);
        const TerminalId to = terminal_id(drawn < src ? drawn : drawn + 1);
        const auto mine = neighbours_.begin() + static_cast<std::ptrdiff_t>(first_.back());
        if (std::find(mine, neighbours_.end(), to) == neighbours_.end()) neighbours_.push_back(to);
      }
    }
    first_.push_back(neighbours_.size());
  }
  std::uint32_t round_packets(TerminalId src, Random&) const override {
    return static_cast<std::uint32_t>(first_[index(src) + 1] - first_[index(src)]);
  }
  TerminalId destination(TerminalId src, std::uint32_t place, Random&) const override {
    return neighbours_[first_[index(src)] + place];
  }

 private:
  std::vector<TerminalId> neighbours_;
  std::vector<std::size_t> first_;  // [terminal] -> its first neighbour; one more at the end
};

template <class Kind>
Made make_on_grid(const Ground& ground) {
  return made<Kind>(grid_of(ground));
}

Made make_random(const Ground& ground) {
  return made<RandomNeighbours>(ground.topology.num_terminals());
}

Made make_fixed(const Ground& ground) {
  return made<FixedNeighbours>(ground.topology.num_terminals(),
                               Random(ground.seed, kNeighbourStream));
}

constexpr spec::WordForm grid_form(std::string_view head, std::string_view regex) {
  return {.head = head, .letter = "XxYxZ", .min = 1, .max = 999999, .regex = regex, .numbers = 3};
}

}  // namespace

extern constinit const PatternKind kStencil{
    {.name = "stencil_3d",
     .doc = "rounds: the neighbours `x-`, `x+`, `y-`, `y+`, `z-`, `z+` in a grid",
     .form =
         grid_form("stencil_3d", "^stencil_3d:[1-9][0-9]{0,5}x[1-9][0-9]{0,5}x[1-9][0-9]{0,5}$"),
     .needs = kNeedsGroups,
     .fits = fits_grid},
    make_on_grid<Stencil>};

extern constinit const PatternKind kManyToMany{
    {.name = "many_to_many",
     .doc = "rounds: all others with the same `x` and `y`, in ascending order of `z`",
     .form = grid_form("many_to_many",
                       "^many_to_many:[1-9][0-9]{0,5}x[1-9][0-9]{0,5}x[1-9][0-9]{0,5}$"),
     .needs = kNeedsGroups,
     .fits = fits_many_to_many},
    make_on_grid<ManyToMany>};

extern constinit const PatternKind kRandomNeighbours{
    {.name = "random_neighbors",
     .doc = "rounds of 6 to 20 packets: any other terminal, equally likely"},
    make_random};

extern constinit const PatternKind kFixedNeighbours{
    {.name = "random_neighbors:fixed",
     .doc = "rounds: the source's 6 to 20 neighbours, different ones, drawn once"},
    make_fixed};

}  // namespace hopwise::traffic
