// SPDX-License-Identifier: Apache-2.0
// hw_dqn_engine as its header tells it, and a bench that drives it with requests and loads at
// random times.
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <span>

#include "bench.hpp"
#include "learn/integer_network.hpp"
#include "routing/dqn/schedule.hpp"

namespace hopwise::test {

using Layers = std::vector<unsigned>;

template <class ModelType, unsigned Lanes, unsigned Depth, bool Zero, unsigned... Sizes>
struct DqnShape {
  using Model = ModelType;
  static constexpr unsigned kLanes = Lanes, kDepth = Depth;
  static constexpr bool kZero = Zero;
  static Layers layers() { return {Sizes...}; }
  static unsigned steps() {
    const Layers n = layers();
    unsigned sum = 0;
    for (std::size_t l = 0; l + 1 < n.size(); ++l)
      sum += ((n[l + 1] + Lanes - 1) / Lanes) * ((n[l] + Depth - 1) / Depth);
    return sum;
  }
  static unsigned interval() {
    return Zero ? 1 : steps() + 2 * (static_cast<unsigned>(sizeof...(Sizes)) - 2);
  }
  static unsigned latency() { return Zero ? 0 : interval() + 3; }
};

/// A network of small to extreme weights; the values of some saturate.
inline learn::IntegerNetwork random_network(const Layers& layers, std::mt19937_64& random) {
  learn::IntegerNetwork network = learn::zero_network(layers);
  for (auto& layer : network.parameters) {
    const unsigned magnitude = 1U << (1 + random() % 7);
    for (auto& w : layer.w) {
      const auto draw = static_cast<std::int32_t>(random() % (2 * magnitude)) -
                        static_cast<std::int32_t>(magnitude);
      w = static_cast<std::int8_t>(chance(random, 3) ? (chance(random, 50) ? -128 : 127) : draw);
    }
    const bool extreme = chance(random, 20);
    for (auto& b : layer.bias) {
      b = static_cast<std::int32_t>(random() % (1U << 17)) - (1 << 16);
      if (extreme) b += chance(random, 50) ? (1 << 16) - (1 << 23) : (1 << 23) - (1 << 16);
    }
    layer.shift = static_cast<unsigned>(random() % 16);
    if (chance(random, 70)) layer.shift = 5 + static_cast<unsigned>(random() % 5);
  }
  return network;
}

struct DqnWord {
  std::uint32_t address = 0, data = 0;
};

/// The two banks, written as the map in the header of hw_dqn_engine says.
struct DqnBanks {
  unsigned lanes, depth;
  learn::IntegerNetwork used, other;
  unsigned swaps = 0;

  DqnBanks(const Layers& layers, unsigned lanes_, unsigned depth_)
      : lanes(lanes_), depth(depth_), used(learn::zero_network(layers)), other(used) {}

  void write(const DqnWord& word) {
    if (word.address == 16) {
      std::swap(used, other);
      ++swaps;
    } else if (word.address >= 32 && word.address < 32 + other.parameters.size()) {
      other.parameters[word.address - 32].shift = word.data & 15U;
    } else if (word.address >= 64 && word.address < 1024) {
      std::size_t b = word.address - 64;
      for (auto& layer : other.parameters) {
        if (b < layer.bias.size()) {
          layer.bias[b] = static_cast<std::int32_t>(word.data << 8) >> 8;
          return;
        }
        b -= layer.bias.size();
      }
    } else if (word.address >= 1024) {
      for (unsigned byte = 0; byte < 4; ++byte) {
        write_weight((word.address - 1024) * 4 + byte,
                     static_cast<std::int8_t>(word.data >> (8 * byte)));
      }
    }
  }

 private:
  void write_weight(unsigned byte, std::int8_t value) {
    unsigned row = byte / (lanes * depth);
    const unsigned lane = byte % (lanes * depth) / depth, input = byte % depth;
    for (std::size_t l = 0; l < other.parameters.size(); ++l) {
      const unsigned inputs = other.layers[l], outputs = other.layers[l + 1];
      const unsigned per_group = (inputs + depth - 1) / depth,
                     rows = (outputs + lanes - 1) / lanes * per_group;
      if (row < rows) {
        const unsigned o = row / per_group * lanes + lane, i = row % per_group * depth + input;
        if (o < outputs && i < inputs) other.parameters[l].w[o * inputs + i] = value;
        return;
      }
      row -= rows;
    }
  }
};

/// Random stimulus: percentages of the cycles.
struct DqnLoad {
  unsigned requests = 30, words = 50;
  unsigned patches = 30;  // of the loads: a few words anywhere instead of a whole network
  unsigned swaps = 10;    // of a patch's words
};

template <class T>
class DqnPlay {
 public:
  explicit DqnPlay(unsigned seed = 1) : banks(T::layers(), T::kLanes, T::kDepth), random(seed) {
    reset();
  }

  void reset() {
    bench->req_valid_i = 0;
    bench->load_valid_i = 0;
    bench->load_addr_i = 0;
    bench->load_data_i = 0;
    bench.reset();
    banks = DqnBanks(T::layers(), T::kLanes, T::kDepth);
    asked.reset();
    due.clear();
    ready_from = waited = 0;
    offered = false;
  }

