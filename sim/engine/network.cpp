// SPDX-License-Identifier: Apache-2.0
#include "engine/network.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/cpu_time.hpp"
#include "engine/partition.hpp"

namespace hopwise::engine {

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
                 std::vector<traffic::Source> sources, const Berth* berth)
    : setup_(setup),
      options_(options),
      berth_(berth),
      layout_(setup),
      ranks_(options.ranks != nullptr ? *options.ranks : one_),
      cuts_(cut_routers(setup.topology, ranks_.size())),
      shared_(setup, layout_, options,
              {terminals_before(setup.topology, cuts_[ranks_.rank()]),
               terminals_before(setup.topology, cuts_[ranks_.rank() + 1])}) {
  const std::uint32_t routers = cuts_[ranks_.rank() + 1] - cuts_[ranks_.rank()];
  const bool alone = ranks_.size() == 1;
  const std::size_t count =
      berth != nullptr || !alone ? 1 : std::clamp<std::size_t>(options.threads, 1, routers);
  make_probes(count);
  divide(count);
  place_routers();
  if (!alone) boundary_ = std::make_unique<Boundary>(ranks_, setup, layout_, options, cuts_, pins_);
  make_terminals(std::move(sources));
  meeting_ = std::make_unique<Meeting>(static_cast<std::uint32_t>(count));
  for (const model::RouterModel* model : setup.models) {
    if (setup.counters.size() != model->counter_words)
      throw std::runtime_error(fmt::format("counters_o has {} words, the routing names {} counters",
                                           model->counter_words, setup.counters.size()));
  }
  if (shared_.faults.resets()) reset_.assign(setup.topology.num_routers(), 0);
  totals_.assign(setup.topology.num_routers() * setup.counters.size(), 0);
  if (setup.network.router.checks) drops_seen_.resize(setup.topology.num_routers());
  // Each bank is built by the thread that steps it, so that its memory is near.
  in_parallel([&](std::size_t i) { make_routers(i); });
}

Network::~Network() = default;

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
  std::exception_ptr first;
  for (auto& part : partitions_) {
    if (part->error && !first) first = part->error;
  }
  agree_on_failure(first);
}

/// All ranks end with what the first of those says that have failed.
void Network::agree_on_failure(const std::exception_ptr& error) {
  if (ranks_.size() == 1) {
    if (error) std::rethrow_exception(error);
    return;
  }
  std::string what;
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& e) {
    what = e.what();
  }
  for (const Ranks::Bytes& said : ranks_.gather(std::as_bytes(std::span(what)))) {
    if (said.empty()) continue;
    catch_up();
    throw std::runtime_error({reinterpret_cast<const char*>(said.data()), said.size()});
  }
}

void Network::catch_up() {
  if (boundary_) boundary_->receive(shared_.records);
}

void Network::before_routers(Partition& part, std::uint64_t cycle) {
  part.terminals->step(cycle);
  for (std::uint32_t r = part.first; shared_.faults.flips() && r < part.end; ++r) {
    for (unsigned p = 0; p < setup_.topology.network_ports(RouterId{r}); ++p) {
      const std::byte meta = pins_[r].flit_meta(cycle, p);
      if ((meta & static_cast<std::byte>(model::kHead)) == std::byte{0}) continue;
      std::byte* at = pins_[r].slot(cycle) + pins_[r].shape->flit_offset(p, pins_[r].lane);
      part.terminals->flip(reinterpret_cast<std::uint64_t*>(at), r, p, cycle);
    }
  }
  for (std::uint32_t r = part.first; shared_.faults.resets() && r < part.end; ++r) {
    if (draining_ || !shared_.faults.reset(r, cycle)) continue;
    reset_[r] = cycle + 1;
    for (const std::uint32_t request : {1U, 0U})
      part.bank->queue_csr(r - part.first, setup_.reset_register, request);
  }
  for (Probe* probe : of_wires_) probe->observe_wires(part.section, cycle);
}

void Network::after_routers(Partition& part, std::uint64_t cycle) {
  part.stuck.observe(*part.bank, part.first, part.end, cycle);
  for (Probe* probe : of_routers_) probe->observe_routers(part.section, cycle);
}

template <class F>
void Network::unless_failed(Partition& part, F&& work) {
  if (part.error != nullptr || meeting_->failed.load(std::memory_order_relaxed)) return;
  try {
    work();
  } catch (...) {
    part.error = std::current_exception();
    meeting_->failed = true;
  }
}

void Network::begin_epoch(std::size_t self, std::uint64_t cycle) {
  // Reports of former epochs are read here, while those of this one are written to another side.
  const std::uint64_t epoch = cycle / layout_.epoch;
  TerminalGroup& terminals = *partitions_[self]->terminals;
  terminals.collect(terminals_, boundary_ ? ranks_.rank() : self, epoch);
  if (boundary_) boundary_->collect(epoch, terminals, shared_.records);
  terminals.begin_epoch(epoch);
}

void Network::end_epoch(std::size_t self, std::uint64_t cycle) {
  Partition& part = *partitions_[self];
  if (!of_meetings_.empty()) {
    unless_failed(part, [&] {
      for (Probe* probe : of_meetings_) probe->leave_epoch(part.section);
    });
    if (partitions_.size() > 1) meeting_->wait();
    if (boundary_ && anywhere(meeting_->failed)) meeting_->failed = true;
    // The first partition goes on for all.
    if (self == 0) {
      unless_failed(part, [&] {
        for (Probe* probe : of_meetings_) probe->end_epoch(cycle);
      });
    }
  }
  if (partitions_.size() > 1) meeting_->wait();
}

void Network::run_partition(std::size_t self, std::uint64_t epochs) {
  Partition& part = *partitions_[self];
  const double start = thread_seconds(), waited = ranks_.costs().wait_cpu;
  // Partitions agree on the epoch even where some have failed.
  for (std::uint64_t e = 0; e < epochs; ++e) {
    const std::uint64_t first = now_ + e * layout_.epoch, end = first + layout_.epoch;
    const auto run = [&](std::uint64_t from, std::uint64_t to) {
      unless_failed(part, [&] {
        for (std::uint64_t cycle = from; cycle < to; ++cycle) {
          before_routers(part, cycle);
          part.bank->step(cycle, options_.skip_idle);
          after_routers(part, cycle);
        }
      });
    };
    begin_epoch(self, first);
    if (boundary_) {
      const std::uint64_t due = first + boundary_->due();
      run(first, due);
      boundary_->receive(shared_.records);
      run(due, end);
      boundary_->send(first, *part.terminals, shared_.records);
    } else {
      run(first, end);
    }
    end_epoch(self, end);
  }
  part.cpu += thread_seconds() - start - (ranks_.costs().wait_cpu - waited);
}

void Network::advance(std::uint64_t epochs) {
  in_parallel([&](std::size_t i) { run_partition(i, epochs); });
  now_ += epochs * layout_.epoch;
}

void Network::before_step() {
  if (now_ % layout_.epoch == 0) begin_epoch(0, now_);
  before_routers(*partitions_.front(), now_);
}

void Network::after_step() {
  after_routers(*partitions_.front(), now_);
  ++now_;
  if (now_ % layout_.epoch == 0) end_epoch(0, now_);
  if (partitions_.front()->error) std::rethrow_exception(partitions_.front()->error);
}

double Network::cpu_seconds() const {
  double sum = cpu_share_;
  for (const auto& part : partitions_) sum += part->cpu;
  return sum;
}

double Network::eval_seconds() const {
  double sum = eval_share_;
  if (berth_ != nullptr) return sum;
  for (const auto& part : partitions_) sum += part->bank->eval_seconds();
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
