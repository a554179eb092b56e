// SPDX-License-Identifier: Apache-2.0
// The emitted route computations make exactly the moves that the routing relation allows: for every
// router, input port, input VC and destination terminal of small networks, slot by slot.
#include <algorithm>

#include "../rtl_common/bench.hpp"
#include "Vroute_variants.h"
#include "variants.hpp"

namespace hopwise::test {
namespace {

/// What an answer says in one candidate slot; vcs 0: no candidate, the port means nothing.
struct Slot {
  unsigned port = 0;
  VcMask vcs = 0;
  bool operator==(const Slot& other) const {
    return vcs == other.vcs && (vcs == 0 || port == other.port);
  }
};

/// The relation's moves in the slots of the hardware: adaptive ones in that of their dimension, the
/// escape last.
std::vector<Slot> expected_slots(const routing::Moves& moves, unsigned candidates) {
  std::vector<Slot> slots(candidates);
  for (const routing::Move& move : moves) {
    const auto port = static_cast<unsigned>(index(move.out_port));
    slots[move.escape ? candidates - 1 : port / 2] = {port, move.vcs};
  }
  return slots;
}

struct Result {
  std::uint64_t compared = 0, wrong = 0;
  std::string first;  ///< the first difference
};

/// Asks variant `number` everything; `escape_only`: the routing mode of the CSR.
Result compare(std::size_t number, bool escape_only = false) {
  const Variant variant = all_variants()[number];
  const auto network = prove_variant(variant);
  const emit::RouterShape shape = emit::router_shape(network);
  const auto& topology = network.topology();
  const auto& relation = network.relation();
  Bench<Vroute_variants> model;
  Words ask((all_variants().size() + 31) / 32);
  set_bits(ask, static_cast<unsigned>(number), 1, 1);
  write_port(model->ask_i, ask);
  model->cfg_i = escape_only ? 1 : 0;
  std::mt19937_64 random(number);
  Result result;
  routing::Moves moves;
  for (std::uint32_t r = 0; r < topology.num_routers(); ++r) {
    model->coord_i =
        static_cast<std::uint32_t>(emit::coordinate_value(shape, topology, RouterId{r}));
    for (std::uint32_t t = 0; t < topology.num_terminals(); ++t) {
      // Fields that routing does not read hold anything.
      Words header{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
      for (unsigned d = 0; d < topology.num_dims(); ++d) {
        const auto& field = shape.format.dst_coord[d];
        set_bits(header, field.lsb, field.width,
                 topology.coordinate(topology.router_of(TerminalId{t}), d));
      }
      set_bits(header, shape.format.dst_slot.lsb, shape.format.dst_slot.width,
               topology.slot_of(TerminalId{t}));
      model->bits_i = header[0] | std::uint64_t{header[1]} << 32;
      for (unsigned vc = 0; vc < shape.vcs; ++vc) {
        model->vc_i = static_cast<std::uint8_t>(vc);
        model.settle();
        const Words vcs = read_port(model->vc_o, kMaxPorts * 4),
                    ports = read_port(model->port_o, kRspPortBits);
        const Words masks = read_port(model->vcs_o, kRspVcsBits);
        for (unsigned p = 0; p < shape.ports; ++p) {
          relation.moves({RouterId{r}, PortId(static_cast<std::uint16_t>(p)),
                          VcId(static_cast<std::uint8_t>(vc)), 0, TerminalId{t}},
                         moves);
          std::vector<Slot> expected = expected_slots(moves, shape.unit.candidates);
          if (escape_only) std::fill(expected.begin(), expected.end() - 1, Slot{});
          std::vector<Slot> found(shape.unit.candidates);
          for (unsigned k = 0; k < shape.unit.candidates; ++k) {
            const unsigned slot = p * shape.unit.candidates + k;
            found[k] = {static_cast<unsigned>(
                            get_bits(ports, slot * shape.port_width(), shape.port_width())),
                        static_cast<VcMask>(get_bits(masks, slot * shape.vcs, shape.vcs))};
          }
          const bool same = found == expected && (model->valid_o >> p & 1) != 0 &&
                            model->state_o == 0 &&
                            get_bits(vcs, p * shape.vc_width(), shape.vc_width()) == vc;
          ++result.compared;
          if (same) continue;
          if (result.wrong++ > 0) continue;
          result.first = fmt::format(
              "router {} input {} VC {} to terminal {}:", topology.name(RouterId{r}),
              topology.port_name(RouterId{0}, PortId(static_cast<std::uint16_t>(p))), vc, t);
          for (unsigned k = 0; k < shape.unit.candidates; ++k) {
            result.first +=
                fmt::format(" slot {}: port {} VCs {:b}, expected port {} VCs {:b};", k,
                            found[k].port, found[k].vcs, expected[k].port, expected[k].vcs);
          }
        }
      }
    }
  }
  return result;
}

class RouteCompute : public testing::TestWithParam<std::size_t> {};

TEST_P(RouteCompute, MakesExactlyTheMovesOfTheRelation) {
  const Result result = compare(GetParam());
  EXPECT_EQ(result.wrong, 0U) << "of " << result.compared << "; " << result.first;
  EXPECT_GT(result.compared, 0U);
}

class StarChannelMode : public testing::TestWithParam<std::size_t> {};

TEST_P(StarChannelMode, EscapeOnlyLeavesTheEscapeMoveAlone) {
  const Result result = compare(GetParam(), true);
  EXPECT_EQ(result.wrong, 0U) << "of " << result.compared << "; " << result.first;
}

class FaultyRouteCompute : public testing::TestWithParam<std::size_t> {};

TEST_P(FaultyRouteCompute, IsCaught) { EXPECT_GT(compare(GetParam()).wrong, 0U); }

std::vector<std::size_t> numbers(bool faulty, const char* part = "") {
  const auto all = all_variants();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<bool>(all[i].fault) == faulty && all[i].name.find(part) != std::string::npos)
      out.push_back(i);
  }
  return out;
}

std::string variant_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_variants()[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(Emitted, RouteCompute, testing::ValuesIn(numbers(false)), variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, StarChannelMode,
                         testing::ValuesIn(numbers(false, "star_channel")), variant_name);
INSTANTIATE_TEST_SUITE_P(Emitted, FaultyRouteCompute, testing::ValuesIn(numbers(true)),
                         variant_name);

}  // namespace
}  // namespace hopwise::test
