// SPDX-License-Identifier: Apache-2.0
// Clock, reset and wide values for verilated blocks with ports clk_i and rst_ni.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <verilated.h>

namespace hopwise::test {

/// One model and its clock. In a cycle: set inputs, settle(), look at outputs, edge().
template <class Model>
class Bench {
 public:
  Bench() : model_(std::make_unique<Model>(&context_)) {
    context_.fatalOnError(false);
    model_->clk_i = 0;
    model_->rst_ni = 0;
    model_->eval();
  }
  ~Bench() { model_->final(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Model* operator->() { return model_.get(); }
  Model& model() { return *model_; }

  /// Holds reset for three cycles; inputs must be set to idle before.
  void reset() {
    model_->rst_ni = 0;
    for (int i = 0; i < 3; ++i) {
      settle();
      edge();
    }
    model_->rst_ni = 1;
    cycle_ = 0;
  }
  void settle() { model_->eval(); }
  void edge() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
    ++cycle_;
  }
  std::uint64_t cycle() const { return cycle_; }  ///< edges since reset
  bool failed() const { return context_.gotError() || context_.gotFinish(); }

 private:
  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  std::uint64_t cycle_ = 0;
};

/// Runs `stimulus` and expects the assertion `name` of the RTL to end the simulation.
template <class Stimulus>
void expect_assertion(const std::string& name, Stimulus stimulus) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const bool failed = stimulus();
  const std::string printed =
      testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  EXPECT_TRUE(failed) << "the simulation went on";
  EXPECT_NE(printed.find(name), std::string::npos) << printed;
}

/// True in `percent` of the calls.
inline bool chance(std::mt19937_64& random, unsigned percent) { return random() % 100 < percent; }

/// A port's value as 32-bit words, lowest first, whatever type the model gives it.
using Words = std::vector<std::uint32_t>;

template <class Port>
Words read_port(const Port& port, unsigned bits) {
  Words words((bits + 31) / 32);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if constexpr (std::is_integral_v<Port>) {
      words[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(port) >> (32 * i));
    } else {
      words[i] = port[i];
    }
  }
  return words;
}

template <class Port>
void write_port(Port& port, const Words& words) {
  if constexpr (std::is_integral_v<Port>) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < words.size(); ++i) value |= std::uint64_t{words[i]} << (32 * i);
    port = static_cast<Port>(value);
  } else {
    for (std::size_t i = 0; i < words.size(); ++i) port[i] = words[i];
  }
}

/// Bits [lsb + width - 1 : lsb]; width at most 64.
inline std::uint64_t get_bits(const Words& words, unsigned lsb, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) {
    value |= std::uint64_t{(words[(lsb + i) / 32] >> ((lsb + i) % 32)) & 1U} << i;
  }
  return value;
}

inline void set_bits(Words& words, unsigned lsb, unsigned width, std::uint64_t value) {
  for (unsigned i = 0; i < width; ++i) {
    std::uint32_t& word = words[(lsb + i) / 32];
    const std::uint32_t bit = 1U << ((lsb + i) % 32);
    word = ((value >> i) & 1U) != 0 ? word | bit : word & ~bit;
  }
}

}  // namespace hopwise::test
