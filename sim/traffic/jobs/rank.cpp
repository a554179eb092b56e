// SPDX-License-Identifier: Apache-2.0
#include "traffic/jobs/rank.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace hopwise::traffic {

using Kind = Operation::Kind;

Rank::Rank(const Job& job, std::uint32_t rank) : job_(&job), rank_(rank) { run(); }

/// Its packets that have arrived are all. (Data of a get are there at once.)
bool Rank::complete(std::uint32_t receive) const {
  const auto found = arrived_.find(step_of(rank_, receive));
  return found != arrived_.end() &&
         found->second == job_->packets().packets(operations()[receive].amount);
}

/// Forgets receives and gets that are complete; none is left.
bool Rank::all_here() {
  while (!open_.empty() && complete(open_.back())) {
    arrived_.erase(step_of(rank_, open_.back()));
    open_.pop_back();
  }
  return open_.empty();
}

/// Goes on until there is a packet to hand over, a message to wait for, or the end.
void Rank::run() {
  next_ = kNoPacket;
  while (!done()) {
    if (at_ == operations().size()) {
      ends_.push_back(clock_);
      at_ = 0;
      continue;
    }
    const Operation& operation = operations()[at_];
    switch (operation.kind) {
      case Kind::kSend:
      case Kind::kGet: next_ = clock_; return;
      case Kind::kReceive: open_.push_back(at_); break;
      case Kind::kWait:
        if (!all_here()) return;
        break;
      case Kind::kCompute: pass(Doing::kCompute, clock_ + operation.amount); break;
    }
    ++at_;
  }
}

void Rank::pass(Doing doing, std::uint64_t until) {
  if (until > clock_) {
    if (!course_.empty() && course_.back().doing == doing && course_.back().to == clock_)
      course_.back().to = until;
    else if (course_.size() < job_->course_spans())
      course_.push_back({doing, clock_, until});
  }
  clock_ = until;
}

void Rank::postpone(std::uint64_t cycle) {
  pass(Doing::kSend, cycle);
  next_ = clock_;
}

GeneratedPacket Rank::pop() {
  assert(next_ != kNoPacket);
  const Operation& send = operations()[at_];
  const bool get = send.kind == Kind::kGet;
  const MessagePackets& packets = job_->packets();
  const GeneratedPacket packet{.cycle = clock_,
                               .src = job_->terminal(rank_),
                               .dst = job_->terminal(send.peer),
                               .flits = packets.flits(send.amount, packet_),
                               .step = get ? step_of(rank_, at_) : step_of(send.peer, send.match),
                               .get = get};
  if (++packet_ == packets.packets(send.amount)) {
    if (get) open_.push_back(at_);
    packet_ = 0;
    ++at_;
    run();
  }
  return packet;
}

void Rank::receive(std::uint64_t cycle, std::uint64_t step) {
  if (step == 0) return;
  ++arrived_[step];
  const bool waits = !done() && next_ == kNoPacket;
  if (!waits || !all_here()) return;
  pass(Doing::kWait, std::max(clock_, cycle));
  ++at_;
  run();
}

std::string Rank::state() const {
  if (next_ != kNoPacket) return fmt::format("rank {} sends", rank_);
  std::string text = fmt::format("rank {} waits in iteration {}", rank_, ends_.size());
  for (const std::uint32_t receive : open_) {
    const auto found = arrived_.find(step_of(rank_, receive));
    const Operation& operation = operations()[receive];
    text += fmt::format("{} operation {}: {} of {} packets from rank {}",
                        receive == open_.front() ? "," : ";", receive,
                        found == arrived_.end() ? 0 : found->second,
                        job_->packets().packets(operation.amount), operation.peer);
    if (text.size() > 300) break;
  }
  return text;
}

}  // namespace hopwise::traffic
