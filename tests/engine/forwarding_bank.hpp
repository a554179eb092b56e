// SPDX-License-Identifier: Apache-2.0
// A bank around another one: tests override what they want to be different.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "model/router_bank.hpp"

namespace hopwise::engine {

class ForwardingBank : public model::RouterBank {
 public:
  explicit ForwardingBank(std::unique_ptr<model::RouterBank> bank = nullptr)
      : bank_(std::move(bank)) {}
  void step(std::uint64_t cycle, bool skip_idle) override { bank_->step(cycle, skip_idle); }
  std::unique_ptr<RouterBank> part(std::size_t first, std::span<const model::RouterWiring> routers,
                                   std::uint64_t cycle) override {
    return bank_->part(first, routers, cycle);
  }
  bool quiescent() const override { return bank_->quiescent(); }
  std::uint64_t flits_out(std::size_t i, std::uint32_t port) const override {
    return bank_->flits_out(i, port);
  }
  void clear_counts() override { bank_->clear_counts(); }
  unsigned csr_write(std::size_t i, std::uint32_t address, std::uint32_t data) override {
    return bank_->csr_write(i, address, data);
  }
  unsigned csr_read(std::size_t i, std::uint32_t address, std::uint32_t& data) override {
    return bank_->csr_read(i, address, data);
  }
  void queue_csr(std::size_t i, std::uint32_t address, std::uint32_t data) override {
    bank_->queue_csr(i, address, data);
  }
  std::size_t queued_csr(std::size_t i) const override { return bank_->queued_csr(i); }
  std::uint16_t drops(std::size_t i, std::uint32_t cause) const override {
    return bank_->drops(i, cause);
  }
  bool stuck(std::size_t i, std::uint32_t* words) const override { return bank_->stuck(i, words); }
  std::uint32_t counters(std::size_t i, std::uint32_t word) const override {
    return bank_->counters(i, word);
  }
  void trace(std::size_t i, std::uint32_t* words) const override { bank_->trace(i, words); }
  std::uint64_t feedback(std::size_t i, std::uint32_t port) const override {
    return bank_->feedback(i, port);
  }
  void initialise() override { bank_->initialise(); }
  void lose_feedback(unsigned n) override { bank_->lose_feedback(n); }
  void set_oracle(const model::QueueOracle* oracle) override { bank_->set_oracle(oracle); }
  void sample_queues(std::size_t i, std::uint16_t* queues) const override {
    bank_->sample_queues(i, queues);
  }
  bool open_wave(std::size_t i, const char* path) override { return bank_->open_wave(i, path); }
  void close_waves() override { bank_->close_waves(); }
  double eval_seconds() const override { return bank_->eval_seconds(); }

 protected:
  std::unique_ptr<model::RouterBank> bank_;
};

/// A model whose banks are a Bank around those of `sound`. One at a time of each kind of Bank.
template <class Bank>
model::RouterModel around(const model::RouterModel& sound) {
  static const model::RouterModel* inner;
  inner = &sound;
  model::RouterModel model = sound;
  model.make_bank = [](const model::RouterWiring* routers, std::size_t count,
                       const model::WireShape& shape) -> model::RouterBank* {
    std::unique_ptr<model::RouterBank> bank(inner->make_bank(routers, count, shape));
    if constexpr (std::is_constructible_v<Bank, std::unique_ptr<model::RouterBank>,
                                          const model::RouterWiring*>)
      return new Bank(std::move(bank), routers);
    else
      return new Bank(std::move(bank));
  };
  return model;
}

}  // namespace hopwise::engine
