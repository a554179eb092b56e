// SPDX-License-Identifier: Apache-2.0
#include "engine/network.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/cpu_time.hpp"
#include "engine/message_terminals.hpp"
#include "engine/partition.hpp"
#include "engine/shadow_bank.hpp"
#include "engine/shaped_bank.hpp"
#include "spec/csr_map.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {

namespace {

// apart from the terminals' streams
constexpr std::uint64_t kRouterStream = std::uint64_t{0x726f757465722d00};
constexpr std::uint64_t kClockStream = std::uint64_t{0x636c6f636b2d0000};

/// Of the routers before this one.
std::uint32_t terminals_before(const topology::Topology& topology, std::uint32_t router) {
  return static_cast<std::uint32_t>(router == topology.num_routers()
                                        ? topology.num_terminals()
                                        : index(topology.terminal_at(RouterId{router}, 0)));
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
  const auto& topology = setup.topology;
  const std::uint32_t begin_router = cuts_[ranks_.rank()], end_router = cuts_[ranks_.rank() + 1],
                      routers = end_router - begin_router;
  const bool alone = ranks_.size() == 1;
  const std::size_t count =
      berth != nullptr || !alone ? 1 : std::clamp<std::size_t>(options.threads, 1, routers);
  make_probes(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto p = std::make_unique<Partition>();
    p->first = begin_router + static_cast<std::uint32_t>(routers * i / count);
    p->end = begin_router + static_cast<std::uint32_t>(routers * (i + 1) / count);
    partitions_.push_back(std::move(p));
  }
  place_routers();
  if (!alone) boundary_ = std::make_unique<Boundary>(ranks_, setup, layout_, options, cuts_, pins_);
  for (unsigned r = 0; !alone && r < ranks_.size(); ++r) {
    const std::uint32_t end = terminals_before(topology, cuts_[r + 1]);
    for (std::uint32_t t = terminals_before(topology, cuts_[r]); t < end; ++t)
      shared_.partition_of[t] = r;
  }
  const std::size_t parties = alone ? count : ranks_.size();
  if (setup.terminal_model != nullptr) hosts_ = std::make_unique<HostSettings>(setup, options);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& p = partitions_[i];
    const std::size_t begin = terminals_before(topology, p->first),
                      end = terminals_before(topology, p->end);
    for (std::size_t t = begin; alone && t < end; ++t)
      shared_.partition_of[t] = static_cast<std::uint32_t>(i);
    const auto source = [&](std::size_t t) {
      return std::make_move_iterator(sources.begin() + static_cast<std::ptrdiff_t>(t));
    };
    std::vector<traffic::Source> mine(source(begin), source(end));
    const auto routers_pins = std::span(pins_).subspan(p->first, p->end - p->first);
    if (hosts_)
      p->terminals = std::make_unique<MessageTerminals>(shared_, *hosts_, p->first, routers_pins,
                                                        parties, std::move(mine));
    else
      p->terminals = std::make_unique<Terminals>(shared_, i, p->first, routers_pins, parties,
                                                 std::move(mine), options);
    terminals_.push_back(p->terminals.get());
  }
  meeting_ = std::make_unique<Meeting>(static_cast<std::uint32_t>(count));

  // Other ranks have wires of their own: the boundary brings them there.
  const auto is_here = [&](RouterId r) { return pins_[index(r)].block != nullptr; };
  const auto flit_wire = [&](ChannelId id) {
    const topology::Channel& c = topology.channel(id);
    return is_here(c.dst)
               ? pins_[index(c.dst)].wire_to(static_cast<std::uint32_t>(index(c.dst_port)), false,
                                             c.latency_cycles + 1)
               : boundary_->flits(id);
  };
  const auto credit_wire = [&](ChannelId id) {
    const topology::Channel& c = topology.channel(id);
    return is_here(c.src)
               ? pins_[index(c.src)].wire_to(static_cast<std::uint32_t>(index(c.src_port)), true,
                                             c.latency_cycles + 1)
               : boundary_->credits(id);
  };
  const auto wire_up = [&](std::uint32_t r, Partition& part, std::uint32_t& local_terminal) {
    const RouterId router{r};
    model::RouterWiring w;
    w.block = pins_[r].block;
    w.lane = pins_[r].lane;
    w.router = r;
    w.coordinates = setup.coordinates[r];
    if (options.skew_clocks) w.clock_offset = traffic::mix64(kClockStream + r);
    w.flits.resize(topology.num_ports(router));
    w.credits.resize(topology.num_ports(router));
    for (unsigned p = 0; p < topology.network_ports(router); ++p) {
      const PortId port{static_cast<std::uint16_t>(p)};
      if (const auto out = topology.out_channel(router, port)) w.flits[p] = flit_wire(*out);
      if (const auto in = topology.in_channel(router, port)) w.credits[p] = credit_wire(*in);
    }
    const unsigned latency = topology.terminal_latency_cycles();
    for (std::uint32_t slot = 0; slot < topology.terminals_at(router); ++slot) {
      const std::uint32_t port = topology.network_ports(router) + slot;
      const InputPins terminal = part.terminals->pins(local_terminal++);
      w.flits[port] = terminal.wire_to(0, false, latency + 1);
      w.credits[port] = terminal.wire_to(0, true, latency + 1);
    }
    return w;
  };
  for (const model::RouterModel* model : setup.models) {
    if (setup.counters.size() != model->counter_words)
      throw std::runtime_error(fmt::format("counters_o has {} words, the routing names {} counters",
                                           model->counter_words, setup.counters.size()));
  }
  if (shared_.faults.resets()) reset_.assign(topology.num_routers(), 0);
  totals_.assign(topology.num_routers() * setup.counters.size(), 0);
  if (setup.network.router.checks) drops_seen_.resize(topology.num_routers());
  // Each bank is built by the thread that steps it, so that its memory is near.
  in_parallel([&](std::size_t i) {
    Partition& part = *partitions_[i];
    std::vector<std::vector<model::RouterWiring>> wiring(setup.models.size());
    std::vector<ShapedBank::Place> places;
    std::uint32_t local_terminal = 0;
    for (std::uint32_t r = part.first; r < part.end; ++r) {
      const unsigned shape = topology.shape_index(RouterId{r});
      places.push_back({shape, wiring[shape].size()});
      wiring[shape].push_back(wire_up(r, part, local_terminal));
    }
    std::vector<std::unique_ptr<model::RouterBank>> banks;
    for (std::size_t shape = 0; shape < wiring.size(); ++shape)
      banks.push_back(make_bank(shape, wiring[shape]));
    part.bank = banks.size() == 1
                    ? std::move(banks.front())
                    : std::make_unique<ShapedBank>(std::move(banks), std::move(places));
    part.bank->lose_feedback(options.lose_one_in);
    unsigned words = 0;
    for (const model::RouterModel* model : setup.models)
      words = std::max<unsigned>(words, model->stuck_words);
    part.stuck.watch(setup.network, topology, !options.skew_clocks, words);
    if (setup.draws) seed(part);
    part.section = {i, part.first, part.end, part.bank.get(), &pins_[part.first]};
    for (const auto& probe : probes_) probe->prepare(part.section);
  });
}

