// SPDX-License-Identifier: Apache-2.0
#include "engine/host.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "topology/message_format.hpp"

namespace hopwise::engine {
namespace {

constexpr std::uint32_t kSlots = 4096;  // messages that a host has under way, at most
constexpr std::size_t kNone = ~std::size_t{0};
constexpr std::uint32_t kBase = 0;  // the window of packets for no receive
constexpr std::uint32_t kBaseKey = 0;

// For the adaptive mode, for that of an all-to-all in its place, for the high bias.
constexpr auto kAdaptive = spec::Mode::kAdaptive0, kAdaptiveAlltoall = spec::Mode::kAdaptive1,
               kHighBias = spec::Mode::kAdaptive3;

}  // namespace

HostSettings::HostSettings(const Setup& s, const RunOptions& o)
    : setup(s),
      options(o),
      memory{.seed = o.simulation.seed,
             .latency_cycles = o.simulation.memory_latency_cycles,
             .stalls = static_cast<std::uint64_t>(o.simulation.memory_stalls * 0x1p32),
             .beat_bytes = s.network.packet.flit_bits / 8},
      plan(o.job, s.topology.num_terminals(), s.network.terminal.windows, spec::kKeyBits),
      overhead_flits(topology::overhead_flits(s.network.packet)),
      payload_bytes(std::uint64_t{memory.beat_bytes} *
                    (s.network.packet.max_flits - overhead_flits)),
      stray_bytes(std::bit_ceil(payload_bytes)),
      most_bytes(std::uint64_t{1} << spec::kOffsetBits) {
  const spec::SelectorSpec& given = s.network.terminal.selector;
  selector = {.threshold_bytes = given.threshold_bytes,
              .lambda = static_cast<double>(given.lambda) / spec::SelectorSpec::kUnit,
              .sigma = static_cast<double>(given.sigma) / spec::SelectorSpec::kUnit,
              .max_age = given.max_age,
              .outstanding = s.network.terminal.outstanding};
  if (s.format.mode.width > 0) mode = static_cast<unsigned>(o.traffic.mode);
  if (o.job == nullptr) return;
  chooser = o.job->chooser();
  job_mode = static_cast<unsigned>(o.job->mode());
  alltoall = o.job->is_alltoall();
}

void HostSettings::reset(model::HostInputs& in) const {
  in = {};
  const spec::TerminalSpec& terminal = setup.network.terminal;
  in.timeout = terminal.timeout_cycles;
  in.sel_threshold = terminal.selector.threshold_bytes;
  in.sel_lambda = terminal.selector.lambda;
  in.sel_sigma = terminal.selector.sigma;
  in.sel_max_age = terminal.selector.max_age;
}

Host::Host(HostSettings& settings, std::uint32_t terminal, traffic::Source source)
    : settings_(settings),
      terminal_(terminal),
      rank_(settings.plan.rank_at(terminal)),
      receives_(rank_ == WindowPlan::kNoRank ? 0 : settings.plan.receives(rank_)),
      source_(std::move(source)),
      memory_(settings.memory, terminal),
      in_use_(settings.plan.receive_windows() + 1),
      selector_(settings.selector) {}

bool Host::may_open() const {
  return !base_open_ || (opened_ < receives_ && !in_use_[settings_.plan.window(opened_)]);
}

void Host::drive(std::uint64_t cycle, unsigned parity, model::HostInputs& in,
                 const model::HostOutputs& out) {
  if (std::exchange(epoch_parity_, parity) != parity) looked_at_ = 0;
  if (out.cpl_valid != 0) take_completion(cycle, out);
  if (out.evt_valid != 0) take_event(cycle, out);
  if (generating_ && source_.next_cycle() <= cycle) generate(cycle);
  open(in, out);
  send(parity, in, out);
  memory_.drive(cycle, in, out);
  in.cpl_ready = in.evt_ready = 1;
  in.stimulus = in.win_valid | in.desc_valid | in.r_valid | in.b_valid;
  if (memory_.failures().empty()) return;
  for (std::string& what : memory_.failures()) {
    if (failures_.size() < HostMemory::kMostFailures) failures_.push_back(std::move(what));
  }
  memory_.failures().clear();
}

void Host::generate(std::uint64_t cycle) {
  // A rank's messages that wait for their windows are its program's, and hold nobody up.
  const std::uint64_t places =
      rank_ != WindowPlan::kNoRank ? 0 : settings_.options.traffic.source_queue_packets;
  while (source_.next_cycle() <= cycle) {
    if (places != 0 && waiting_.size() >= places) {
      if (const auto lost = source_.refuse(cycle))
        refused_ += settings_.flits(WindowPlan::carried(settings_.data_bytes(*lost)), false);
      continue;
    }
    const traffic::GeneratedPacket packet = source_.pop();
    if (settings_.options.record_packets) generated_.push_back(packet);
    const auto to = static_cast<std::uint32_t>(index(packet.dst));
    Message message{packet.cycle, {to, MessageName::kNone}, 0, packet.step != 0};
    if (packet.get) {
      message.get = packet.step;
      message.bytes = settings_.plan.get_bytes(rank_, packet.step);
    } else if (message.of_job) {
      const std::uint32_t rank = settings_.plan.rank_at(to);
      message.name.receive = settings_.plan.receive(rank, packet.step);
      message.bytes = settings_.plan.bytes(rank, message.name.receive);
    } else {
      message.bytes = WindowPlan::carried(settings_.data_bytes(packet));
    }
    const std::uint64_t flits = settings_.flits(message.bytes, packet.get);
    queued_ += flits;
    waiting_flits_ += flits;
    waiting_.push_back(message);
  }
}

/// The first that may go: its window is known to be open. Which ones are is told once an epoch, so
/// that nothing is looked at twice in one.
std::size_t Host::next_waiting(unsigned parity) {
  for (; looked_at_ < waiting_.size(); ++looked_at_) {
    const MessageName& name = waiting_[looked_at_].name;
    const WindowPlan::Open open = settings_.plan.open(parity, name.terminal);
    if (name.receive == MessageName::kNone ? open.base : open.receives > name.receive)
      return looked_at_;
  }
  return kNone;
}

/// The interface says that nothing is to begin that goes there.
bool Host::stops(const model::HostOutputs& out, std::uint32_t terminal) const {
  if (out.stop_valid == 0) return false;
  const auto address = static_cast<std::uint32_t>(settings_.setup.addresses[terminal]);
  for (std::size_t f = 0; f < model::kMostFlows; ++f)
    if ((out.stop_valid >> f & 1) != 0 && out.stop_dst[f] == address) return true;
  return false;
}

std::optional<Host::Message> Host::next_aside(const model::HostOutputs& out) {
  const auto next = aside_.next([&](std::uint32_t to, const Aside& aside) {
    return !aside.messages.empty() && !aside.under_way && !stops(out, to);
  });
  if (next == aside_.queues.end()) return std::nullopt;
  Aside& aside = next->second;
  Message message = aside.messages.front();
  aside.messages.pop_front();
  message.was_aside = aside.under_way = aside_.went = true;
  aside_.last = next->first;
  return message;
}

/// Those to stopped destinations wait aside, and hold up no others; they take turns with these.
std::optional<Host::Message> Host::next_message(unsigned parity, const model::HostOutputs& out) {
  if (!aside_.went) {
    if (const auto message = next_aside(out)) return message;
  }
  for (std::size_t at = next_waiting(parity); at != kNone; at = next_waiting(parity)) {
    const Message message = waiting_[at];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
    const std::uint32_t to = message.name.terminal;
    if (!aside_.queues.contains(to) && !stops(out, to)) {
      aside_.went = false;
      return message;
    }
    aside_.queues[to].messages.push_back(message);
  }
  return next_aside(out);
}

void Host::send(unsigned parity, model::HostInputs& in, const model::HostOutputs& out) {
  in.desc_valid = 0;
  if ((waiting_.empty() && aside_.queues.empty()) || out.desc_ready == 0 || reading_) return;
  if (free_slots_.empty() && sent_.size() == kSlots) return;
  const std::optional<Message> next = next_message(parity, out);
  if (!next) return;
  Message message = *next;
  choose_mode(message, in);
  const bool get = message.get != 0;
  waiting_flits_ -= settings_.flits(message.bytes, get);
  std::uint32_t slot;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(sent_.size());
    sent_.push_back(message);
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    sent_[slot] = message;
  }
  ++under_way_;
  ++handed_over_;
  bytes_sent_ += message.bytes;
  const std::uint64_t local = HostMemory::message_address(slot);
  if (get)
    memory_.expect(local, message.name, message.bytes);
  else
    memory_.hold(slot, message.name);
  const bool base = message.name.receive == MessageName::kNone;
  std::uint64_t offset = 0;  // a GET reads from the beginning
  if (base && !get) {
    offset = strays_++ % (settings_.most_bytes / settings_.stray_bytes) * settings_.stray_bytes;
  }
  in.desc_valid = 1;
  in.desc_dst = static_cast<std::uint32_t>(settings_.setup.addresses[message.name.terminal]);
  in.desc_op = get ? 1 : 0;
  in.desc_bytes = static_cast<std::uint32_t>(message.bytes);
  model::put_address(in.desc_local, local + offset);
  in.desc_window = base ? kBase : settings_.plan.window(message.name.receive);
  in.desc_key = base ? kBaseKey : settings_.plan.key(message.name.receive);
  in.desc_offset = static_cast<std::uint32_t>(offset);
  in.desc_tag = slot;
}

