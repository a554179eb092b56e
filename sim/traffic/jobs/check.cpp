// SPDX-License-Identifier: Apache-2.0
#include "traffic/jobs/check.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace hopwise::traffic {
namespace {

using OperationKind = Operation::Kind;

constexpr std::size_t kMostErrors = 10;

std::string tag_words(std::uint32_t tag) {
  return tag == kCollectiveTag ? " in a collective"
         : tag == 0            ? ""
                               : fmt::format(" with tag {}", tag);
}

/// An operation by its rank and place.
struct Place {
  std::uint32_t rank = 0, operation = 0;
};

std::string name(const Place& place) {
  return fmt::format("rank {}, operation {}", place.rank, place.operation);
}

Diagnostic at_operation(const spec::JobSpec& job, const std::vector<Program>& programs,
                        const Place& place, const char* code, std::string found,
                        std::string allowed, std::string hint) {
  const bool custom = !job.operations.empty();
  const std::uint32_t line = programs[place.rank].line_of(place.operation);
  return {code,
          custom ? job.operations[line].where : job.where,
          custom ? fmt::format("job.operations[{}]", line) : "job.program",
          std::move(found),
          std::move(allowed),
          std::move(hint)};
}

class Checker {
 public:
  Checker(const spec::JobSpec& job, std::vector<Program>& programs)
      : job_(job), programs_(programs) {}

  Diagnostics run() {
    match();
    if (errors_.empty()) execute();
    return std::move(errors_);
  }

 private:
  struct Message {
    std::uint32_t from = 0, to = 0, tag = 0;
    bool receive = false;
    Place place;
  };

  const Operation& at(const Place& place) const {
    return programs_[place.rank].operations()[place.operation];
  }

  void refuse(const char* code, const Place& place, std::string found, std::string allowed,
              std::string hint) {
    errors_.push_back(at_operation(job_, programs_, place, code, std::move(found),
                                   std::move(allowed), std::move(hint)));
  }

  /// Sends and receives of a pair and tag lie behind each other when sorted, each in their order.
  void match() {
    std::vector<Message> messages;
    for (std::uint32_t rank = 0; rank < programs_.size(); ++rank) {
      const auto& operations = programs_[rank].operations();
      for (std::uint32_t i = 0; i < operations.size(); ++i) {
        const Operation& o = operations[i];
        if (o.kind == OperationKind::kSend)
          messages.push_back({rank, o.peer, o.tag, false, {rank, i}});
        if (o.kind == OperationKind::kReceive)
          messages.push_back({o.peer, rank, o.tag, true, {rank, i}});
      }
    }
    const auto flow = [](const Message& m) { return std::tie(m.from, m.to, m.tag); };
    std::stable_sort(messages.begin(), messages.end(), [&](const Message& a, const Message& b) {
      return std::tuple(flow(a), a.receive) < std::tuple(flow(b), b.receive);
    });
    for (std::size_t begin = 0, end = 0; begin < messages.size(); begin = end) {
      while (end < messages.size() && flow(messages[end]) == flow(messages[begin])) ++end;
      const auto first = messages.begin() + static_cast<std::ptrdiff_t>(begin),
                 last = messages.begin() + static_cast<std::ptrdiff_t>(end);
      const auto receives = std::find_if(first, last, [](const Message& m) { return m.receive; });
      join(std::span(first, receives), std::span(receives, last));
    }
  }

  void join(std::span<const Message> sends, std::span<const Message> receives) {
    const std::size_t both = std::min(sends.size(), receives.size());
    for (std::size_t i = 0; i < both; ++i) {
      const Place send = sends[i].place, receive = receives[i].place;
      Operation& sent = programs_[send.rank].at(send.operation);
      Operation& received = programs_[receive.rank].at(receive.operation);
      sent.match = receive.operation;
      received.match = send.operation;
      received.amount = sent.amount;
    }
    if (sends.size() == receives.size() || errors_.size() >= kMostErrors) return;
    const bool sent = sends.size() > receives.size();
    const Message& alone = sent ? sends[both] : receives[both];
    refuse(
        "traffic.job-match", alone.place,
        fmt::format("{} {} rank {}{}, {}", name(alone.place), sent ? "sends to" : "receives from",
                    at(alone.place).peer, tag_words(alone.tag),
                    sent ? "which does not receive it" : "which sends nothing like it"),
        "a receive for every send, and a send for every receive",
        fmt::format("rank {} to rank {}{}: {} sends, {} receives", alone.from, alone.to,
                    tag_words(alone.tag), sends.size(), receives.size()));
  }

