// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "Valloc_0_1.h"
#include "Valloc_0_2.h"
#include "Valloc_1_1.h"
#include "Valloc_1_2.h"
#include "Valloc_hold_0.h"
#include "Valloc_hold_1.h"
#include "Valloc_small.h"
#include "Valloc_weighted.h"
#include "Valloc_weighted_1.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

/// `Round`: packets that an output port takes for one VC while every input port has its turn.
template <class ModelType, unsigned Ports, unsigned Vcs, bool Hold, unsigned Round = Ports>
struct Allocator {
  using Model = ModelType;
  static constexpr unsigned kPorts = Ports, kVcs = Vcs, kRound = Round;
  static constexpr unsigned kPortBits = Ports > 2 ? 3 : 1, kVcBits = Vcs > 1 ? 2 : 1;
  static constexpr bool kHold = Hold;
};

/// Weights of the input ports of the weighted ones: 1, 1, 9, 9, 3.
using Weighted = Allocator<Valloc_weighted, 5, 3, false, 23>;
using WeightedOutputFirst = Allocator<Valloc_weighted_1, 5, 3, true, 23>;

/// Requests of one cycle and the matching that answers them.
template <class T>
struct Cycle {
  std::array<std::array<int, T::kVcs>, T::kPorts> want;  ///< output port, -1: no request
  unsigned ready = (1U << T::kPorts) - 1;
  unsigned out_vc = 0;                   ///< that all requests of the cycle are for
  std::array<int, T::kPorts> out_vc_of;  ///< those of an input port; -1: for that
  unsigned pressing = (1U << T::kPorts) - 1;

  struct Grant {
    int vc = -1;  ///< -1: none
    int out = -1;
  };
  using Grants = std::array<Grant, T::kPorts>;

  Cycle() {
    for (auto& port : want) port.fill(-1);
    out_vc_of.fill(-1);
  }

  /// Drives the requests; leaves the matching, checked for legality, in `grants`. `tails`: bit p,
  /// if input p's flit is a tail; `heads`: a head.
  void apply(Bench<typename T::Model>& alloc, unsigned tails, Grants& grants,
             unsigned heads = ~0U) const {
    std::uint32_t valid = 0;
    Words ports(2), out_vcs(2);
    for (unsigned p = 0; p < T::kPorts; ++p) {
      for (unsigned v = 0; v < T::kVcs; ++v) {
        const unsigned at = p * T::kVcs + v;
        if (want[p][v] < 0) continue;
        valid |= 1U << at;
        set_bits(ports, at * T::kPortBits, T::kPortBits, static_cast<unsigned>(want[p][v]));
        set_bits(out_vcs, at * T::kVcBits, T::kVcBits,
                 out_vc_of[p] < 0 ? out_vc : static_cast<unsigned>(out_vc_of[p]));
      }
    }
    write_port(alloc->req_valid_i, Words{valid});
    write_port(alloc->req_port_i, ports);
    write_port(alloc->req_out_vc_i, out_vcs);
    alloc->ready_i = static_cast<std::uint8_t>(ready);
    alloc->head_i = static_cast<std::uint8_t>(heads & ((1U << T::kPorts) - 1));
    alloc->tail_i = static_cast<std::uint8_t>(tails & ((1U << T::kPorts) - 1));
    alloc->pressing_i = static_cast<std::uint8_t>(pressing);
    alloc.settle();
    unsigned inputs = 0;
    for (unsigned o = 0; o < T::kPorts; ++o) {
      if ((alloc->out_valid_o >> o & 1) == 0) continue;
      const auto p = static_cast<unsigned>(
          get_bits(read_port(alloc->out_sel_o, 32), o * T::kPortBits, T::kPortBits));
      ASSERT_LT(p, T::kPorts);
      ASSERT_EQ(inputs >> p & 1, 0U) << "input " << p << " matched twice";
      inputs |= 1U << p;
      const auto v = static_cast<unsigned>(
          get_bits(read_port(alloc->grant_vc_o, 32), p * T::kVcBits, T::kVcBits));
      ASSERT_LT(v, T::kVcs);
      ASSERT_EQ(want[p][v], static_cast<int>(o)) << "a grant without request";
      ASSERT_EQ(ready >> o & 1, 1U) << "a grant to an output that is not ready";
      grants[p] = {static_cast<int>(v), static_cast<int>(o)};
    }
    ASSERT_EQ(alloc->grant_o, inputs);
  }
};

template <class T>
void start(Bench<typename T::Model>& alloc) {
  typename Cycle<T>::Grants grants;
  Cycle<T>().apply(alloc, 0, grants);
  alloc.reset();
}

