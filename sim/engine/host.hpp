// SPDX-License-Identifier: Apache-2.0
// The host of a terminal with a message interface: what its source sends become descriptors, and
// what comes in ends in windows that it has opened.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/aside_queues.hpp"
#include "engine/host_memory.hpp"
#include "engine/options.hpp"
#include "engine/window_plan.hpp"
#include "traffic/mode_selector.hpp"
#include "traffic/source.hpp"

namespace hopwise::engine {

/// What hosts of a network have in common.
struct HostSettings {
  HostSettings(const Setup& setup, const RunOptions& options);

  const Setup& setup;
  const RunOptions& options;
  MemorySettings memory;
  WindowPlan plan;
  unsigned overhead_flits = 1;       ///< of a packet: head and footer
  std::uint64_t payload_bytes = 64;  ///< of a full packet
  std::uint64_t stray_bytes = 64;    ///< from one place of packets for no receive to the next
  std::uint64_t most_bytes = 0;      ///< of a message: what an offset spans
  spec::JobSpec::Chooser chooser = spec::JobSpec::Chooser::kUser;
  unsigned mode = 0, job_mode = 0;  ///< that users choose
  bool alltoall = false;            ///< the job's messages are those of one
  traffic::ModeSelector::Settings selector;
  void reset(model::HostInputs& in) const;  ///< idle pins, and those that never change
  /// Request packets of a message, which begin anew in each page of memory, and their flits.
  std::uint64_t packets(std::uint64_t bytes) const {
    constexpr std::uint64_t kPage = 4096;
    const auto of = [this](std::uint64_t part) {
      return (part + payload_bytes - 1) / payload_bytes;
    };
    return bytes / kPage * of(kPage) + of(bytes % kPage);
  }
  /// Those of a GET have no payload.
  std::uint64_t flits(std::uint64_t bytes, bool get) const {
    return packets(bytes) * overhead_flits +
           (get ? 0 : (bytes + memory.beat_bytes - 1) / memory.beat_bytes);
  }
  /// What a packet of a pattern brings.
  std::uint64_t data_bytes(const traffic::GeneratedPacket& packet) const {
    return std::uint64_t{packet.flits - overhead_flits} * memory.beat_bytes;
  }
};

/// What a completion ends, for whoever counts.
struct Completed {
  std::uint64_t generated = 0;  ///< cycle
  std::uint64_t bytes = 0;
  unsigned mode = 0;  ///< that its packets had
  bool of_job = false;
  bool get = false;
};

class Host {
 public:
  Host(HostSettings& settings, std::uint32_t terminal, traffic::Source source);

  /// Something is to be done in `cycle`, if nothing comes from the interface.
  bool wants(std::uint64_t cycle) const {
    return source_.next_cycle() <= cycle || !waiting_.empty() || !aside_.queues.empty() ||
           may_open() || !memory_.idle() || memory_.drives();
  }
  /// Drives all pins for `cycle` and takes what the interface hands over in it. `parity`: of the
  /// epoch.
  void drive(std::uint64_t cycle, unsigned parity, model::HostInputs& in,
             const model::HostOutputs& out);
  /// Nothing is on the pins.
  static void rest(model::HostInputs& in) {
    in.stimulus = in.desc_valid = in.win_valid = in.r_valid = in.b_valid = 0;
  }
  bool at_rest() const { return memory_.idle(); }
  /// Tells the others which windows are open.
  void tell(unsigned parity) { settings_.plan.tell(parity, terminal_, {opened_, base_open_}); }

  /// Its software waits for the counters of its interface until `cycle`; then it gets them.
  bool reads_counters(std::uint64_t cycle) const { return reading_ && cycle >= read_until_; }
  void heed(const InterfaceCounts& counts);
  /// Messages whose mode was decided anew, in their order: the mode, 1 where it is the high bias.
  const std::vector<bool>& decisions() const { return decisions_; }