  /// A receive, among those open at the rank's wait, whose message has not been sent.
  std::optional<std::uint32_t> missing(std::uint32_t rank) {
    auto& open = open_[rank];
    while (!open.empty()) {
      const Operation& receive = programs_[rank].operations()[open.back()];
      if (at_[receive.peer] <= receive.match) return open.back();
      open.pop_back();
    }
    return std::nullopt;
  }

  /// Goes on until the end or a wait; if it got on, so may those that waited for it.
  void advance(std::uint32_t rank) {
    const auto& operations = programs_[rank].operations();
    const std::uint32_t before = at_[rank];
    for (; at_[rank] < operations.size(); ++at_[rank]) {
      const OperationKind kind = operations[at_[rank]].kind;
      if (kind == OperationKind::kReceive) open_[rank].push_back(at_[rank]);
      if (kind != OperationKind::kWait) continue;
      const auto receive = missing(rank);
      if (!receive) continue;
      waits_for_[rank] = *receive;
      waiting_[operations[*receive].peer].push_back(rank);
      break;
    }
    if (at_[rank] == before) return;
    for (const std::uint32_t other : std::exchange(waiting_[rank], {})) ready_.push_back(other);
  }

  /// With eager sends nothing but a wait holds a rank up, so any order of execution ends alike.
  void execute() {
    const std::size_t n = programs_.size();
    at_.assign(n, 0);
    open_.resize(n);
    waits_for_.resize(n);
    waiting_.resize(n);
    for (std::uint32_t rank = 0; rank < n; ++rank) ready_.push_back(rank);
    while (!ready_.empty()) {
      const std::uint32_t rank = ready_.front();
      ready_.pop_front();
      advance(rank);
    }
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      if (at_[rank] == programs_[rank].operations().size()) continue;
      tell_circle(rank);
      return;
    }
  }

  /// From a rank that is held up: each waits for the next, so in the end for one of those before.
  void tell_circle(std::uint32_t rank) {
    std::vector<bool> seen(programs_.size());
    const auto next = [&](std::uint32_t r) {
      return programs_[r].operations()[waits_for_[r]].peer;
    };
    while (!seen[rank]) {
      seen[rank] = true;
      rank = next(rank);
    }
    std::string chain;
    const std::uint32_t first = rank;
    do {
      const Place receive{rank, waits_for_[rank]};
      chain += fmt::format("{}{} waits for rank {}{}", chain.empty() ? "" : "; ", name(receive),
                           next(rank), tag_words(at(receive).tag));
      rank = next(rank);
    } while (rank != first && chain.size() < 300);
    refuse("traffic.job-deadlock", {first, waits_for_[first]}, chain,
           "ranks that do not wait for each other", "a send before a wait breaks the circle");
  }

  const spec::JobSpec& job_;
  std::vector<Program>& programs_;
  Diagnostics errors_;
  // Of the execution, by rank: operation under way, receives that are open, that which holds it up,
  // and who waits for it.
  std::vector<std::uint32_t> at_;
  std::vector<std::vector<std::uint32_t>> open_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::vector<std::uint32_t>> waiting_;
  std::deque<std::uint32_t> ready_;
};

}  // namespace

Diagnostics refuse_gets(const spec::JobSpec& job, const std::vector<Program>& programs) {
  Diagnostics errors;
  std::set<std::uint32_t> lines;
  for (std::uint32_t rank = 0; rank < programs.size(); ++rank) {
    const auto& operations = programs[rank].operations();
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      if (operations[i].kind != OperationKind::kGet ||
          !lines.insert(programs[rank].line_of(i)).second)
        continue;
      errors.push_back(at_operation(
          job, programs, {rank, i}, "traffic.job-get",
          fmt::format("{} gets data with terminal.interface: streams", name({rank, i})),
          "send and recv, or terminal.interface: messages",
          "only a message interface reads the memory of another terminal"));
      if (errors.size() == kMostErrors) return errors;
    }
  }
  return errors;
}

Diagnostics match(const spec::JobSpec& job, std::vector<Program>& programs) {
  return Checker(job, programs).run();
}

}  // namespace hopwise::traffic
