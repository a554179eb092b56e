// SPDX-License-Identifier: Apache-2.0
// What an engine of the RTL computes, bit by bit and without its timing: a small network
// of fully connected layers in fixed point, and the words that load its weights.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hopwise::learn {

/// One layer: `outputs` neurons over `inputs` values. The shift is 0 to 15, of no effect in the
/// last layer.
struct IntegerLayer {
  std::vector<std::int8_t> w;      ///< outputs x inputs, the inputs of one output together
  std::vector<std::int32_t> bias;  ///< one per output, -2^23 to 2^23 - 1
  unsigned shift = 0;

  friend bool operator==(const IntegerLayer&, const IntegerLayer&) = default;
};

/// A network. `layers` are its sizes: inputs, hidden layers, outputs; two to five of them, each 1
/// to 255. `parameters` has one entry fewer: parameters[l] leads from layers[l] to layers[l + 1].
struct IntegerNetwork {
  std::vector<unsigned> layers;
  std::vector<IntegerLayer> parameters;

  friend bool operator==(const IntegerNetwork&, const IntegerNetwork&) = default;
};

/// All weights, biases and shifts 0. Sizes out of range abort.
IntegerNetwork zero_network(std::span<const unsigned> layers);

/// True if sizes, lengths, biases and shifts are as IntegerNetwork and IntegerLayer say.
bool well_formed(const IntegerNetwork& weights);

/// True if no sum leaves 24 bits, so that no value saturates, whatever is observed.
bool fits(const IntegerNetwork& weights);

/// The values of the actions, -2^23 to 2^23 - 1, for an observation of layers[0] bytes:
///   acc[o] = bias[o] + sum over i of w[o][i] * a[i];
///   hidden layers: a'[o] = min(255, max(0, acc[o]) >> shift); last layer: acc, saturated.
/// A network that is not well formed, and an observation of another length, abort.
std::vector<std::int32_t> infer(const IntegerNetwork& weights,
                                std::span<const std::uint8_t> observation);

/// The action of the largest value among those whose bit of `allowed` is set (bit a for action a);
/// of equal values the lowest action. values.size() (at most 32) if none is allowed.
unsigned argmax(std::span<const std::int32_t> values, std::uint32_t allowed);

/// The words {address, data} that write the network into the bank that an engine of `lanes` x
/// `depth` does not use, and swap the banks (the last word). Powers of two, lanes * depth at
/// least 4. Map: docs/reference/dqn-engine.md.
std::vector<std::pair<std::uint32_t, std::uint32_t>> load_words(const IntegerNetwork& weights,
                                                                unsigned lanes, unsigned depth);

}  // namespace hopwise::learn
