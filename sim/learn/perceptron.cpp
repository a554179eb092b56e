// SPDX-License-Identifier: Apache-2.0
#include "learn/perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hopwise::learn {
namespace {

constexpr float kInputUnit = 1.0F / 255;
constexpr float kForget = 0.9995F;  ///< of the highest sum, per batch
/// 1.5 * 2^23: adding and taking it away rounds to the nearest integer
constexpr float kRound = 12582912;

/// As FloatLayer has its weights.
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

Perceptron::Perceptron(std::vector<unsigned> layers) : sizes_(std::move(layers)) {
  theta_ = Eigen::VectorXf::Zero(static_cast<Eigen::Index>(parameter_count(sizes_)));
  Eigen::Index at = 0;
  for (std::size_t l = 0; l + 1 < sizes_.size(); ++l) {
    Layer layer;
    layer.inputs = sizes_[l];
    layer.outputs = sizes_[l + 1];
    layer.at = at;
    at += layer.outputs * (layer.inputs + 1);
    layers_.push_back(std::move(layer));
  }
  scales_.resize(layers_.size());
}

Perceptron::Perceptron(const FloatNetwork& network) : Perceptron(network.layers) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const FloatLayer& from = network.layer[l];
    Weights to(theta_.data() + layer.at, layer.outputs, layer.inputs);
    to = Eigen::Map<const RowMajor>(from.w.data(), layer.outputs, layer.inputs);
    std::copy(from.bias.begin(), from.bias.end(), theta_.data() + layer.at + to.size());
  }
}

FloatNetwork Perceptron::network() const {
  FloatNetwork network{sizes_, {}};
  for (const Layer& layer : layers_) {
    const Eigen::Map<const Eigen::MatrixXf> from(theta_.data() + layer.at, layer.outputs,
                                                 layer.inputs);
    FloatLayer& to = network.layer.emplace_back();
    to.w.resize(static_cast<std::size_t>(from.size()));
    Eigen::Map<RowMajor>(to.w.data(), layer.outputs, layer.inputs) = from;
    const float* bias = theta_.data() + layer.at + from.size();
    to.bias.assign(bias, bias + layer.outputs);
  }
  return network;
}

void Perceptron::forward(std::size_t l, const Eigen::MatrixXf& in, float in_unit, int in_range,
                         bool quantised) {
  Layer& layer = layers_[l];
  const bool last = l + 1 == layers_.size();
  const Weights w(theta_.data() + layer.at, layer.outputs, layer.inputs);
  const Biases bias(theta_.data() + layer.at + w.size(), layer.outputs);
  if (!quantised) {
    layer.w_unit = in_unit;
    layer.w = w * in_unit;
    layer.out.noalias() = layer.w * in;
    layer.out.colwise() += bias;
    if (!last) layer.out = layer.out.cwiseMax(0);
    layer.out_unit = 1;
    return;
  }
  Scale& scale = scales_[l];
  scale.weight_bits = finest_weight_bits(w.cwiseAbs().maxCoeff());
  if (!last) {
    scale.range = least_range(layer.highest);
    scale.weight_bits = std::min(scale.weight_bits, kMostShift - scale.range + in_range);
  }
  Eigen::VectorXf whole_bias(layer.outputs);
  for (;; --scale.weight_bits) {  // as in quantise(): no sum leaves 24 bits
    const float factor = std::ldexp(1.0F, scale.weight_bits);
    layer.w = ((w.array() * factor + kRound) - kRound).cwiseMin(127).cwiseMax(-127);
    const double unit = std::ldexp(255.0, scale.weight_bits - in_range);
    for (Eigen::Index o = 0; o < layer.outputs; ++o) {
      whole_bias[o] = static_cast<float>(std::nearbyint(double{bias[o]} * unit));
    }
    const float half = std::ldexp(1.0F, kMostShift - 1);
    if ((layer.w.cwiseAbs().rowwise().sum() * 255 + whole_bias.cwiseAbs()).maxCoeff() + half <
        kMostSum)
      break;
  }
  layer.out.noalias() = layer.w * in;
  layer.out.colwise() += whole_bias;
  layer.w_unit = std::ldexp(1.0F, -scale.weight_bits);
  const float sum_unit = std::ldexp(kInputUnit, in_range - scale.weight_bits);
  if (last) {
    layer.out_unit = sum_unit;
    layer.out *= sum_unit;
    return;
  }
  const float highest = std::max(layer.highest * kForget, layer.out.maxCoeff() * sum_unit);
  const bool first = layer.highest == 0;
  layer.highest = highest;
  if (first && highest > 0) return forward(l, in, in_unit, in_range, true);  // now with a range
  const int shift = std::max(scale.range - in_range + scale.weight_bits, 0);
  scale.range = in_range - scale.weight_bits + shift;
  const float half = shift == 0 ? 0 : std::ldexp(0.5F, shift), down = std::ldexp(1.0F, -shift);
  // 256 marks a full byte until the backward pass has seen it.
  layer.out =
      ((layer.out.array() + half).cwiseMax(0) * down).cwiseMin(256).cast<int>().cast<float>();
  layer.out_unit = std::ldexp(kInputUnit, scale.range);
}

