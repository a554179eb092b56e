// SPDX-License-Identifier: Apache-2.0
// The bank of routers in lanes: compiled into each model by a generated file that defines
//   HOPWISE_LANES (of a word), HOPWISE_PORTS, HOPWISE_FLIT_BITS, HOPWISE_COUNTER_WORDS,
//   HOPWISE_QUEUE_BITS, HOPWISE_FEEDBACK_PORTS, HOPWISE_FEEDBACK_BITS, HOPWISE_TRACE_BITS (0:
//   none), HOPWISE_HOSTS (1: terminals with message interfaces),
// includes lane_word.hpp, lane_memory.hpp and lane_host.hpp, and then the model
// (sim/model/lanes/writer.hpp) with
//   kControl, kToken: places in a flit of the bits that the netlist reads or writes, and of those
//   that carry the token (none: the netlist has the whole flit); kPool: tokens of a lane.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "model/lanes/lane_block.hpp"
#include "model/router_bank.hpp"

namespace hopwise::lanes {
namespace {

/// Blocks that are stepped together.
class Blocks {
 public:
  /// Of the wires of `count` routers, vacant.
  Blocks(const RouterWiring* wiring, std::size_t count, const WireShape& shape) : shape_(shape) {
    for (std::size_t first = 0; first < count; first += kLanes)
      blocks_.push_back(std::make_unique<Block>(wiring[first].block, shape_));
  }

  void step(std::uint64_t cycle, bool skip_idle, unsigned lose_one_in) {
    now_ = cycle + 1;
    edges_.clear();
    for (auto& b : blocks_)
      if (b->begin_step(cycle, skip_idle)) edges_.push_back(b->edge());
    if (edges_.empty()) return;
    const bool measured = cycle % kSample == kSample - 1;
    const double start = measured ? cpu_seconds() : 0;
    rising_edge(edges_);
    if (measured) eval_ += kSample * (cpu_seconds() - start);
    auto edge = edges_.begin();
    for (auto& b : blocks_)
      if (b->stepped()) b->end_step(*edge++, cycle, lose_one_in);
  }

  /// Calls f(block, first lane, routers) for the part of [first, first + count) in each block.
  template <class F>
  void each(std::size_t first, std::size_t count, F&& f) {
    for (const std::size_t end = first + count; first < end;) {
      const std::size_t lane = first % kLanes, here = std::min(kLanes - lane, end - first);
      f(*blocks_[first / kLanes], static_cast<unsigned>(lane), static_cast<unsigned>(here));
      first += here;
    }
  }
  Block& at(std::size_t router) { return *blocks_[router / kLanes]; }

  std::uint64_t now() const { return now_; }
  void set_now(std::uint64_t cycle) { now_ = cycle; }
  double eval_seconds() const { return eval_; }

 private:
  static double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  static constexpr unsigned kSample = 61;  ///< cycles from one measured to the next

  const WireShape shape_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Edge> edges_;  // of the blocks that are stepped in this cycle
  double eval_ = 0;
  std::uint64_t now_ = 0;  // the cycle that is to come
};

/// Routers [first, first + count) of the blocks: all of them, or a part that others are beside.
class LanesBank final : public model::RouterBank {
 public:
  LanesBank(std::shared_ptr<Blocks> blocks, std::size_t first, std::size_t count)
      : blocks_(std::move(blocks)), first_(first), count_(count) {}

  void occupy(std::span<const RouterWiring> routers, std::uint64_t cycle) {
    blocks_->set_now(cycle);
    each([&](Block& b, std::size_t done, unsigned lane, unsigned n) {
      b.occupy(lane, routers.subspan(done, n), cycle);
    });
  }
  ~LanesBank() override {
    if (!part_) return;
    each([](Block& b, std::size_t, unsigned lane, unsigned n) { b.vacate(lane, n); });
  }

  std::unique_ptr<RouterBank> part(std::size_t first, std::span<const RouterWiring> routers,
                                   std::uint64_t cycle) override {
    auto bank = std::make_unique<LanesBank>(blocks_, first_ + first, routers.size());
    bank->occupy(routers, cycle);
    bank->part_ = true;
    return bank;
  }

