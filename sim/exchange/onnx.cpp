// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

namespace hopwise::exchange {
namespace {

constexpr int kIrVersion = 7, kOperatorSet = 13;
constexpr const char* kOperators = "a chain of Gemm, or MatMul and Add, with Relu between them";

/// What is wrong with a model, thrown while it is read and caught by read_onnx.
struct Refusal {
  std::string key, found, allowed;
};

struct Matrix {
  std::vector<std::int64_t> dims;
  std::vector<float> values;
};

template <class T>
std::vector<float> of_raw(const std::string& raw) {
  std::vector<float> values(raw.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;  // ONNX has little-endian bytes, as all machines that Hopwise runs on
    std::memcpy(&value, raw.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<float>(value);
  }
  return values;
}

Matrix read_tensor(const onnx::TensorProto& tensor, const std::string& name) {
  Matrix m;
  std::size_t count = 1;
  for (const std::int64_t d : tensor.dims()) {
    if (d < 1 || d > 255 * 255)
      throw Refusal{name, fmt::format("a dimension of {}", d), "1 to 255"};
    m.dims.push_back(d);
    count *= static_cast<std::size_t>(d);
    if (count > 255 * 255)
      throw Refusal{name, "more than 65025 weights", "layers of at most 255 by 255"};
  }
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    throw Refusal{name, "data in another file", "weights inside the model"};
  }
  if (tensor.data_type() == onnx::TensorProto::FLOAT) {
    if (tensor.has_raw_data())
      m.values = of_raw<float>(tensor.raw_data());
    else
      m.values.assign(tensor.float_data().begin(), tensor.float_data().end());
  } else if (tensor.data_type() == onnx::TensorProto::DOUBLE) {
    if (tensor.has_raw_data())
      m.values = of_raw<double>(tensor.raw_data());
    else
      for (const double v : tensor.double_data()) m.values.push_back(static_cast<float>(v));
  } else {
    throw Refusal{name, fmt::format("data type {}", tensor.data_type()),
                  "FLOAT (1) or DOUBLE (11)"};
  }
  if (m.values.size() != count)
    throw Refusal{name, fmt::format("{} values", m.values.size()), fmt::format("{} values", count)};
  for (const float v : m.values) {
    if (!std::isfinite(v)) throw Refusal{name, fmt::format("{}", v), "finite weights"};
  }
  return m;
}

/// Follows the value from the graph's input through its nodes.
class Chain {
 public:
  explicit Chain(const onnx::GraphProto& graph) : graph_(graph) {
    for (const auto& tensor : graph.initializer()) constants_[tensor.name()] = &tensor;
    for (const auto& node : graph.node()) {
      if (node.op_type() != "Constant" || node.output_size() != 1) continue;
      for (const auto& a : node.attribute()) {
        if (a.name() == "value" && a.has_t()) constants_[node.output(0)] = &a.t();
      }
    }
  }

  learn::FloatNetwork read() {
    std::vector<std::string> inputs;
    for (const auto& input : graph_.input()) {
      if (!constants_.contains(input.name())) inputs.push_back(input.name());
    }
    if (inputs.size() != 1)
      throw Refusal{"graph.input", fmt::format("{} inputs", inputs.size()), "1"};
    if (graph_.output_size() != 1)
      throw Refusal{"graph.output", fmt::format("{} outputs", graph_.output_size()), "1"};
    value_ = inputs.front();
    std::size_t used = 0, nodes = 0;
    for (const auto& node : graph_.node()) nodes += node.op_type() == "Constant" ? 0 : 1;
    while (value_ != graph_.output(0).name()) {
      if (used++ == nodes) throw Refusal{"graph", "a chain that goes round", kOperators};
      take(next());
    }
    if (used != nodes)
      throw Refusal{"graph", fmt::format("{} nodes beside the chain", nodes - used), kOperators};
    if (network_.layer.empty()) throw Refusal{"graph", "no layer", kOperators};
    if (rectified_) throw Refusal{"graph.output", "Relu", "the sums of the last layer"};
    return std::move(network_);
  }

