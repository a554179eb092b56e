// SPDX-License-Identifier: Apache-2.0
#include "engine/terminal.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/crc32c.hpp"
#include "engine/header.hpp"
#include "engine/probe.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {

namespace {

constexpr std::size_t kMostFailures = 20;

/// The intermediate of a minimal path is the source itself; in a dragonfly, its group is the
/// source's.
bool took_detour(const Setup& setup, const std::uint64_t* words) {
  const auto &via = setup.format.via_coord, &src = setup.format.src_coord;
  const bool groups = setup.topology.has_groups();
  for (std::size_t d = groups && !via.empty() ? via.size() - 1 : 0; d < via.size(); ++d) {
    if (get_field(words, via[d]) != get_field(words, src[d])) return true;
  }
  return false;
}

void set_terminal(const Setup& setup, std::uint64_t* words,
                  const std::vector<topology::HeaderField>& coordinates,
                  const topology::HeaderField& slot, TerminalId terminal) {
  const RouterId router = setup.topology.router_of(terminal);
  for (unsigned d = 0; d < coordinates.size(); ++d) {
    set_field(words, coordinates[d], setup.topology.coordinate(router, d));
  }
  set_field(words, slot, setup.topology.slot_of(terminal));
}

}  // namespace

Terminals::Terminals(Shared& shared, std::size_t partition, std::uint32_t first_router,
                     std::uint32_t end_router, std::size_t partitions,
                     std::vector<traffic::Source> sources, const RunOptions& options)
    : shared_(shared), options_(options), partition_(partition) {
  const Setup& setup = *shared.setup;
  for (std::uint32_t r = first_router; r < end_router; ++r)
    at_router_.push_back(setup.topology.terminals_at(RouterId{r}));
  first_ = static_cast<std::uint32_t>(index(setup.topology.terminal_at(RouterId{first_router}, 0)));
  blocks_ = Blocks((end_router - first_router) * shared.terminal_wires.block_bytes());
  scratch_.assign(shared.terminal_wires.flit_bytes / 8 + 1, 0);
  const auto& depths = setup.network.router.vc_depth_flits;
  for (traffic::Source& source : sources) {
    terminals_.push_back({.source = std::move(source),
                          .credits = {depths.begin(), depths.end()},
                          .pacer = Pacer(setup.network.link.cycles_per_flit)});
  }
  accepted_.assign(terminals_.size(), 0);
  offered_.assign(terminals_.size(), 0);
  for (auto& reports : reports_) reports.resize(partitions);
}

void Terminals::connect(std::size_t local_terminal, const model::Wire& flits,
                        const model::Wire& credits) {
  terminals_[local_terminal].flits = flits;
  terminals_[local_terminal].ejection_credits = credits;
}

void Terminals::fail(std::uint64_t cycle, std::uint32_t terminal, const std::string& what) {
  if (failures_.size() < kMostFailures)
    failures_.push_back(fmt::format("cycle {}, terminal {}: {}", cycle, terminal, what));
}

void Terminals::offer(std::uint32_t local, const traffic::GeneratedPacket& packet) {
  tally_.window.offered_flits += packet.flits;
  offered_[local] += packet.flits;
}

void Terminals::step(std::uint64_t cycle) {
  const model::WireShape& wires = shared_.terminal_wires;
  const std::size_t at = std::size_t{wires.slot_bytes()} * (cycle & wires.slot_mask);
  std::byte* block = blocks_.data() + at;
  std::uint32_t local = 0;
  for (const std::uint32_t slots : at_router_) {
    for (std::uint32_t slot = 0; slot < slots; ++slot, ++local) {
      Terminal& t = terminals_[local];
      auto& counting = t.arriving[cycle & 1];  // what arrived two cycles ago counts from now on
      for (const std::uint8_t vc : counting) ++t.credits[vc];
      counting.clear();
      std::byte& credit = block[wires.credit_meta(slot, 0)];
      if (credit != std::byte{0}) {
        counting.push_back(static_cast<std::uint8_t>(credit) & model::kVcMask);
        credit = std::byte{0};
      }
      std::byte& flit = block[slot];
      if (flit != std::byte{0}) {
        receive(local, cycle, static_cast<model::Meta>(flit), block + wires.flit_offset(slot, 0));
        flit = std::byte{0};
      }
      const std::uint64_t places = options_.traffic.source_queue_packets;
      while (generating_ && t.source.next_cycle() <= cycle) {
        if (places != 0 && t.queue.size() >= places) {
          if (const auto lost = t.source.refuse(cycle)) offer(local, *lost);
          continue;
        }
        const traffic::GeneratedPacket packet = t.source.pop();
        queued_flits_ += packet.flits;
        offer(local, packet);
        if (options_.record_packets) generated_.push_back(packet);
        t.queue.push_back(packet);
      }
      if (t.left != 0 || !t.queue.empty())
        inject(local, cycle);
      else
        t.pacer.tick(false);
    }
    block += wires.block_bytes();
  }
}

