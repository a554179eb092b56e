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
  Receiver& receiver = receivers_[arrival.local];
  receiver.from = shared_.headers.source(flit);
  receiver.id = static_cast<std::uint16_t>(shared_.headers.id(flit));
  if (receiver.from < shared_.partition_of.size()) shared_.records.prefetch_ring(receiver.from);
}

/// Has what is known of that packet brought from memory.
void Terminals::fetch_record(const Arrival& arrival) {
  const Receiver& receiver = receivers_[arrival.local];
  if ((arrival.meta & model::kHead) == 0 || receiver.from >= shared_.partition_of.size()) return;
  shared_.records.prefetch(receiver.from, receiver.id);
  if (!shared_.expected.empty())
    __builtin_prefetch(&shared_.expected[shared_.pair(first_ + arrival.local, receiver.from)], 1);
}

void Terminals::receive(const Arrival& arrival, std::uint64_t cycle, const std::byte* data) {
  const auto [local, lane, meta] = arrival;
  // The flit is on its way to the application in the next cycle, its credit on the pins in the one
  // after that.
  Receiver& receiver = receivers_[local];
  receiver.credit_block[credit_slots_[receiver.shape] + receiver.credit_meta] =
      static_cast<std::byte>(model::kValid | (meta & model::kVcMask));
  ++flits_ejected_;
  ++tally_.window.accepted_flits;
  std::uint64_t* flit = scratch_.data();
  copy_words(flit, data, flit_words_);
  if (options_.fault && first_ == 0 && ejected_seen_++ == options_.fault->ejected_flit) {
    switch (options_.fault->kind) {
      case SeededFault::Kind::kDrop: return;
      case SeededFault::Kind::kCorrupt: flit[flit_words_ - 1] ^= 1; break;
      case SeededFault::Kind::kDuplicate: receive_flit(local, cycle, meta); break;
      case SeededFault::Kind::kMisdeliver:
        shared_.headers.set_source(
            flit, (first_ + local + 1) %
                      static_cast<std::uint32_t>(shared_.setup.topology.num_terminals()));
        if ((meta & model::kHead) != 0) receiver.from = shared_.headers.source(flit);
        break;
    }
  }
  receive_flit(local, cycle, meta);
}

void Terminals::receive_flit(std::uint32_t local, std::uint64_t cycle, model::Meta meta) {
  Receiver& receiver = receivers_[local];
  if ((meta & model::kHead) != 0) {
    receive_head(local, cycle);
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
  if ((meta & model::kTail) == 0) return;
  if (!receiver.bad) receive_tail(local, cycle);
  receiver.got = 0;
}

void Terminals::receive_head(std::uint32_t local, std::uint64_t cycle) {
  Receiver& receiver = receivers_[local];
  const Headers& headers = shared_.headers;
  std::uint64_t* flit = scratch_.data();
  if (receiver.got != 0) fail(cycle, local, "a head flit arrives inside a packet");
  receiver.got = 0;
  receiver.crc = 0;
  receiver.nonminimal = headers.took_detour(flit);
  headers.clear_rewritten(flit);
  receiver.bad = true;
  if (receiver.from < shared_.setup.topology.num_terminals()) {
    const PacketRecord& sent = shared_.records.of(receiver.from, receiver.id);
    receiver.bad = sent.flits == 0 || sent.id != receiver.id || sent.dst != first_ + local;
  }
  if (receiver.bad) {
    fail(cycle, local,
         fmt::format("packet {} of terminal {} is unknown, delivered before, or meant for another",
                     receiver.id, receiver.from));
  }
}

void Terminals::receive_tail(std::uint32_t local, std::uint64_t cycle) {
  Receiver& receiver = receivers_[local];
  const std::uint32_t from = receiver.from;
  const PacketRecord& record = shared_.records.of(from, receiver.id);
  const auto complain = [&](const char* what) {
    fail(cycle, local, fmt::format("packet {} of terminal {} {}", receiver.id, from, what));
  };
  if (record.flits != receiver.got) {
    fail(cycle, local,
         fmt::format("packet {} of terminal {} has {} flits instead of {}", receiver.id, from,
                     receiver.got, record.flits));
  } else if (record.crc != receiver.crc) {
    complain("is damaged");
  }
  if (!shared_.expected.empty()) {
    std::uint16_t& expected = shared_.expected[shared_.pair(first_ + local, from)];
    if (record.sequence != expected) complain("overtook another");
    expected = static_cast<std::uint16_t>(record.sequence + 1U);
  }
  ++delivered_;
  last_delivery_cycle_ = cycle;
  ++tally_.window.packets;
  ++tally_.packets;
  tally_.window.latency_sum += cycle - record.generated;
  tally_.latency.add(cycle - record.generated);
  tally_.network_latency.add(cycle - record.injected);
  if (receiver.nonminimal) ++tally_.nonminimal;
  if (traffic::Source& source = sources_[local]; source.listens()) {
    source.hear(cycle, shared_.records.step(from, receiver.id));
    generation_.set(local, cycle, std::max(cycle, source.next_cycle()));
  }
  reports_[parity_][shared_.partition_of[from]].emplace_back(from, receiver.id);
}

}  // namespace hopwise::engine
