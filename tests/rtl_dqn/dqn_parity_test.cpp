// SPDX-License-Identifier: Apache-2.0
// Bits that flip in the weights and biases of an engine with parity: the answer that meets one is
// flawed, the word is told once and is 0 from then on.
#include "Vdqn_believes.h"
#include "Vdqn_believes___024root.h"
#include "Vdqn_blind.h"
#include "Vdqn_blind___024root.h"
#include "Vdqn_never_mends.h"
#include "Vdqn_never_mends___024root.h"
#include "Vdqn_two_layers.h"
#include "Vdqn_two_layers___024root.h"
#include "dqn_play.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kLanes = 16, kDepth = 4, kCols = kLanes * kDepth / 4;
constexpr std::array<unsigned, 3> kLayers{7, 9, 2};
// Rows of the memories: a layer's steps, and its groups, here one each.
constexpr unsigned kRows = 2 + 3, kRowBits = 3;

template <class Model>
class FlawPlay {
 public:
  FlawPlay() {
    bench->req_valid_i = bench->load_valid_i = 0;
    bench.reset();
  }

  void load(const learn::IntegerNetwork& network) {
    for (const auto& [address, data] : learn::load_words(network, kLanes, kDepth))
      write(address, data);
  }
  void write(std::uint32_t address, std::uint32_t data) {
    bench->load_valid_i = 1;
    bench->load_addr_i = static_cast<std::uint16_t>(address);
    bench->load_data_i = data;
    bench.settle();
    for (unsigned n = 0; n < 60 && !bench->load_ready_o; ++n) step();
    banks.write({address, data});
    step();
    bench->load_valid_i = 0;
  }

  /// An answer; whether it is flawed.
  bool ask(std::vector<std::int32_t>* values = nullptr) {
    std::vector<std::uint8_t> seen(kLayers[0]);
    Words bits(2);
    for (unsigned i = 0; i < seen.size(); ++i) {
      seen[i] = static_cast<std::uint8_t>(random());
      set_bits(bits, 8 * i, 8, seen[i]);
    }
    bench->req_valid_i = 1;
    write_port(bench->req_obs_i, bits);
    step();
    bench->req_valid_i = 0;
    bench.settle();
    for (unsigned n = 0; n < 60 && !bench->rsp_valid_o; ++n) step();
    const bool flawed = bench->rsp_flawed_o;
    const Words answer = read_port(bench->rsp_values_o, 48);
    std::vector<std::int32_t> got;
    for (unsigned o = 0; o < 2; ++o)
      got.push_back(static_cast<std::int32_t>(
                        static_cast<std::uint32_t>(get_bits(answer, 24 * o, 24)) << 8) >>
                    8);
    for (unsigned n = 0; n < 5; ++n) step();
    if (!bench->idle_o) differ("it does not come to rest");
    if (!flawed && got != learn::infer(banks.used, seen)) differ("a wrong answer is not flawed");
    if (values) *values = got;
    return flawed;
  }

  void step() {
    bench.settle();
    for (unsigned half = 0; half < 2; ++half) found[half] += bench->flips_o >> half & 1;
    if (bench->flips_o != 0) word = bench->flip_word_o;
    bench.edge();
    bench.settle();
    if (bench.failed()) differ("an assertion fails");
  }

  /// Weight word `col` of row `row` in the bank that is in use.
  void flip_weight(unsigned row, unsigned col, unsigned bit) {
    flip(bench.model()
             .rootp->hw_dqn_engine__DOT__gen_array__DOT__u_network__DOT__u_weights__DOT__mem,
         row, kRowBits, col * 33 + bit);
  }
  void flip_bias(unsigned group, unsigned lane, unsigned bit) {
    flip(
        bench.model().rootp->hw_dqn_engine__DOT__gen_array__DOT__u_network__DOT__u_biases__DOT__mem,
        group, 1, lane * 25 + bit);
  }
  /// The word that is 0 from now on, in the model.
  void forget(std::uint32_t address) {
    std::swap(banks.used, banks.other);
    banks.write({address, 0});
    std::swap(banks.used, banks.other);
  }

  void expect(unsigned weights, unsigned biases, std::uint32_t address, const char* what) {
    if (found[0] != weights || found[1] != biases) differ(what);
    if (weights + biases > 0 && word != address) differ("another word is told");
    found = {};
  }
  void differ(const char* what) {
    if (wrong.empty()) wrong = what;
  }

