// SPDX-License-Identifier: Apache-2.0
#include "learn/float_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hopwise::learn {
namespace {

constexpr double kFullByte = 255;
constexpr int kLeastWeightBits = -16, kMostWeightBits = 22;

/// 2^power of what one unit of a layer's inputs times one unit of its weights stands for, in 1/255.
double unit(int input_range, int weight_bits) {
  return std::ldexp(1.0 / kFullByte, input_range - weight_bits);
}

std::int8_t to_byte(double weight) {
  return static_cast<std::int8_t>(std::clamp(std::nearbyint(weight), -127.0, 127.0));
}

/// Integers of a layer whose inputs count 2^input_range / 255. `scale` is changed where it does not
/// fit.
IntegerLayer quantise_layer(const FloatLayer& layer, int input_range, bool last, Scale& scale) {
  IntegerLayer q;
  const std::size_t outputs = layer.bias.size(), inputs = layer.w.size() / outputs;
  scale.weight_bits = std::clamp(scale.weight_bits, kLeastWeightBits, kMostWeightBits);
  if (!last)
    scale.weight_bits = std::min(scale.weight_bits, kMostShift - scale.range + input_range);
  for (;; --scale.weight_bits) {
    const int shift = last ? 0 : scale.range - input_range + scale.weight_bits;
    q.shift = static_cast<unsigned>(std::max(shift, 0));
    q.w.clear();
    q.bias.clear();
    bool fits = true;
    for (std::size_t o = 0; o < outputs; ++o) {
      std::int64_t above = 0, below = 0;
      for (std::size_t i = 0; i < inputs; ++i) {
        const std::int8_t w =
            to_byte(std::ldexp(double{layer.w[o * inputs + i]}, scale.weight_bits));
        q.w.push_back(w);
        (w < 0 ? below : above) += 255 * std::int64_t{w};
      }
      const double bias = std::nearbyint(double{layer.bias[o]} *
                                         std::ldexp(kFullByte, scale.weight_bits - input_range));
      const std::int64_t half = q.shift == 0 ? 0 : std::int64_t{1} << (q.shift - 1);
      fits = fits && std::abs(bias) < kMostSum;
      const std::int64_t start = fits ? static_cast<std::int64_t>(bias) + half : 0;
      fits = fits && start + above <= kMostSum && start + below >= -kMostSum && start <= kMostSum;
      q.bias.push_back(static_cast<std::int32_t>(start));
    }
    if (fits || scale.weight_bits <= kLeastWeightBits) break;
  }
  if (!last) scale.range = input_range - scale.weight_bits + static_cast<int>(q.shift);
  return q;
}

/// Activations of one layer for many observations: [observation * width + neuron].
template <class Layer, class Value>
std::vector<Value> sums(const Layer& layer, const std::vector<Value>& in) {
  const std::size_t outputs = layer.bias.size(), inputs = layer.w.size() / outputs,
                    count = in.size() / inputs;
  std::vector<Value> out(count * outputs);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t o = 0; o < outputs; ++o) {
      Value sum{layer.bias[o]};
      for (std::size_t i = 0; i < inputs; ++i)
        sum += Value{layer.w[o * inputs + i]} * in[n * inputs + i];
      out[n * outputs + o] = sum;
    }
  }
  return out;
}

}  // namespace

std::size_t parameter_count(std::span<const unsigned> layers) {
  std::size_t sum = 0;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l)
    sum += std::size_t{layers[l] + 1} * layers[l + 1];
  return sum;
}

std::vector<float> infer(const FloatNetwork& network, std::span<const std::uint8_t> observation) {
  std::vector<double> values;
  for (const std::uint8_t byte : observation) values.push_back(byte / kFullByte);
  for (std::size_t l = 0; l < network.layer.size(); ++l) {
    values = sums(network.layer[l], values);
    if (l + 1 == network.layer.size()) break;
    for (double& v : values) v = std::max(v, 0.0);
  }
  return {values.begin(), values.end()};
}

int finest_weight_bits(float largest) {
  if (!(largest > 0)) return 7;
  int bits = 0;
  std::frexp(127.49F / largest, &bits);  // 2^(bits-1) <= quotient < 2^bits
  return std::clamp(bits - 1, kLeastWeightBits, kMostWeightBits);
}