  /// Hands over all words, with nothing else.
  void load(const learn::IntegerNetwork& network) {
    queue(network);
    while (!words.empty() && fine()) step(false, true);
  }
  void queue(const learn::IntegerNetwork& network) {
    for (const auto& [address, data] : learn::load_words(network, T::kLanes, T::kDepth))
      words.push_back({address, data});
  }

  /// One cycle: with a request, with the next word offered.
  void step(bool request, bool word) {
    offered = offered || (word && !words.empty());
    bench->load_valid_i = offered;
    bench->load_addr_i = static_cast<std::uint16_t>(offered ? words.front().address : 0);
    bench->load_data_i = offered ? words.front().data : 0;
    if (request && !asked) {
      asked.emplace(T::layers().front());
      for (auto& byte : *asked)
        byte = static_cast<std::uint8_t>(chance(random, 20) ? (chance(random, 50) ? 0 : 255)
                                                            : random());
    }
    bench->req_valid_i = asked.has_value();
    if (asked) {
      Words bits((8 * asked->size() + 31) / 32);
      for (unsigned i = 0; i < asked->size(); ++i) set_bits(bits, 8 * i, 8, (*asked)[i]);
      write_port(bench->req_obs_i, bits);
    }
    bench.settle();
    observe();
    bench.edge();
    if (bench.failed() && wrong.empty()) wrong = "assertion";
  }

  void run(const DqnLoad& load, unsigned cycles) {
    for (unsigned n = 0; n < cycles && fine(); ++n) {
      if (words.empty()) {
        if (chance(random, load.patches))
          patch(load);
        else
          queue(random_network(T::layers(), random));
      }
      step(chance(random, load.requests), chance(random, load.words));
    }
    while ((asked || !due.empty() || offered) && fine()) step(false, false);
  }

  bool fine() const { return wrong.empty(); }

  Bench<typename T::Model> bench;
  DqnBanks banks;
  std::mt19937_64 random;
  std::deque<DqnWord> words;
  std::string wrong;
  unsigned answers = 0, waits = 0;
  std::vector<std::int32_t> answer;  // the last one

 private:
  struct Due {
    std::uint64_t cycle;
    std::vector<std::int32_t> values;
  };

  void check(bool kept, const char* what) {
    if (!kept && wrong.empty()) wrong = what + (" in cycle " + std::to_string(bench.cycle()));
  }

  void patch(const DqnLoad& load) {
    const auto rows = static_cast<std::uint32_t>(T::steps());
    const auto data = [this] { return static_cast<std::uint32_t>(random()); };
    for (unsigned n = 0; n < 20; ++n) {
      if (chance(random, load.swaps))
        words.push_back({16, data()});
      else if (chance(random, 20))
        words.push_back({static_cast<std::uint32_t>(32 + random() % 8), data()});
      else if (chance(random, 30))
        words.push_back(
            {static_cast<std::uint32_t>(64 + random() % 80), (data() >> 15) - (1U << 16)});
      else if (chance(random, 5))
        words.push_back({static_cast<std::uint32_t>(random() % 16), data()});
      else
        words.push_back(
            {static_cast<std::uint32_t>(1024 + random() % (rows * T::kLanes * T::kDepth / 4 + 4)),
             data()});
    }
  }

  void observe() {
    const std::uint64_t now = bench.cycle();
    check(bench->loaded_o == (banks.swaps > 0), "loaded_o");
    check(bench->version_o == banks.swaps % 16, "version_o");
    check(bench->req_ready_o == (now >= ready_from), "req_ready_o");
    check(bench->idle_o == (T::kZero || (now >= ready_from && due.empty())), "idle_o");
    if (asked && bench->req_ready_o) {
      due.push_back({now + T::latency(), learn::infer(banks.used, *asked)});
      ready_from = now + T::interval();
      asked.reset();
    }
    const bool expected = !due.empty() && due.front().cycle == now;
    check(bench->rsp_valid_o == expected, "rsp_valid_o");
    if (expected) {
      const Words bits = read_port(bench->rsp_values_o, 24 * T::layers().back());
      answer.clear();
      for (unsigned o = 0; o < T::layers().back(); ++o) {
        answer.push_back(static_cast<std::int32_t>(
                             static_cast<std::uint32_t>(get_bits(bits, 24 * o, 24)) << 8) >>
                         8);
      }
      check(answer == due.front().values, "rsp_values_o");
      due.pop_front();
      ++answers;
    }
    if (!offered) return;
    const unsigned patience = words.front().address == 16 ? T::latency() : T::kZero ? 0 : 3;
    if (bench->load_ready_o) {
      banks.write(words.front());
      words.pop_front();
      offered = false;
      waited = 0;
    } else {
      check(++waited <= patience, "load_ready_o");
      waits += words.front().address != 16;
    }
  }

  std::optional<std::vector<std::uint8_t>> asked;  // a request that waits
  std::deque<Due> due;
  std::uint64_t ready_from = 0;
  bool offered = false;
  unsigned waited = 0;
};

}  // namespace hopwise::test