void Host::choose_mode(Message& message, model::HostInputs& in) {
  using Chooser = spec::JobSpec::Chooser;
  in.desc_mode = message.of_job ? settings_.job_mode : settings_.mode;
  in.desc_auto = in.desc_alltoall = 0;
  if (!message.of_job || settings_.chooser == Chooser::kUser) return;
  if (settings_.chooser == Chooser::kInterface) {
    in.desc_auto = 1;
    in.desc_alltoall = settings_.alltoall ? 1 : 0;
    if (!settings_.options.check_selectors) return;
  }
  const auto choice = selector_.choose({message.bytes, message.name.terminal, message.get != 0});
  const bool high_bias = choice.mode == traffic::ModeSelector::Mode::kHighBias;
  message.decides = choice.decided;
  if (choice.decided) decisions_.push_back(high_bias);
  message.mode = static_cast<unsigned>(high_bias            ? kHighBias
                                       : settings_.alltoall ? kAdaptiveAlltoall
                                                            : kAdaptive);
  if (settings_.chooser == Chooser::kHost) in.desc_mode = message.mode;
}

/// A message that decided is over: what the counters have grown by says how its mode did.
void Host::heed(const InterfaceCounts& counts) {
  reading_ = false;
  selector_.heed({.latency_cycles = counts.response_latency - seen_.response_latency,
                  .packets = counts.response_packets - seen_.response_packets,
                  .stalled_cycles = counts.request_stalled - seen_.request_stalled,
                  .flits = counts.request_flits - seen_.request_flits});
  seen_ = counts;
}

