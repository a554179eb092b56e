// SPDX-License-Identifier: Apache-2.0
// Routers that are evaluated twice: by the engine under trial, whose bank runs the network, and by
// Verilator, whose routers see the same input pins. All output pins are compared in every cycle
// (data where there is a flit or feedback word). So Verilator speaks for the other engine: it
// prints the messages of assertions and writes waveforms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/options.hpp"
#include "model/router_bank.hpp"

namespace hopwise::engine {

class ShadowBank final : public model::RouterBank {
 public:
  /// `wiring`, `shape`: as `main` was made with. `shadowed`: local numbers, ascending.
  ShadowBank(std::unique_ptr<model::RouterBank> main, const model::RouterModel& shadow,
             const std::vector<model::RouterWiring>& wiring, const model::WireShape& shape,
             const std::vector<std::size_t>& shadowed);

  /// Throws std::runtime_error with the first pin that differs: router, cycle, pin, both values.
  void step(std::uint64_t cycle, bool skip_idle) override;
  bool quiescent() const override { return main_->quiescent(); }
  std::uint64_t flits_out(std::size_t i, std::uint32_t port) const override {
    return main_->flits_out(i, port);
  }
  void clear_counts() override { main_->clear_counts(); }
  unsigned csr_write(std::size_t i, std::uint32_t address, std::uint32_t data) override;
  unsigned csr_read(std::size_t i, std::uint32_t address, std::uint32_t& data) override;
  void queue_csr(std::size_t i, std::uint32_t address, std::uint32_t data) override;
  std::size_t queued_csr(std::size_t i) const override { return main_->queued_csr(i); }
  std::uint16_t drops(std::size_t i, std::uint32_t cause) const override {
    return main_->drops(i, cause);
  }
  bool stuck(std::size_t i, std::uint32_t* words) const override { return main_->stuck(i, words); }
  std::uint32_t counters(std::size_t i, std::uint32_t word) const override {
    return main_->counters(i, word);
  }
  void trace(std::size_t i, std::uint32_t* words) const override { main_->trace(i, words); }
  std::uint64_t feedback(std::size_t i, std::uint32_t port) const override {
    return main_->feedback(i, port);
  }
  void initialise() override;
  void lose_feedback(unsigned n) override;
  void set_oracle(const model::QueueOracle* oracle) override;
  void sample_queues(std::size_t i, std::uint16_t* queues) const override {
    main_->sample_queues(i, queues);
  }
  double eval_seconds() const override { return main_->eval_seconds(); }
  bool open_wave(std::size_t i, const char* path) override;
  void close_waves() override { shadow_->close_waves(); }

 private:
  struct Shadow {
    std::size_t local = 0;                    ///< in `main`
    model::RouterWiring main;                 ///< of the router that runs the network
    InputPins in;                             ///< of the shadow
    std::vector<model::Wire> flits, credits;  ///< where the shadow's output pins lead
  };

  void copy_inputs(const Shadow& s, std::uint64_t cycle);
  void compare(std::size_t index, std::uint64_t cycle);
  /// The place of a router among the shadows; their number: it has none.
  std::size_t find(std::size_t local) const;

  std::unique_ptr<model::RouterBank> main_, shadow_;
  const model::RouterModel& model_;
  const model::WireShape shape_;  ///< of main's blocks
  const model::WireShape own_;    ///< of the shadows'
  Blocks inputs_, outputs_;
  std::vector<Shadow> shadows_;
};

}  // namespace hopwise::engine
