// SPDX-License-Identifier: Apache-2.0
// What a network has to say after a run.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "engine/network.hpp"
#include "engine/partition.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::engine {
namespace {

/// Those of all ranks.
measure::Histogram merged(Ranks& ranks, const measure::Histogram& mine) {
  if (ranks.size() == 1) return mine;
  measure::Histogram all;
  for (const Ranks::Bytes& bytes : ranks.gather(mine.bytes()))
    all.merge(measure::Histogram::from_bytes(bytes));
  return all;
}

LatencySummary summary(const measure::Histogram& h) {
  return {.mean = h.mean(),
          .ci95 = INFINITY,
          .stdev = h.stdev(),
          .p50 = h.percentile(0.5),
          .p95 = h.percentile(0.95),
          .p99 = h.percentile(0.99),
          .p999 = h.percentile(0.999),
          .max = h.max(),
          .packets = h.count()};
}

/// Adds those of some terminals or ranks, one behind the other.
void add_classes(std::vector<ClassPackets>& sums, const std::vector<ClassPackets>& more) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    ClassPackets& sum = sums[i % sums.size()];
    sum.injected += more[i].injected;
    sum.delivered += more[i].delivered;
    sum.latency_sum += more[i].latency_sum;
  }
}

}  // namespace

InterfaceCounts& InterfaceCounts::operator+=(const InterfaceCounts& more) {
  request_flits += more.request_flits;
  request_stalled += more.request_stalled;
  request_packets += more.request_packets;
  response_packets += more.response_packets;
  response_latency += more.response_latency;
  return *this;
}

double InterfaceCounts::round_trip() const {
  return response_packets == 0
             ? 0
             : static_cast<double>(response_latency) / static_cast<double>(response_packets);
}

double InterfaceCounts::stalls_per_flit() const {
  return request_flits == 0
             ? 0
             : static_cast<double>(request_stalled) / static_cast<double>(request_flits);
}

JobMessages& JobMessages::operator+=(const JobMessages& more) {
  messages += more.messages;
  packets += more.packets;
  flits += more.flits;
  return *this;
}

double MessageCounts::model_cycles() const {
  if (of_job.messages == 0) return 0;
  const auto mean = [this](std::uint64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(of_job.messages);
  };
  return (0.5 + (mean(of_job.packets) - 1) / outstanding) * of_ranks.round_trip() +
         mean(of_job.flits) * (of_ranks.stalls_per_flit() + 1);
}

std::uint64_t Network::total(std::uint64_t (TerminalGroup::*count)() const) const {
  std::uint64_t all = 0;
  for (const auto* t : terminals_) all += (t->*count)();
  return sum(ranks_, all);
}

std::uint64_t Network::injected() const { return total(&TerminalGroup::injected); }
std::uint64_t Network::delivered() const { return total(&TerminalGroup::delivered); }
std::uint64_t Network::bad() const { return total(&TerminalGroup::bad); }
std::uint64_t Network::hits() const { return total(&TerminalGroup::hits); }

std::uint64_t Network::damaged() const { return total(&TerminalGroup::damaged); }

std::array<std::uint64_t, kDropCauses> Network::count_drops() {
  if (drops_seen_.empty()) return drops_;
  for (const auto& part : partitions_) {
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      for (std::uint32_t c = 0; c < kRouterDropCauses; ++c) {
        const std::uint16_t now = part->bank->drops(r - part->first, c);
        drops_[c] += c == kDropReset
                         ? static_cast<std::uint16_t>(now - std::exchange(drops_seen_[r][c], now))
                         : since_last(r, now, drops_seen_[r][c]);
      }
    }
  }
  for (std::size_t c = 0; c < kDropCauses; ++c) {
    std::uint64_t now = 0;
    for (const auto* t : terminals_) now += t->dropped()[c];
    drops_[c] += now - std::exchange(terminal_drops_seen_[c], now);
  }
  auto all = drops_;
  add_up(ranks_, std::span<std::uint64_t>(all));
  return all;
}

/// Of the flits that were injected, those that resets of routers have lost: of as many packets, by
/// their mean length.
std::uint64_t Network::lost_flits(std::uint64_t resets) const {
  return resets == 0 ? 0 : resets * total(&TerminalGroup::flits_injected) / injected();
}

std::optional<MessageCounts> Network::count_messages() const {
  if (!hosts_) return std::nullopt;
  MessageCounts counts;
  for (const auto* t : terminals_) t->add_messages(counts);
  return counts;
}

std::uint64_t Network::stuck_reports() const {
  std::uint64_t reports = 0;
  for (const auto& part : partitions_) reports += part->stuck.reports();
  return sum(ranks_, reports);
}

std::string Network::who_waits() const {
  std::vector<StuckVcs::Report> all;
  for (const auto& part : partitions_)
    all.insert(all.end(), part->stuck.last().begin(), part->stuck.last().end());
  if (boundary_) {
    std::vector<std::uint32_t> words;  // of each report: their number, router, those it has
    for (const StuckVcs::Report& r : all) {
      words.insert(words.end(), {static_cast<std::uint32_t>(r.words.size()), r.router});
      words.insert(words.end(), r.words.begin(), r.words.end());
    }
    all.clear();
    words = gathered(ranks_, words);
    for (auto at = words.begin(); at != words.end();) {
      const std::uint32_t number = *at++, router = *at++;
      all.push_back({.cycle = now_, .router = router, .words = {at, at + number}});
      at += number;
    }
  }
  return waiting_chain(std::move(all), setup_.topology);
}