float Perceptron::loss(const Batch& batch, float huber_delta, bool quantised,
                       Eigen::VectorXf& gradient) {
  const auto samples = batch.observations.cols();
  const Eigen::MatrixXf* in = &batch.observations;
  float in_unit = kInputUnit;
  int in_range = 0;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    forward(l, *in, in_unit, in_range, quantised);
    Layer& layer = layers_[l];
    in = &layer.out;
    in_unit = layer.out_unit;
    in_range = scales_[l].range;
    if (l + 1 == layers_.size()) break;
    layer.error.resize(layer.outputs, samples);
    const float full = quantised ? 256 : std::numeric_limits<float>::infinity();
    layer.error = (layer.out.array() > 0 && layer.out.array() < full).cast<float>();
    if (quantised) layer.out = layer.out.cwiseMin(255);
  }

  Layer& top = layers_.back();
  top.error.setZero(top.outputs, samples);
  float sum = 0;
  for (Eigen::Index n = 0; n < samples; ++n) {
    const auto action = static_cast<Eigen::Index>(batch.actions[static_cast<std::size_t>(n)]);
    const float off = top.out(action, n) - batch.rewards[n], size = std::abs(off);
    sum += size <= huber_delta ? off * off / 2 : huber_delta * (size - huber_delta / 2);
    top.error(action, n) = std::clamp(off, -huber_delta, huber_delta) / static_cast<float>(samples);
  }

  gradient.resize(theta_.size());
  for (std::size_t l = layers_.size(); l-- > 0;) {
    Layer& layer = layers_[l];
    const Eigen::MatrixXf& from = l == 0 ? batch.observations : layers_[l - 1].out;
    const float unit = l == 0 ? kInputUnit : layers_[l - 1].out_unit;
    Weights g(gradient.data() + layer.at, layer.outputs, layer.inputs);
    g.noalias() = layer.error * from.transpose() * unit;
    Biases(gradient.data() + layer.at + g.size(), layer.outputs) = layer.error.rowwise().sum();
    if (l == 0) break;
    // Without quantisation `w` is in the units of its inputs, 1 above the first layer.
    Layer& below = layers_[l - 1];
    const Eigen::MatrixXf back = layer.w.transpose() * layer.error * (quantised ? layer.w_unit : 1);
    below.error.array() *= back.array();
  }
  return sum / static_cast<float>(samples);
}

Adam::Adam(Eigen::Index parameters, float rate)
    : rate_(rate),
      mean_(Eigen::VectorXf::Zero(parameters)),
      square_(Eigen::VectorXf::Zero(parameters)) {}

void Adam::step(Eigen::VectorXf& parameters, const Eigen::VectorXf& gradient) {
  constexpr float kBeta1 = 0.9F, kBeta2 = 0.999F, kEpsilon = 1e-8F;
  power1_ *= 0.9;
  power2_ *= 0.999;
  mean_ = kBeta1 * mean_ + (1 - kBeta1) * gradient;
  square_ = kBeta2 * square_ + (1 - kBeta2) * gradient.cwiseAbs2();
  const auto rate = static_cast<float>(rate_ / (1 - power1_));
  const auto scale = static_cast<float>(1 / (1 - power2_));
  parameters.array() -= rate * mean_.array() / ((square_.array() * scale).sqrt() + kEpsilon);
}

}  // namespace hopwise::learn