/// Window 0 first, then those of the receives to come, in their order.
void Host::open(model::HostInputs& in, const model::HostOutputs& out) {
  in.win_valid = 0;
  if (!may_open() || out.win_ready == 0) return;
  in.win_valid = 1;
  in.win_open = in.win_may_write = 1;
  in.win_may_read = base_open_ ? 0 : 1;
  if (!base_open_) {
    base_open_ = true;
    in.win_index = kBase;
    in.win_key = kBaseKey;
    model::put_address(in.win_base, HostMemory::window_address(kBase));
    in.win_size = std::uint32_t{1} << HostMemory::kBlockBits;
    in.win_expect = 0;  // it stays open
    memory_.expect(HostMemory::window_address(kBase), {terminal_, MessageName::kNone}, 0);
    return;
  }
  const std::uint64_t receive = opened_++, bytes = settings_.plan.bytes(rank_, receive);
  const std::uint32_t window = settings_.plan.window(receive);
  in_use_[window] = true;
  in.win_index = window;
  in.win_key = settings_.plan.key(receive);
  model::put_address(in.win_base, HostMemory::window_address(window));
  in.win_size = static_cast<std::uint32_t>(bytes) - (receive == shrinks_ ? 1 : 0);
  in.win_expect = static_cast<std::uint32_t>(bytes);
  memory_.expect(HostMemory::window_address(window), {terminal_, receive}, bytes);
}

