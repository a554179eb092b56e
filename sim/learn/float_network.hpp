// SPDX-License-Identifier: Apache-2.0
// A perceptron in real numbers, and the integers that stand for it in an engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/integer_network.hpp"

namespace hopwise::learn {

/// One layer: weights [output * inputs + input] and a bias per output.
struct FloatLayer {
  std::vector<float> w;
  std::vector<float> bias;
  friend bool operator==(const FloatLayer&, const FloatLayer&) = default;
};

/// Inputs are bytes that stand for 0 to 1; hidden layers rectify; the outputs are the expected
/// rewards of the actions.
struct FloatNetwork {
  std::vector<unsigned> layers;   ///< sizes, inputs first
  std::vector<FloatLayer> layer;  ///< one entry less
  friend bool operator==(const FloatNetwork&, const FloatNetwork&) = default;
};

/// Weights and biases of all layers.
std::size_t parameter_count(std::span<const unsigned> layers);

/// Values of all actions.
std::vector<float> infer(const FloatNetwork& network, std::span<const std::uint8_t> observation);

/// Powers of two that integers of a layer count in. A weight counts 2^-weight_bits; an activation
/// that a hidden layer passes on counts 2^range / 255, as an input counts 1/255.
struct Scale {
  int weight_bits = 0;
  int range = 0;  ///< unused in the last layer
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// A perceptron in integers, and what one unit of its values stands for.
struct Quantised {
  IntegerNetwork weights;
  double value_scale = 1;
  friend bool operator==(const Quantised&, const Quantised&) = default;
};

inline constexpr int kMostShift = 15;
inline constexpr int kMostSum = (1 << 23) - 1;  // of biases and products, 24 bits

/// The finest unit in which weights of at most `largest` fit into 8 bits.
int finest_weight_bits(float largest);
/// The least range that holds `largest`.
int least_range(float largest);

/// The integers of `network` in the units of `scales` or, where those do not fit, the nearest that
/// do: no shift is outside 0 to 15, and no sum leaves 24 bits whatever the observation. Halves
/// round up between layers: half a unit is in the bias.
Quantised quantise(const FloatNetwork& network, std::vector<Scale> scales);

/// The integers whose sums and activations are nearest to those of `network` on `observations` (one
/// after the other, at least one), units chosen layer by layer. O(observations x parameters).
Quantised quantise(const FloatNetwork& network, std::span<const std::uint8_t> observations);

/// How far apart a perceptron and its integers are.
struct QuantisationError {
  std::size_t observations = 0;
  double agreement = 0;   ///< part of the observations with the same best action
  double mean_error = 0;  ///< of a value: mean magnitude
  double largest_error = 0;
  /// mean loss of value, by the reals, of taking the integers' best action
  double regret = 0;
};
QuantisationError compare(const FloatNetwork& network, const Quantised& quantised,
                          std::span<const std::uint8_t> observations);

}  // namespace hopwise::learn