  Bench<Model> bench;
  DqnBanks banks{{kLayers.begin(), kLayers.end()}, kLanes, kDepth};
  std::mt19937_64 random{5};
  std::array<unsigned, 2> found{};  // weights, biases
  std::uint32_t word = 0;           // that was told last
  std::string wrong;

 private:
  template <class Memory>
  void flip(Memory& memory, unsigned row, unsigned row_bits, unsigned at) {
    memory[(banks.swaps % 2) << row_bits | row][at / 32] ^= 1U << at % 32;
  }
};

template <class Model>
std::string flips_are_found(unsigned rounds, unsigned& flips) {
  FlawPlay<Model> play;
  const Layers layers{kLayers.begin(), kLayers.end()};
  play.load(random_network(layers, play.random));
  for (unsigned n = 0; n < rounds && play.wrong.empty(); ++n) {
    ++flips;
    if (n % 4 == 0) {
      const unsigned layer = n / 4 % 2,
                     lane = static_cast<unsigned>(play.random()) % kLayers[layer + 1];
      play.flip_bias(layer, lane, static_cast<unsigned>(play.random()) % 25);
      const std::uint32_t address = 64 + (layer == 1 ? kLayers[1] : 0) + lane;
      if (!play.ask()) play.differ("an answer with a flipped bias is believed");
      play.expect(0, 1, address, "a bias is not told once");
      play.forget(address);
    } else if (n % 4 == 1) {  // lanes without a neuron are nobody's
      --flips;
      play.flip_bias(0, kLayers[1] + static_cast<unsigned>(play.random()) % (kLanes - kLayers[1]),
                     static_cast<unsigned>(play.random()) % 25);
    } else {
      const unsigned row = static_cast<unsigned>(play.random()) % kRows,
                     col = static_cast<unsigned>(play.random()) % kCols;
      play.flip_weight(row, col, static_cast<unsigned>(play.random()) % 33);
      const std::uint32_t address = 1024 + row * kCols + col;
      if (!play.ask()) play.differ("an answer with a flipped weight is believed");
      play.expect(1, 0, address, "a word of weights is not told once");
      play.forget(address);
    }
    if (play.ask()) play.differ("the next answer is flawed, too");
    play.expect(0, 0, 0, "told again");
    if (n % 50 == 49) play.load(random_network(layers, play.random));
  }
  return play.wrong;
}

TEST(DqnParity, OfTenThousandFlipsEachIsToldOnceAndItsAnswerIsFlawed) {
  unsigned flips = 0;
  EXPECT_EQ(flips_are_found<Vdqn_two_layers>(14000, flips), "");
  EXPECT_GT(flips, 10000u);
}

TEST(DqnParity, SeededFaultsAreSeen) {
  unsigned flips = 0;
  EXPECT_EQ(flips_are_found<Vdqn_blind>(8, flips), "an answer with a flipped bias is believed");
  EXPECT_EQ(flips_are_found<Vdqn_believes>(8, flips),
            "an answer with a flipped weight is believed");
  EXPECT_EQ(flips_are_found<Vdqn_never_mends>(8, flips), "the next answer is flawed, too");
}

/// Requests without a pause, and loads meanwhile.
TEST(DqnParity, ALoadWaitsForTheWordThatIsMended) {
  DqnPlay<DqnShape<Vdqn_two_layers, 16, 4, false, 7, 9, 2>> play;
  play.load(random_network({kLayers.begin(), kLayers.end()}, play.random));
  auto& memory =
      play.bench.model()
          .rootp->hw_dqn_engine__DOT__gen_array__DOT__u_network__DOT__u_weights__DOT__mem;
  unsigned found = 0, waits = 0, n = 0;
  for (; n < 20000; ++n) {
    if (n % 40 == 0)
      memory[(play.banks.swaps % 2) << kRowBits | n / 40 % kRows][n / 200 % kCols] ^= 1;
    auto& bench = play.bench;
    bench->req_valid_i = 1;
    bench->load_valid_i = 1;
    bench->load_addr_i = 1024;
    bench->load_data_i = 0;
    bench.settle();
    found += bench->flips_o & 1;
    waits += !bench->load_ready_o;
    bench.edge();
  }
  EXPECT_FALSE(play.bench.failed());
  EXPECT_EQ(found, n / 40);
  EXPECT_EQ(waits, found);
}

}  // namespace
}  // namespace hopwise::test
