// SPDX-License-Identifier: Apache-2.0
// The bank of verilated routers, each a block of its own (one lane): compiled into each router
// model by a generated file that defines
//   HOPWISE_MODEL (the verilated class), HOPWISE_PORTS, HOPWISE_FLIT_BITS,
//   HOPWISE_COUNTER_WORDS, HOPWISE_QUEUE_BITS, HOPWISE_FEEDBACK_PORTS,
//   HOPWISE_FEEDBACK_BITS, HOPWISE_TRACE_BITS (0: none), HOPWISE_STUCK_WORDS (0: no watchdog),
//   HOPWISE_HOSTS (0 or 1: terminals, whose pins host_pins.hpp has), HOPWISE_TRACE (0 or 1) and
//   HOPWISE_ONE_EDGE (0 or 1: the clock's trigger can be re-armed without a falling edge).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/csr_port.hpp"
#include "model/router_bank.hpp"
#include "model/verilated_stop.hpp"

#if HOPWISE_TRACE
#include "verilated_fst_c.h"
#endif

namespace hopwise::model {
namespace {

constexpr std::uint32_t kPorts = HOPWISE_PORTS;
constexpr std::uint32_t kFlitBytes = (HOPWISE_FLIT_BITS + 31) / 32 * 4;
constexpr std::uint32_t kStride = (kPorts + 7) / 8 * 8;
const std::string kWhat = HOPWISE_HOSTS ? "terminal" : "router";
static_assert(std::endian::native == std::endian::little, "words of pins are copied as bytes");

/// The bytes of a pin, lowest first: all pins but single bits and words are arrays of words.
template <class Pin>
std::byte* bytes(Pin& pin) {
  return reinterpret_cast<std::byte*>(&pin[0]);
}
template <class Pin>
const std::byte* bytes(const Pin& pin) {
  return reinterpret_cast<const std::byte*>(&pin[0]);
}

/// The oracle of the bank that this thread steps.
thread_local const QueueOracle* current_oracle = nullptr;

class VerilatedBank final : public RouterBank {
 public:
  VerilatedBank(const RouterWiring* wiring, std::size_t count, const WireShape& shape)
      : shape_(shape) {
    context_->threads(1);  // parallelism is over banks
    routers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      Router& r = routers_[i];
      r.model = std::make_unique<HOPWISE_MODEL>(context_.get(),
                                                (kWhat + std::to_string(wiring[i].router)).c_str());
      r.csr.emplace(*r.model);
      r.block = wiring[i].block;
      r.clock_offset = wiring[i].clock_offset;
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        r.flits[p] = wiring[i].flits[p];
        r.credits[p] = wiring[i].credits[p];
      }
      auto& m = *r.model;
      m.coord_i = wiring[i].coordinates;
      m.clk_i = 0;
      m.rst_ni = 0;
      for (int edge = 0; edge < 4; ++edge) {
        m.clk_i = edge & 1;
        m.eval();
      }
      m.rst_ni = 1;
      m.clk_i = 0;
      m.eval();
      for (int edge = 0; edge < 4; ++edge) clock(r);
    }
  }

  ~VerilatedBank() override {
    close_waves();
    // Models take themselves off the lists of the thread's context, which may be another network's
    // that is gone.
    Verilated::threadContextp(context_.get());
    if (!failed_) routers_.clear();
    Verilated::threadContextp(Verilated::defaultContextp());
    if (!failed_) return;
    // An assertion left the models through an exception; their locks cannot be trusted to let them
    // be destroyed.
    for (Router& r : routers_) static_cast<void>(r.model.release());
    static_cast<void>(context_.release());
  }

  void step(std::uint64_t cycle, bool skip_idle) override {
    now_ = cycle + 1;
    current_oracle = oracle_;
    const std::size_t at = std::size_t{shape_.slot_bytes()} * (cycle & shape_.slot_mask);
    for (Router& r : routers_) {
      std::byte* slot = r.block + at;
      const bool flits = any(slot), credits = any(slot + kStride);
      r.stepped = !skip_idle || !r.quiescent || flits || credits || !r.csr->idle() || stimulated(r);
      if (!r.stepped) continue;
      step_router(r, slot, cycle, flits, credits);
    }
  }

  bool quiescent() const override {
    for (const Router& r : routers_) {
      if (!r.model->quiescent_o) return false;
    }
    return true;
  }

  std::uint64_t flits_out(std::size_t local, std::uint32_t port) const override {
    return routers_[local].counts[port];
  }
  void clear_counts() override {
    for (Router& r : routers_) r.counts.fill(0);
  }