Network::~Network() = default;

std::unique_ptr<model::RouterBank> Network::make_bank(
    std::size_t shape, const std::vector<model::RouterWiring>& wiring) const {
  if (berth_ != nullptr) {
    const Berth::Shape& lanes = berth_->shapes[shape];
    return lanes.bank->part(lanes.first, wiring, berth_->cycle);
  }
  const model::WireShape& wires = layout_.routers[shape];
  std::unique_ptr<model::RouterBank> bank(
      setup_.models[shape]->make_bank(wiring.data(), wiring.size(), wires));
  std::vector<std::size_t> shadowed;
  for (std::size_t i = 0; i < wiring.size(); ++i) {
    if (options_.is_shadowed(RouterId{wiring[i].router})) shadowed.push_back(i);
  }
  if (setup_.shadows.empty() || shadowed.empty()) return bank;
  return std::make_unique<ShadowBank>(std::move(bank), *setup_.shadows[shape], wiring, wires,
                                      shadowed);
}

/// Fills the blocks of each shape of routers in their order: those of the berth, or its own for
/// each partition.
void Network::place_routers() {
  const topology::Topology& topology = setup_.topology;
  pins_.resize(topology.num_routers());
  for (const auto& part : partitions_) {
    Berth own;
    const std::vector<std::size_t> routers = routers_of_shapes(topology, part->first, part->end);
    for (std::size_t shape = 0; berth_ == nullptr && shape < routers.size(); ++shape) {
      blocks_.emplace_back(bytes_of_blocks(layout_.routers[shape], routers[shape]));
      own.shapes.push_back({nullptr, blocks_.back().data(), 0});
    }
    const Berth& berth = berth_ != nullptr ? *berth_ : own;
    std::vector<std::size_t> number(routers.size());  // of each shape
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      const unsigned shape = topology.shape_index(RouterId{r});
      pins_[r] = berth.pins(shape, number[shape]++, layout_.routers[shape]);
    }
  }
}

void Network::make_probes(std::size_t partitions) {
  const Scene scene{setup_, options_, partitions, shared_.records.most(),
                    ranks_.size() > 1 ? &ranks_ : nullptr};
  for (const auto* list : {&setup_.probes, &options_.probes}) {
    for (const MakeProbe& make : *list) {
      if (auto probe = make(scene)) probes_.push_back(std::move(probe));
    }
  }
  auto counters = std::make_shared<measure::Counters>(setup_.counters);
  for (const auto& probe : probes_) {
    const Needs needs = probe->needs();
    if (needs.wires) of_wires_.push_back(probe.get());
    if (needs.routers) of_routers_.push_back(probe.get());
    if (needs.injections) shared_.of_injections.push_back(probe.get());
    if (needs.meetings) of_meetings_.push_back(probe.get());
    const measure::Counters own = probe->counters();
    if (!own.empty()) counting_.push_back({probe.get(), counters->size(), own.size()});
    counters->insert(counters->end(), own.begin(), own.end());
  }
  counters_ = std::move(counters);
}

/// Every router draws from its own stream.
void Network::seed(Partition& part) {
  std::vector<model::CsrAnswer> answers(part.end - part.first);
  for (std::uint32_t r = part.first; r < part.end; ++r) {
    answers[r - part.first].data = static_cast<std::uint32_t>(
        traffic::mix64(options_.simulation.seed ^ traffic::mix64(kRouterStream + r)));
  }
  part.bank->csr_write_each(csr::kRandomSeed, answers);
  part.bank->csr_read_each(csr::kRoutingControl, answers);
  for (auto& answer : answers) answer.data |= csr::kLoadSeed;
  part.bank->csr_write_each(csr::kRoutingControl, answers);
  for (auto& answer : answers) answer.data &= ~std::uint32_t{csr::kLoadSeed};
  part.bank->csr_write_each(csr::kRoutingControl, answers);
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
