// SPDX-License-Identifier: Apache-2.0
// What terminals do with the flits that reach them: every one is checked.

#include <fmt/format.h>

#include "engine/crc32c.hpp"
#include "engine/terminal.hpp"

namespace hopwise::engine {

/// Reads whose packet begins.
void Terminals::arrive(const Arrival& arrival, const std::byte* data) {
  if ((arrival.meta & model::kHead) == 0) return;
  std::uint64_t* flit = scratch_.data();
  copy_words(flit, data, shared_.headers.words());
  Receiver& receiver = receivers_[queue(arrival.local, arrival.meta & model::kVcMask)];
  receiver.from = shared_.headers.source(flit);
  receiver.id = static_cast<std::uint16_t>(shared_.headers.id(flit));
  if (receiver.from < shared_.partition_of.size()) shared_.records.prefetch_ring(receiver.from);
}

/// Has what is known of that packet brought from memory.
void Terminals::fetch_record(const Arrival& arrival) {
  const std::size_t at = queue(arrival.local, arrival.meta & model::kVcMask);
  const Receiver& receiver = receivers_[at];
  if ((arrival.meta & model::kHead) == 0 || receiver.from >= shared_.partition_of.size()) return;
  shared_.records.prefetch(receiver.from, receiver.id);
  if (!shared_.expected.empty())
    __builtin_prefetch(&shared_.expected[shared_.pair(first_ + arrival.local, receiver.from,
                                                      static_cast<unsigned>(at % classes_))],
                       1);
}

void Terminals::receive(const Arrival& arrival, std::uint64_t cycle, const std::byte* data) {
  const auto [local, lane, meta] = arrival;
  Receiver& receiver = receivers_[queue(local, meta & model::kVcMask)];
  if (untaken_.empty()) give_credit(local, meta & model::kVcMask);
  ++flits_ejected_;
  std::uint64_t* flit = scratch_.data();
  copy_words(flit, data, flit_words_);
  const bool poisoned = take_poison(flit);
  if (!congestion_.empty() && (meta & model::kHead) != 0) {
    receiver.note = shared_.headers.is_note(flit);
    notice(local, receiver, shared_.headers.is_marked(flit), receiver.note, cycle);
  }
  if (!receiver.note) {
    ++tally_.window.accepted_flits;
    ++ejected_[local];
  }
  if (options_.fault && first_ == 0 && ejected_seen_++ == options_.fault->ejected_flit) {
    switch (options_.fault->kind) {
      case SeededFault::Kind::kDrop: return;
      case SeededFault::Kind::kCorrupt: flit[flit_words_ - 1] ^= 1; break;
      case SeededFault::Kind::kDuplicate: receive_flit(local, cycle, meta, poisoned); break;
      case SeededFault::Kind::kMisdeliver:
        shared_.headers.set_source(
            flit, (first_ + local + 1) %
                      static_cast<std::uint32_t>(shared_.setup.topology.num_terminals()));
        if ((meta & model::kHead) != 0) receiver.from = shared_.headers.source(flit);
        break;
      case SeededFault::Kind::kUnsentFlit:
      case SeededFault::Kind::kFlippedByte:
      case SeededFault::Kind::kSmallWindow: break;
    }
  }
  receive_flit(local, cycle, meta, poisoned);
}

/// Clears the bit above the flit's own.
bool Terminals::take_poison(std::uint64_t* flit) const {
  const spec::PacketSpec& packet = shared_.setup.network.packet;
  if (!packet.poison) return false;
  std::uint64_t& word = flit[packet.flit_bits / 64];
  const std::uint64_t bit = std::uint64_t{1} << (packet.flit_bits % 64);
  const bool set = (word & bit) != 0;
  word &= ~bit;
  return set;
}

/// A flit is on its way to the application in the next cycle, its credit on the pins in the one
/// after that.
void Terminals::give_credit(std::uint32_t local, unsigned vc) {
  const Receiver& receiver = receivers_[local * classes_];
  receiver.credit_block[credit_slots_[receiver.shape] + receiver.credit_meta] =
      static_cast<std::byte>(model::kValid | vc);
}

/// Where terminals reply: every terminal takes a flit of each class that may be taken and, as its
/// channel has wires for one credit, of one class only.
void Terminals::take(std::uint64_t cycle) {
  for (std::uint32_t local = 0; local < sources_.size(); ++local) {
    for (unsigned tried = 0; tried < classes_; ++tried) {
      const std::size_t at = local * classes_ + (cycle + tried) % classes_;
      if (untaken_[at].empty()) continue;
      const Waiting& flit = untaken_[at].front();
      const bool asks = flit.head && !flit.reply;
      if (asks && reply_places_[local] >= options_.traffic.reply_queue_packets) continue;
      if (asks) ++reply_places_[local];
      take_flit(at, cycle);
      break;
    }
  }
}

/// The reply to a packet is ready when all of it is taken.
void Terminals::take_flit(std::size_t at, std::uint64_t cycle) {
  const auto local = static_cast<std::uint32_t>(at / classes_);
  const Waiting flit = untaken_[at].front();
  untaken_[at].pop_front();
  give_credit(local, flit.vc);
  if (!flit.tail || flit.reply) return;
  if (flit.broken) {
    --reply_places_[local];
    return;
  }
  const bool idle = !can_send(local);
  const traffic::GeneratedPacket reply{.cycle = cycle,
                                       .src = TerminalId{first_ + local},
                                       .dst = TerminalId{flit.from},
                                       .flits = flit.flits};
  queued_flits_ += reply.flits;
  offer(local, reply);
  const unsigned message_class = options_.traffic.replies.at(static_cast<unsigned>(at % classes_));
  queues_.push(replies_[local * classes_ + message_class], reply);
  if (idle) wake(local, cycle);
}

void Terminals::receive_flit(std::uint32_t local, std::uint64_t cycle, model::Meta meta,
                             bool poisoned) {
  const std::size_t at = queue(local, meta & model::kVcMask);
  Receiver& receiver = receivers_[at];
  if ((meta & model::kHead) != 0) {
    receive_head(local, receiver, cycle);
  } else if (receiver.got == 0 && !receiver.bad) {
    receiver.bad = true;
    fail(cycle, local, "a body flit arrives without its head");
  }
  ++receiver.got;
  receiver.crc = crc32c(receiver.crc, scratch_.data(), flit_words_);
  if (options_.record_deliveries && !receiver.bad) {
    deliveries_.push_back({cycle, TerminalId{receiver.from}, TerminalId{first_ + local},
                           receiver.id, receiver.got - 1});
  }
  const bool tail = (meta & model::kTail) != 0;
  bool intact = false;
  if (tail && !receiver.bad && !poisoned) intact = receive_tail(local, receiver, cycle);
  if (!untaken_.empty()) {
    untaken_[at].push_back({.from = receiver.from,
                            .flits = static_cast<std::uint16_t>(receiver.got),
                            .vc = static_cast<std::uint8_t>(meta & model::kVcMask),
                            .head = (meta & model::kHead) != 0,
                            .tail = tail,
                            .broken = !intact,
                            .reply = receiver.reply});
  }
  if (!tail) return;
  if (!receiver.bad) {
    if (poisoned) receive_broken(local, receiver);
  } else if (receiver.odd) {
    ++dropped_[kDropParity];
  } else if (shared_.faults.flips()) {
    ++damaged_;
    flits_ejected_ -= receiver.got;  // as if it had not been injected
  }
  receiver.got = 0;
}

void Terminals::receive_head(std::uint32_t local, Receiver& receiver, std::uint64_t cycle) {
  const Headers& headers = shared_.headers;
  std::uint64_t* flit = scratch_.data();
  if (receiver.got != 0) fail(cycle, local, "a head flit arrives inside a packet");
  receiver.got = 0;
  receiver.crc = 0;
  receiver.nonminimal = headers.took_detour(flit);
  receiver.odd = headers.odd(flit);
  receiver.bad = true;
  receiver.reply = true;  // what is bad is not answered
  if (receiver.odd) return;
  headers.clear_rewritten(flit);
  if (receiver.from < shared_.setup.topology.num_terminals()) {
    PacketRecord& sent = shared_.records.of(receiver.from, receiver.id);
    receiver.bad = use_of(sent).load(std::memory_order_relaxed) == 0 || sent.id != receiver.id ||
                   sent.dst != first_ + local ||
                   &receiver != &receivers_[local * classes_ + sent.message_class];
    receiver.reply = receiver.bad || receiver.note || sent.reply;
  }
  if (receiver.bad && !shared_.faults.flips()) {
    fail(cycle, local,
         fmt::format("packet {} of terminal {} is unknown, delivered before, or meant for another",
                     receiver.id, receiver.from));
  }
}

/// A tail that says that its packet is broken.
void Terminals::receive_broken(std::uint32_t local, const Receiver& receiver) {
  const PacketRecord& record = shared_.records.of(receiver.from, receiver.id);
  if (shared_.in_order(receiver.from))
    shared_.expected[shared_.pair(first_ + local, receiver.from, record.message_class)] =
        static_cast<std::uint16_t>(record.sequence + 1U);
  ++dropped_[kDropBroken];
  reports_[side_][shared_.partition_of[receiver.from]].emplace_back(receiver.from, receiver.id);
}

bool Terminals::receive_tail(std::uint32_t local, Receiver& receiver, std::uint64_t cycle) {
  const std::uint32_t from = receiver.from;
  PacketRecord& record = shared_.records.of(from, receiver.id);
  const std::uint16_t flits = use_of(record).load(std::memory_order_relaxed);
  const auto complain = [&](const char* what) {
    fail(cycle, local, fmt::format("packet {} of terminal {} {}", receiver.id, from, what));
  };
  if (shared_.faults.flips() && (flits != receiver.got || record.crc != receiver.crc)) {
    ++damaged_;
    flits_ejected_ -= receiver.got;
    return false;
  }
  if (flits != receiver.got) {
    fail(cycle, local,
         fmt::format("packet {} of terminal {} has {} flits instead of {}", receiver.id, from,
                     receiver.got, flits));
  } else if (record.crc != receiver.crc) {
    complain("is damaged");
  }
  if (shared_.in_order(from)) {
    std::uint16_t& expected =
        shared_.expected[shared_.pair(first_ + local, from, record.message_class)];
    const auto ahead = static_cast<std::int16_t>(record.sequence - expected);
    const bool gaps = shared_.faults.resets();  // where packets are lost
    if ((gaps ? ahead < 0 : ahead != 0) && !shared_.faults.flips()) complain("overtook another");
    expected = static_cast<std::uint16_t>(record.sequence + 1U);
  }
  ++delivered_;
  ++by_class_[record.message_class].delivered;
  by_class_[record.message_class].latency_sum += cycle - record.injected;
  last_delivery_cycle_ = cycle;
  reports_[side_][shared_.partition_of[from]].emplace_back(from, receiver.id);
  if (receiver.note) return true;
  ++tally_.window.packets;
  ++tally_.packets;
  tally_.window.latency_sum += cycle - record.generated;
  tally_.latency.add(cycle - record.generated);
  tally_.network_latency.add(cycle - record.injected);
  if (receiver.nonminimal) ++tally_.nonminimal;
  if (traffic::Source& source = sources_[local]; source.listens()) {
    const std::uint64_t step = shared_.records.step(from, receiver.id);
    if (options_.job != nullptr && step != 0) {
      tally_.job_latency.add(cycle - record.generated);
      tally_.job_network_latency.add(cycle - record.injected);
      // The head said so all the way, or the packet would be damaged.
      if (!shared_.modes.empty())
        tally_.job_by_mode[static_cast<std::size_t>(shared_.modes[from])] += record.flits;
    }
    source.hear(cycle, step);
    generation_.set(local, cycle, std::max(cycle, source.next_cycle()));
  }
  return true;
}

}  // namespace hopwise::engine