std::uint64_t Network::last_delivery_cycle() const {
  std::uint64_t last = 0;
  for (const auto* t : terminals_) last = std::max(last, t->last_delivery_cycle());
  return std::ranges::max(gathered(ranks_, std::vector{last}));
}

void Network::judge_fairness(RunResult& result, std::optional<double> asked) const {
  std::vector<std::uint64_t> accepted;
  std::vector<double> offered;
  for (const auto* t : terminals_) {
    accepted.insert(accepted.end(), t->accepted_by_source().begin(), t->accepted_by_source().end());
    for (const std::uint64_t flits : t->offered_by_source())
      offered.push_back(flits != 0 && asked ? *asked : static_cast<double>(flits));
  }
  result.fairness = measure::fairness(gathered(ranks_, accepted), gathered(ranks_, offered));
}

void Network::summarise(RunResult& result, double cycles) const {
  const double flit_time = setup_.network.link.cycles_per_flit.value();
  measure::Histogram whole, network;
  std::uint64_t nonminimal = 0, packets = 0;
  for (auto* t : terminals_) {
    const Tally& tally = t->tally();
    whole.merge(tally.latency);
    network.merge(tally.network_latency);
    nonminimal += tally.nonminimal;
    packets += tally.packets;
  }
  network = merged(ranks_, network);
  nonminimal = sum(ranks_, nonminimal);
  packets = sum(ranks_, packets);
  result.histogram = merged(ranks_, whole);
  result.latency = summary(result.histogram);
  result.network_latency = summary(network);
  result.nonminimal_share =
      packets == 0 ? 0 : static_cast<double>(nonminimal) / static_cast<double>(packets);
  // Flits over channels for each flit that is ejected: the hops of what was under way in the
  // interval.
  std::uint64_t hop_flits = 0, ejected_flits = 0;
  const std::uint32_t ports = setup_.topology.num_ports();
  std::vector<std::uint64_t> flits_out;  // [router][port]
  for (const auto& part : partitions_) {
    for (std::uint32_t r = part->first; r < part->end; ++r) {
      flits_out.resize(flits_out.size() + ports);
      for (std::uint32_t p = 0; p < setup_.topology.num_ports(RouterId{r}); ++p)
        *(flits_out.end() - ports + p) = part->bank->flits_out(r - part->first, p);
    }
  }
  flits_out = gathered(ranks_, flits_out);
  for (std::uint32_t r = 0; r < setup_.topology.num_routers(); ++r) {
    for (std::uint32_t p = 0; p < ports; ++p) {
      (p < setup_.topology.network_ports(RouterId{r}) ? hop_flits : ejected_flits) +=
          flits_out[r * ports + p];
    }
  }
  result.hops_mean =
      ejected_flits == 0 ? 0 : static_cast<double>(hop_flits) / static_cast<double>(ejected_flits);
  if (cycles > 0) {
    for (const auto& c : setup_.topology.channels()) {
      const std::uint64_t flits = flits_out[index(c.src) * ports + index(c.src_port)];
      result.link_utilisation.push_back(static_cast<double>(flits) * flit_time / cycles);
    }
  }
}

void Network::summarise(JobResult& job) const {
  measure::Histogram latency, network;
  std::array<std::uint64_t, spec::kModes> by_mode{};
  for (auto* t : terminals_) {
    latency.merge(t->tally().job_latency);
    network.merge(t->tally().job_network_latency);
    for (std::size_t m = 0; m < spec::kModes; ++m) by_mode[m] += t->tally().job_by_mode[m];
  }
  const std::uint64_t all = std::accumulate(by_mode.begin(), by_mode.end(), std::uint64_t{0});
  if (setup_.format.mode.width > 0 && all > 0) {
    job.mode_share.emplace();
    for (std::size_t m = 0; m < spec::kModes; ++m)
      (*job.mode_share)[m] = static_cast<double>(by_mode[m]) / static_cast<double>(all);
  }
  job.latency = summary(latency);
  job.network_latency = summary(network);
}

/// Work that no other thread has a part in; where it fails in one rank, it fails in all.
template <class F>
void Network::agreed(F&& work) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  agree_on_failure(error);
}

void Network::read_counters(RunResult& result) {
  agreed([&] {
    for (auto& part : partitions_) read_counters(*part, result);
  });
  result.routers = gathered(ranks_, result.routers);
}

