// SPDX-License-Identifier: Apache-2.0
#include "learn/integer_network.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "learn/float_network.hpp"

namespace hopwise::learn {
namespace {

// As in hw_dqn_shape_pkg.
constexpr std::uint32_t kSwap = 16, kShifts = 32, kBiases = 64, kWeights = 1024;
constexpr std::int64_t kLimit = std::int64_t{kMostSum} + 1;

void must(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "hopwise::learn, network of an agent: %s\n", what);
  std::abort();
}

bool sizes_in_range(std::span<const unsigned> layers) {
  return layers.size() >= 2 && layers.size() <= 5 &&
         std::all_of(layers.begin(), layers.end(), [](unsigned n) { return n >= 1 && n <= 255; });
}

}  // namespace

IntegerNetwork zero_network(std::span<const unsigned> layers) {
  must(sizes_in_range(layers), "two to five layers of 1 to 255");
  IntegerNetwork weights{{layers.begin(), layers.end()}, {}};
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    weights.parameters.push_back({std::vector<std::int8_t>(std::size_t{layers[l]} * layers[l + 1]),
                                  std::vector<std::int32_t>(layers[l + 1]), 0});
  }
  return weights;
}

bool well_formed(const IntegerNetwork& weights) {
  if (!sizes_in_range(weights.layers) || weights.parameters.size() + 1 != weights.layers.size())
    return false;
  for (std::size_t l = 0; l < weights.parameters.size(); ++l) {
    const IntegerLayer& layer = weights.parameters[l];
    const std::size_t inputs = weights.layers[l], outputs = weights.layers[l + 1];
    if (layer.w.size() != inputs * outputs || layer.bias.size() != outputs || layer.shift > 15)
      return false;
    const auto too_large = [](std::int32_t b) { return b < -kLimit || b >= kLimit; };
    if (std::any_of(layer.bias.begin(), layer.bias.end(), too_large)) return false;
  }
  return true;
}

bool fits(const IntegerNetwork& weights) {
  if (!well_formed(weights)) return false;
  for (std::size_t l = 0; l < weights.parameters.size(); ++l) {
    const IntegerLayer& layer = weights.parameters[l];
    const std::size_t inputs = weights.layers[l];
    for (std::size_t o = 0; o < layer.bias.size(); ++o) {
      std::int64_t low = layer.bias[o], high = low;
      for (std::size_t i = 0; i < inputs; ++i) {
        const std::int64_t most = std::int64_t{layer.w[o * inputs + i]} * 255;
        (most < 0 ? low : high) += most;
      }
      if (low < -kLimit || high >= kLimit) return false;
    }
  }
  return true;
}

std::vector<std::int32_t> infer(const IntegerNetwork& weights,
                                std::span<const std::uint8_t> observation) {
  must(well_formed(weights), "sizes, biases or shifts are wrong");
  must(observation.size() == weights.layers.front(), "the observation has another length");
  std::vector<std::uint8_t> activations(observation.begin(), observation.end());
  std::vector<std::int32_t> values;
  for (const IntegerLayer& layer : weights.parameters) {
    values.resize(layer.bias.size());
    for (std::size_t o = 0; o < values.size(); ++o) {
      const std::int8_t* row = &layer.w[o * activations.size()];
      std::int32_t sum = layer.bias[o];
      for (std::size_t i = 0; i < activations.size(); ++i)
        sum += std::int32_t{row[i]} * std::int32_t{activations[i]};
      values[o] = sum;
    }
    activations.resize(values.size());
    std::transform(values.begin(), values.end(), activations.begin(), [&layer](std::int32_t acc) {
      return static_cast<std::uint8_t>(std::min(255, std::max(0, acc) >> layer.shift));
    });
  }
  for (std::int32_t& value : values)
    value = static_cast<std::int32_t>(std::clamp<std::int64_t>(value, -kLimit, kLimit - 1));
  return values;
}

unsigned argmax(std::span<const std::int32_t> values, std::uint32_t allowed) {
  must(values.size() <= 32, "at most 32 actions");
  std::size_t best = values.size();
  for (std::size_t a = 0; a < values.size(); ++a) {
    if ((allowed >> a & 1U) != 0 && (best == values.size() || values[a] > values[best])) best = a;
  }
  return static_cast<unsigned>(best);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> load_words(const IntegerNetwork& weights,
                                                                unsigned lanes, unsigned depth) {
  must(well_formed(weights), "sizes, biases or shifts are wrong");
  must(std::has_single_bit(lanes) && std::has_single_bit(depth) && lanes * depth >= 4,
       "lanes and depth of the engine");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
  std::uint32_t bias = kBiases, word = kWeights;
  for (std::size_t l = 0; l < weights.parameters.size(); ++l) {
    const IntegerLayer& layer = weights.parameters[l];
    words.emplace_back(kShifts + static_cast<std::uint32_t>(l), layer.shift);
    for (const std::int32_t b : layer.bias)
      words.emplace_back(bias++, static_cast<std::uint32_t>(b) & 0xffffffU);
    const unsigned inputs = weights.layers[l], outputs = weights.layers[l + 1];
    for (unsigned o = 0; o < outputs; o += lanes) {
      for (unsigned i = 0; i < inputs; i += depth) {
        for (unsigned byte = 0; byte < lanes * depth; byte += 4) {
          std::uint32_t data = 0;
          for (unsigned b = 0; b < 4; ++b) {
            const unsigned output = o + (byte + b) / depth, input = i + (byte + b) % depth;
            if (output >= outputs || input >= inputs) continue;  // padding
            data |= std::uint32_t{static_cast<std::uint8_t>(
                        layer.w[std::size_t{output} * inputs + input])}
                    << (8 * b);
          }
          words.emplace_back(word++, data);
        }
      }
    }
  }
  words.emplace_back(kSwap, 1);
  return words;
}

}  // namespace hopwise::learn
