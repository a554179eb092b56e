// SPDX-License-Identifier: Apache-2.0
// What terminals do about congestion. Their hosts keep a queue of each destination whose packets
// may not begin, so that those to others never wait for them.
#include "engine/terminal.hpp"

namespace hopwise::engine {

namespace {

// Cycles between the pins of a terminal and its throttle: a beat is accepted two cycles before its
// flit is on the pins, and a notification that is there is the throttle's in the next cycle.
constexpr std::uint64_t kSent = 2, kHeard = 1;

}  // namespace

/// The queue whose first packet goes next; nullptr where none may go.
SourceQueues::Queue* Terminals::next_flow(std::uint32_t local, std::uint64_t cycle) {
  Congestion& c = congestion_[local];
  Sender& sender = senders_[local];
  if (c.notes.empty() && c.notifier.pending(cycle - kSent)) {
    const TerminalId self{first_ + local};
    queues_.push(
        c.notes,
        {.cycle = cycle, .src = self, .dst = TerminalId{*c.notifier.pending(cycle - kSent)}});
    ++queued_flits_;
  }
  if (!c.notes.empty()) return &c.notes;
  hear(c, cycle - kSent);
  const auto stops = [&](std::uint32_t dst) { return c.throttle.stops(cycle - kSent, dst); };
  // The host takes turns: its queue, and those of the destinations.
  const auto from_aside = [&]() -> SourceQueues::Queue* {
    auto at = c.aside.upper_bound(c.last_aside);
    for (std::size_t tried = 0; tried < c.aside.size(); ++tried, ++at) {
      if (at == c.aside.end()) at = c.aside.begin();
      if (!stops(at->first)) return &at->second;
    }
    return nullptr;
  };
  if (!c.aside_went) {
    if (SourceQueues::Queue* queue = from_aside()) return queue;
  }
  while (!sender.queue.empty()) {
    const auto dst = static_cast<std::uint32_t>(index(queues_.front(sender.queue).dst));
    if (!c.aside.contains(dst) && !stops(dst)) return &sender.queue;
    const traffic::GeneratedPacket packet = queues_.front(sender.queue);
    queues_.pop(sender.queue);
    queues_.push(c.aside[dst], packet);
  }
  return from_aside();
}

/// Of what came on the pins until then, the throttle hears.
void Terminals::hear(Congestion& c, std::uint64_t cycle) {
  while (!c.heard.empty() && c.heard.front().first < cycle) {
    c.throttle.step(c.heard.front().first, c.heard.front().second, std::nullopt);
    c.heard.pop_front();
  }
}

/// The first packet of the queue has begun in `cycle`, and left it.
void Terminals::leave_flow(std::uint32_t local, const SourceQueues::Queue* queue, std::uint32_t dst,
                           std::uint64_t cycle) {
  Congestion& c = congestion_[local];
  c.note_goes = queue == &c.notes;
  if (c.note_goes) {
    c.notifier.take(cycle - kSent);
    ++notes_.sent;
    return;
  }
  c.aside_went = queue != &senders_[local].queue;
  if (!c.aside_went) return;
  c.last_aside = dst;
  if (queue->empty()) c.aside.erase(dst);
}

/// A flit of a packet that is no notification goes to `dst`.
void Terminals::charge(std::uint32_t local, std::uint32_t dst, std::uint64_t cycle) {
  Congestion& c = congestion_[local];
  hear(c, cycle - kSent);
  std::optional<std::uint32_t> noted;
  if (!c.heard.empty() && c.heard.front().first == cycle - kSent) {
    noted = c.heard.front().second;
    c.heard.pop_front();
  }
  if (c.throttle.active() || noted) c.throttle.step(cycle - kSent, noted, dst);
}

/// A head has come; `note`: it is a notification.
void Terminals::notice(std::uint32_t local, const Receiver& receiver, bool marked, bool note,
                       std::uint64_t cycle) {
  Congestion& c = congestion_[local];
  if (note) {
    c.heard.emplace_back(cycle + kHeard, receiver.from);
    ++notes_.heard;
    return;
  }
  if (!marked) return;
  ++notes_.marked;
  const bool idle = !can_send(local);
  if (c.notifier.mark(cycle + kHeard, receiver.from) && idle) wake(local, cycle);
}

}  // namespace hopwise::engine
