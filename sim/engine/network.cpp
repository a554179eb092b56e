// SPDX-License-Identifier: Apache-2.0
#include "engine/network.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/csr_map.hpp"
#include "engine/partition.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {

namespace {

// apart from the terminals' streams
constexpr std::uint64_t kRouterStream = std::uint64_t{0x726f757465722d00};
constexpr std::uint64_t kClockStream = std::uint64_t{0x636c6f636b2d0000};

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

model::WireShape wire_shape(std::uint32_t ports, unsigned flit_bits, bool feedback,
                            unsigned longest_delay) {
  model::WireShape s;
  s.ports = ports;
  s.port_stride = (ports + 7) / 8 * 8;
  s.flit_bytes = (flit_bits + 63) / 64 * 8;
  s.feedback_bytes = feedback ? 8 : 0;
  s.slot_mask = std::bit_ceil(longest_delay + 2) - 1;
  return s;
}

model::Wire wire_to(std::byte* block, const model::WireShape& shape, std::uint32_t port,
                    bool credit, unsigned delay) {
  return {.block = block,
          .slot_bytes = shape.slot_bytes(),
          .slot_mask = shape.slot_mask,
          .meta_offset = (credit ? shape.port_stride : 0) + port,
          .data_offset = credit ? shape.feedback_offset(port) : shape.flit_offset(port),
          .delay = delay};
}

bool all_zero_meta(const std::byte* block, const model::WireShape& shape) {
  for (std::uint32_t slot = 0; slot <= shape.slot_mask; ++slot) {
    const std::byte* meta = block + std::size_t{slot} * shape.slot_bytes();
    if (std::any_of(meta, meta + 2 * shape.port_stride,
                    [](std::byte b) { return b != std::byte{0}; }))
      return false;
  }
  return true;
}

}  // namespace

/// Where threads wait for each other between epochs: a few spins, then asleep.
struct Network::Meeting {
  explicit Meeting(std::uint32_t n) : parties(n) {}
  void wait() {
    const std::uint32_t mine = phase.load(std::memory_order_acquire);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == parties) {
      arrived.store(0, std::memory_order_relaxed);
      phase.store(mine + 1, std::memory_order_release);
      phase.notify_all();
      return;
    }
    for (unsigned spin = 0; spin < 4000; ++spin) {
      if (phase.load(std::memory_order_acquire) != mine) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    phase.wait(mine, std::memory_order_acquire);  // somebody has lost its core
  }
  const std::uint32_t parties;
  std::atomic<std::uint32_t> arrived{0};
  std::atomic<std::uint32_t> phase{0};
  std::atomic<bool> failed{false};
};