  unsigned csr_write(std::size_t local, std::uint32_t address, std::uint32_t data) override {
    Router& r = still(local);
    return r.csr->write(address, data, [&] { clock(r); });
  }
  unsigned csr_read(std::size_t local, std::uint32_t address, std::uint32_t& data) override {
    Router& r = still(local);
    return r.csr->read(address, data, [&] { clock(r); });
  }
  void queue_csr(std::size_t local, std::uint32_t address, std::uint32_t data) override {
    routers_[local].csr->queue(address, data);
  }
  std::size_t queued_csr(std::size_t local) const override { return routers_[local].csr->queued(); }

  std::uint16_t drops(std::size_t local, std::uint32_t cause) const override {
    return static_cast<std::uint16_t>(routers_[local].model->drops_o[cause / 2] >>
                                      (16 * (cause % 2)));
  }
  bool stuck(std::size_t local, std::uint32_t* words) const override {
    const Router& r = routers_[local];
    if (!r.stepped || (r.model->stuck_o[0] & kReport) == 0) return false;
    for (std::uint32_t w = 0; w < HOPWISE_STUCK_WORDS; ++w) words[w] = r.model->stuck_o[w];
    words[0] &= ~kReport;
    return true;
  }
  std::uint32_t counters(std::size_t local, std::uint32_t word) const override {
    return HOPWISE_COUNTER_WORDS == 0 ? 0 : routers_[local].model->counters_o[word];
  }

  void trace(std::size_t local, std::uint32_t* words) const override {
    std::memcpy(words, bytes(routers_[local].model->trace_o), (HOPWISE_TRACE_BITS + 31) / 32 * 4);
  }

  std::uint64_t feedback(std::size_t local, std::uint32_t port) const override {
    const Router& r = routers_[local];
    if (!r.stepped || port >= HOPWISE_FEEDBACK_PORTS) return 0;
    std::uint64_t word;
    std::memcpy(&word, bytes(r.model->in_feedback_o) + 8 * port, 8);
    return (word & 1) != 0 ? word : 0;
  }

  void lose_feedback(unsigned n) override { lose_one_in_ = n; }

  void initialise() override {
    for (std::size_t local = 0; local < routers_.size(); ++local) {
      Router& r = still(local);
      for (unsigned wait = 0; !r.model->quiescent_o; ++wait) {
        if (wait == kLongestStart)
          throw std::runtime_error("a router does not come to rest after reset");
        clock(r);
      }
    }
  }

  void set_oracle(const QueueOracle* oracle) override { oracle_ = oracle; }

  void sample_queues(std::size_t local, std::uint16_t* queues) const override {
    std::memcpy(queues, bytes(routers_[local].model->queue_o), 2 * kPorts);
  }

#if HOPWISE_HOSTS
  HostInputs* host_inputs(std::size_t local) override {
    return reinterpret_cast<HostInputs*>(bytes(routers_[local].model->host_i));
  }
  const HostOutputs* host_outputs(std::size_t local) const override {
    return reinterpret_cast<const HostOutputs*>(bytes(routers_[local].model->host_o));
  }
#endif

  bool open_wave([[maybe_unused]] std::size_t local, [[maybe_unused]] const char* path) override {
#if HOPWISE_TRACE
    context_->traceEverOn(true);
    Router& r = routers_[local];
    r.wave = std::make_unique<VerilatedFstC>();
    r.model->trace(r.wave.get(), 99);
    r.wave->open(path);
    return r.wave->isOpen();
#else
    return false;
#endif
  }

  void close_waves() override {
#if HOPWISE_TRACE
    for (Router& r : routers_) {
      if (r.wave) r.wave->close();
      r.wave.reset();
    }
#endif
  }

 private:
  struct Router {
    std::unique_ptr<HOPWISE_MODEL> model;
    std::optional<CsrPort<HOPWISE_MODEL>> csr;
    std::byte* block = nullptr;
    bool quiescent = false;
    bool stepped = false;  // in the last cycle; else the pins show those before
    std::uint64_t clock_offset = 0;
    std::array<Wire, kPorts> flits;
    std::array<Wire, kPorts> credits;
    std::array<std::uint64_t, kPorts> counts{};
    std::uint64_t feedbacks = 0;  // sent, while some are lost
#if HOPWISE_TRACE
    std::unique_ptr<VerilatedFstC> wave;
#endif
  };

  /// The router in the network's present cycle with nothing on its input pins: those of its last
  /// step may still be there.
  Router& still(std::size_t local) {
    Router& r = routers_[local];
    std::memset(bytes(r.model->in_meta_i), 0, kStride);
    std::memset(bytes(r.model->out_credit_i), 0, kStride);
    r.model->now_i = now_ + r.clock_offset;  // it may have been skipped since
    return r;
  }

  static bool any(const std::byte* meta) { return any_meta(meta, kStride); }
  static bool stimulated([[maybe_unused]] const Router& r) {
#if HOPWISE_HOSTS
    return r.model->host_i[0] != 0;
#else
    return false;
#endif
  }