 private:
  static std::string name(const onnx::NodeProto& node) {
    return fmt::format("node {}", node.name().empty()
                                      ? node.output_size() > 0 ? node.output(0) : "without a name"
                                      : node.name());
  }

  static Refusal left(const onnx::NodeProto& node) {
    return {name(node), "weights on the left", "weights on the right"};
  }

  const onnx::NodeProto& next() const {
    const onnx::NodeProto* found = nullptr;
    for (const auto& node : graph_.node()) {
      for (const auto& input : node.input()) {
        if (input != value_) continue;
        if (found != nullptr)
          throw Refusal{name(node), fmt::format("a second reader of {}", value_), kOperators};
        found = &node;
      }
    }
    if (found == nullptr)
      throw Refusal{"graph", fmt::format("nothing reads {}", value_), kOperators};
    if (found->output_size() < 1) throw Refusal{name(*found), "no output", "one"};
    return *found;
  }

  Matrix constant(const onnx::NodeProto& node, int input) const {
    const auto at = constants_.find(node.input(input));
    if (at == constants_.end()) {
      throw Refusal{name(node), fmt::format("input {} that is computed", node.input(input)),
                    "constant weights"};
    }
    return read_tensor(*at->second, at->first);
  }

  void take(const onnx::NodeProto& node) {
    const std::string& op = node.op_type();
    if (op == "Gemm") {
      take_gemm(node);
    } else if (op == "MatMul") {
      if (node.input_size() != 2 || node.input(0) != value_) throw left(node);
      add_layer(node, constant(node, 1), false);
      open_ = true;
    } else if (op == "Add") {
      if (node.input_size() != 2 || !open_) throw Refusal{name(node), "Add", "Add after MatMul"};
      set_bias(node, constant(node, node.input(0) == value_ ? 1 : 0), 1);
      open_ = false;
    } else if (op == "Relu") {
      if (network_.layer.empty() || rectified_)
        throw Refusal{name(node), "Relu", "a layer before each Relu"};
      rectified_ = true;
      open_ = false;
    } else if (op != "Identity" && op != "Flatten" && op != "Dropout") {
      throw Refusal{name(node), op.empty() ? "no operator" : op, kOperators};
    }
    value_ = node.output(0);
  }

  void take_gemm(const onnx::NodeProto& node) {
    float alpha = 1, beta = 1;
    bool transposed = false;
    for (const auto& a : node.attribute()) {
      if (a.name() == "alpha") alpha = a.f();
      if (a.name() == "beta") beta = a.f();
      if (a.name() == "transB") transposed = a.i() != 0;
      if (a.name() == "transA" && a.i() != 0)
        throw Refusal{name(node), "transA", "an observation per row"};
    }
    if (node.input_size() < 2 || node.input(0) != value_) throw left(node);
    Matrix w = constant(node, 1);
    for (float& v : w.values) v = finite(node, v * alpha);
    add_layer(node, w, transposed);
    if (node.input_size() > 2 && !node.input(2).empty()) set_bias(node, constant(node, 2), beta);
    open_ = false;
  }

  static float finite(const onnx::NodeProto& node, float v) {
    if (!std::isfinite(v)) throw Refusal{name(node), fmt::format("{}", v), "finite weights"};
    return v;
  }

  /// `transposed`: w is [outputs, inputs].
  void add_layer(const onnx::NodeProto& node, const Matrix& w, bool transposed) {
    if (!network_.layer.empty() && !rectified_)
      throw Refusal{name(node), "a layer right after another", "Relu between layers"};
    if (w.dims.size() != 2)
      throw Refusal{name(node), fmt::format("weights of {} dimensions", w.dims.size()), "2"};
    const auto inputs = static_cast<std::size_t>(w.dims[transposed ? 1 : 0]);
    const auto outputs = static_cast<std::size_t>(w.dims[transposed ? 0 : 1]);
    auto& sizes = network_.layers;
    if (sizes.empty()) sizes.push_back(static_cast<unsigned>(inputs));
    if (sizes.back() != inputs) {
      throw Refusal{name(node), fmt::format("{} inputs", inputs),
                    fmt::format("{}, as the layer before has outputs", sizes.back())};
    }
    if (inputs > 255 || outputs > 255 || sizes.size() > 4) {
      throw Refusal{name(node), fmt::format("layer {} of {} by {}", sizes.size(), inputs, outputs),
                    "at most 4 layers of at most 255"};
    }
    sizes.push_back(static_cast<unsigned>(outputs));
    learn::FloatLayer& layer = network_.layer.emplace_back();
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t i = 0; i < inputs; ++i)
        layer.w.push_back(w.values[transposed ? o * inputs + i : i * outputs + o]);
    }
    layer.bias.assign(outputs, 0);
    rectified_ = false;
  }