Network::Network(const Setup& setup, const RunOptions& options,
                 std::vector<traffic::Source> sources)
    : setup_(setup), options_(options) {
  const auto& topology = setup.topology;
  const auto routers = static_cast<std::uint32_t>(topology.num_routers());
  const auto per_router = topology.terminals_per_router();
  unsigned longest = topology.terminal_latency_cycles() + 2, shortest = ~0u;
  for (const auto& channel : topology.channels()) {
    longest = std::max(longest, channel.latency_cycles + 1);
    shortest = std::min(shortest, channel.latency_cycles + 1);
  }
  epoch_ = std::min(shortest, 64u);
  shared_.setup = &setup;
  // A partition may be an epoch ahead of the one that reads what it writes.
  shared_.router_wires =
      wire_shape(topology.num_ports(), setup.network.packet.flit_bits,
                 setup.model.feedback_bits > 0, longest + static_cast<unsigned>(epoch_));
  shared_.terminal_wires = wire_shape(per_router, setup.network.packet.flit_bits, false, longest);
  const std::size_t ids =
      std::min(std::size_t{1} << setup.format.packet_id.width, Shared::kMostUnderWay);
  shared_.records.assign(topology.num_terminals(), std::vector<PacketRecord>(ids));
  if (setup.in_order) {
    shared_.next_sequence.assign(topology.num_terminals(),
                                 std::vector<std::uint32_t>(topology.num_terminals()));
    shared_.expected = shared_.next_sequence;
  }
  shared_.partition_of.resize(topology.num_terminals());
  const std::size_t block_bytes = shared_.router_wires.block_bytes();
  blocks_.assign(routers * block_bytes, std::byte{0});

  if (setup.network.routing.settings.has("q_alpha")) {
    learner_ = learn::q_shape(setup.network, topology, setup.format);
    if (options.learning.check) arrivals_ = make_arrivals(shared_);
  }

  const std::size_t count = std::clamp<std::size_t>(options.threads, 1, routers);
  if (setup.network.routing.settings.has("dqn_macs"))
    dqn_ = std::make_unique<DqnTraining>(setup, options, count);
  for (std::size_t i = 0; i < count; ++i) {
    auto p = std::make_unique<Partition>();
    p->first = static_cast<std::uint32_t>(routers * i / count);
    p->end = static_cast<std::uint32_t>(routers * (i + 1) / count);
    for (std::uint32_t t = p->first * per_router; t < p->end * per_router; ++t) {
      shared_.partition_of[t] = static_cast<std::uint32_t>(i);
    }
    std::vector<traffic::Source> mine(
        std::make_move_iterator(sources.begin() + p->first * per_router),
        std::make_move_iterator(sources.begin() + p->end * per_router));
    p->terminals =
        std::make_unique<Terminals>(shared_, p->first, p->end, count, std::move(mine), options);
    terminals_.push_back(p->terminals.get());
    partitions_.push_back(std::move(p));
  }
  meeting_ = std::make_unique<Meeting>(static_cast<std::uint32_t>(count));

  const auto wire_up = [&](std::uint32_t r, Partition& part) {
    model::RouterWiring w;
    w.block = blocks_.data() + r * block_bytes;
    w.coordinates = setup.coordinates[r];
    if (options.learning.skew_clocks) w.clock_offset = traffic::mix64(kClockStream + r);
    w.flits.resize(topology.num_ports());
    w.credits.resize(topology.num_ports());
    for (std::uint16_t p = 0; p < topology.network_ports(); ++p) {
      if (const auto out = topology.out_channel(RouterId{r}, PortId(p))) {
        const auto& c = topology.channel(*out);
        w.flits[p] =
            wire_to(blocks_.data() + index(c.dst) * block_bytes, shared_.router_wires,
                    static_cast<std::uint32_t>(index(c.dst_port)), false, c.latency_cycles + 1);
      }
      if (const auto in = topology.in_channel(RouterId{r}, PortId(p))) {
        const auto& c = topology.channel(*in);
        w.credits[p] =
            wire_to(blocks_.data() + index(c.src) * block_bytes, shared_.router_wires,
                    static_cast<std::uint32_t>(index(c.src_port)), true, c.latency_cycles + 1);
      }
    }
    std::byte* terminal_block = part.terminals->block(r - part.first);
    const unsigned latency = topology.terminal_latency_cycles();
    for (std::uint32_t slot = 0; slot < per_router; ++slot) {
      const std::uint32_t port = topology.network_ports() + slot;
      w.flits[port] = wire_to(terminal_block, shared_.terminal_wires, slot, false, latency + 1);
      w.credits[port] = wire_to(terminal_block, shared_.terminal_wires, slot, true, latency + 1);
      // A flit is on the terminal's pins in the cycle of its step; a credit for what arrived is
      // there two cycles later.
      part.terminals->connect((r - part.first) * per_router + slot,
                              wire_to(w.block, shared_.router_wires, port, false, latency),
                              wire_to(w.block, shared_.router_wires, port, true, latency + 2));
    }
    return w;
  };
  const bool oracle = setup.oracle;
  if (setup.model.queue_bits != 0 && (oracle || options.simulation.path_queues)) {
    queues_ = std::make_unique<GlobalQueues>(topology);
    shared_.queues = queues_.get();
  }
  if (setup.model.monitor_words != 0) {
    monitors_.assign(routers, {});
    router_decisions_.assign(routers, {});
  }
  // Each bank is built by the thread that steps it, so that its memory is near.
  in_parallel([&](std::size_t i) {
    Partition& part = *partitions_[i];
    std::vector<model::RouterWiring> wiring;
    for (std::uint32_t r = part.first; r < part.end; ++r) wiring.push_back(wire_up(r, part));
    part.bank.reset(setup.model.make_bank(wiring.data(), wiring.size(), shared_.router_wires));
    if (queues_) part.bank->set_oracle(queues_.get());
    if (setup.draws) seed(part);
    if (learner_) prepare_learning(part);
    if (dqn_) {
      part.bank->lose_feedback(options.learning.lose_one_in);
      dqn_->prepare(i, *part.bank, part.first, part.end);
    }
  });
}

