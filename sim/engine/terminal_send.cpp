// SPDX-License-Identifier: Apache-2.0
// How terminals inject packets.
#include <algorithm>

#include "engine/crc32c.hpp"
#include "engine/probe.hpp"
#include "engine/terminal.hpp"
#include "traffic/random.hpp"

namespace hopwise::engine {

/// What a sender takes next: replies, so that what waits for them is soon taken; nullptr where
/// nothing waits that may go.
SourceQueues::Queue* Terminals::next_queue(std::size_t at, std::uint64_t cycle) {
  if (!congestion_.empty()) return next_flow(at, cycle);
  SourceQueues::Queue& queue =
      replies_.empty() || replies_[at].empty() ? senders_[at].queue : replies_[at];
  return queue.empty() ? nullptr : &queue;
}

/// Has what start_packet needs of the first packets that wait brought from memory. Which packet is
/// next under congestion control is known only when it goes.
void Terminals::fetch_first(std::uint32_t local) {
  const std::uint32_t self = first_ + local;
  for (unsigned c = 0; c < classes_; ++c) {
    const std::size_t at = local * classes_ + c;
    if (c == 0) shared_.records.prefetch(self, senders_[at].next_id);
    if (shared_.next_sequence.empty() || !congestion_.empty()) continue;
    const SourceQueues::Queue* queue = next_queue(at, 0);
    if (queue == nullptr) continue;
    const auto dst = static_cast<std::uint32_t>(index(queues_.front(*queue).dst));
    __builtin_prefetch(&shared_.next_sequence[shared_.pair(self, dst, c)], 1);
  }
}

/// Something waits, and it may be time for it.
void Terminals::send(std::uint32_t local, std::uint64_t cycle) {
  const Pacer& pacer = senders_[local * classes_].pacer;
  if (!can_send(local)) {
    sending_.set(local, cycle, Alarms::kNever);
    return;
  }
  if (!pacer.ready(cycle)) {
    sending_.set(local, cycle, pacer.ready_cycle());
    return;
  }
  bool sent = false;
  const ClassTurns::Order order = turns_.order(local);
  for (unsigned tried = 0; tried < classes_ && !sent; ++tried) {
    sent = send(local, order[tried], cycle);
    if (sent)
      turns_.sent(local, order[tried],
                  [&](unsigned c) { return class_can_send(local * classes_ + c); });
  }
  const std::uint64_t next = sent ? pacer.ready_cycle() : cycle + 1;
  sending_.set(local, cycle, can_send(local) ? next : Alarms::kNever);
}

/// The class's next flit, if there is one and it has a credit.
bool Terminals::send(std::uint32_t local, unsigned message_class, std::uint64_t cycle) {
  const std::size_t at = local * classes_ + message_class;
  Sender& sender = senders_[at];
  const bool begun = sender.left != 0;
  if (sender.waits_for_credit) return false;
  SourceQueues::Queue* queue = begun ? nullptr : next_queue(at, cycle);
  if (!begun && queue == nullptr) return false;
  PacketRecord* record = nullptr;
  if (!begun) {
    record = start_packet(local, message_class, *queue, cycle);
  } else if (credits_[local * vcs_ + sender.vc] != 0) {
    record = sender.bad ? &bad_records_[at] : &shared_.records.of(first_ + local, sender.id);
  } else {
    sender.waits_for_credit = true;
  }
  if (record == nullptr) return false;
  if (begun && !breaks_.empty() && pauses(at, cycle)) return false;
  send_flit(local, sender, cycle, *record);
  if (sender.left != 0) return true;
  if (!congestion_.empty() || next_queue(at, cycle) != nullptr) fetch_first(local);
  return true;
}

/// Begins the first packet of the queue; nullptr where it cannot start: its source has no record
/// left, or waits for a credit.
PacketRecord* Terminals::start_packet(std::uint32_t local, unsigned message_class,
                                      SourceQueues::Queue& queue, std::uint64_t cycle) {
  const std::size_t at = local * classes_ + message_class;
  Sender& sender = senders_[at];
  const bool reply = !replies_.empty() && &queue == &replies_[at];
  const bool note = !congestion_.empty() && &queue == &congestion_[local].notes;
  const traffic::GeneratedPacket& packet = queues_.front(queue);
  const std::uint32_t self = first_ + local;
  const auto dst = static_cast<std::uint32_t>(index(packet.dst));
  const auto wrong_kind = reply || note ? std::nullopt : wrong(local, packet);
  const bool bad = has_bad_head(wrong_kind);
  std::uint16_t& next_id = senders_[local * classes_].next_id;  // ids are the terminal's
  PacketRecord* record = bad ? &bad_records_[at] : shared_.records.next(self, next_id);
  // Of a packet that a reset has lost nobody tells its source: after a while it is forgotten.
  for (std::size_t lost = 0; record == nullptr && shared_.faults.resets(); ++lost) {
    if (lost == shared_.records.most()) break;
    next_id = static_cast<std::uint16_t>((next_id + 1U) & id_mask_);
    record = shared_.records.next(self, next_id);
    PacketRecord& held = shared_.records.of(self, next_id);
    if (record == nullptr && held.injected + patience_ < cycle) record = &held;
  }
  if (record == nullptr) return nullptr;
  const std::int32_t need = wormhole_ ? 1 : static_cast<std::int32_t>(packet.flits);
  const unsigned first = message_class * class_vcs_;
  const std::int32_t* credits = &credits_[local * vcs_ + first];
  const auto following = [this](unsigned vc) { return vc + 1 == class_vcs_ ? 0 : vc + 1; };
  const bool fixed = shared_.setup.injection_vc_modulus != 0 || shared_.asks_for_order(self);
  unsigned vc = fixed ? shared_.headers.fixed_vc(dst) : sender.next_vc;
  for (unsigned tried = fixed ? class_vcs_ : 1; credits[vc] < need; ++tried) {
    if (tried >= class_vcs_) {
      sender.waits_for_credit = true;
      return nullptr;
    }
    vc = following(vc);
  }
  sender.vc = static_cast<std::uint8_t>(first + vc);
  if (!fixed) sender.next_vc = static_cast<std::uint8_t>(following(vc));
  sender.left = static_cast<std::uint16_t>(packet.flits);
  sender.id = next_id;
  sender.bad = bad;
  if (!breaks_.empty()) {
    const bool breaks = wrong_kind == Kind::kStream;
    breaks_[at] = {breaks ? shared_.faults.missing(self, packet.cycle, packet.flits) : 0, 0};
  }
  if (!bad) next_id = static_cast<std::uint16_t>((next_id + 1U) & id_mask_);
  *record = {.generated = packet.cycle,
             .injected = cycle,
             .dst = dst,
             .id = sender.id,
             .flits = static_cast<std::uint16_t>(packet.flits),
             .message_class = static_cast<std::uint8_t>(message_class),
             .reply = reply};
  if (!bad && shared_.in_order(self))
    record->sequence = shared_.next_sequence[shared_.pair(self, dst, message_class)]++;
  if (sources_[local].listens()) shared_.records.step(self, sender.id) = packet.step;
  sender.content = traffic::mix64(options_.simulation.seed ^
                                  traffic::mix64((std::uint64_t{self} << 32) + cycle));
  ++injected_;
  ++by_class_[message_class].injected;
  bad_ += wrong_kind ? 1 : 0;
  for (Probe* probe : shared_.of_injections) {
    const topology::Topology& topology = shared_.setup.topology;
    probe->observe_injection(partition_, topology.router_of(TerminalId{self}),
                             topology.router_of(packet.dst));
  }
  queues_.pop(queue);
  if (!congestion_.empty()) leave_flow(at, &queue, dst, cycle);
  if (reply) --reply_places_[local];
  return record;
}

/// What is wrong with the packet. In a closed loop, which would wait for it, nothing is.
std::optional<spec::FaultSpec::Kind> Terminals::wrong(
    std::uint32_t local, const traffic::GeneratedPacket& packet) const {
  if (!shared_.faults.bad_packets() || sources_[local].listens()) return std::nullopt;
  return shared_.faults.wrong(first_ + local, packet.cycle, static_cast<unsigned>(packet.flits));
}

/// The stream has broken off, and the network interface does not know it yet.
bool Terminals::pauses(std::size_t at, std::uint64_t cycle) {
  Break& b = breaks_[at];
  if (!options_.faults.at_interface || b.missing == 0 || senders_[at].left != b.missing)
    return false;
  if (b.until == 0) b.until = cycle + shared_.setup.network.terminal.pause_cycles;
  return cycle < b.until;
}

/// The next flit of the packet under way.
void Terminals::send_flit(std::uint32_t local, Sender& sender, std::uint64_t cycle,
                          PacketRecord& record) {
  const unsigned missing =
      breaks_.empty() ? 0 : breaks_[static_cast<std::size_t>(&sender - senders_.data())].missing;
  const bool head = sender.left == record.flits, made_up = sender.left <= missing;
  // Without a network interface the tail comes early, and the router makes up what is missing.
  if (missing != 0 && !options_.faults.at_interface && sender.left == missing + 1) {
    flits_injected_ += missing;
    queued_flits_ -= missing;
    sender.left = 1;
  }
  const bool tail = sender.left == 1;
  std::uint64_t* const flit = scratch_.data();
  const std::size_t words = flit_words_;
  std::uint64_t content = sender.content;
  for (std::size_t i = 0; i < words; ++i)
    flit[i] = traffic::mix64(content += 0x9e3779b97f4a7c15ULL);
  sender.content = content;
  flit[words - 1] &= last_word_;
  if (made_up) {
    const unsigned bit = shared_.setup.network.packet.flit_bits;
    std::fill_n(flit, words, 0);
    flit[bit / 64] = std::uint64_t{1} << (bit % 64);
  }
  if (head)
    shared_.headers.write(flit, first_ + local, record.dst, record.flits, sender.id,
                          record.message_class);
  // Of a rank, the packets of a message are a flow.
  if (head && !shared_.modes.empty()) {
    const bool listens = sources_[local].listens();
    const std::uint64_t flow = listens ? shared_.records.step(first_ + local, sender.id) : 0;
    shared_.headers.set_mode(flit, shared_.modes[first_ + local], flow);
  }
  const bool note = !flows_.empty() && flows_[local * classes_ + record.message_class].note_goes;
  if (head && note) shared_.headers.set_note(flit);
  if (head && sender.bad) shared_.faults.spoil(flit, first_ + local, record.generated);
  if (head && shared_.faults.flips()) shared_.faults.prepare(flit);
  record.crc = crc32c(record.crc, flit, words);
  if ((head || tail) && shared_.elsewhere(record.dst))
    departures_[shared_.partition_of[record.dst]].emplace_back(first_ + local, sender.id);
  if (head) shared_.headers.write_parity(flit);
  std::byte* slot = sender.block + flit_slots_[sender.shape];
  slot[sender.meta] = static_cast<std::byte>(model::kValid | (head ? model::kHead : 0) |
                                             (tail ? model::kTail : 0) | sender.vc);
  copy_words(slot + sender.data, flit, words);
  --credits_[local * vcs_ + sender.vc];
  --sender.left;
  flits_injected_ += sender.bad ? 0 : 1;
  accepted_[local] += note ? 0 : 1;
  if (!congestion_.empty() && !note && throttled_[record.message_class])
    charge(local, record.dst, cycle);
  --queued_flits_;
  senders_[local * classes_].pacer.send(cycle, cycles_per_flit_);
}

}  // namespace hopwise::engine
