// SPDX-License-Identifier: Apache-2.0
// A perceptron in real numbers, and the integers that stand for it in an engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/dqn_network.hpp"

namespace hopwise::learn {

/// One layer: weights [output * inputs + input] and a bias per output.
struct DqnFloatLayer {
  std::vector<float> w;
  std::vector<float> bias;
  friend bool operator==(const DqnFloatLayer&, const DqnFloatLayer&) = default;
};

/// Inputs are bytes that stand for 0 to 1; hidden layers rectify; the outputs are the expected
/// rewards of the actions.
struct DqnFloat {
  std::vector<unsigned> layers;      ///< sizes, inputs first
  std::vector<DqnFloatLayer> layer;  ///< one entry less
  friend bool operator==(const DqnFloat&, const DqnFloat&) = default;
};

/// Weights and biases of all layers.
std::size_t parameter_count(std::span<const unsigned> layers);

/// Values of all actions.
std::vector<float> infer(const DqnFloat& network, std::span<const std::uint8_t> observation);

/// Powers of two that integers of a layer count in. A weight counts 2^-weight_bits; an activation
/// that a hidden layer passes on counts 2^range / 255, as an input counts 1/255.
struct DqnScale {
  int weight_bits = 0;
  int range = 0;  ///< unused in the last layer
  friend bool operator==(const DqnScale&, const DqnScale&) = default;
};

/// A perceptron in integers, and what one unit of its values stands for.
struct DqnQuantised {
  DqnWeights weights;
  double value_scale = 1;
  friend bool operator==(const DqnQuantised&, const DqnQuantised&) = default;
};

inline constexpr int kMostShift = 15;

/// The finest unit in which weights of at most `largest` fit into 8 bits.
int finest_weight_bits(float largest);
/// The least range that holds `largest`.
int least_range(float largest);

/// The integers of `network` in the units of `scales` or, where those do not fit, the nearest that
/// do: no shift is outside 0 to 15, and no sum leaves 24 bits whatever the observation. Halves
/// round up between layers: half a unit is in the bias.
DqnQuantised quantise(const DqnFloat& network, std::vector<DqnScale> scales);

/// The integers whose sums and activations are nearest to those of `network` on `observations` (one
/// after the other, at least one), units chosen layer by layer. O(observations x parameters).
DqnQuantised quantise(const DqnFloat& network, std::span<const std::uint8_t> observations);

/// How far apart a perceptron and its integers are.
struct DqnError {
  std::size_t observations = 0;
  double agreement = 0;   ///< part of the observations with the same best action
  double mean_error = 0;  ///< of a value: mean magnitude
  double largest_error = 0;
  /// mean loss of value, by the reals, of taking the integers' best action
  double regret = 0;
};
DqnError compare(const DqnFloat& network, const DqnQuantised& quantised,
                 std::span<const std::uint8_t> observations);

}  // namespace hopwise::learn
