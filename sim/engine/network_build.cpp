// SPDX-License-Identifier: Apache-2.0
// How a network is put together: partitions, terminals, wires, banks of routers, probes.
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/message_terminals.hpp"
#include "engine/network.hpp"
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

}  // namespace

void Network::divide(std::size_t partitions) {
  const std::uint32_t first = cuts_[ranks_.rank()], routers = cuts_[ranks_.rank() + 1] - first;
  for (std::size_t i = 0; i < partitions; ++i) {
    auto p = std::make_unique<Partition>();
    p->first = first + static_cast<std::uint32_t>(routers * i / partitions);
    p->end = first + static_cast<std::uint32_t>(routers * (i + 1) / partitions);
    partitions_.push_back(std::move(p));
  }
}

/// `sources`: of the whole network. Says of each terminal which partition, or rank, it is in.
void Network::make_terminals(std::vector<traffic::Source> sources) {
  const auto before = [this](std::uint32_t router) {
    return terminals_before(setup_.topology, router);
  };
  const bool alone = ranks_.size() == 1;
  const std::size_t parties = alone ? partitions_.size() : ranks_.size();
  const auto assign = [this](std::size_t begin, std::size_t end, std::size_t where) {
    std::fill_n(shared_.partition_of.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                static_cast<std::uint32_t>(where));
  };
  for (std::size_t r = 0; !alone && r < parties; ++r)
    assign(before(cuts_[r]), before(cuts_[r + 1]), r);
  if (setup_.terminal_model != nullptr) hosts_ = std::make_unique<HostSettings>(setup_, options_);
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    Partition& p = *partitions_[i];
    const std::size_t begin = before(p.first), end = before(p.end);
    if (alone) assign(begin, end, i);
    const auto source = [&](std::size_t t) {
      return std::make_move_iterator(sources.begin() + static_cast<std::ptrdiff_t>(t));
    };
    std::vector<traffic::Source> mine(source(begin), source(end));
    const auto pins = std::span(pins_).subspan(p.first, p.end - p.first);
    if (hosts_)
      p.terminals = std::make_unique<MessageTerminals>(shared_, *hosts_, p.first, pins, parties,
                                                       std::move(mine));
    else
      p.terminals = std::make_unique<Terminals>(shared_, i, p.first, pins, parties, std::move(mine),
                                                options_);
    terminals_.push_back(p.terminals.get());
  }
}

/// Where what is sent on a channel arrives: at the router behind it or, of another rank's, in the
/// boundary, which brings it there.
model::Wire Network::flit_wire(ChannelId id) const {
  const topology::Channel& c = setup_.topology.channel(id);
  const InputPins& pins = pins_[index(c.dst)];
  if (pins.block == nullptr) return boundary_->flits(id);
  return pins.wire_to(static_cast<std::uint32_t>(index(c.dst_port)), false, c.latency_cycles + 1);
}

/// The same of the credits that it takes back.
model::Wire Network::credit_wire(ChannelId id) const {
  const topology::Channel& c = setup_.topology.channel(id);
  const InputPins& pins = pins_[index(c.src)];
  if (pins.block == nullptr) return boundary_->credits(id);
  return pins.wire_to(static_cast<std::uint32_t>(index(c.src_port)), true, c.latency_cycles + 1);
}

/// `terminal`: its first one, by its number in the partition.
model::RouterWiring Network::wiring_of(RouterId router, const TerminalGroup& terminals,
                                       std::uint32_t terminal) const {
  const topology::Topology& topology = setup_.topology;
  const auto r = static_cast<std::uint32_t>(index(router));
  model::RouterWiring w;
  w.block = pins_[r].block;
  w.lane = pins_[r].lane;
  w.router = r;
  w.coordinates = setup_.coordinates[r];
  if (options_.skew_clocks) w.clock_offset = traffic::mix64(kClockStream + r);
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
    const InputPins pins = terminals.pins(terminal + slot);
    w.flits[port] = pins.wire_to(0, false, latency + 1);
    w.credits[port] = pins.wire_to(0, true, latency + 1);
  }
  return w;
}

/// Those of a partition, with their watchdogs and probes.
void Network::make_routers(std::size_t partition) {
  const topology::Topology& topology = setup_.topology;
  Partition& part = *partitions_[partition];
  std::vector<std::vector<model::RouterWiring>> wiring(setup_.models.size());
  std::vector<ShapedBank::Place> places;
  std::uint32_t terminal = 0;
  for (std::uint32_t r = part.first; r < part.end; ++r) {
    const unsigned shape = topology.shape_index(RouterId{r});
    places.push_back({shape, wiring[shape].size()});
    wiring[shape].push_back(wiring_of(RouterId{r}, *part.terminals, terminal));
    terminal += topology.terminals_at(RouterId{r});
  }
  std::vector<std::unique_ptr<model::RouterBank>> banks;
  for (std::size_t shape = 0; shape < wiring.size(); ++shape)
    banks.push_back(make_bank(shape, wiring[shape]));
  part.bank = banks.size() == 1 ? std::move(banks.front())
                                : std::make_unique<ShapedBank>(std::move(banks), std::move(places));
  part.bank->lose_feedback(options_.lose_one_in);
  unsigned words = 0;
  for (const model::RouterModel* model : setup_.models)
    words = std::max<unsigned>(words, model->stuck_words);
  part.stuck.watch(setup_.network, topology, !options_.skew_clocks, words);
  if (setup_.draws) seed(part);
  part.section = {partition, part.first, part.end, part.bank.get(), &pins_[part.first]};
  for (const auto& probe : probes_) probe->prepare(part.section);
}

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

}  // namespace hopwise::engine
