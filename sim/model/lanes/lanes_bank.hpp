// SPDX-License-Identifier: Apache-2.0
// The bank of routers in lanes: compiled into each model by a generated file that defines
//   HOPWISE_LANES (of a word), HOPWISE_PORTS, HOPWISE_FLIT_BITS, HOPWISE_COUNTER_WORDS,
//   HOPWISE_QUEUE_BITS, HOPWISE_FEEDBACK_PORTS, HOPWISE_FEEDBACK_BITS, HOPWISE_TRACE_BITS (0:
//   none),
// includes lane_word.hpp and lane_memory.hpp, and then the model (sim/model/lanes/writer.hpp) with
//   kControl, kToken: places in a flit of the bits that the netlist reads or writes, and of those
//   that carry the token (none: the netlist has the whole flit); kPool: tokens of a lane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "model/lanes/lane_block.hpp"
#include "model/router_bank.hpp"

namespace hopwise::lanes {
namespace {

class LanesBank final : public model::RouterBank {
 public:
  LanesBank(const RouterWiring* wiring, std::size_t count, const WireShape& shape) : shape_(shape) {
    for (std::size_t first = 0; first < count; first += kLanes) {
      blocks_.push_back(std::make_unique<Block>(
          wiring + first, std::min<std::size_t>(kLanes, count - first), shape_));
    }
  }

  void step(std::uint64_t cycle, bool skip_idle) override {
    now_ = cycle + 1;
    for (auto& b : blocks_) b->step(cycle, skip_idle, lose_one_in_);
  }
  bool quiescent() const override {
    return std::all_of(blocks_.begin(), blocks_.end(), [](auto& b) { return b->quiescent(); });
  }
  std::uint64_t flits_out(std::size_t local, std::uint32_t port) const override {
    return block(local).count(port, local % kLanes);
  }
  void clear_counts() override {
    for (auto& b : blocks_) b->clear_counts();
  }
  unsigned csr_write(std::size_t local, std::uint32_t address, std::uint32_t data) override {
    return block(local).csr_write(local % kLanes, address, data, now_);
  }
  unsigned csr_read(std::size_t local, std::uint32_t address, std::uint32_t& data) override {
    return block(local).csr_read(local % kLanes, address, data, now_);
  }
  void csr_write_each(std::uint32_t address, std::span<model::CsrAnswer> answers) override {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      blocks_[b]->csr_each(true, address, of_block(answers, b), now_);
  }
  void csr_read_each(std::uint32_t address, std::span<model::CsrAnswer> answers) override {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      blocks_[b]->csr_each(false, address, of_block(answers, b), now_);
  }
  void queue_csr(std::size_t local, std::uint32_t address, std::uint32_t data) override {
    block(local).csr().queue(local % kLanes, address, data);
  }
  std::size_t queued_csr(std::size_t local) const override {
    return block(local).csr().queued(local % kLanes);
  }
  std::uint32_t counters(std::size_t local, std::uint32_t word) const override {
    if (HOPWISE_COUNTER_WORDS == 0) return 0;
    return static_cast<std::uint32_t>(
        block(local).watched_bits(kPin_counters_o, local % kLanes, 32 * word, 32));
  }
  void trace(std::size_t local, std::uint32_t* words) const override {
    for (unsigned first = 0; first < HOPWISE_TRACE_BITS; first += 32) {
      words[first / 32] = static_cast<std::uint32_t>(block(local).watched_bits(
          kPin_trace_o, local % kLanes, first, std::min(32u, HOPWISE_TRACE_BITS - first)));
    }
  }
  std::uint64_t feedback(std::size_t local, std::uint32_t port) const override {
    return port < kFeedbackPorts ? block(local).feedback(local % kLanes, port) : 0;
  }
  void initialise() override {
    for (auto& b : blocks_) b->initialise(now_);
  }
  void lose_feedback(unsigned n) override { lose_one_in_ = n; }
  void set_oracle(const model::QueueOracle*) override {}
  void sample_queues(std::size_t local, std::uint16_t* queues) const override {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      queues[p] = static_cast<std::uint16_t>(
          block(local).watched_bits(kPin_queue_o, local % kLanes, 16 * p, 16));
    }
  }
  double eval_seconds() const override {
    double sum = 0;
    for (const auto& b : blocks_) sum += b->eval_seconds();
    return sum;
  }
  bool open_wave(std::size_t, const char*) override { return false; }
  void close_waves() override {}

 private:
  static std::span<model::CsrAnswer> of_block(std::span<model::CsrAnswer> answers, std::size_t b) {
    return answers.subspan(b * kLanes, std::min<std::size_t>(kLanes, answers.size() - b * kLanes));
  }
  Block& block(std::size_t local) const { return *blocks_[local / kLanes]; }

  const WireShape shape_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint64_t now_ = 0;
  unsigned lose_one_in_ = 0;
};

model::RouterBank* make_bank(const RouterWiring* routers, std::size_t count,
                             const WireShape& shape) {
  return new LanesBank(routers, count, shape);
}

}  // namespace
}  // namespace hopwise::lanes

extern "C" __attribute__((visibility("default")))
const hopwise::model::RouterModel hopwise_router_model;
const hopwise::model::RouterModel hopwise_router_model = {hopwise::model::kRouterBankVersion,
                                                          HOPWISE_PORTS,
                                                          HOPWISE_FLIT_BITS,
                                                          HOPWISE_COUNTER_WORDS,
                                                          HOPWISE_QUEUE_BITS,
                                                          HOPWISE_FEEDBACK_PORTS,
                                                          HOPWISE_FEEDBACK_BITS,
                                                          HOPWISE_TRACE_BITS,
                                                          HOPWISE_LANES,
                                                          hopwise::lanes::make_bank};