template <class T>
class SwitchAllocator : public testing::Test {};
using Allocators =
    testing::Types<Allocator<Valloc_0_1, 5, 3, false>, Allocator<Valloc_0_2, 5, 3, false>,
                   Allocator<Valloc_1_1, 5, 3, false>, Allocator<Valloc_1_2, 5, 3, false>,
                   Allocator<Valloc_hold_0, 5, 3, true>, Allocator<Valloc_hold_1, 5, 3, true>,
                   Weighted, WeightedOutputFirst, Allocator<Valloc_small, 2, 1, false>>;
TYPED_TEST_SUITE(SwitchAllocator, Allocators);

TYPED_TEST(SwitchAllocator,
           GrantsAreAMatchingOfRequestsAndReadyOutputsAndHeldPacketsKeepTheirPorts) {
  using T = TypeParam;
  for (unsigned percent : {5U, 40U, 90U}) {
    std::mt19937_64 random(percent);
    Bench<typename T::Model> alloc;
    start<T>(alloc);
    std::array<int, T::kPorts> held_vc, held_out, holder;  // input -> VC, output; output -> input
    held_vc.fill(-1);
    held_out.fill(-1);
    holder.fill(-1);
    for (int n = 0; n < 5000; ++n) {
      Cycle<T> cycle;
      cycle.ready = static_cast<unsigned>(random()) & ((1U << T::kPorts) - 1);
      for (unsigned p = 0; p < T::kPorts; ++p) {
        for (unsigned v = 0; v < T::kVcs; ++v) {
          if (!chance(random, percent)) continue;
          const bool holds = held_vc[p] == static_cast<int>(v);
          cycle.want[p][v] = holds ? held_out[p] : static_cast<int>(random() % T::kPorts);
        }
      }
      const auto tails = static_cast<unsigned>(random() & random());
      typename T::Model& model = alloc.model();
      typename Cycle<T>::Grants grants;
      cycle.apply(alloc, tails, grants);
      ASSERT_FALSE(testing::Test::HasFatalFailure());
      unsigned requested = 0;
      for (unsigned p = 0; p < T::kPorts; ++p) {
        for (unsigned v = 0; v < T::kVcs; ++v) {
          const int o = cycle.want[p][v];
          if (o >= 0 && (cycle.ready >> o & 1) != 0 && held_vc[p] < 0 &&
              holder[static_cast<unsigned>(o)] < 0)
            ++requested;
        }
        const auto [vc, out] = grants[p];
        if (vc < 0 || !T::kHold) continue;
        if (held_vc[p] >= 0) {
          ASSERT_EQ(vc, held_vc[p]) << "the input of a held packet serves another VC";
          ASSERT_EQ(out, held_out[p]);
        } else {
          ASSERT_EQ(holder[static_cast<unsigned>(out)], -1)
              << "the output of a held packet takes another";
        }
        const bool tail = (tails >> p & 1) != 0;
        held_vc[p] = tail ? -1 : vc;
        held_out[p] = tail ? -1 : out;
        holder[static_cast<unsigned>(out)] = tail ? -1 : static_cast<int>(p);
      }
      ASSERT_TRUE(requested == 0 || model.grant_o != 0) << "a request could be served and none is";
      alloc.edge();
      ASSERT_FALSE(alloc.failed());
    }
  }
}

/// Places of an output come free VC by VC: in even cycles port 2 may go, in odd ones ports 0 and 1,
/// for another output VC. How often each of the two is served in `cycles`; `told`: the allocator
/// knows the output VCs.
template <class T>
std::array<unsigned, 2> served_in_turn(bool told, int cycles) {
  Bench<typename T::Model> alloc;
  start<T>(alloc);
  std::array<unsigned, 2> served{};
  for (int n = 0; n < cycles; ++n) {
    Cycle<T> cycle;
    if (n % 2 == 0) {
      cycle.want[2][0] = 4;
    } else {
      cycle.want[0][1] = cycle.want[1][1] = 4;
      cycle.out_vc = told ? 1 : 0;
    }
    typename Cycle<T>::Grants grants;
    cycle.apply(alloc, ~0U, grants);
    for (unsigned p = 0; p < 2; ++p) served[p] += grants[p].vc >= 0 ? 1 : 0;
    alloc.edge();
  }
  return served;
}

TEST(SwitchAllocatorFairness, PlacesThatComeFreeVcByVcStarveNobody) {
  using InputFirst = Allocator<Valloc_0_1, 5, 3, false>;
  using OutputFirst = Allocator<Valloc_1_1, 5, 3, false>;
  EXPECT_EQ(served_in_turn<InputFirst>(true, 200), (std::array<unsigned, 2>{50, 50}));
  EXPECT_EQ(served_in_turn<OutputFirst>(true, 200), (std::array<unsigned, 2>{50, 50}));
  EXPECT_EQ(served_in_turn<Weighted>(true, 200), (std::array<unsigned, 2>{50, 50}));
  // One pointer for all VCs: port 2's grant always leaves it before port 0.
  EXPECT_EQ(served_in_turn<InputFirst>(false, 200)[1], 0U);
}

