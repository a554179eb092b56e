// SPDX-License-Identifier: Apache-2.0
// Patterns that move coordinates: those of Dally & Towles, section 3.2, and the shift of groups.
#include <algorithm>

#include <fmt/format.h>

#include "traffic/tables.hpp"

namespace hopwise::traffic {
namespace {

using spec::Misfit;

/// A tornado moves ceil(k/2) - 1.
std::optional<Misfit> fits_tornado(const spec::PatternName& name,
                                   const spec::TopologySpec& topology) {
  if (auto misfit = fits_coordinates(name, topology)) return misfit;
  const auto& dims = topology.dims;
  const std::string hint = "tornado moves ceil(k/2) - 1, which is 0 for k = 2";
  if (topology.has_groups()) {
    if (dims[1] > 2) return std::nullopt;
    return Misfit{"three groups or more", hint};
  }
  if (std::any_of(dims.begin(), dims.end(), [](unsigned k) { return k > 2; })) return std::nullopt;
  return Misfit{"a dimension of three or more", hint};
}

unsigned tornado_step(unsigned k) { return (k + 1) / 2 - 1; }

/// Of groups a step of one is the worst case of minimal routing, which is what a tornado is for.
std::optional<std::string> doubt_tornado(const spec::PatternName&,
                                         const spec::TopologySpec& topology) {
  const auto& dims = topology.dims;
  const unsigned largest = *std::max_element(dims.begin(), dims.end());
  if (topology.has_groups() || tornado_step(largest) > 1) return std::nullopt;
  return fmt::format(
      "with at most {} routers along a dimension a tornado moves ceil(k/2) - 1 = 1: packets go to "
      "the next router, as with the pattern neighbour; five or more make it another one",
      largest);
}

std::optional<Misfit> fits_transpose(const spec::PatternName& name,
                                     const spec::TopologySpec& topology) {
  if (auto misfit = fits_coordinates(name, topology)) return misfit;
  const auto& dims = topology.dims;
  if (dims.size() > 1 &&
      std::all_of(dims.begin(), dims.end(), [&](unsigned k) { return k == dims[0]; }))
    return std::nullopt;
  return Misfit{topology.has_groups() ? "as many groups as a group has routers"
                                      : "two or more dimensions of equal size",
                "transpose exchanges the coordinates of a router; permutation is a fixed pattern "
                "for any sizes"};
}

Made make_tornado(const Ground& ground) { return fixed(shifted(ground.topology, tornado_step)); }

Made make_transpose(const Ground& ground) {
  return fixed(table_of(ground.topology, [](Coordinates c) {
    std::rotate(c.begin(), c.end() - 1, c.end());
    return c;
  }));
}

Made make_bit_complement(const Ground& ground) {
  const auto& dims = ground.topology.dims();
  return fixed(table_of(ground.topology, [&dims](Coordinates c) {
    for (unsigned d = 0; d < c.size(); ++d) c[d] = dims[d] - 1 - c[d];
    return c;
  }));
}

Made make_next(const Ground& ground) {
  return fixed(shifted(ground.topology, [](unsigned) { return 1u; }));
}

constexpr std::string_view kNeighbourAliases[] = {"neighbor"};

}  // namespace

extern constinit const PatternKind kTornado{
    {.name = "tornado",
     .doc =
         "`x + ceil(k/2) - 1` modulo `k`, in every dimension (Dally & Towles, section 3.2); with "
         "groups, the group alone moves",
     .fits = fits_tornado,
     .doubt = doubt_tornado},
    make_tornado};

extern constinit const PatternKind kTranspose{
    {.name = "transpose",
     .doc = "coordinates rotated by one, `(x,y,z)` to `(z,x,y)`; two or more dimensions of equal "
            "size",
     .needs = "`transpose` needs two or more equal dimensions",
     .fits = fits_transpose},
    make_transpose};

extern constinit const PatternKind kBitComplement{
    {.name = "bit_complement", .doc = "`k - 1 - x`, in every dimension", .fits = fits_coordinates},
    make_bit_complement};

extern constinit const PatternKind kNeighbour{
    {.name = "neighbour",
     .doc = "`x + 1` modulo `k`, in every dimension; with groups, the group alone moves",
     .aliases = kNeighbourAliases,
     .fits = fits_coordinates},
    make_next};

extern constinit const PatternKind kShift{
    {.name = "shift",
     .doc = "the same router and slot of the next group, modulo `g`",
     .needs = kNeedsGroups,
     .fits = fits_groups},
    make_next};

}  // namespace hopwise::traffic