Network::~Network() = default;

/// Every router draws from its own stream.
void Network::seed(Partition& part) {
  for (std::uint32_t r = part.first; r < part.end; ++r) {
    const auto value = static_cast<std::uint32_t>(
        traffic::mix64(options_.simulation.seed ^ traffic::mix64(kRouterStream + r)));
    part.bank->csr_write(r - part.first, csr::kRandomSeed, value);
    std::uint32_t control = 0;
    part.bank->csr_read(r - part.first, csr::kRoutingControl, control);
    part.bank->csr_write(r - part.first, csr::kRoutingControl, control | csr::kLoadSeed);
    part.bank->csr_write(r - part.first, csr::kRoutingControl, control);
  }
}

template <class F>
void Network::in_parallel(F&& work) {
  const auto guarded = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      partitions_[i]->error = std::current_exception();
      meeting_->failed = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < partitions_.size(); ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (auto& thread : threads) thread.join();
  for (auto& part : partitions_) {
    if (part->error) std::rethrow_exception(part->error);
  }
}

void Network::run_partition(std::size_t self, std::uint64_t first_cycle, std::uint64_t epochs) {
  Partition& part = *partitions_[self];
  const double start = thread_seconds();
  std::uint64_t cycle = first_cycle;
  for (std::uint64_t e = 0; e < epochs; ++e) {
    // Reports of the last epoch are read here, while those of this one are written to the other
    // side.
    const auto parity = static_cast<unsigned>((cycle / epoch_) & 1);
    part.terminals->collect(terminals_, self, parity ^ 1);
    part.terminals->begin_epoch(parity);
    if (part.error == nullptr && !meeting_->failed.load(std::memory_order_relaxed)) {
      try {
        for (std::uint64_t k = 0; k < epoch_; ++k) {
          part.terminals->step(cycle + k);
          if (part.check) {
            std::byte* wires = blocks_.data() + part.first * shared_.router_wires.block_bytes();
            part.check->look_at_wires(wires, shared_.router_wires, cycle + k, arrivals_);
          }
          part.bank->step(cycle + k, options_.skip_idle);
          if (part.check) part.check->look_at_routers(*part.bank, cycle + k);
          if (dqn_) dqn_->look(self, cycle + k);
        }
      } catch (...) {
        part.error = std::current_exception();
        meeting_->failed = true;
      }
    }
    cycle += epoch_;
    if (queues_) {
      for (std::uint32_t r = part.first; r < part.end; ++r)
        part.bank->sample_queues(r - part.first, queues_->to_write(r));
      if (partitions_.size() > 1) meeting_->wait();
      if (self == 0) queues_->swap();
    }
    if (dqn_ && dqn_->learns()) {
      if (partitions_.size() > 1) meeting_->wait();
      if (self == 0 && !meeting_->failed.load(std::memory_order_relaxed)) {
        try {
          dqn_->end_epoch(cycle);
        } catch (...) {
          part.error = std::current_exception();
          meeting_->failed = true;
        }
      }
    }
    if (partitions_.size() > 1) meeting_->wait();
  }
  part.cpu += thread_seconds() - start;
}

