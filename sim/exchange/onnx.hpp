// SPDX-License-Identifier: Apache-2.0
// Perceptrons in the Open Neural Network Exchange format, for those who train elsewhere or look
// into what was trained here.
#pragma once

#include <string>
#include <string_view>

#include "learn/float_network.hpp"
#include "support/result.hpp"

namespace hopwise::exchange {

/// The bytes of an ONNX model (IR version 7, operator set 13): input `observation` [batch, inputs],
/// the observation's bytes divided by 255; a Gemm per layer, Relu between them; output `values`
/// [batch, actions]; the graph has the name. The same network gives the same bytes.
std::string write_onnx(const learn::FloatNetwork& network, const std::string& name);

/// The perceptron of an ONNX model whose graph is a chain from its one input to its one output:
/// Gemm, or MatMul and Add, with constant weights, a Relu after each but the last; Identity,
/// Flatten and Dropout are passed over. Weights are floats or doubles, finite.
///
/// Errors: agent.bad-model with the node and what stands there; sizes are not compared with any
/// network's.
Result<learn::FloatNetwork> read_onnx(std::string_view bytes, const std::string& file);

}  // namespace hopwise::exchange
