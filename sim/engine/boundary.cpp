// SPDX-License-Identifier: Apache-2.0
#include "engine/boundary.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "engine/cpu_time.hpp"

namespace hopwise::engine {
namespace {

template <class T>
void put(Ranks::Bytes& message, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  message.insert(message.end(), bytes, bytes + sizeof value);
}

template <class T>
T take(const std::byte*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

struct Counts {
  std::uint32_t reports = 0, records = 0;
};

/// Of a packet whose destination is the receiving rank's.
struct Departure {
  PacketRecord record;
  std::uint64_t step = 0;
  std::uint64_t source = 0;
};

}  // namespace

std::vector<std::uint32_t> cut_routers(const topology::Topology& topology, unsigned ranks) {
  const auto routers = static_cast<std::uint32_t>(topology.num_routers());
  if (ranks == 1) return {0, routers};
  // [p]: of the channels between routers before p and others, the shortest.
  constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
  std::vector<unsigned> shortest(routers + 1, kNone);
  std::vector<unsigned> lengths;
  for (const auto& c : topology.channels()) lengths.push_back(c.latency_cycles);
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (const unsigned length : lengths) {
    std::vector<int> crossing(routers + 2);
    for (const auto& c : topology.channels()) {
      if (c.latency_cycles != length) continue;
      const auto [low, high] = std::minmax({index(c.src), index(c.dst)});
      ++crossing[low + 1];
      --crossing[high + 1];
    }
    int now = 0;
    for (std::uint32_t p = 0; p <= routers; ++p) {
      now += crossing[p];
      if (now != 0) shortest[p] = std::min(shortest[p], length);
    }
  }
  std::vector<std::uint32_t> cuts{0};
  for (std::uint32_t i = 1; i < ranks; ++i) {
    const auto even = static_cast<std::uint32_t>(std::uint64_t{routers} * i / ranks);
    const std::uint32_t reach = routers / ranks / 16;
    std::uint32_t best = even;
    for (std::uint32_t away = 1; away <= reach; ++away) {
      for (const std::uint32_t p : {even - away, even + away}) {
        if (shortest[p] > shortest[best]) best = p;
      }
    }
    cuts.push_back(best);
  }
  cuts.push_back(routers);
  return cuts;
}

std::uint32_t terminals_before(const topology::Topology& topology, std::uint32_t router) {
  return static_cast<std::uint32_t>(router == topology.num_routers()
                                        ? topology.num_terminals()
                                        : index(topology.terminal_at(RouterId{router}, 0)));
}

Boundary::Boundary(Ranks& ranks, const Setup& setup, const Layout& layout,
                   const RunOptions& options, std::span<const std::uint32_t> cuts,
                   std::span<const InputPins> pins)
    : ranks_(ranks),
      topology_(setup.topology),
      cuts_(cuts),
      epoch_(layout.epoch),
      lane_of_(setup.topology.channels().size()) {
  const unsigned self = ranks.rank();
  if (self == 0 && options.fault && options.fault->kind == SeededFault::Kind::kUnsentFlit)
    lost_flit_ = options.fault->ejected_flit + 1;
  for (unsigned r = 0; r < ranks.size(); ++r) {
    if (r != self)
      peers_.push_back(
          {.rank = r, .shape = {}, .leaving = {}, .flits = {}, .credits = {}, .usual = 0});
  }
  std::vector<std::uint32_t> leave(ranks.size());
  std::uint64_t shortest = 2 * epoch_;
  for (std::size_t i = 0; i < topology_.channels().size(); ++i) {
    const topology::Channel& c = topology_.channels()[i];
    const unsigned from = rank_of(c.src), to = rank_of(c.dst);
    if (from == to) continue;
    const unsigned delay = c.latency_cycles + 1;
    shortest = std::min<std::uint64_t>(shortest, delay);
    if (from == self) {
      lane_of_[i] = leave[to]++;
      peer(to).credits.push_back(
          pins[index(c.src)].wire_to(static_cast<std::uint32_t>(index(c.src_port)), true, delay));
    } else if (to == self) {
      lane_of_[i] = static_cast<std::uint32_t>(peer(from).flits.size());
      peer(from).flits.push_back(
          pins[index(c.dst)].wire_to(static_cast<std::uint32_t>(index(c.dst_port)), false, delay));
    }
  }
  due_ = shortest - epoch_;
  const model::WireShape& routers = layout.routers.front();
  for (Peer& p : peers_) {
    p.shape = {.ports = 1,
               .lanes = static_cast<std::uint32_t>(std::max(p.credits.size(), p.flits.size())),
               .flit_bytes = routers.flit_bytes,
               .feedback_bytes = routers.feedback_bytes,
               .slot_mask = std::bit_ceil(static_cast<std::uint32_t>(epoch_)) - 1};
    p.leaving = Blocks(p.shape.block_bytes());
  }
}

unsigned Boundary::rank_of(RouterId router) const {
  const auto after = std::upper_bound(cuts_.begin(), cuts_.end(), index(router));
  return static_cast<unsigned>(after - cuts_.begin()) - 1;
}

model::Wire Boundary::leaving(unsigned rank, ChannelId channel, bool credit) const {
  const Peer& p = peer(rank);
  return InputPins{p.leaving.data(), &p.shape, lane_of_[index(channel)]}.wire_to(0, credit, 0);
}
model::Wire Boundary::flits(ChannelId leaves) const {
  return leaving(rank_of(topology_.channel(leaves).dst), leaves, false);
}
model::Wire Boundary::credits(ChannelId enters) const {
  return leaving(rank_of(topology_.channel(enters).src), enters, true);
}

void Boundary::send(std::uint64_t first, TerminalGroup& terminals, PacketRecords& records) {
  const double start = thread_seconds();
  for (Peer& p : peers_) {
    Ranks::Bytes message;
    message.reserve(p.usual);
    const TerminalGroup::Packets& reports =
        terminals.reports((first / epoch_) % kReportSides, p.rank);
    TerminalGroup::Packets& departures = terminals.departures(p.rank);
    put(message, Counts{static_cast<std::uint32_t>(reports.size()),
                        static_cast<std::uint32_t>(departures.size())});
    for (const auto& report : reports) put(message, report);
    for (const auto& [source, id] : departures)
      put(message, Departure{records.of(source, id), records.step(source, id), source});
    departures.clear();
    take_wires(p, first, message);
    p.usual = message.size();
    ranks_.send(p.rank, std::move(message));
  }
  ++sent_;
  cpu_ += thread_seconds() - start;
}

/// Of each cycle: how many flits, and credits; of each its lane and Meta, and its data.
void Boundary::take_wires(Peer& p, std::uint64_t first, Ranks::Bytes& message) {
  const auto each = [&](std::byte* meta, auto&& found) {
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < p.shape.meta_bytes(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, meta + i, 8);
      if (word == 0) continue;
      std::memset(meta + i, 0, 8);
      for (; word != 0; ++number) {
        const auto byte = static_cast<std::uint32_t>(std::countr_zero(word)) / 8;
        const auto value = static_cast<std::uint32_t>(word >> (8 * byte) & 0xff);
        word &= ~(std::uint64_t{0xff} << (8 * byte));
        put(message, (i + byte) << 8 | value);
        found(i + byte, value);
      }
    }
    return number;
  };
  for (std::uint64_t cycle = first; cycle < first + epoch_; ++cycle) {
    std::byte* slot =
        p.leaving.data() + std::size_t{p.shape.slot_bytes()} * (cycle & p.shape.slot_mask);
    const std::size_t at = message.size();
    put(message, Counts{});
    const std::uint32_t flits = each(slot, [&](std::uint32_t lane, std::uint32_t) {
      const std::byte* data = slot + p.shape.flit_offset(0, lane);
      message.insert(message.end(), data, data + p.shape.flit_bytes);
      if (++flits_ == lost_flit_) message[message.size() - p.shape.flit_bytes - 4] = std::byte{0};
    });
    const std::uint32_t credits =
        each(slot + p.shape.meta_bytes(), [&](std::uint32_t lane, std::uint32_t meta) {
          if ((meta & model::kFeedback) == 0) return;
          const std::byte* data = slot + p.shape.feedback_offset(0, lane);
          message.insert(message.end(), data, data + p.shape.feedback_bytes);
        });
    const Counts counts{flits, credits};
    std::memcpy(message.data() + at, &counts, sizeof counts);
  }
}

void Boundary::put_wires(const Peer& p, std::uint64_t first, const std::byte* at) {
  for (std::uint64_t cycle = first; cycle < first + epoch_; ++cycle) {
    const auto [flits, credits] = take<Counts>(at);
    for (std::uint32_t i = 0; i < flits; ++i) {
      const auto lane = take<std::uint32_t>(at);
      const model::Wire& wire = p.flits[lane >> 8];
      std::byte* slot = wire.slot(cycle);
      slot[wire.meta_offset] = static_cast<std::byte>(lane);
      copy_words(slot + wire.data_offset, at, p.shape.flit_bytes / 8);
      at += p.shape.flit_bytes;
    }
    for (std::uint32_t i = 0; i < credits; ++i) {
      const auto lane = take<std::uint32_t>(at);
      const model::Wire& wire = p.credits[lane >> 8];
      std::byte* slot = wire.slot(cycle);
      slot[wire.meta_offset] = static_cast<std::byte>(lane);
      if ((lane & model::kFeedback) == 0) continue;
      copy_words(slot + wire.data_offset, at, p.shape.feedback_bytes / 8);
      at += p.shape.feedback_bytes;
    }
  }
}

void Boundary::receive(PacketRecords& records) {
  for (; received_ < sent_; ++received_) {
    for (const Peer& p : peers_) {
      const Ranks::Bytes message = ranks_.receive(p.rank);
      const double start = thread_seconds();
      const std::byte* at = message.data();
      const auto [reports, departures] = take<Counts>(at);
      for (std::uint32_t i = 0; i < reports; ++i)
        heard_[received_ % kReportSides].push_back(take<PacketName>(at));
      for (std::uint32_t i = 0; i < departures; ++i) {
        const auto sent = take<Departure>(at);
        const auto source = static_cast<std::uint32_t>(sent.source);
        PacketRecord* record = &records.of(source, sent.record.id);
        // The record of a packet that has begun comes again when it ends.
        if (record->flits == 0 || record->id != sent.record.id)
          record = records.next(source, sent.record.id);
        *record = sent.record;
        records.step(source, sent.record.id) = sent.step;
      }
      put_wires(p, received_ * epoch_, at);
      cpu_ += thread_seconds() - start;
    }
  }
}

void Boundary::collect(std::uint64_t epoch, const TerminalGroup& terminals,
                       PacketRecords& records) {
  TerminalGroup::Packets& heard = heard_[heard_side(epoch)];
  for (const auto& [source, id] : heard) records.of(source, id).flits = 0;
  heard.clear();
  for (const Peer& p : peers_) {
    for (const auto& [source, id] : terminals.reports(heard_side(epoch), p.rank))
      records.of(source, id).flits = 0;
  }
}

}  // namespace hopwise::engine