  void step(std::uint64_t cycle, bool skip_idle) override {
    blocks_->step(cycle, skip_idle, lose_one_in_);
  }
  bool quiescent() const override {
    bool all = true;
    each([&](Block& b, std::size_t, unsigned lane, unsigned n) { all &= b.quiescent(lane, n); });
    return all;
  }
  std::uint64_t flits_out(std::size_t local, std::uint32_t port) const override {
    return block(local).count(port, lane(local));
  }
  void clear_counts() override {
    each([](Block& b, std::size_t, unsigned lane, unsigned n) { b.clear_counts(lane, n); });
  }
  unsigned csr_write(std::size_t local, std::uint32_t address, std::uint32_t data) override {
    return block(local).csr_write(lane(local), address, data, blocks_->now());
  }
  unsigned csr_read(std::size_t local, std::uint32_t address, std::uint32_t& data) override {
    return block(local).csr_read(lane(local), address, data, blocks_->now());
  }
  void csr_write_each(std::uint32_t address, std::span<model::CsrAnswer> answers) override {
    csr_each(true, address, answers);
  }
  void csr_read_each(std::uint32_t address, std::span<model::CsrAnswer> answers) override {
    csr_each(false, address, answers);
  }
  void queue_csr(std::size_t local, std::uint32_t address, std::uint32_t data) override {
    block(local).csr().queue(lane(local), address, data);
  }
  std::size_t queued_csr(std::size_t local) const override {
    return block(local).csr().queued(lane(local));
  }
  std::uint16_t drops(std::size_t local, std::uint32_t cause) const override {
    return static_cast<std::uint16_t>(
        block(local).watched_bits(kPin_drops_o, lane(local), 16 * cause, 16));
  }
  bool stuck(std::size_t local, std::uint32_t* words) const override {
    const auto word = [&](unsigned w) {
      return static_cast<std::uint32_t>(
          block(local).watched_bits(kPin_stuck_o, lane(local), 32 * w, 32));
    };
    if (HOPWISE_STUCK_WORDS == 0 || (word(0) & model::kReport) == 0) return false;
    for (unsigned w = 0; w < HOPWISE_STUCK_WORDS; ++w) words[w] = word(w);
    words[0] &= ~model::kReport;
    return true;
  }
  std::uint32_t counters(std::size_t local, std::uint32_t word) const override {
    if (HOPWISE_COUNTER_WORDS == 0) return 0;
    return static_cast<std::uint32_t>(
        block(local).watched_bits(kPin_counters_o, lane(local), 32 * word, 32));
  }
  void trace(std::size_t local, std::uint32_t* words) const override {
    for (unsigned first = 0; first < HOPWISE_TRACE_BITS; first += 32) {
      words[first / 32] = static_cast<std::uint32_t>(block(local).watched_bits(
          kPin_trace_o, lane(local), first, std::min(32u, HOPWISE_TRACE_BITS - first)));
    }
  }
  std::uint64_t feedback(std::size_t local, std::uint32_t port) const override {
    return port < kFeedbackPorts ? block(local).feedback(lane(local), port) : 0;
  }
  void initialise() override {
    each([&](Block& b, std::size_t, unsigned lane, unsigned n) {
      b.initialise(lane, n, blocks_->now());
    });
  }
  void lose_feedback(unsigned n) override { lose_one_in_ = n; }
  void set_oracle(const model::QueueOracle* oracle) override {
    each([&](Block& b, std::size_t, unsigned lane, unsigned n) { b.set_oracle(lane, n, oracle); });
  }
  void sample_queues(std::size_t local, std::uint16_t* queues) const override {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      queues[p] = static_cast<std::uint16_t>(
          block(local).watched_bits(kPin_queue_o, lane(local), 16 * p, 16));
    }
  }
#if HOPWISE_HOSTS
  model::HostInputs* host_inputs(std::size_t local) override {
    return block(local).pins().inputs(lane(local));
  }
  const model::HostOutputs* host_outputs(std::size_t local) const override {
    return block(local).pins().outputs(lane(local));
  }
#endif
  double eval_seconds() const override { return blocks_->eval_seconds(); }
  bool open_wave(std::size_t, const char*) override { return false; }
  void close_waves() override {}

 private:
  /// Calls f(block, routers in blocks before, first lane, routers).
  template <class F>
  void each(F&& f) const {
    std::size_t done = 0;
    blocks_->each(first_, count_, [&](Block& b, unsigned lane, unsigned n) {
      f(b, done, lane, n);
      done += n;
    });
  }
  void csr_each(bool write, std::uint32_t address, std::span<model::CsrAnswer> answers) {
    each([&](Block& b, std::size_t done, unsigned lane, unsigned n) {
      b.csr_each(write, lane, address, answers.subspan(done, n), blocks_->now());
    });
  }
  Block& block(std::size_t local) const { return blocks_->at(first_ + local); }
  unsigned lane(std::size_t local) const {
    return static_cast<unsigned>((first_ + local) % kLanes);
  }

  const std::shared_ptr<Blocks> blocks_;
  const std::size_t first_, count_;
  bool part_ = false;
  unsigned lose_one_in_ = 0;
};

model::RouterBank* make_bank(const RouterWiring* routers, std::size_t count,
                             const WireShape& shape) {
  auto bank =
      std::make_unique<LanesBank>(std::make_shared<Blocks>(routers, count, shape), 0, count);
  if (count > 0 && !routers->flits.empty()) bank->occupy({routers, count}, 0);
  return bank.release();
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
                                                          HOPWISE_STUCK_WORDS,
                                                          HOPWISE_LANES,
                                                          HOPWISE_HOSTS,
                                                          hopwise::lanes::make_bank};