  void set_bias(const onnx::NodeProto& node, const Matrix& bias, float factor) {
    auto& to = network_.layer.back().bias;
    const bool row = bias.dims.size() == 1 || (bias.dims.size() == 2 && bias.dims[0] == 1);
    if (bias.values.size() != 1 && !(row && bias.values.size() == to.size())) {
      throw Refusal{name(node), fmt::format("a bias of {}", fmt::join(bias.dims, "x")),
                    fmt::format("{} values", to.size())};
    }
    for (std::size_t o = 0; o < to.size(); ++o)
      to[o] = finite(node, factor * bias.values[bias.values.size() == 1 ? 0 : o]);
  }

  const onnx::GraphProto& graph_;
  std::map<std::string, const onnx::TensorProto*> constants_;
  learn::FloatNetwork network_;
  std::string value_;       // where the chain has come to
  bool rectified_ = false;  // a Relu follows the last layer
  bool open_ = false;       // a MatMul may still get its Add
};

void add_tensor(onnx::GraphProto& graph, const std::string& name,
                const std::vector<std::int64_t>& dims, const std::vector<float>& values) {
  auto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t d : dims) tensor.add_dims(d);
  for (const float v : values) tensor.add_float_data(v);
}

void describe(onnx::ValueInfoProto& info, const char* name, unsigned size) {
  info.set_name(name);
  auto& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape()->add_dim()->set_dim_param("batch");
  type.mutable_shape()->add_dim()->set_dim_value(size);
}

}  // namespace

std::string write_onnx(const learn::FloatNetwork& network, const std::string& name) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("hopwise");
  model.add_opset_import()->set_version(kOperatorSet);
  auto& graph = *model.mutable_graph();
  graph.set_name(name);
  describe(*graph.add_input(), "observation", network.layers.front());
  describe(*graph.add_output(), "values", network.layers.back());
  std::string value = "observation";
  for (std::size_t l = 0; l < network.layer.size(); ++l) {
    const bool last = l + 1 == network.layer.size();
    const std::string weights = fmt::format("weights{}", l), bias = fmt::format("bias{}", l);
    add_tensor(graph, weights, {network.layers[l + 1], network.layers[l]}, network.layer[l].w);
    add_tensor(graph, bias, {network.layers[l + 1]}, network.layer[l].bias);
    auto& gemm = *graph.add_node();
    gemm.set_op_type("Gemm");
    gemm.set_name(fmt::format("layer{}", l));
    for (const std::string& input : {value, weights, bias}) gemm.add_input(input);
    auto& transposed = *gemm.add_attribute();
    transposed.set_name("transB");
    transposed.set_type(onnx::AttributeProto::INT);
    transposed.set_i(1);
    value = last ? "values" : fmt::format("sums{}", l);
    gemm.add_output(value);
    if (last) break;
    auto& relu = *graph.add_node();
    relu.set_op_type("Relu");
    relu.set_name(fmt::format("relu{}", l));
    relu.add_input(value);
    value = fmt::format("activations{}", l);
    relu.add_output(value);
  }
  return model.SerializeAsString();  // deterministic: the format has no maps
}

Result<learn::FloatNetwork> read_onnx(std::string_view bytes, const std::string& file) {
  try {
    onnx::ModelProto model;
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph()) {
      throw Refusal{"model", "no ONNX model", kOperators};
    }
    return Chain(model.graph()).read();
  } catch (const Refusal& r) {
    return Diagnostic{"agent.bad-model", {file, 0, 0}, r.key,
                      r.found,           r.allowed,    "export the plain perceptron, in one file"};
  }
}

}  // namespace hopwise::exchange