void Host::take_completion(std::uint64_t cycle, const model::HostOutputs& out) {
  const std::uint32_t slot = out.cpl_tag;
  const auto fail = [&](const std::string& what) {
    if (failures_.size() < HostMemory::kMostFailures) failures_.push_back(what);
  };
  if (slot >= sent_.size() || sent_[slot].bytes == 0) {
    fail(fmt::format("a message with tag {} is complete, of which there is none", slot));
    return;
  }
  const Message message = std::exchange(sent_[slot], Message{});
  if (out.cpl_status != 0 || out.cpl_bytes != message.bytes) {
    fail(fmt::format("a message of {} bytes to terminal {} ends with status {} and {} bytes",
                     message.bytes, message.name.terminal, out.cpl_status, out.cpl_bytes));
  }
  if (settings_.options.check_selectors && message.of_job && out.cpl_mode != message.mode)
    fail(fmt::format("a message took mode {}, the software chose {}", out.cpl_mode, message.mode));
  const bool get = message.get != 0;
  completed_.push_back({message.generated, message.bytes, out.cpl_mode, message.of_job, get});
  if (message.decides) {
    reading_ = true;
    read_until_ = cycle + settings_.setup.network.terminal.counter_read_cycles;
  }
  if (message.was_aside) {
    const auto aside = aside_.queues.find(message.name.terminal);
    aside->second.under_way = false;
    if (aside->second.messages.empty()) aside_.queues.erase(aside);
  }
  free_slots_.push_back(slot);
  --under_way_;
  ++completions_;
  if (!get) {
    memory_.release(slot);
    return;
  }
  if (const auto wrong = memory_.close(HostMemory::message_address(slot)); wrong)
    fail(*wrong);
  else if (out.cpl_status == 0)
    source_.hear(cycle, message.get);
}

/// A message is there: its rank hears of it.
void Host::take_event(std::uint64_t cycle, const model::HostOutputs& out) {
  const auto wrong = out.evt_window == kBase
                         ? std::optional<std::string>("window 0 ends, which is to stay open")
                         : memory_.close(HostMemory::window_address(out.evt_window));
  if (wrong) {
    if (failures_.size() < HostMemory::kMostFailures) failures_.push_back(*wrong);
    return;
  }
  in_use_[out.evt_window] = false;
  // Of the receives that have had this window, the last that was opened.
  const std::uint64_t windows = settings_.plan.receive_windows();
  const std::uint64_t last = opened_ - 1;
  const std::uint64_t receive = last - (last % windows + windows - (out.evt_window - 1)) % windows;
  source_.hear(cycle, settings_.plan.step(rank_, receive));
}

void Host::stop_generating() {
  generating_ = false;
  waiting_.clear();
  for (auto& [to, aside] : aside_.queues) aside.messages.clear();
  std::erase_if(aside_.queues, [](const auto& entry) { return !entry.second.under_way; });
  looked_at_ = 0;
  waiting_flits_ = 0;
}

bool Host::done() const {
  return waiting_.empty() && aside_.queues.empty() && under_way_ == 0 &&
         (!generating_ || source_.next_cycle() == traffic::kNoPacket);
}

}  // namespace hopwise::engine
