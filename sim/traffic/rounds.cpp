// SPDX-License-Identifier: Apache-2.0
#include "traffic/rounds.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hopwise::traffic {
namespace {

TerminalId terminal_id(std::uint64_t number) {
  return TerminalId{static_cast<std::uint32_t>(number)};
}

class Stencil final : public Pattern {
 public:
  explicit Stencil(spec::Grid grid) {
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

class ManyToMany final : public Pattern {
 public:
  explicit ManyToMany(spec::Grid grid) : plane_(std::uint64_t{grid[0]} * grid[1]), size_(grid[2]) {}
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

class RandomNeighbours final : public Pattern {
 public:
  explicit RandomNeighbours(std::size_t num_terminals) : others_(num_terminals - 1) {}
  std::uint32_t round_packets(TerminalId, Random& random) const override {
    return draw_count(random);
  }
  TerminalId destination(TerminalId src, std::uint32_t, Random& random) const override {
    const std::uint64_t drawn = random.below(others_);
    return terminal_id(drawn < index(src) ? drawn : drawn + 1);
  }

 private:
  std::uint64_t others_;
};

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

}  // namespace

std::unique_ptr<Pattern> make_stencil(spec::Grid grid) { return std::make_unique<Stencil>(grid); }
std::unique_ptr<Pattern> make_many_to_many(spec::Grid grid) {
  return std::make_unique<ManyToMany>(grid);
}
std::unique_ptr<Pattern> make_random_neighbours(std::size_t num_terminals) {
  return std::make_unique<RandomNeighbours>(num_terminals);
}
std::unique_ptr<Pattern> make_fixed_neighbours(std::size_t num_terminals, Random random) {
  return std::make_unique<FixedNeighbours>(num_terminals, random);
}

}  // namespace hopwise::traffic
