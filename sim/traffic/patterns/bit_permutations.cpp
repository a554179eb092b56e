// SPDX-License-Identifier: Apache-2.0
// Patterns that permute the bits of the source's number (Dally & Towles, section 3.2), which are
// those of its place: a network of 2^b terminals has b.
#include <bit>

#include <fmt/format.h>

#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

/// Of two terminals, the one bit has nowhere to go.
constexpr std::uint64_t kFewestTerminals = 4;

std::optional<spec::Misfit> fits(const spec::PatternName& name,
                                 const spec::TopologySpec& topology) {
  const std::uint64_t terminals = topology.terminals;
  if (terminals >= kFewestTerminals && std::has_single_bit(terminals)) return std::nullopt;
  return spec::Misfit{"a power of two of terminals, four or more",
                      fmt::format("{} permutes the bits of a terminal's number; there are {} "
                                  "terminals",
                                  spec::to_string(name), terminals)};
}

/// Terminal s sends to permute(s, b), of b bits both.
template <class Permute>
Made permuted(const Ground& ground, Permute permute) {
  Destinations table(ground.topology.num_terminals());
  const auto bits = static_cast<unsigned>(std::countr_zero(table.size()));
  for (std::size_t s = 0; s < table.size(); ++s) table[s] = terminal_id(permute(s, bits));
  return fixed(std::move(table));
}

Made make_bit_reverse(const Ground& ground) {
  return permuted(ground, [](std::uint64_t s, unsigned bits) {
    std::uint64_t d = 0;
    for (unsigned i = 0; i < bits; ++i) d = d << 1 | (s >> i & 1);
    return d;
  });
}

Made make_shuffle(const Ground& ground) {
  return permuted(ground, [](std::uint64_t s, unsigned bits) {
    const std::uint64_t top = s >> (bits - 1);
    return (s << 1 | top) & ((std::uint64_t{1} << bits) - 1);
  });
}

constexpr std::string_view kNeeds =
    "`bit_reverse` and `shuffle` need a power of two of terminals, four or more";

}  // namespace

extern constinit const PatternKind kBitReverse{
    {.name = "bit_reverse",
     .doc = "the `b` bits of the terminal's number in reverse, bit `i` to `b - 1 - i`; `2^b` "
            "terminals (Dally & Towles, section 3.2)",
     .needs = kNeeds,
     .fits = fits},
    make_bit_reverse};

extern constinit const PatternKind kShuffle{
    {.name = "shuffle",
     .doc = "the `b` bits of the terminal's number rotated by one, bit `i` to `i + 1` modulo `b`; "
            "`2^b` terminals (the same section)",
     .needs = kNeeds,
     .fits = fits},
    make_shuffle};

}  // namespace hopwise::traffic