void Network::read_counters(Partition& part, RunResult& result) {
  const std::size_t count = part.end - part.first, first = result.routers.size();
  std::vector<model::CsrAnswer> low(count), high(count);
  result.routers.resize(first + count);
  const auto router = [&](std::size_t i) { return part.first + static_cast<std::uint32_t>(i); };
  part.bank->csr_read_each(csr::kMagic, low);
  for (std::size_t i = 0; i < count; ++i) {
    if (low[i].data != csr::kMagicValue) {
      throw std::runtime_error(
          fmt::format("CSR block of router {} does not identify itself", router(i)));
    }
  }
  // Adds the counter to `sum` of the routers that have the port.
  const auto add = [&](std::uint32_t address, std::uint32_t port,
                       std::uint64_t RouterCounters::*sum) {
    part.bank->csr_read_each(address, low);
    part.bank->csr_read_each(address + 4, high);
    for (std::size_t i = 0; i < count; ++i) {
      if (port >= setup_.topology.num_ports(RouterId{router(i)})) continue;
      if (low[i].response != 0 || high[i].response != 0) {
        throw std::runtime_error(
            fmt::format("CSR block of router {} refuses counter {:#x}", router(i), address));
      }
      result.routers[first + i].*sum += std::uint64_t{high[i].data} << 32 | low[i].data;
    }
  };
  if (setup_.network.router.counters) {
    std::uint32_t ports = 0;
    for (const auto& shape : setup_.topology.shapes())
      ports = std::max<std::uint32_t>(ports, shape.num_ports());
    for (std::uint32_t p = 0; p < ports; ++p) {
      add(csr::port_counter(p, csr::kFlitsIn), p, &RouterCounters::flits_in);
      add(csr::port_counter(p, csr::kFlitsOut), p, &RouterCounters::flits_out);
      add(csr::port_counter(p, csr::kPacketsOut), p, &RouterCounters::packets_out);
      add(csr::port_counter(p, csr::kStalledCycles), p, &RouterCounters::stalled_cycles);
    }
    add(csr::kOccupancySum, 0, &RouterCounters::occupancy_sum);
    add(csr::kElapsed, 0, &RouterCounters::elapsed);
  }
  const auto read_counter = [&](std::string_view name, std::uint32_t RouterCounters::*value) {
    const std::size_t place = measure::place_of(name, setup_.counters);
    if (place == setup_.counters.size()) return;
    for (auto& answer : low) answer.data = static_cast<std::uint32_t>(place);
    part.bank->csr_write_each(csr::kTableAddress, low);
    part.bank->csr_read_each(csr::kTableData, low);
    for (std::size_t i = 0; i < count; ++i) {
      if (low[i].response != 0) {
        throw std::runtime_error(
            fmt::format("CSR block of router {} refuses its table", router(i)));
      }
      result.routers[first + i].*value = low[i].data;
    }
  };
  read_counter(measure::kDecisions, &RouterCounters::decisions);
  read_counter(measure::kNonminimal, &RouterCounters::nonminimal);
}

void Network::read_probes(RunResult& result) {
  if (probes_.empty()) return;
  const bool at_rest = quiescent();
  agreed([&] {
    for (auto& probe : probes_) probe->read(now_, at_rest, result);
  });
}

void Network::report_probes(RunResult& result) const {
  for (const auto& probe : probes_) probe->report(result);
}

void Network::collect_records(RunResult& result) {
  std::vector<ClassPackets> here(setup_.network.router.num_message_classes());
  std::vector<std::string> failures;
  std::vector<Delivery> deliveries;
  std::vector<traffic::GeneratedPacket> packets;
  for (auto* t : terminals_) {
    result.congestion.marked += t->congestion().marked;
    result.congestion.sent += t->congestion().sent;
    result.congestion.heard += t->congestion().heard;
    add_classes(here, t->by_class());
    failures.insert(failures.end(), t->failures().begin(), t->failures().end());
    deliveries.insert(deliveries.end(), t->deliveries().begin(), t->deliveries().end());
    packets.insert(packets.end(), t->generated().begin(), t->generated().end());
  }
  for (auto* counts :
       {&result.congestion.marked, &result.congestion.sent, &result.congestion.heard})
    *counts = sum(ranks_, *counts);
  result.by_class.resize(here.size());
  add_classes(result.by_class, gathered(ranks_, here));
  result.deliveries = gathered(ranks_, deliveries);
  result.packets = gathered(ranks_, packets);
  std::vector<char> text;  // a line each
  for (const std::string& f : failures) {
    text.insert(text.end(), f.begin(), f.end());
    text.push_back('\n');
  }
  text = gathered(ranks_, text);
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find(at, text.end(), '\n');
    result.failures.emplace_back(at, end);
    at = end + 1;
  }
  std::stable_sort(result.packets.begin(), result.packets.end(), [](const auto& a, const auto& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : index(a.src) < index(b.src);
  });
  std::stable_sort(result.deliveries.begin(), result.deliveries.end(),
                   [](const auto& a, const auto& b) {
                     return a.cycle != b.cycle ? a.cycle < b.cycle : index(a.dst) < index(b.dst);
                   });
}

std::vector<RankCosts> Network::rank_costs() const {
  RankCosts costs = ranks_.costs();
  costs.cpu = cpu_seconds();
  if (boundary_) costs.exchange = boundary_->cpu_seconds();
  costs.eval = eval_seconds();
  return gathered(ranks_, std::vector{costs});
}

}  // namespace hopwise::engine
