// SPDX-License-Identifier: Apache-2.0
// What happens to terminals in a cycle, and the bookkeeping around it.
#include "engine/terminal.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace hopwise::engine {
namespace {

/// Calls `found(lane, meta)` for all Meta that are not 0, and clears them.
template <class F>
void take_meta(std::byte* at, std::size_t bytes, F&& found) {
  static_assert(std::endian::native == std::endian::little, "lanes are found in words");
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, at + i, 8);
    if (word == 0) continue;
    std::memset(at + i, 0, 8);
    do {
      const auto lane = static_cast<unsigned>(std::countr_zero(word)) / 8;
      found(static_cast<std::uint32_t>(i + lane), static_cast<model::Meta>(word >> (8 * lane)));
      word &= ~(std::uint64_t{0xff} << (8 * lane));
    } while (word != 0);
  }
}

/// Calls `work` for each of `which`, and has their elements of `arrays` brought from memory in
/// time.
template <class F, class... T>
void for_each_fetched(std::span<const std::uint32_t> which, F&& work,
                      const std::vector<T>&... arrays) {
  constexpr std::size_t kAhead = 4, kLine = 64;
  const auto fetch = [](const auto& element) {
    const auto* place = reinterpret_cast<const std::byte*>(&element);
    for (std::size_t at = 0; at < sizeof element; at += kLine) __builtin_prefetch(place + at, 1);
  };
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (i + kAhead < which.size()) (fetch(arrays[which[i + kAhead]]), ...);
    work(which[i]);
  }
}

std::uint64_t bits_below(unsigned bit) {
  return bit == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1;
}

/// A source waits where it has as many. Message interfaces do not count theirs, and many of their
/// requests may overtake one: all ids, beyond which the accounting cannot tell packets apart.
std::size_t most_under_way(const Setup& setup) {
  const std::size_t ids = std::size_t{1} << setup.format.packet_id.width;
  return setup.terminal_model != nullptr ? ids : std::min(ids, Shared::kMostUnderWay);
}

/// Sources of records.
std::uint32_t per_terminal(const Setup& setup) {
  return setup.terminal_model != nullptr ? setup.network.router.num_message_classes() : 1;
}

}  // namespace

Shared::Shared(const Setup& s, const Layout& l, const RunOptions& options, Range o)
    : setup(s),
      layout(l),
      own(o),
      headers(s),
      faults(s, options),
      // Message interfaces number the packets of each class.
      records(s.topology.num_terminals() * per_terminal(s), most_under_way(s),
              {own.first * per_terminal(s), own.end * per_terminal(s)}) {
  const std::size_t terminals = setup.topology.num_terminals();
  partition_of.resize(terminals);
  if (setup.terminal_model != nullptr) return;  // what follows, message interfaces do themselves
  if (setup.format.mode.width > 0) {
    modes.assign(terminals, options.traffic.mode);
    for (std::uint32_t t = 0; options.job != nullptr && t < terminals; ++t) {
      if (options.job->has(TerminalId{t})) modes[t] = options.job->mode();
    }
  }
  if (setup.in_order || std::ranges::count(modes, spec::Mode::kInOrder) != 0) {
    next_sequence.assign(
        (own.end - own.first) * terminals * setup.network.router.num_message_classes(), 0);
    expected = next_sequence;
  }
}