/// How many of `cycles` flits of an output each input port sends, if all of them ask for one VC of
/// it with one of theirs. A packet has `flits` flits.
template <class T>
std::array<unsigned, T::kPorts> shares(unsigned pressing, unsigned flits, unsigned cycles) {
  Bench<typename T::Model> alloc;
  start<T>(alloc);
  std::array<unsigned, T::kPorts> served{};
  int inside = -1;  // the port whose packet has the VC
  for (unsigned n = 0; n < cycles; ++n) {
    Cycle<T> cycle;
    cycle.pressing = pressing;
    for (unsigned p = 0; p < T::kPorts; ++p) {
      if (inside < 0 || inside == static_cast<int>(p)) cycle.want[p][1] = 4;
    }
    typename Cycle<T>::Grants grants;
    const bool tail = n % flits == flits - 1;
    cycle.apply(alloc, tail ? ~0U : 0, grants, n % flits == 0 ? ~0U : 0);
    for (unsigned p = 0; p < T::kPorts; ++p) {
      if (grants[p].vc < 0) continue;
      ++served[p];
      inside = tail ? -1 : static_cast<int>(p);
    }
    alloc.edge();
  }
  return served;
}

TEST(SwitchAllocatorFairness, PortsThatPressHaveTurnsOfTheirWeights) {
  using Shares = std::array<unsigned, 5>;
  EXPECT_EQ(shares<Weighted>(0x1F, 1, 230), (Shares{10, 10, 90, 90, 30}));
  EXPECT_EQ(shares<Weighted>(0x1F, 4, 920), (Shares{40, 40, 360, 360, 120}));
  EXPECT_EQ(shares<Weighted>(0, 1, 230), (Shares{46, 46, 46, 46, 46}));
  EXPECT_EQ(shares<Weighted>(0x04, 1, 130), (Shares{10, 10, 90, 10, 10}));
  EXPECT_EQ(shares<WeightedOutputFirst>(0x1F, 4, 920), (Shares{40, 40, 360, 360, 120}));
}

// Heads of input port 0 ask for output VC 0 and take VC 1, as they may with pipeline_cycles 2 and
// 3: what they asked for is what their turn was at, and port 1's heads on VC 0 have theirs.
TYPED_TEST(SwitchAllocator, ATurnIsAtTheVcThatAHeadAskedFor) {
  using T = TypeParam;
  if (T::kHold || T::kVcs < 2) return;
  Bench<typename T::Model> alloc;
  start<T>(alloc);
  std::array<unsigned, 2> packets{};
  bool inside = false;  // port 0's packet has sent its head and not its tail, on VC 1
  for (unsigned n = 0; n < 300; ++n) {
    Cycle<T> cycle;
    cycle.want[0][0] = cycle.want[1][0] = static_cast<int>(T::kPorts) - 1;
    cycle.out_vc_of[0] = inside ? 1 : 0;
    cycle.out_vc_of[1] = 0;
    typename Cycle<T>::Grants grants;
    cycle.apply(alloc, inside ? ~0U : ~1U, grants, inside ? ~1U : ~0U);
    for (unsigned p = 0; p < 2; ++p) packets[p] += grants[p].vc >= 0 && (p == 1 || !inside);
    if (grants[0].vc >= 0) inside = !inside;
    alloc.edge();
  }
  EXPECT_GT(packets[0], 60U);
  EXPECT_GT(packets[1], 60U);
}

/// Input port 0's VCs ask for outputs 4 and 3, port 2 presses at output 4 with the longer turn.
TEST(SwitchAllocatorFairness, AnInputPortAsksWhereItHasTheTurnUntilAnotherVcIsDue) {
  Bench<Weighted::Model> alloc;
  start<Weighted>(alloc);
  std::vector<int> outputs;  // of port 0
  for (unsigned n = 0; n < 40; ++n) {
    Cycle<Weighted> cycle;
    cycle.want[0][0] = cycle.want[2][0] = 4;
    cycle.want[0][1] = 3;
    typename Cycle<Weighted>::Grants grants;
    cycle.apply(alloc, ~0U, grants);
    if (grants[0].vc >= 0) outputs.push_back(grants[0].out);
    alloc.edge();
  }
  const auto at_4 = static_cast<unsigned>(std::ranges::count(outputs, 4));
  EXPECT_GE(at_4, 4U) << "port 0's turns at output 4 come round every 10 flits";
  // Without standing back it would wait there for nine cycles of ten.
  EXPECT_GE(outputs.size(), 16U);
  for (std::size_t n = 0, other = 0; n < outputs.size(); ++n) {
    other = outputs[n] == 4 ? 0 : other + 1;
    EXPECT_LE(other, 10U);
  }
}

