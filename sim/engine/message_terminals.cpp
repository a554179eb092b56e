// SPDX-License-Identifier: Apache-2.0
#include "engine/message_terminals.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/crc32c.hpp"
#include "engine/probe.hpp"
#include "spec/message_csr_map.hpp"

namespace hopwise::engine {
namespace {

constexpr unsigned kRequests = 0;  // message class

}  // namespace

MessageTerminals::MessageTerminals(Shared& shared, HostSettings& settings,
                                   std::uint32_t first_router, std::span<const InputPins> routers,
                                   std::size_t partitions, std::vector<traffic::Source> sources)
    : TerminalGroup(shared.records,
                    static_cast<std::uint32_t>(
                        index(shared.setup.topology.terminal_at(RouterId{first_router}, 0))),
                    sources.size(), shared.setup.network.router.num_message_classes(), partitions),
      shared_(shared),
      settings_(settings),
      classes_(shared.setup.network.router.num_message_classes()),
      class_vcs_(shared.setup.network.router.message_class_vcs()),
      flit_words_((shared.setup.network.packet.wire_bits() + 63) / 64),
      sending_(sources.size() * classes_),
      arriving_(sources.size() * classes_),
      scratch_(flit_words_ + 1) {
  heard_after_ = 1;
  const topology::Topology& topology = shared.setup.topology;
  wires_ = {.ports = 1,
            .lanes = shared.setup.terminal_model->lanes,
            .flit_bytes = 8 * flit_words_,
            .slot_mask = shared.layout.terminal_slots};
  blocks_ = Blocks(bytes_of_blocks(wires_, std::max<std::size_t>(1, sources.size())));
  const unsigned delay = topology.terminal_latency_cycles() + 1;
  std::vector<model::RouterWiring> wiring;
  for (const InputPins& router : routers) {
    const RouterId id{first_router++};
    for (std::uint32_t slot = 0; slot < topology.terminals_at(id); ++slot) {
      const std::uint32_t port = topology.network_ports(id) + slot;
      const auto local = static_cast<std::uint32_t>(wiring.size());
      model::RouterWiring& w = wiring.emplace_back();
      w.block = pins(local).block;
      w.lane = pins(local).lane;
      w.router = first_ + local;
      w.coordinates = shared.setup.addresses[first_ + local];
      w.flits = {router.wire_to(port, false, delay)};
      w.credits = {router.wire_to(port, true, delay)};
      to_router_.push_back(w.flits.front());
    }
  }
  bank_.reset(shared.setup.terminal_model->make_bank(wiring.data(), wiring.size(), wires_));
  for (std::uint32_t local = 0; local < wiring.size(); ++local) {
    inputs_.push_back(bank_->host_inputs(local));
    outputs_.push_back(bank_->host_outputs(local));
    settings.reset(*inputs_.back());
    hosts_.emplace_back(settings, first_ + local, std::move(sources[local]));
  }
  if (shared.setup.format.mode.width > 0)
    modes_.assign(wiring.size(), RequestModes(shared.setup.network.terminal.outstanding));
  plant_fault();
}

bool MessageTerminals::at_rest() const {
  for (std::size_t local = 0; local < hosts_.size(); ++local) {
    if (outputs_[local]->at_rest == 0) return false;
    if (any_meta(pins(local)) || !hosts_[local].at_rest()) return false;
  }
  return true;
}

void MessageTerminals::step(std::uint64_t cycle) {
  for (std::uint32_t local = 0; local < hosts_.size(); ++local) {
    eject(local, cycle);
    Host& host = hosts_[local];
    if (host.reads_counters(cycle)) host.heed(counts(local));
    if (outputs_[local]->quiescent != 0 && !host.wants(cycle)) {
      Host::rest(*inputs_[local]);
      continue;
    }
    host.drive(cycle, parity_, *inputs_[local], *outputs_[local]);
    count(local, cycle);
  }
  bank_->step(cycle, settings_.options.skip_idle);
  for (std::uint32_t local = 0; local < hosts_.size(); ++local) inject(local, cycle);
}

void MessageTerminals::plant_fault() {
  const auto& fault = settings_.options.fault;
  if (!fault || first_ != 0) return;
  if (fault->kind == SeededFault::Kind::kFlippedByte)
    hosts_.front().memory().flip_beat(fault->ejected_flit);
  if (fault->kind == SeededFault::Kind::kSmallWindow)
    hosts_.front().shrink_window(fault->ejected_flit);
}

/// What a host has done in this cycle.
void MessageTerminals::count(std::uint32_t local, std::uint64_t cycle) {
  Host& host = hosts_[local];
  const std::uint64_t queued = host.take_queued(), offered = queued + host.take_refused();
  tally_.window.offered_flits += offered;
  offered_[local] += offered;
  queued_flits_ += queued;
  for (const Completed& message : host.completed()) {
    const std::uint64_t latency = cycle - message.generated;
    ++tally_.window.packets;
    tally_.window.latency_sum += latency;
    tally_.latency.add(latency);
    if (!message.of_job) continue;
    tally_.job_latency.add(latency);
    tally_.job_by_mode[message.mode] += message.bytes;
    of_job_ += {1, settings_.packets(message.bytes), settings_.flits(message.bytes, message.get)};
  }
  host.completed().clear();
  for (const std::string& what : host.failures()) fail(cycle, local, what);
  host.failures().clear();
  generated_.insert(generated_.end(), host.generated().begin(), host.generated().end());
  host.generated().clear();
}

/// A flit on the way to the interface in this cycle.
void MessageTerminals::eject(std::uint32_t local, std::uint64_t cycle) {
  const InputPins in = pins(local);
  const auto meta = static_cast<model::Meta>(in.flit_meta(cycle, 0));
  if (meta == 0) return;
  const unsigned message_class = class_of(meta);
  Arriving& packet = arriving_[local * classes_ + message_class];
  ++flits_ejected_;
  if (message_class == kRequests) {
    ++tally_.window.accepted_flits;
    ++ejected_[local];
  }
  copy_words(scratch_.data(), in.flit(cycle, 0), flit_words_);
  if ((meta & model::kHead) != 0) {
    const Headers& headers = shared_.headers;
    const std::uint32_t from = headers.source(scratch_.data());
    packet = {.id = static_cast<std::uint16_t>(headers.id(scratch_.data())),
              .ticket = headers.ticket(scratch_.data()),
              .nonminimal = headers.took_detour(scratch_.data()),
              .note = headers.is_note(scratch_.data())};
    notes_.heard += packet.note ? 1 : 0;
    notes_.marked += !packet.note && headers.is_marked(scratch_.data()) ? 1 : 0;
    headers.clear_rewritten(scratch_.data());
    if (from < shared_.partition_of.size()) {
      packet.source = from * classes_ + message_class;
      const PacketRecord& sent = records_.of(packet.source, packet.id);
      packet.known = sent.flits != 0 && sent.id == packet.id && sent.dst == first_ + local;
    }
    if (!packet.known)
      fail(
          cycle, local,
          fmt::format("packet {} of terminal {} is unknown, delivered before, or meant for another",
                      packet.id, from));
  }
  ++packet.got;
  packet.crc = crc32c(packet.crc, scratch_.data(), flit_words_);
  if ((meta & model::kTail) != 0 && packet.known) end_packet(local, message_class, cycle);
}

void MessageTerminals::end_packet(std::uint32_t local, unsigned message_class,
                                  std::uint64_t cycle) {
  const Arriving& packet = arriving_[local * classes_ + message_class];
  const PacketRecord& sent = records_.of(packet.source, packet.id);
  const std::uint32_t from = packet.source / classes_;
  if (sent.sequence != packet.got || sent.crc != packet.crc)
    fail(cycle, local, fmt::format("packet {} of terminal {} is damaged", packet.id, from));
  ++delivered_;
  ++by_class_[message_class].delivered;
  by_class_[message_class].latency_sum += cycle - sent.injected;
  last_delivery_cycle_ = cycle;
  reports_[side_][shared_.partition_of[from]].emplace_back(packet.source, packet.id);
  if (packet.note) return;
  ++tally_.packets;
  tally_.network_latency.add(cycle - sent.injected);
  if (packet.nonminimal) ++tally_.nonminimal;
  if (!modes_.empty() && message_class != kRequests) modes_[local].response(packet.ticket, cycle);
  const auto is_rank = [this](std::uint32_t terminal) {
    return settings_.plan.rank_at(terminal) != WindowPlan::kNoRank;
  };
  if (is_rank(from) && is_rank(first_ + local))  // others get responses of ranks, too
    tally_.job_network_latency.add(cycle - sent.injected);
}

/// A flit that the interface has sent in this cycle's step.
void MessageTerminals::inject(std::uint32_t local, std::uint64_t cycle) {
  const model::Wire& wire = to_router_[local];
  const std::byte* slot = wire.slot(cycle);
  const auto meta = static_cast<model::Meta>(slot[wire.meta_offset]);
  if (meta == 0) return;
  const unsigned message_class = class_of(meta);
  const std::size_t at = local * classes_ + message_class;
  const std::uint32_t source = (first_ + local) * classes_ + message_class;
  RequestModes* modes = message_class == kRequests && !modes_.empty() ? &modes_[local] : nullptr;
  ++flits_injected_;
  if (message_class == kRequests) {
    ++accepted_[local];
    queued_flits_ -= std::min<std::uint64_t>(queued_flits_, 1);
  }
  copy_words(scratch_.data(), slot + wire.data_offset, flit_words_);
  if ((meta & model::kHead) != 0) {
    ++injected_;
    ++by_class_[message_class].injected;
    const Headers& headers = shared_.headers;
    notes_.sent += headers.is_note(scratch_.data()) ? 1 : 0;
    const std::uint32_t id = headers.id(scratch_.data());
    PacketRecord* record = records_.next(source, id);
    if (record == nullptr) {
      fail(cycle, local, fmt::format("packet id {} is still under way", id));
      record = &records_.of(source, id);
    }
    // A packet has as many flits as it turns out to have: `flits` says only that it is under way.
    *record = {.generated = cycle + 1,
               .injected = cycle + 1,
               .dst = headers.destination(scratch_.data()),
               .id = static_cast<std::uint16_t>(id),
               .flits = 1,
               .message_class = static_cast<std::uint8_t>(message_class)};
    sending_[at] = record;
    const topology::Topology& topology = shared_.setup.topology;
    for (Probe* probe : shared_.of_injections) {
      if (record->dst < topology.num_terminals())
        probe->observe_injection(shared_.partition_of[first_ + local],
                                 topology.router_of(TerminalId{first_ + local}),
                                 topology.router_of(TerminalId{record->dst}));
    }
    if (modes != nullptr)
      modes->head(headers.ticket(scratch_.data()), headers.mode(scratch_.data()), cycle + 1);
    headers.clear_rewritten(scratch_.data());
  }
  PacketRecord& record = *sending_[at];
  ++record.sequence;
  record.crc = crc32c(record.crc, scratch_.data(), flit_words_);
  if (modes != nullptr && (meta & model::kTail) != 0)
    modes->tail(record.sequence, counter(local, csr::nic_counter("REQ_STALLED")));
}

void MessageTerminals::begin_epoch(std::uint64_t epoch) {
  TerminalGroup::begin_epoch(epoch);
  for (Host& host : hosts_) host.tell(parity_);
}

void MessageTerminals::stop_generating() {
  for (Host& host : hosts_) {
    queued_flits_ -= std::min(queued_flits_, host.waiting_flits());
    host.stop_generating();
  }
}

bool MessageTerminals::sources_done() const {
  return std::ranges::all_of(hosts_, [](const Host& host) { return host.done(); });
}

void MessageTerminals::add_messages(MessageCounts& all) const {
  all.outstanding = settings_.selector.outstanding;
  all.of_job += of_job_;
  for (std::size_t local = 0; local < hosts_.size(); ++local) {
    const Host& host = hosts_[local];
    all.sent += host.sent();
    all.completed += host.completions();
    all.bytes_sent += host.bytes_sent();
    all.bytes_written += host.bytes_written();
    if (!host.decisions().empty())
      all.decisions.emplace_back(first_ + static_cast<std::uint32_t>(local), host.decisions());
    const InterfaceCounts counted = counts(local);
    all.interfaces += counted;
    const auto terminal = first_ + static_cast<std::uint32_t>(local);
    if (settings_.plan.rank_at(terminal) == WindowPlan::kNoRank) continue;
    all.of_ranks += counted;
    if (modes_.empty()) continue;
    for (std::size_t m = 0; m < spec::kModes; ++m)
      all.of_ranks_by_mode[m] += modes_[local].counts()[m];
  }
}

/// 64 bits, in two words of counters_o.
std::uint64_t MessageTerminals::counter(std::size_t local, unsigned place) const {
  return bank_->counters(local, 2 * place) | std::uint64_t{bank_->counters(local, 2 * place + 1)}
                                                 << 32;
}

InterfaceCounts MessageTerminals::counts(std::size_t local) const {
  using csr::nic_counter;
  return {counter(local, nic_counter("REQ_FLITS")), counter(local, nic_counter("REQ_STALLED")),
          counter(local, nic_counter("REQ_PACKETS")), counter(local, nic_counter("RSP_PACKETS")),
          counter(local, nic_counter("RSP_LATENCY"))};
}

}  // namespace hopwise::engine