  void stop_generating();
  bool done() const;  ///< generates and sends nothing more, and all that it sent is completed

  /// What happened since the last call: flits that were generated, messages that are complete.
  std::uint64_t take_queued() { return std::exchange(queued_, 0); }
  std::uint64_t take_refused() { return std::exchange(refused_, 0); }
  std::vector<Completed>& completed() { return completed_; }
  std::vector<traffic::GeneratedPacket>& generated() { return generated_; }
  std::vector<std::string>& failures() { return failures_; }
  std::uint64_t waiting_flits() const { return waiting_flits_; }
  HostMemory& memory() { return memory_; }
  /// Messages handed over and complete, and their bytes; bytes that came in.
  std::uint64_t sent() const { return handed_over_; }
  std::uint64_t completions() const { return completions_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }
  std::uint64_t bytes_written() const { return memory_.bytes_written(); }
  /// For tests: the window of this receive is a byte too small.
  void shrink_window(std::uint64_t receive) { shrinks_ = receive; }

 private:
  struct Message {
    std::uint64_t generated = 0;
    MessageName name;         // its terminal: where it goes, or where a GET reads
    std::uint64_t bytes = 0;  // at least 1; 0: a slot that is free
    bool of_job = false;
    std::uint64_t get = 0;  // of a GET: its step, in which the rank hears of it; 0: a PUT
    bool decides = false;   // of its mode, and so of the next sample
    unsigned mode = 0;      // that software chose
    bool was_aside = false;
  };
  /// To a destination that is, or was, stopped: one is under way at a time, so that the interface
  /// has places for those to others.
  struct Aside {
    std::deque<Message> messages;
    bool under_way = false;
  };

  bool may_open() const;
  void generate(std::uint64_t cycle);
  void send(unsigned parity, model::HostInputs& in, const model::HostOutputs& out);
  void open(model::HostInputs& in, const model::HostOutputs& out);
  void choose_mode(Message& message, model::HostInputs& in);
  void take_completion(std::uint64_t cycle, const model::HostOutputs& out);
  void take_event(std::uint64_t cycle, const model::HostOutputs& out);
  std::size_t next_waiting(unsigned parity);
  std::optional<Message> next_message(unsigned parity, const model::HostOutputs& out);
  std::optional<Message> next_aside(const model::HostOutputs& out);
  bool stops(const model::HostOutputs& out, std::uint32_t terminal) const;

  HostSettings& settings_;
  const std::uint32_t terminal_;
  const std::uint32_t rank_;
  const std::uint64_t receives_;  // all of the run
  traffic::Source source_;
  HostMemory memory_;
  std::deque<Message> waiting_;  // to be handed over
  AsideQueues<Aside> aside_;
  std::uint64_t waiting_flits_ = 0;
  std::size_t looked_at_ = 0;  // of waiting_, in this epoch: those that may not go
  unsigned epoch_parity_ = 0;
  std::vector<Message> sent_;  // [slot]
  std::vector<std::uint32_t> free_slots_;
  std::size_t under_way_ = 0;
  std::uint64_t handed_over_ = 0, completions_ = 0, bytes_sent_ = 0;
  bool base_open_ = false;    // window 0
  std::uint64_t opened_ = 0;  // receives that have a window, or had one
  std::vector<bool> in_use_;  // [window]
  std::uint64_t strays_ = 0;  // packets for no receive, sent
  traffic::ModeSelector selector_;
  InterfaceCounts seen_;  // by the software, when it last read
  bool reading_ = false;
  std::uint64_t read_until_ = 0;
  std::vector<bool> decisions_;
  bool generating_ = true;
  std::uint64_t shrinks_ = ~std::uint64_t{0};
  std::uint64_t queued_ = 0, refused_ = 0;  // flits since they were asked for
  std::vector<Completed> completed_;
  std::vector<traffic::GeneratedPacket> generated_;
  std::vector<std::string> failures_;
};

}  // namespace hopwise::engine