bool Terminals::start_packet(std::uint32_t local, std::uint64_t cycle) {
  Terminal& t = terminals_[local];
  const Setup& setup = *shared_.setup;
  const traffic::GeneratedPacket& packet = t.queue.front();
  PacketRecord& record = shared_.record(first_ + local, t.next_id);
  if (record.active) return false;  // this source has no record left
  const bool wormhole = setup.network.router.switching == spec::Switching::kWormhole;
  const int need = wormhole ? 1 : static_cast<int>(packet.flits);
  const auto vcs = static_cast<unsigned>(t.credits.size());
  std::fill(scratch_.begin(), scratch_.end(), 0);
  set_terminal(setup, scratch_.data(), setup.format.dst_coord, setup.format.dst_slot, packet.dst);
  if (setup.injection_vc_modulus != 0) {
    const std::uint64_t mask =
        (std::uint64_t{1} << (setup.format.dst_slot.lsb + setup.format.dst_slot.width)) - 1;
    t.vc = static_cast<unsigned>((scratch_[0] & mask) % setup.injection_vc_modulus);
    if (t.credits[t.vc] < need) return false;
  } else {
    unsigned tried = 0;
    t.vc = t.next_vc;
    while (t.credits[t.vc] < need) {
      t.vc = t.vc + 1 == vcs ? 0 : t.vc + 1;
      if (++tried == vcs) return false;
    }
    t.next_vc = t.vc + 1 == vcs ? 0 : t.vc + 1;
  }
  t.left = packet.flits;
  t.sending_id = t.next_id;
  t.next_id = (t.next_id + 1) & ((1u << setup.format.packet_id.width) - 1);
  record = {.generated = packet.cycle,
            .injected = cycle,
            .dst = static_cast<std::uint32_t>(index(packet.dst)),
            .flits = packet.flits,
            .id = t.sending_id,
            .step = packet.step,
            .active = true};
  if (setup.in_order) record.sequence = shared_.next_sequence[first_ + local][record.dst]++;
  t.content = traffic::mix64(options_.simulation.seed ^
                             traffic::mix64((std::uint64_t{first_ + local} << 32) + cycle));
  ++injected_;
  for (Probe* probe : shared_.of_injections) {
    probe->observe_injection(partition_, setup.topology.router_of(TerminalId{first_ + local}),
                             setup.topology.router_of(packet.dst));
  }
  t.queue.pop_front();
  return true;
}

void Terminals::inject(std::uint32_t local, std::uint64_t cycle) {
  Terminal& t = terminals_[local];
  const Setup& setup = *shared_.setup;
  const bool ready = t.pacer.ready();
  if (!ready || (t.left != 0 && t.credits[t.vc] == 0) ||
      (t.left == 0 && !start_packet(local, cycle))) {
    t.pacer.tick(false);
    return;
  }
  PacketRecord& record = shared_.record(first_ + local, t.sending_id);
  const bool head = t.left == record.flits, tail = t.left == 1;
  std::byte* slot = t.flits.slot(cycle);
  const std::size_t words = shared_.terminal_wires.flit_bytes / 8;
  for (std::size_t i = 0; i < words; ++i)
    scratch_[i] = traffic::mix64(t.content += 0x9e3779b97f4a7c15ULL);
  const unsigned spare = static_cast<unsigned>(words * 64) - setup.network.packet.flit_bits;
  if (spare != 0) scratch_[words - 1] &= ~std::uint64_t{0} >> spare;
  if (head) {
    const auto& f = setup.format;
    const TerminalId self{first_ + local}, dst{record.dst};
    set_terminal(setup, scratch_.data(), f.dst_coord, f.dst_slot, dst);
    set_terminal(setup, scratch_.data(), f.src_coord, f.src_slot, self);
    set_field(scratch_.data(), f.length, record.flits - f.length_offset);
    set_field(scratch_.data(), f.routing_state(), 0);
    for (const auto& field : f.rewritten()) set_field(scratch_.data(), field, 0);
    set_field(scratch_.data(), f.message_class, 0);
    set_field(scratch_.data(), f.packet_id, t.sending_id);
  }
  record.crc = crc32c(record.crc, scratch_.data(), words);
  slot[t.flits.meta_offset] = static_cast<std::byte>(model::kValid | (head ? model::kHead : 0) |
                                                     (tail ? model::kTail : 0) | t.vc);
  std::memcpy(slot + t.flits.data_offset, scratch_.data(), words * 8);
  --t.credits[t.vc];
  --t.left;
  ++flits_injected_;
  ++accepted_[local];
  --queued_flits_;
  t.pacer.tick(true);
}