Terminals::Terminals(Shared& shared, std::size_t partition, std::uint32_t first_router,
                     std::span<const InputPins> routers, std::size_t parties,
                     std::vector<traffic::Source> sources, const RunOptions& options)
    : TerminalGroup(shared.records,
                    static_cast<std::uint32_t>(
                        index(shared.setup.topology.terminal_at(RouterId{first_router}, 0))),
                    sources.size(), shared.setup.network.router.num_message_classes(), parties),
      shared_(shared),
      options_(options),
      partition_(partition),
      flit_words_((shared.setup.network.packet.wire_bits() + 63) / 64),
      last_word_(bits_below(shared.setup.network.packet.flit_bits - 64 * (flit_words_ - 1))),
      vcs_(static_cast<std::uint32_t>(shared.setup.network.router.vc_depth_flits.size())),
      classes_(shared.setup.network.router.num_message_classes()),
      class_vcs_(vcs_ / classes_),
      id_mask_((1U << shared.setup.format.packet_id.width) - 1),
      wormhole_(shared.setup.network.router.switching == spec::Switching::kWormhole),
      cycles_per_flit_(shared.setup.network.link.cycles_per_flit),
      flit_slots_(shared.layout.routers.size()),
      credit_slots_(shared.layout.routers.size()),
      sources_(std::move(sources)),
      senders_(sources_.size() * classes_),
      receivers_(sources_.size() * classes_),
      turns_(shared.setup.network.router, sources_.size()),
      generates_next_(sources_.size()),
      generation_(sources_.size()),
      sending_(sources_.size()),
      scratch_(flit_words_ + 1) {
  place_lanes(first_router, routers);
  const auto& depths = shared.setup.network.router.vc_depth_flits;
  for (std::size_t t = 0; t < sources_.size(); ++t)
    credits_.insert(credits_.end(), depths.begin(), depths.end());
  for (auto& flipped : flipped_) flipped.resize(parties);
  if (shared.faults.bad_packets()) {
    bad_records_.resize(senders_.size());
    breaks_.resize(senders_.size());
  }
  if (const spec::CongestionSpec& spec = shared.setup.network.congestion; spec.enabled) {
    congestion_.assign(sources_.size(), Congestion(spec));
    flows_.resize(senders_.size());
    const spec::TerminalSpec& terminal = shared.setup.network.terminal;
    note_class_ = terminal.note_class(classes_);
    for (unsigned c = 0; c < classes_; ++c) throttled_.push_back(!terminal.answers(c));
  }
  if (options.traffic.reply_queue_packets == 0) {
    for (unsigned c = 0; c < classes_; ++c) generated_classes_.push_back(c);
    return;
  }
  for (const auto& [request, reply] : options.traffic.replies)
    generated_classes_.push_back(request);
  replies_.resize(senders_.size());
  untaken_.resize(senders_.size());
  reply_places_.resize(sources_.size());
}

/// Finds lanes for the terminals and the pins that they drive.
void Terminals::place_lanes(std::uint32_t first_router, std::span<const InputPins> routers) {
  const topology::Topology& topology = shared_.setup.topology;
  struct Part {  // of a block, which the partition's routers take
    std::uint32_t first = 0, lanes = 0, begin = 0;  // lane of the block, number, lane of terminals
  };
  std::map<const std::byte*, Part> parts;
  for (const InputPins& router : routers)
    ++parts.try_emplace(router.block, Part{router.lane, 0, 0}).first->second.lanes;
  std::uint32_t lanes = 0, local = 0;
  for (const InputPins& router : routers) {
    const RouterId id{first_router++};
    const unsigned shape = topology.shape_index(id);
    const std::uint32_t terminals = topology.terminals_at(id);
    Part& part = parts.at(router.block);
    if (router.lane == part.first)
      part.begin = std::exchange(lanes, lanes + terminals * part.lanes);
    for (std::uint32_t slot = 0; slot < terminals; ++slot, ++local) {
      const std::uint32_t port = topology.network_ports(id) + slot;
      lane_of_.push_back(part.begin + slot * part.lanes + router.lane - part.first);
      for (std::size_t at = local * classes_; at < (local + 1) * classes_; ++at) {
        Sender& sender = senders_[at];
        sender.block = router.block;
        sender.meta = router.shape->flit_meta(port, router.lane);
        sender.data = router.shape->flit_offset(port, router.lane);
        Receiver& receiver = receivers_[at];
        receiver.credit_block = router.block;
        receiver.credit_meta = router.shape->credit_meta(port, router.lane);
        sender.shape = receiver.shape = static_cast<std::uint16_t>(shape);
      }
    }
  }
  at_lane_.resize(lanes);
  for (std::uint32_t t = 0; t < local; ++t) at_lane_[lane_of_[t]] = t;
  wires_ = {.ports = 1,
            .lanes = lanes,
            .flit_bytes = 8 * flit_words_,
            .slot_mask = shared_.layout.terminal_slots};
  blocks_ = Blocks(wires_.block_bytes());
}

