// SPDX-License-Identifier: Apache-2.0
// What terminals do about congestion. Their hosts keep a queue of each destination whose packets
// may not begin, so that those to others never wait for them.
#include "engine/terminal.hpp"

namespace hopwise::engine {

namespace {

// A notification that is there is the throttle's in the next cycle.
constexpr std::uint64_t kHeard = 1;

}  // namespace

/// Cycles between the pins of a terminal and its throttle: a beat is accepted so many cycles before
/// its flit is on the pins.
std::uint64_t Terminals::beat_cycles() const { return classes_ > 1 ? 3 : 2; }

/// The queue whose first packet goes next; nullptr where none may go.
SourceQueues::Queue* Terminals::next_flow(std::size_t at, std::uint64_t cycle) {
  const auto local = static_cast<std::uint32_t>(at / classes_);
  const std::uint64_t now = cycle - beat_cycles();
  Congestion& c = congestion_[local];
  Flows& flows = flows_[at];
  Sender& sender = senders_[at];
  if (at % classes_ == note_class_) {
    if (c.notes.empty() && c.notifier.pending(now)) {
      const TerminalId self{first_ + local};
      queues_.push(c.notes,
                   {.cycle = cycle, .src = self, .dst = TerminalId{*c.notifier.pending(now)}});
      ++queued_flits_;
    }
    if (!c.notes.empty()) return &c.notes;
  }
  if (!replies_.empty() && !replies_[at].empty()) return &replies_[at];
  hear(c, now);
  const bool throttled = throttled_[at % classes_];
  const auto stops = [&](std::uint32_t dst) { return throttled && c.throttle.stops(now, dst); };
  // The host takes turns: its queue, and those of the destinations.
  const auto from_aside = [&]() -> SourceQueues::Queue* {
    const auto next = flows.aside.next(
        [&](std::uint32_t dst, const SourceQueues::Queue&) { return !stops(dst); });
    return next == flows.aside.queues.end() ? nullptr : &next->second;
  };
  if (!flows.aside.went) {
    if (SourceQueues::Queue* queue = from_aside()) return queue;
  }
  while (!sender.queue.empty()) {
    const auto dst = static_cast<std::uint32_t>(index(queues_.front(sender.queue).dst));
    if (!flows.aside.queues.contains(dst) && !stops(dst)) return &sender.queue;
    const traffic::GeneratedPacket packet = queues_.front(sender.queue);
    queues_.pop(sender.queue);
    queues_.push(flows.aside.queues[dst], packet);
  }
  return from_aside();
}

/// Of what came on the pins until then, the throttle hears.
void Terminals::hear(Congestion& c, std::uint64_t cycle) {
  while (!c.heard.empty() && c.heard.front().first < cycle) {
    c.throttle.step(c.heard.front().first, c.heard.front().second, {});
    c.heard.pop_front();
  }
}

/// The first packet of the queue has begun in `cycle`, and left it.
void Terminals::leave_flow(std::size_t at, const SourceQueues::Queue* queue, std::uint32_t dst,
                           std::uint64_t cycle) {
  Congestion& c = congestion_[at / classes_];
  Flows& flows = flows_[at];
  flows.note_goes = queue == &c.notes;
  if (flows.note_goes) {
    c.notifier.take(cycle - beat_cycles());
    ++notes_.sent;
    return;
  }
  if (!replies_.empty() && queue == &replies_[at]) return;
  flows.aside.went = queue != &senders_[at].queue;
  if (!flows.aside.went) return;
  flows.aside.last = dst;
  if (queue->empty()) flows.aside.queues.erase(dst);
}

/// A flit of a packet that is no notification goes to `dst`.
void Terminals::charge(std::uint32_t local, std::uint32_t dst, std::uint64_t cycle) {
  Congestion& c = congestion_[local];
  hear(c, cycle - beat_cycles());
  std::optional<std::uint32_t> noted;
  if (!c.heard.empty() && c.heard.front().first == cycle - beat_cycles()) {
    noted = c.heard.front().second;
    c.heard.pop_front();
  }
  if (c.throttle.active() || noted) c.throttle.step(cycle - beat_cycles(), noted, {&dst, 1});
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
