// SPDX-License-Identifier: Apache-2.0
// Routers of several shapes behind the interface of one bank.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/router_bank.hpp"

namespace hopwise::engine {

/// Local numbers run over all routers of the partition; each is in the bank of its shape.
class ShapedBank final : public model::RouterBank {
 public:
  struct Place {
    std::size_t bank = 0, local = 0;
  };
  ShapedBank(std::vector<std::unique_ptr<model::RouterBank>> banks, std::vector<Place> places)
      : banks_(std::move(banks)), places_(std::move(places)) {}

  void step(std::uint64_t cycle, bool skip_idle) override {
    for (auto& bank : banks_) bank->step(cycle, skip_idle);
  }
  bool quiescent() const override {
    for (const auto& bank : banks_) {
      if (!bank->quiescent()) return false;
    }
    return true;
  }
  std::uint64_t flits_out(std::size_t i, std::uint32_t port) const override {
    return of(i).flits_out(places_[i].local, port);
  }
  void clear_counts() override {
    for (auto& bank : banks_) bank->clear_counts();
  }
  unsigned csr_write(std::size_t i, std::uint32_t address, std::uint32_t data) override {
    return of(i).csr_write(places_[i].local, address, data);
  }
  unsigned csr_read(std::size_t i, std::uint32_t address, std::uint32_t& data) override {
    return of(i).csr_read(places_[i].local, address, data);
  }
  void csr_write_each(std::uint32_t address, std::span<model::CsrAnswer> answers) override {
    each(answers, [&](auto& bank, auto of_bank) { bank.csr_write_each(address, of_bank); });
  }
  void csr_read_each(std::uint32_t address, std::span<model::CsrAnswer> answers) override {
    each(answers, [&](auto& bank, auto of_bank) { bank.csr_read_each(address, of_bank); });
  }
  void queue_csr(std::size_t i, std::uint32_t address, std::uint32_t data) override {
    of(i).queue_csr(places_[i].local, address, data);
  }
  std::size_t queued_csr(std::size_t i) const override {
    return of(i).queued_csr(places_[i].local);
  }
  std::uint16_t drops(std::size_t i, std::uint32_t cause) const override {
    return of(i).drops(places_[i].local, cause);
  }
  bool stuck(std::size_t i, std::uint32_t* words) const override {
    return of(i).stuck(places_[i].local, words);
  }
  std::uint32_t counters(std::size_t i, std::uint32_t word) const override {
    return of(i).counters(places_[i].local, word);
  }
  void trace(std::size_t i, std::uint32_t* words) const override {
    of(i).trace(places_[i].local, words);
  }
  std::uint64_t feedback(std::size_t i, std::uint32_t port) const override {
    return of(i).feedback(places_[i].local, port);
  }
  void initialise() override {
    for (auto& bank : banks_) bank->initialise();
  }
  void lose_feedback(unsigned n) override {
    for (auto& bank : banks_) bank->lose_feedback(n);
  }
  void set_oracle(const model::QueueOracle* oracle) override {
    for (auto& bank : banks_) bank->set_oracle(oracle);
  }
  void sample_queues(std::size_t i, std::uint16_t* queues) const override {
    of(i).sample_queues(places_[i].local, queues);
  }
  double eval_seconds() const override {
    double sum = 0;
    for (const auto& bank : banks_) sum += bank->eval_seconds();
    return sum;
  }
  bool open_wave(std::size_t i, const char* path) override {
    return of(i).open_wave(places_[i].local, path);
  }
  void close_waves() override {
    for (auto& bank : banks_) bank->close_waves();
  }

 private:
  /// Sorts answers by banks, and back.
  template <class F>
  void each(std::span<model::CsrAnswer> answers, F&& work) {
    std::vector<std::vector<model::CsrAnswer>> of_bank(banks_.size());
    for (std::size_t i = 0; i < answers.size(); ++i) of_bank[places_[i].bank].push_back(answers[i]);
    for (std::size_t b = 0; b < banks_.size(); ++b)
      work(*banks_[b], std::span<model::CsrAnswer>(of_bank[b]));
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = of_bank[places_[i].bank][places_[i].local];
  }

  model::RouterBank& of(std::size_t i) const { return *banks_[places_[i].bank]; }

  std::vector<std::unique_ptr<model::RouterBank>> banks_;
  std::vector<Place> places_;
};

}  // namespace hopwise::engine
