// SPDX-License-Identifier: Apache-2.0
// The emitted module of one network whose routing asks a Q-table: route computations and start
// values.
#pragma once

#include <map>
#include <memory>

#include "../rtl_common/bench.hpp"
#include "Vq_variants.h"
#include "q_variants.hpp"

namespace hopwise::test {

/// One variant's module.
class QModel {
 public:
  explicit QModel(std::size_t number)
      : variant(all_q_variants()[number]),
        network(prove_variant(variant.network)),
        shape(emit::router_shape(network)),
        spec(network.spec().network),
        nothing_((all_q_variants().size() + 31) / 32),
        bit_(nothing_) {
    if (variant.fault == QFault::kNone) shape = emitted_shape(variant.network, network, spec);
    unsigned lsb = 0;
    for (const auto& [pin, width] : q_outputs(shape)) {
      place_[pin.substr(0, pin.size() - 2)] = {
          lsb,
          width / (pin == "values_o" || pin == "connected_o" ? shape.network_ports : shape.ports)};
      lsb += width;
    }
    set_bits(bit_, static_cast<unsigned>(number), 1, 1);
    model_->number_i = static_cast<std::uint32_t>(number);
    raise(false);
  }
  ~QModel() { model_->final(); }
  QModel(const QModel&) = delete;
  QModel& operator=(const QModel&) = delete;

  Vq_variants* operator->() { return model_.get(); }
  /// Shows the inputs to the variant.
  void ask() {
    raise(true);
    raise(false);
    shown_ = read_port(model_->shown_o, kQShown);
  }
  /// Slice `p` of a pin, named without _o: of an input port, or of a column of the start values.
  std::uint64_t get(const std::string& pin, unsigned p) const {
    const auto& [lsb, width] = place_.at(pin);
    return get_bits(shown_, lsb + p * width, width);
  }

  QVariant variant;
  deadlock::ProvenNetwork network;
  emit::RouterShape shape;
  spec::NetworkSpec spec;
  std::mt19937_64 random{7};

 private:
  void raise(bool value) {
    write_port(model_->ask_i, value ? bit_ : nothing_);
    model_->eval();
  }

  VerilatedContext context_;
  std::unique_ptr<Vq_variants> model_ = std::make_unique<Vq_variants>(&context_);
  std::map<std::string, std::pair<unsigned, unsigned>> place_;  // lowest bit, width of a slice
  Words nothing_, bit_, shown_;
};

struct QResult {
  std::uint64_t compared = 0, moves = 0, asked = 0, wrong = 0;
  std::string first;  ///< the first difference
};

/// Numbers of the variants with this kind of fault.
inline std::vector<std::size_t> q_numbers(QFault fault) {
  const auto all = all_q_variants();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].fault == fault) out.push_back(i);
  }
  return out;
}

inline std::string q_variant_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_q_variants()[info.param].network.name;
}

}  // namespace hopwise::test