int least_range(float largest) {
  if (!(largest > 0)) return 0;
  int bits = 0;
  const float part = std::frexp(largest, &bits);  // part in [1/2, 1)
  return std::clamp(part == 0.5F ? bits - 1 : bits, -20, 20);
}

Quantised quantise(const FloatNetwork& network, std::vector<Scale> scales) {
  Quantised q;
  q.weights.layers = network.layers;
  int input_range = 0;
  for (std::size_t l = 0; l < network.layer.size(); ++l) {
    const bool last = l + 1 == network.layer.size();
    q.weights.parameters.push_back(quantise_layer(network.layer[l], input_range, last, scales[l]));
    if (last)
      q.value_scale = unit(input_range, scales[l].weight_bits);
    else
      input_range = scales[l].range;
  }
  return q;
}

Quantised quantise(const FloatNetwork& network, std::span<const std::uint8_t> observations) {
  std::vector<Scale> scales;
  std::vector<double> real(observations.begin(), observations.end());
  for (double& v : real) v /= kFullByte;
  std::vector<std::int32_t> integer(observations.begin(), observations.end());
  int input_range = 0;
  for (std::size_t l = 0; l < network.layer.size(); ++l) {
    const bool last = l + 1 == network.layer.size();
    const FloatLayer& layer = network.layer[l];
    real = sums(layer, real);
    float largest = 0, highest = 0;
    for (const float w : layer.w) largest = std::max(largest, std::abs(w));
    for (const double v : real) highest = std::max(highest, static_cast<float>(v));
    if (!last) {
      for (double& v : real) v = std::max(v, 0.0);
    }
    // A finer unit that cuts off the largest may serve the many better.
    double best = INFINITY;
    Scale chosen;
    std::vector<std::int32_t> passed;
    for (int finer = 0; finer <= 1; ++finer) {
      for (int narrower = 0; narrower <= (last ? 0 : 2); ++narrower) {
        Scale scale{finest_weight_bits(largest) + finer, least_range(highest) - narrower};
        const IntegerLayer q = quantise_layer(layer, input_range, last, scale);
        std::vector<std::int32_t> out = sums(q, integer);
        double scaled = unit(input_range, scale.weight_bits), error = 0;
        if (!last) {
          for (std::int32_t& v : out) v = std::min(255, std::max(0, v) >> q.shift);
          scaled = std::ldexp(1.0 / kFullByte, scale.range);
        }
        for (std::size_t i = 0; i < out.size(); ++i)
          error += std::pow(out[i] * scaled - real[i], 2);
        if (error < best) {
          best = error;
          chosen = scale;
          passed = std::move(out);
        }
      }
    }
    scales.push_back(chosen);
    integer = std::move(passed);
    input_range = chosen.range;
  }
  return quantise(network, scales);
}

QuantisationError compare(const FloatNetwork& network, const Quantised& quantised,
                          std::span<const std::uint8_t> observations) {
  QuantisationError e;
  const std::size_t inputs = network.layers.front();
  e.observations = observations.size() / inputs;
  std::size_t values = 0;
  for (std::size_t n = 0; n < e.observations; ++n) {
    const auto observation = observations.subspan(n * inputs, inputs);
    const auto real = infer(network, observation);
    const auto integer = infer(quantised.weights, observation);
    for (std::size_t a = 0; a < real.size(); ++a) {
      const double off = std::abs(integer[a] * quantised.value_scale - double{real[a]});
      e.mean_error += off;
      e.largest_error = std::max(e.largest_error, off);
      ++values;
    }
    const auto best = std::max_element(real.begin(), real.end()) - real.begin();
    const auto taken = std::max_element(integer.begin(), integer.end()) - integer.begin();
    e.agreement += best == taken ? 1 : 0;
    e.regret += double{real[static_cast<std::size_t>(best)]} -
                double{real[static_cast<std::size_t>(taken)]};
  }
  if (values == 0) return e;
  e.mean_error /= static_cast<double>(values);
  e.agreement /= static_cast<double>(e.observations);
  e.regret /= static_cast<double>(e.observations);
  return e;
}

}  // namespace hopwise::learn
