// SPDX-License-Identifier: Apache-2.0
// The arithmetic of training: a perceptron's parameters as one vector, the loss of a batch, and its
// gradient.
#pragma once

#include <Eigen/Core>

#include <vector>

#include "learn/float_network.hpp"

namespace hopwise::learn {

/// Samples side by side: what was seen, what was done, what came of it.
struct Batch {
  Eigen::MatrixXf observations;  ///< [input, sample], bytes
  std::vector<unsigned> actions;
  Eigen::VectorXf rewards;
};

class Perceptron {
 public:
  /// All parameters 0.
  explicit Perceptron(std::vector<unsigned> layers);
  explicit Perceptron(const FloatNetwork& network);

  FloatNetwork network() const;
  Eigen::VectorXf& parameters() { return theta_; }

  /// Mean Huber loss of the values of the batch's actions against its rewards, and the gradient of
  /// it.
  ///
  /// `quantised`: the forward pass computes with the integers of quantise(network(), scales()), bit
  /// by bit: floats hold integers below 2^24 exactly. The gradient passes rounding as if it were
  /// not there and stops where a byte is full (straight-through estimator, Bengio et al. 2013;
  /// Jacob et al. 2018). Ranges follow the batches.
  float loss(const Batch& batch, float huber_delta, bool quantised, Eigen::VectorXf& gradient);

  /// Units of the integers after the last loss() with `quantised`.
  const std::vector<Scale>& scales() const { return scales_; }
  /// Values of the last loss(): [action, sample].
  const Eigen::MatrixXf& values() const { return layers_.back().out; }

 private:
  using Weights = Eigen::Map<Eigen::MatrixXf>;
  using Biases = Eigen::Map<Eigen::VectorXf>;
  struct Layer {
    Eigen::Index inputs = 0, outputs = 0, at = 0;  // of the weights in theta_, biases behind them
    Eigen::MatrixXf w;                             // as the forward pass has them
    float w_unit = 1;                              // what 1 in `w` stands for
    Eigen::MatrixXf out;                           // activations; of the last layer, values
    float out_unit = 1;
    Eigen::MatrixXf error;  // derivative of the loss by the sums
    float highest = 0;      // slowly forgotten maximum of the sums
  };
  void forward(std::size_t l, const Eigen::MatrixXf& in, float in_unit, int in_range,
               bool quantised);

  std::vector<unsigned> sizes_;
  std::vector<Layer> layers_;
  std::vector<Scale> scales_;
  Eigen::VectorXf theta_;
};

/// Adam (Kingma, Ba 2015) with its usual beta1 0.9, beta2 0.999, epsilon 1e-8.
class Adam {
 public:
  Adam(Eigen::Index parameters, float rate);
  void step(Eigen::VectorXf& parameters, const Eigen::VectorXf& gradient);

 private:
  float rate_;
  double power1_ = 1, power2_ = 1;  // beta^steps
  Eigen::VectorXf mean_, square_;
};

}  // namespace hopwise::learn