void Network::advance(std::uint64_t epochs) {
  in_parallel([&](std::size_t i) { run_partition(i, now_, epochs); });
  now_ += epochs * epoch_;
}

double Network::cpu_seconds() const {
  double sum = 0;
  for (const auto& part : partitions_) sum += part->cpu;
  return sum;
}

bool Network::quiescent() const {
  if (dqn_ && dqn_->loading()) return false;
  for (const auto& part : partitions_) {
    if (!part->bank->quiescent()) return false;
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      if (!all_zero_meta(part->terminals->block(r - part->first), shared_.terminal_wires))
        return false;
    }
  }
  for (std::size_t r = 0; r < setup_.topology.num_routers(); ++r) {
    if (!all_zero_meta(blocks_.data() + r * shared_.router_wires.block_bytes(),
                       shared_.router_wires))
      return false;
  }
  return true;
}

void Network::stop_generating() {
  if (dqn_) dqn_->stop_loading();
  for (auto* t : terminals_) t->stop_generating();
}

bool Network::sources_done() const {
  return std::all_of(terminals_.begin(), terminals_.end(),
                     [](const Terminals* t) { return t->sources_done(); });
}

measure::Window Network::take_window() {
  measure::Window sum;
  for (auto* t : terminals_) {
    measure::Window& mine = t->tally().window;
    mine.in_flight_flits = t->in_flight_flits();
    mine.queued_flits = t->queued_flits();
    sum += mine;
    mine = {};
  }
  if (setup_.model.monitor_words == 0) return sum;
  const bool table = setup_.network.routing.settings.has("q_alpha"), proposes = dqn_ != nullptr;
  for (const auto& part : partitions_) {
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      std::array<std::uint32_t, kMostMonitorWords> since{};
      for (std::uint32_t w = 0; w < setup_.model.monitor_words; ++w) {
        const std::uint32_t total = part->bank->monitor(r - part->first, w);
        since[w] = total - std::exchange(monitors_[r][w], total);
      }
      sum.decisions += since[0];
      sum.nonminimal += since[proposes ? 3 : 1];
      router_decisions_[r] = {since[0], table || proposes ? 0 : since[4]};
      if (table) {
        sum.learning += {since[2], since[3], since[4], since[5], since[6], since[7]};
        continue;
      }
      if (proposes) {
        sum.proposals += {since[1], since[2], since[4], since[5],  since[6],
                          since[7], since[8], since[9], since[10], since[11]};
        continue;
      }
      sum.minimal_queue += since[2];
      sum.minimal_estimate += since[3];
      sum.contention += since[4];
      sum.bias += static_cast<std::int32_t>(since[5]);
    }
  }
  return sum;
}

void Network::clear_measured() {
  measure_start_ = now_;
  for (auto& part : partitions_) {
    part->terminals->tally().clear_measured();
    part->terminals->clear_accepted();
    part->bank->clear_counts();
  }
}

std::uint64_t Network::injected() const {
  std::uint64_t sum = 0;
  for (const auto* t : terminals_) sum += t->injected();
  return sum;
}

std::uint64_t Network::delivered() const {
  std::uint64_t sum = 0;
  for (const auto* t : terminals_) sum += t->delivered();
  return sum;
}

void Network::open_waves(RunResult& result) {
  for (const auto& [router, path] : options_.waves) {
    for (auto& part : partitions_) {
      const auto r = static_cast<std::uint32_t>(index(router));
      if (r < part->first || r >= part->end) continue;
      if (!part->bank->open_wave(r - part->first, path.c_str())) {
        result.failures.push_back(fmt::format("cannot write the waveform {}", path));
      }
    }
  }
}

}  // namespace hopwise::engine
