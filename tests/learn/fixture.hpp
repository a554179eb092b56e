// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "learn/float_network.hpp"
#include "traffic/random.hpp"

namespace hopwise::learn::test {

inline double uniform(traffic::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

/// Weights and biases uniform in +-size.
inline FloatNetwork random_network(std::vector<unsigned> layers, double size,
                                   traffic::Random& random) {
  FloatNetwork network{std::move(layers), {}};
  const auto draw = [&] { return static_cast<float>((2 * uniform(random) - 1) * size); };
  for (std::size_t l = 0; l + 1 < network.layers.size(); ++l) {
    FloatLayer& layer = network.layer.emplace_back();
    for (unsigned i = 0; i < network.layers[l] * network.layers[l + 1]; ++i)
      layer.w.push_back(draw());
    for (unsigned o = 0; o < network.layers[l + 1]; ++o) layer.bias.push_back(draw());
  }
  return network;
}

inline std::vector<std::uint8_t> random_bytes(std::size_t count, traffic::Random& random) {
  std::vector<std::uint8_t> bytes(count);
  for (auto& b : bytes) b = static_cast<std::uint8_t>(random.next());
  return bytes;
}

}  // namespace hopwise::learn::test
