// SPDX-License-Identifier: Apache-2.0
// How terminals inject packets.
#include <algorithm>

#include "engine/crc32c.hpp"
#include "engine/probe.hpp"
#include "engine/terminal.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {

/// Has what start_packet needs of the first packet that waits brought from memory.
void Terminals::fetch_first(std::uint32_t local) {
  const Sender& sender = senders_[local];
  const std::uint32_t self = first_ + local;
  shared_.records.prefetch(self, sender.next_id);
  if (shared_.next_sequence.empty()) return;
  const auto dst = static_cast<std::uint32_t>(index(queues_.front(sender.queue).dst));
  __builtin_prefetch(&shared_.next_sequence[shared_.pair(self, dst)], 1);
}

/// Something waits, and it may be time for it.
void Terminals::send(std::uint32_t local, std::uint64_t cycle) {
  Sender& sender = senders_[local];
  const bool begun = sender.left != 0;
  if ((!begun && sender.queue.empty()) || sender.waits_for_credit) {
    sending_.set(local, cycle, Alarms::kNever);
    return;
  }
  if (!sender.pacer.ready(cycle)) {
    sending_.set(local, cycle, sender.pacer.ready_cycle());
    return;
  }
  PacketRecord* record = nullptr;
  if (!begun) {
    record = start_packet(local, cycle);
  } else if (credits_[local * vcs_ + sender.vc] != 0) {
    record = &shared_.records.of(first_ + local, sender.id);
  } else {
    sender.waits_for_credit = true;
  }
  if (record == nullptr) {
    sending_.set(local, cycle, sender.waits_for_credit ? Alarms::kNever : cycle + 1);
    return;
  }
  send_flit(local, cycle, *record);
  const bool more = sender.left != 0 || !sender.queue.empty();
  if (more && sender.left == 0) fetch_first(local);
  sending_.set(local, cycle, more ? sender.pacer.ready_cycle() : Alarms::kNever);
}

/// Begins the first packet that waits; nullptr where it cannot start: its source has no record
/// left, or waits for a credit.
PacketRecord* Terminals::start_packet(std::uint32_t local, std::uint64_t cycle) {
  Sender& sender = senders_[local];
  const traffic::GeneratedPacket& packet = queues_.front(sender.queue);
  const std::uint32_t self = first_ + local;
  const auto dst = static_cast<std::uint32_t>(index(packet.dst));
  PacketRecord* record = shared_.records.next(self, sender.next_id);
  if (record == nullptr) return nullptr;
  const std::int32_t need = wormhole_ ? 1 : static_cast<std::int32_t>(packet.flits);
  const std::int32_t* credits = &credits_[local * vcs_];
  const auto following = [this](unsigned vc) { return vc + 1 == vcs_ ? 0 : vc + 1; };
  const bool fixed = shared_.setup.injection_vc_modulus != 0;
  unsigned vc = fixed ? shared_.headers.fixed_vc(dst) : sender.next_vc;
  for (unsigned tried = fixed ? vcs_ : 1; credits[vc] < need; ++tried) {
    if (tried >= vcs_) {
      sender.waits_for_credit = true;
      return nullptr;
    }
    vc = following(vc);
  }
  sender.vc = static_cast<std::uint8_t>(vc);
  if (!fixed) sender.next_vc = static_cast<std::uint8_t>(following(vc));
  sender.left = static_cast<std::uint16_t>(packet.flits);
  sender.id = sender.next_id;
  sender.next_id = static_cast<std::uint16_t>((sender.next_id + 1U) & id_mask_);
  *record = {.generated = packet.cycle,
             .injected = cycle,
             .dst = dst,
             .id = sender.id,
             .flits = static_cast<std::uint16_t>(packet.flits)};
  if (!shared_.next_sequence.empty())
    record->sequence = shared_.next_sequence[shared_.pair(self, dst)]++;
  if (sources_[local].listens()) shared_.records.step(self, sender.id) = packet.step;
  sender.content = traffic::mix64(options_.simulation.seed ^
                                  traffic::mix64((std::uint64_t{self} << 32) + cycle));
  ++injected_;
  for (Probe* probe : shared_.of_injections) {
    const topology::Topology& topology = shared_.setup.topology;
    probe->observe_injection(partition_, topology.router_of(TerminalId{self}),
                             topology.router_of(packet.dst));
  }
  queues_.pop(sender.queue);
  return record;
}

/// The next flit of the packet under way.
void Terminals::send_flit(std::uint32_t local, std::uint64_t cycle, PacketRecord& record) {
  Sender& sender = senders_[local];
  const bool head = sender.left == record.flits, tail = sender.left == 1;
  std::uint64_t* const flit = scratch_.data();
  const std::size_t words = flit_words_;
  std::uint64_t content = sender.content;
  for (std::size_t i = 0; i < words; ++i)
    flit[i] = traffic::mix64(content += 0x9e3779b97f4a7c15ULL);
  sender.content = content;
  flit[words - 1] &= last_word_;
  if (head) shared_.headers.write(flit, first_ + local, record.dst, record.flits, sender.id);
  record.crc = crc32c(record.crc, flit, words);
  std::byte* slot = sender.block + flit_slots_[sender.shape];
  slot[sender.meta] = static_cast<std::byte>(model::kValid | (head ? model::kHead : 0) |
                                             (tail ? model::kTail : 0) | sender.vc);
  copy_words(slot + sender.data, flit, words);
  --credits_[local * vcs_ + sender.vc];
  --sender.left;
  ++flits_injected_;
  ++accepted_[local];
  --queued_flits_;
  sender.pacer.send(cycle, cycles_per_flit_);
}

}  // namespace hopwise::engine