/// A flit is on the terminal's pins in the cycle of its step, a credit for what arrived two cycles
/// later; where message classes share the pins, a flit a cycle later and a credit two.
void Terminals::place_slots(std::uint64_t cycle) {
  const std::uint64_t classes = shared_.setup.network.router.class_cycles(),
                      flit = shared_.setup.topology.terminal_latency_cycles() + classes,
                      credit = flit + 2 + classes;
  for (std::size_t shape = 0; shape < flit_slots_.size(); ++shape) {
    const model::WireShape& wires = shared_.layout.routers[shape];
    flit_slots_[shape] = std::size_t{wires.slot_bytes()} * ((cycle + flit) & wires.slot_mask);
    credit_slots_[shape] = std::size_t{wires.slot_bytes()} * ((cycle + credit) & wires.slot_mask);
  }
}

void Terminals::step(std::uint64_t cycle) {
  place_slots(cycle);
  std::byte* slot = blocks_.data() + std::size_t{wires_.slot_bytes()} * (cycle & wires_.slot_mask);
  count_credits(cycle, slot + wires_.credit_meta(0, 0));
  // All that arrives is looked at before any of it is received, and packets are generated before
  // any is sent: what is read of them then comes from memory meanwhile.
  arrivals_.clear();
  take_meta(slot, wires_.meta_bytes(), [&](std::uint32_t lane, model::Meta meta) {
    const Arrival arrival{at_lane_[lane], lane, meta};
    if (shared_.setup.reset_register != 0 &&
        is_greeting(arrival, slot + wires_.flit_offset(0, lane))) {
      greet(arrival.local, cycle);
      return;
    }
    arrivals_.push_back(arrival);
    arrive(arrivals_.back(), slot + wires_.flit_offset(0, lane));
  });
  for (const Arrival& arrival : arrivals_) fetch_record(arrival);
  for (const Arrival& arrival : arrivals_)
    receive(arrival, cycle, slot + wires_.flit_offset(0, arrival.lane));
  if (!untaken_.empty()) take(cycle);
  if (generating_) {
    for_each_fetched(
        generation_.ringing(cycle), [&](std::uint32_t local) { generate(local, cycle); }, sources_,
        senders_);
  }
  for_each_fetched(
      sending_.ringing(cycle), [&](std::uint32_t local) { send(local, cycle); }, senders_);
  if (!greeted_.empty()) welcome(cycle);
}

void Terminals::count_credits(std::uint64_t cycle, std::byte* meta) {
  auto& counting = arriving_[cycle & 1];  // what arrived two cycles ago counts from now on
  for (const Credit& credit : counting) {
    ++credits_[credit.local * vcs_ + credit.vc];
    Sender& sender = senders_[queue(credit.local, credit.vc)];
    if (!sender.waits_for_credit) continue;
    sender.waits_for_credit = false;
    wake(credit.local, cycle);
  }
  counting.clear();
  take_meta(meta, wires_.meta_bytes(), [&](std::uint32_t lane, model::Meta credit) {
    counting.push_back({at_lane_[lane], static_cast<unsigned>(credit & model::kVcMask)});
  });
}

/// Flits wait at the terminal, and not for a credit alone.
bool Terminals::can_send(std::uint32_t local) const {
  if (!greeted_.empty() && is_greeted(local)) return false;
  for (std::size_t at = local * classes_; at < (local + 1) * classes_; ++at) {
    if (class_can_send(at)) return true;
  }
  return false;
}

bool Terminals::class_can_send(std::size_t at) const {
  const Sender& sender = senders_[at];
  return !sender.waits_for_credit &&
         (sender.left != 0 || !sender.queue.empty() ||
          (!replies_.empty() && !replies_[at].empty()) ||
          (!flows_.empty() &&
           (!flows_[at].aside.queues.empty() ||
            (at % classes_ == note_class_ && congestion_[at / classes_].notifier.waits()))));
}

void Terminals::wake(std::uint32_t local, std::uint64_t cycle) {
  sending_.set(local, cycle, std::max(cycle, senders_[local * classes_].pacer.ready_cycle()));
}

void Terminals::generate(std::uint32_t local, std::uint64_t cycle) {
  traffic::Source& source = sources_[local];
  const std::uint64_t places = options_.traffic.source_queue_packets;
  const bool idle = !can_send(local);
  while (source.next_cycle() <= cycle) {
    // The classes take turns.
    const unsigned message_class = generated_classes_[generates_next_[local]];
    Sender& sender = senders_[local * classes_ + message_class];
    if (places != 0 && sender.queue.packets >= places) {
      if (const auto lost = source.refuse(cycle)) offer(local, *lost);
      continue;
    }
    const traffic::GeneratedPacket packet = source.pop();
    if (options_.record_packets) generated_.push_back(packet);
    if (++generates_next_[local] == generated_classes_.size()) generates_next_[local] = 0;
    if (refuse(local, message_class, packet)) continue;
    queued_flits_ += packet.flits;
    if (!has_bad_head(wrong(local, packet))) offer(local, packet);
    queues_.push(sender.queue, packet);
  }
  generation_.set(local, cycle, source.next_cycle());
  if (idle && can_send(local)) {
    fetch_first(local);
    wake(local, cycle);
  }
}