  static constexpr unsigned kLongestStart = 1u << 20;  ///< cycles: more than the rows of any table
  /// Clock edges outside the run, of resets and of the CSR port while the network stands still: no
  /// waveform shows them.
  static constexpr std::uint64_t kOffTheRecord = ~std::uint64_t{0};

  /// What the edge of `cycle` finds on pins that settle (0), and what it leaves (1), to the
  /// router's waveform if it has one.
  static void show([[maybe_unused]] Router& r, [[maybe_unused]] std::uint64_t cycle,
                   [[maybe_unused]] unsigned edge) {
#if HOPWISE_TRACE
    if (!r.wave || cycle == kOffTheRecord) return;
    if (edge == 0) r.model->eval();
    r.wave->dump(2 * cycle + edge);
#endif
  }

  /// One rising edge. The routers use no falling edge, so instead of evaluating one, the memory of
  /// the clock's last value is cleared; models whose generated code has no such memory take both
  /// edges.
  void clock(Router& r, std::uint64_t cycle = kOffTheRecord) {
    show(r, cycle, 0);
    r.model->clk_i = 1;
    failed_ = true;  // until the evaluation returns
    r.model->eval();
    failed_ = false;
    show(r, cycle, 1);
#if HOPWISE_ONE_EDGE
    r.model->rootp->__Vtrigrprev__TOP__clk_i = 0;
#else
    r.model->clk_i = 0;
    r.model->eval();
#endif
  }

  void step_router(Router& r, std::byte* slot, std::uint64_t cycle, bool flits, bool credits) {
    auto& m = *r.model;
    std::memcpy(bytes(m.in_meta_i), slot, kStride);
    std::memcpy(bytes(m.out_credit_i), slot + kStride, kStride);
    if (flits) {
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        if (slot[p] == std::byte{0}) continue;
        std::memcpy(bytes(m.in_data_i) + p * kFlitBytes, slot + shape_.flit_offset(p, 0),
                    kFlitBytes);
      }
    }
    if (credits) {
      for (std::uint32_t p = 0; p < HOPWISE_FEEDBACK_PORTS; ++p) {
        if ((static_cast<Meta>(slot[kStride + p]) & kFeedback) == 0) continue;
        std::memcpy(bytes(m.out_feedback_i) + 8 * p, slot + shape_.feedback_offset(p, 0), 8);
      }
    }
    std::memset(slot, 0, 2 * kStride);
    m.now_i = cycle + r.clock_offset;
    if (r.csr->idle()) {
      clock(r, cycle);
    } else {
      r.csr->work([&] { clock(r, cycle); });
    }

    if (const std::byte* meta = bytes(m.out_meta_o); any(meta)) {
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        if (meta[p] == std::byte{0}) continue;
        const Wire& wire = r.flits[p];
        if (wire.block == nullptr)
          throw std::runtime_error("a flit leaves through a port without a channel");
        std::byte* to = wire.slot(cycle);
        to[wire.meta_offset] = meta[p];
        std::memcpy(to + wire.data_offset, bytes(m.out_data_o) + p * kFlitBytes, kFlitBytes);
        ++r.counts[p];
      }
    }
    if (const std::byte* credit = bytes(m.in_credit_o); any(credit)) {
      for (std::uint32_t p = 0; p < kPorts; ++p) {
        Meta meta = static_cast<Meta>(credit[p]);
        if (meta == 0) continue;
        const Wire& wire = r.credits[p];
        std::byte* to = wire.slot(cycle);
        if ((meta & kFeedback) != 0) {
          if (lose_one_in_ != 0 && ++r.feedbacks % lose_one_in_ == 0)
            meta &= static_cast<Meta>(~kFeedback);
          else
            std::memcpy(to + wire.data_offset, bytes(m.in_feedback_o) + 8 * p, 8);
        }
        if (meta != 0) to[wire.meta_offset] = static_cast<std::byte>(meta);
      }
    }
    r.quiescent = m.quiescent_o;
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  bool failed_ = false;
  const QueueOracle* oracle_ = nullptr;
  std::uint64_t now_ = 0;
  unsigned lose_one_in_ = 0;
  WireShape shape_;
  std::vector<Router> routers_;
};

RouterBank* make_bank(const RouterWiring* routers, std::size_t count, const WireShape& shape) {
  return new VerilatedBank(routers, count, shape);
}

}  // namespace
}  // namespace hopwise::model

#if HOPWISE_QUEUE_BITS
/// The function that rtl/simulation/hw_sim_global_queues imports.
extern "C" int hw_sim_path_queue(int from, int via, int to, int link, int) {
  if (hopwise::model::current_oracle == nullptr) return 0;  // before the first cycle
  return static_cast<int>(hopwise::model::current_oracle->path_queue(
      static_cast<unsigned>(from), static_cast<unsigned>(via), static_cast<unsigned>(to),
      static_cast<unsigned>(link)));
}
#endif

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
                                                          1,
                                                          HOPWISE_HOSTS,
                                                          hopwise::model::make_bank};
