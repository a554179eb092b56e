// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/logic.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace hopwise::lanes {

namespace {

/// The cheapest tree of operators for each of the 256 functions of three variables.
struct Tree {
  unsigned cost = ~0u;
  char op = 0;  ///< '&', '|', '^', '~', or 'v': a variable, or 'c': a constant
  std::uint8_t left = 0, right = 0;
};

constexpr std::uint8_t kVariable[3] = {0xaa, 0xcc, 0xf0};

std::array<Tree, 256> cheapest_trees() {
  std::array<Tree, 256> best;
  best[0x00] = best[0xff] = {0, 'c', 0, 0};
  for (const std::uint8_t v : kVariable) best[v] = {0, 'v', 0, 0};
  for (unsigned cost = 1, found = 5; found < best.size(); ++cost) {
    const auto take = [&](unsigned function, Tree tree) {
      if (best[function].cost <= cost) return;
      best[function] = tree;
      ++found;
    };
    for (unsigned f = 0; f < 256; ++f) {
      if (best[f].cost + 1 == cost) {
        take(~f & 0xff, {cost, '~', static_cast<std::uint8_t>(f), 0});
      }
      if (best[f].cost >= cost) continue;
      for (unsigned g = 0; g < f; ++g) {
        if (best[g].cost >= cost || best[f].cost + best[g].cost + 1 != cost) continue;
        const auto l = static_cast<std::uint8_t>(f), r = static_cast<std::uint8_t>(g);
        take(f & g, {cost, '&', l, r});
        take(f | g, {cost, '|', l, r});
        take(f ^ g, {cost, '^', l, r});
      }
    }
  }
  return best;
}

const std::array<Tree, 256>& trees() {
  static const std::array<Tree, 256> all = cheapest_trees();
  return all;
}

std::string write(std::uint8_t function, const std::array<std::string, 3>& operands) {
  const Tree& tree = trees()[function];
  switch (tree.op) {
    case 'c': return function == 0 ? "zero" : "~zero";
    case 'v':
      for (unsigned v = 0; v < 3; ++v) {
        if (function == kVariable[v]) return operands[v];
      }
      break;
    case '~': return "~" + write(tree.left, operands);
    default: break;
  }
  return fmt::format("({} {} {})", write(tree.left, operands), tree.op,
                     write(tree.right, operands));
}

/// The truth of a table of fewer inputs over three, of which the last do not matter.
std::uint8_t widened(const Table& table) {
  unsigned truth = table.truth;
  for (unsigned inputs = table.inputs; inputs < 3; ++inputs) truth |= truth << (1u << inputs);
  return static_cast<std::uint8_t>(truth);
}

}  // namespace

Value Logic::of(Bit bit) const {
  const auto found = value.find(bit);
  if (found == value.end()) throw std::runtime_error(fmt::format("net {} has no value", bit));
  return found->second;
}

Logic make_logic(const Machine& machine, std::vector<Table> tables,
                 const std::vector<Value>& sinks) {
  const Bits from = machine.sources(), to = machine.sinks();
  Logic logic{from.size(), std::move(tables), {{kZero, 0}, {kOne, 1}}};
  for (std::size_t i = 0; i < from.size(); ++i)
    logic.value.emplace(from[i], static_cast<Value>(2 + i));
  for (std::size_t i = 0; i < to.size(); ++i) logic.value.emplace(to[i], sinks.at(i));
  return logic;
}

std::string expression(const Table& table, const std::array<std::string, 3>& operands) {
  return write(widened(table), operands);
}

unsigned operators(const Table& table) { return trees()[widened(table)].cost; }

}  // namespace hopwise::lanes