TYPED_TEST(SwitchAllocator, ServesEveryPersistentRequesterWithinTwiceVcsTimesARoundOfTurns) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    Bench<typename T::Model> alloc;
    start<T>(alloc);
    Cycle<T> cycle;
    const unsigned outputs = 1 + static_cast<unsigned>(random() % T::kPorts);
    for (auto& port : cycle.want) {
      for (auto& want : port) want = chance(random, 80) ? static_cast<int>(random() % outputs) : -1;
    }
    std::array<std::array<unsigned, T::kVcs>, T::kPorts> waited{};
    for (unsigned n = 0; n < 400; ++n) {
      typename Cycle<T>::Grants grants;
      cycle.apply(alloc, ~0U, grants);
      ASSERT_FALSE(testing::Test::HasFatalFailure());
      for (unsigned p = 0; p < T::kPorts; ++p) {
        for (unsigned v = 0; v < T::kVcs; ++v) {
          waited[p][v] =
              cycle.want[p][v] < 0 || grants[p].vc == static_cast<int>(v) ? 0 : waited[p][v] + 1;
          ASSERT_LE(waited[p][v], 2 * T::kVcs * T::kRound)
              << "seed " << seed << " input " << p << " VC " << v;
        }
      }
      alloc.edge();
    }
  }
}

TYPED_TEST(SwitchAllocator, NoRhythmOfReadyOutputsStarvesAVc) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    Bench<typename T::Model> alloc;
    start<T>(alloc);
    Cycle<T> cycle;
    for (auto& port : cycle.want) {
      for (auto& want : port) want = static_cast<int>(random() % T::kPorts);
    }
    const unsigned period = 2 + static_cast<unsigned>(random() % 3);
    std::array<unsigned, T::kPorts> phase;  // an output is ready once a period, as a paced link
    for (auto& p : phase) p = static_cast<unsigned>(random() % period);
    std::array<std::array<unsigned, T::kVcs>, T::kPorts> served{};
    for (unsigned n = 0; n < 1000; ++n) {
      cycle.ready = 0;
      for (unsigned o = 0; o < T::kPorts; ++o) cycle.ready |= n % period == phase[o] ? 1U << o : 0;
      typename Cycle<T>::Grants grants;
      cycle.apply(alloc, ~0U, grants);
      ASSERT_FALSE(testing::Test::HasFatalFailure());
      for (unsigned p = 0; p < T::kPorts; ++p) {
        if (grants[p].vc >= 0) ++served[p][static_cast<unsigned>(grants[p].vc)];
      }
      alloc.edge();
    }
    for (unsigned p = 0; p < T::kPorts; ++p) {
      for (unsigned v = 0; v < T::kVcs; ++v) {
        EXPECT_GE(served[p][v], 1000 / (2 * T::kVcs * T::kRound * period))
            << "seed " << seed << " input " << p << " VC " << v;
      }
    }
  }
}

/// The outputs served for a fixed series of random requests, always from reset, where all
/// allocators have the same order.
template <class Model>
std::vector<unsigned> outputs_served() {
  using T = Allocator<Model, 5, 3, false>;
  std::mt19937_64 random(7);
  Bench<Model> alloc;
  std::vector<unsigned> served;
  for (int n = 0; n < 3000; ++n) {
    start<T>(alloc);
    Cycle<T> cycle;
    for (auto& port : cycle.want) {
      for (auto& want : port) want = chance(random, 60) ? static_cast<int>(random() % 5) : -1;
    }
    typename Cycle<T>::Grants grants;
    cycle.apply(alloc, ~0U, grants);
    served.push_back(alloc->out_valid_o);
  }
  return served;
}

template <class One, class Two>
void expect_no_fewer_matches() {
  const auto one = outputs_served<One>(), two = outputs_served<Two>();
  unsigned more = 0;
  for (std::size_t n = 0; n < one.size(); ++n) {
    ASSERT_EQ(one[n] & ~two[n], 0U) << "the second iteration took a match away";
    more += one[n] != two[n] ? 1 : 0;
  }
  EXPECT_GT(more, 300U) << "the second iteration adds nothing";
}

TEST(SwitchAllocatorIterations, ASecondOneOnlyAddsMatchesInputFirst) {
  expect_no_fewer_matches<Valloc_0_1, Valloc_0_2>();
}

TEST(SwitchAllocatorIterations, ASecondOneOnlyAddsMatchesOutputFirst) {
  expect_no_fewer_matches<Valloc_1_1, Valloc_1_2>();
}

}  // namespace
}  // namespace hopwise::test
