// SPDX-License-Identifier: Apache-2.0
// What a network has to say between epochs.
#include <algorithm>
#include <span>
#include <utility>

#include "engine/network.hpp"
#include "engine/partition.hpp"

namespace hopwise::engine {

bool Network::quiescent() {
  catch_up();
  bool busy = std::ranges::any_of(probes_, [](const auto& probe) { return probe->busy(); });
  for (const auto& part : partitions_) {
    busy = busy || !part->bank->quiescent() || !part->terminals->at_rest() ||
           std::any_of(pins_.begin() + part->first, pins_.begin() + part->end, any_meta);
    for (std::uint32_t r = part->first; shared_.faults.resets() && r < part->end; ++r)
      busy = busy || part->bank->queued_csr(r - part->first) != 0;
  }
  return !anywhere(busy);
}

void Network::stop_generating() {
  draining_ = true;  // no reset any more
  for (auto& probe : probes_) probe->stop();
  for (auto* t : terminals_) t->stop_generating();
}

bool Network::sources_done() const {
  return all(ranks_, std::all_of(terminals_.begin(), terminals_.end(),
                                 [](const TerminalGroup* t) { return t->sources_done(); }));
}

measure::Window Network::take_window() {
  const std::uint64_t resets = count_drops()[kDropReset];
  measure::Window sum;
  for (auto* t : terminals_) {
    measure::Window& mine = t->tally().window;
    mine.in_flight_flits = t->in_flight_flits();
    mine.queued_flits = t->queued_flits();
    sum += mine;
    mine = {};
  }
  if (boundary_) {
    std::uint64_t* const fields[] = {&sum.packets,        &sum.latency_sum,     &sum.offered_flits,
                                     &sum.accepted_flits, &sum.in_flight_flits, &sum.queued_flits};
    std::vector<std::uint64_t> values;
    for (const std::uint64_t* field : fields) values.push_back(*field);
    add_up(ranks_, std::span(values));
    for (std::size_t i = 0; i < values.size(); ++i) *fields[i] = values[i];
  }
  sum.in_flight_flits -= std::min(sum.in_flight_flits, lost_flits(resets));
  if (counters_->empty()) return sum;
  const std::size_t words = setup_.counters.size();
  const std::size_t decisions = measure::place_of(measure::kDecisions, setup_.counters),
                    mapped = measure::place_of(setup_.mapped, setup_.counters);
  measure::Counts counts(counters_);
  std::vector<std::uint32_t> since(words);
  router_decisions_.clear();
  for (const auto& part : partitions_) {
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      for (std::uint32_t w = 0; w < words; ++w) {
        since[w] = since_last(r, part->bank->counters(r - part->first, w), totals_[r * words + w]);
        counts.at(w) += setup_.counters[w].negative ? static_cast<std::int32_t>(since[w])
                                                    : std::int64_t{since[w]};
      }
      if (decisions < words && mapped < words)
        router_decisions_.push_back({since[decisions], since[mapped]});
    }
  }
  for (const Counting& c : counting_)
    c.probe->take_counts(counts.sums().subspan(c.first, c.number));
  taken_ = now_;
  add_up(ranks_, counts.sums());
  router_decisions_ = gathered(ranks_, router_decisions_);
  sum.counts = std::move(counts);
  return sum;
}

void Network::clear_measured() {
  for (auto& part : partitions_) {
    part->terminals->tally().clear_measured();
    part->terminals->clear_by_source();
    part->bank->clear_counts();
  }
}

}  // namespace hopwise::engine
