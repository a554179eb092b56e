// SPDX-License-Identifier: Apache-2.0
// ONNX models: what is written is a valid model and comes back; other spellings are read; what is
// no perceptron is refused.
#include <gtest/gtest.h>

#include <limits>

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include "exchange/onnx.hpp"
#include "fixture.hpp"

namespace hopwise::learn::test {
namespace {

using exchange::read_onnx;
using exchange::write_onnx;

FloatNetwork some_network() {
  traffic::Random random(1, 0);
  return random_network({13, 32, 16, 4}, 0.7, random);
}

onnx::ModelProto written(const FloatNetwork& network) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(write_onnx(network, "agent")));
  return model;
}

Diagnostic refusal(const onnx::ModelProto& model) {
  const auto read = read_onnx(model.SerializeAsString(), "m.onnx");
  EXPECT_FALSE(read.ok());
  if (read.ok()) return {};
  EXPECT_EQ(read.errors()[0].code, "agent.bad-model");
  EXPECT_EQ(read.errors()[0].where.file, "m.onnx");
  return read.errors()[0];
}

TEST(Onnx, comes_back_as_it_was_and_is_a_valid_model) {
  const FloatNetwork network = some_network();
  const std::string bytes = write_onnx(network, "agent");
  EXPECT_EQ(bytes, write_onnx(network, "agent"));
  const auto read = read_onnx(bytes, "m.onnx");
  ASSERT_TRUE(read.ok()) << format(read.errors());
  EXPECT_EQ(read.value(), network);
  EXPECT_NO_THROW(onnx::checker::check_model(written(network)));
}

/// The same network as MatMul and Add, weights as raw bytes, one of them from a Constant node.
TEST(Onnx, other_spellings_are_the_same_network) {
  const FloatNetwork network = some_network();
  onnx::ModelProto model = written(network);
  auto& graph = *model.mutable_graph();
  const onnx::GraphProto old = graph;
  graph.clear_node();
  graph.clear_initializer();
  for (int l = 0; l < 3; ++l) {
    const auto inputs = network.layers[static_cast<std::size_t>(l)],
               outputs = network.layers[static_cast<std::size_t>(l) + 1];
    const auto& layer = network.layer[static_cast<std::size_t>(l)];
    std::vector<float> turned;
    for (unsigned i = 0; i < inputs; ++i) {
      for (unsigned o = 0; o < outputs; ++o) turned.push_back(layer.w[o * inputs + i]);
    }
    onnx::TensorProto w;
    w.set_name("w" + std::to_string(l));
    w.set_data_type(onnx::TensorProto::FLOAT);
    w.add_dims(inputs);
    w.add_dims(outputs);
    w.set_raw_data(std::string(reinterpret_cast<const char*>(turned.data()), turned.size() * 4));
    if (l == 1) {
      auto& constant = *graph.add_node();
      constant.set_op_type("Constant");
      constant.add_output(w.name());
      auto& value = *constant.add_attribute();
      value.set_name("value");
      *value.mutable_t() = w;
    } else {
      *graph.add_initializer() = w;
    }
    *graph.add_initializer() = old.initializer(2 * l + 1);
    auto& matmul = *graph.add_node();
    matmul.set_op_type("MatMul");
    matmul.add_input(l == 0 ? "observation" : "a" + std::to_string(l - 1));
    matmul.add_input(w.name());
    matmul.add_output("m" + std::to_string(l));
    auto& add = *graph.add_node();
    add.set_op_type("Add");
    add.add_input("bias" + std::to_string(l));
    add.add_input(matmul.output(0));
    add.add_output(l == 2 ? "values" : "s" + std::to_string(l));
    if (l == 2) break;
    auto& relu = *graph.add_node();
    relu.set_op_type("Relu");
    relu.add_input(add.output(0));
    relu.add_output("a" + std::to_string(l));
  }
  const auto read = read_onnx(model.SerializeAsString(), "m.onnx");
  ASSERT_TRUE(read.ok()) << format(read.errors());
  EXPECT_EQ(read.value(), network);
}

TEST(Onnx, what_is_no_perceptron_is_refused_with_its_node) {
  const onnx::ModelProto good = written(some_network());
  EXPECT_FALSE(read_onnx("no model at all", "m.onnx").ok());
  EXPECT_FALSE(read_onnx("", "m.onnx").ok());
  onnx::ModelProto m = good;
  m.mutable_graph()->mutable_node(1)->set_op_type("Tanh");
  EXPECT_EQ(refusal(m).key, "node relu0");
  EXPECT_EQ(refusal(m).found, "Tanh");
  m = good;  // no Relu between two layers
  m.mutable_graph()->mutable_node(1)->set_op_type("Identity");
  EXPECT_EQ(refusal(m).allowed, "Relu between layers");
  m = good;
  m.mutable_graph()->mutable_initializer(2)->set_dims(1, 31);
  EXPECT_EQ(refusal(m).found, "512 values");
  m = good;  // a layer left out
  m.mutable_graph()->mutable_node()->DeleteSubrange(2, 2);
  m.mutable_graph()->mutable_node(2)->set_input(0, "activations0");
  EXPECT_EQ(refusal(m).found, "16 inputs");
  m = good;
  m.mutable_graph()->mutable_initializer(1)->set_float_data(
      3, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(refusal(m).key, "bias0");
  for (const char* factor : {"alpha", "beta"}) {
    m = good;
    auto& scale = *m.mutable_graph()->mutable_node(0)->add_attribute();
    scale.set_name(factor);
    scale.set_f(std::numeric_limits<float>::infinity());
    EXPECT_EQ(refusal(m).allowed, "finite weights") << factor;
  }
  m = good;
  m.mutable_graph()->mutable_initializer(0)->set_data_type(onnx::TensorProto::INT8);
  EXPECT_EQ(refusal(m).found, "data type 3");
  m = good;
  m.mutable_graph()->mutable_node(0)->set_input(1, "observation");
  EXPECT_FALSE(read_onnx(m.SerializeAsString(), "m.onnx").ok());
  m = good;
  m.mutable_graph()->add_input()->set_name("mask");
  EXPECT_EQ(refusal(m).found, "2 inputs");
  m = good;
  m.mutable_graph()->mutable_node(1)->set_output(0, "observation");
  EXPECT_FALSE(read_onnx(m.SerializeAsString(), "m.onnx").ok());
  m = good;
  m.mutable_graph()->mutable_output(0)->set_name("activations1");
  EXPECT_FALSE(read_onnx(m.SerializeAsString(), "m.onnx").ok());
}

}  // namespace
}  // namespace hopwise::learn::test