/// What a network interface sees to be wrong takes no place in it. One that stores packets finds
/// that a stream broke off by the length.
bool Terminals::refuse(std::uint32_t local, unsigned message_class,
                       const traffic::GeneratedPacket& packet) {
  if (!options_.faults.at_interface) return false;
  const auto kind = wrong(local, packet);
  if (!kind || (*kind == Kind::kStream && shared_.setup.network.terminal.cut_through)) return false;
  ++injected_;
  ++by_class_[message_class].injected;
  ++bad_;
  ++dropped_[*kind == Kind::kDestination ? kDropDestination : kDropLength];
  return true;
}

void Terminals::offer(std::uint32_t local, const traffic::GeneratedPacket& packet) {
  tally_.window.offered_flits += packet.flits;
  offered_[local] += packet.flits;
}

void Terminals::flip(std::uint64_t* head, std::uint32_t router, unsigned port,
                     std::uint64_t cycle) {
  const Headers& headers = shared_.headers;
  const std::uint32_t source = headers.source(head), dst = headers.destination(head),
                      id = headers.id(head);
  const bool again = shared_.faults.was_hit(head);
  if (!shared_.faults.flip(head, router, port, cycle) || again)
    return;  // who it is was readable once
  ++hits_;
  if (source < shared_.partition_of.size())
    flipped_[parity_][shared_.partition_of[source]].push_back({source, id, dst});
}

void Terminals::begin_epoch(std::uint64_t epoch) {
  TerminalGroup::begin_epoch(epoch);
  for (auto& flipped : flipped_[parity_]) flipped.clear();
}

void Terminals::collect(const std::vector<TerminalGroup*>& all, std::size_t self,
                        std::uint64_t epoch) {
  TerminalGroup::collect(all, self, epoch);
  for (const TerminalGroup* group : all) {
    const auto& flipped = static_cast<const Terminals*>(group)->flipped_[(epoch & 1) ^ 1][self];
    for (const Flipped& f : flipped) {
      PacketRecord& record = records_.of(f.source, f.id);
      if (record.id != f.id || record.dst != f.dst) continue;
      flits_injected_ -= use_of(record).exchange(0, std::memory_order_relaxed);
    }
  }
}

void Terminals::stop_generating() {
  generating_ = false;
  queued_flits_ = 0;
  for (Sender& sender : senders_) {
    while (!sender.queue.empty()) queues_.pop(sender.queue);
    queued_flits_ += sender.left;
  }
  for (const Congestion& c : congestion_) queued_flits_ += c.notes.packets;
  for (Flows& flows : flows_) {
    for (auto& [dst, queue] : flows.aside.queues) {
      while (!queue.empty()) queues_.pop(queue);
    }
    flows.aside.queues.clear();
  }
  // What is under way is still answered.
  for (const SourceQueues::Queue& replies : replies_) {
    queues_.for_each(replies,
                     [this](const traffic::GeneratedPacket& p) { queued_flits_ += p.flits; });
  }
}

bool Terminals::sources_done() const {
  const auto done = [](const Sender& s) { return s.left == 0 && s.queue.empty(); };
  const auto silent = [this](const traffic::Source& s) {
    return !generating_ || s.next_cycle() == traffic::kNoPacket;
  };
  const auto told = [](const Congestion& c) { return !c.notifier.waits(); };
  const auto sent = [](const Flows& f) { return f.aside.queues.empty(); };
  return std::ranges::all_of(senders_, done) && std::ranges::all_of(congestion_, told) &&
         std::ranges::all_of(flows_, sent) && std::ranges::all_of(sources_, silent) &&
         std::ranges::all_of(reply_places_, [](std::uint32_t places) { return places == 0; }) &&
         std::ranges::all_of(untaken_, [](const auto& flits) { return flits.empty(); });
}

}  // namespace hopwise::engine