void Terminals::receive(std::uint32_t local, std::uint64_t cycle, model::Meta meta,
                        std::byte* data) {
  Terminal& t = terminals_[local];
  const Setup& setup = *shared_.setup;
  const std::uint32_t self = first_ + local;
  // The flit is on its way to the application in the next cycle, its credit on the pins in the one
  // after that.
  const model::Wire& back = t.ejection_credits;
  back.slot(cycle)[back.meta_offset] =
      static_cast<std::byte>(model::kValid | (meta & model::kVcMask));
  ++flits_ejected_;
  ++tally_.window.accepted_flits;
  const std::size_t words = shared_.terminal_wires.flit_bytes / 8;
  std::memcpy(scratch_.data(), data, words * 8);
  std::uint32_t times = 1;
  if (options_.fault && first_ == 0 && ejected_seen_++ == options_.fault->ejected_flit) {
    switch (options_.fault->kind) {
      case SeededFault::Kind::kDrop: return;
      case SeededFault::Kind::kCorrupt: scratch_[words - 1] ^= 1; break;
      case SeededFault::Kind::kDuplicate: times = 2; break;
      case SeededFault::Kind::kMisdeliver: {
        const auto& f = setup.format;
        set_terminal(
            setup, scratch_.data(), f.src_coord, f.src_slot,
            TerminalId{(self + 1) % static_cast<std::uint32_t>(setup.topology.num_terminals())});
        break;
      }
    }
  }
  for (; times > 0; --times) {
    const bool head = (meta & model::kHead) != 0, tail = (meta & model::kTail) != 0;
    if (head) {
      if (t.got != 0) fail(cycle, self, "a head flit arrives inside a packet");
      t.got = 0;
      t.crc = 0;
      t.bad = false;
      t.from = terminal_of(setup, scratch_.data(), setup.format.src_coord, setup.format.src_slot);
      t.from_id = get_field(scratch_.data(), setup.format.packet_id);
      // What routers rewrite is not part of what must arrive unchanged.
      t.nonminimal = took_detour(setup, scratch_.data());
      for (const auto& field : setup.format.rewritten()) set_field(scratch_.data(), field, 0);
      const PacketRecord* sent =
          t.from < setup.topology.num_terminals() ? &shared_.record(t.from, t.from_id) : nullptr;
      if (sent == nullptr || !sent->active || sent->id != t.from_id || sent->dst != self) {
        t.bad = true;
        fail(cycle, self,
             fmt::format(
                 "packet {} of terminal {} is unknown, delivered before, or meant for another",
                 t.from_id, t.from));
      }
    } else if (t.got == 0 && !t.bad) {
      t.bad = true;
      fail(cycle, self, "a body flit arrives without its head");
    }
    ++t.got;
    t.crc = crc32c(t.crc, scratch_.data(), words);
    if (options_.record_deliveries && !t.bad) {
      deliveries_.push_back({cycle, TerminalId{t.from}, TerminalId{self}, t.from_id, t.got - 1});
    }
    if (!tail) continue;
    if (!t.bad) {
      const PacketRecord& record = shared_.record(t.from, t.from_id);
      if (record.flits != t.got) {
        fail(cycle, self,
             fmt::format("packet {} of terminal {} has {} flits instead of {}", t.from_id, t.from,
                         t.got, record.flits));
      } else if (record.crc != t.crc) {
        fail(cycle, self, fmt::format("packet {} of terminal {} is damaged", t.from_id, t.from));
      }
      if (setup.in_order) {
        std::uint32_t& expected = shared_.expected[self][t.from];
        if (record.sequence != expected) {
          fail(cycle, self,
               fmt::format("packet {} of terminal {} overtook another", t.from_id, t.from));
        }
        expected = record.sequence + 1;
      }
      ++delivered_;
      last_delivery_cycle_ = cycle;
      ++tally_.window.packets;
      ++tally_.packets;
      tally_.window.latency_sum += cycle - record.generated;
      tally_.latency.add(cycle - record.generated);
      tally_.network_latency.add(cycle - record.injected);
      if (t.nonminimal) ++tally_.nonminimal;
      t.source.hear(cycle, record.step);
      reports_[parity_][shared_.partition_of[t.from]].emplace_back(t.from, t.from_id);
    }
    t.got = 0;
  }
}

void Terminals::begin_epoch(unsigned parity) {
  parity_ = parity;
  for (auto& report : reports_[parity]) report.clear();
}

void Terminals::collect(const std::vector<Terminals*>& all, std::size_t self, unsigned parity) {
  for (const Terminals* other : all) {
    for (const auto& [source, id] : other->reports_[parity][self])
      shared_.record(source, id).active = false;
  }
}

void Terminals::stop_generating() {
  generating_ = false;
  queued_flits_ = 0;
  for (Terminal& t : terminals_) {
    t.queue.clear();
    queued_flits_ += t.left;
  }
}

bool Terminals::sources_done() const {
  for (const Terminal& t : terminals_) {
    if (t.left != 0 || !t.queue.empty() ||
        (generating_ && t.source.next_cycle() != traffic::kNoPacket))
      return false;
  }
  return true;
}

}  // namespace hopwise::engine
