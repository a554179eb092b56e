// SPDX-License-Identifier: Apache-2.0
// The memory of a host behind its message interface: an AXI4 slave that answers late, pauses at
// random, and checks every byte that it is given.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/host_pins.hpp"

namespace hopwise::engine {

/// What hosts of a network have in common.
struct MemorySettings {
  std::uint64_t seed = 1;
  unsigned latency_cycles = 0;  ///< of the first beat of a read, and of a write's response
  std::uint64_t stalls = 0;     ///< of 2^32: the share of cycles in which a channel stands still
  unsigned beat_bytes = 16;     ///< a flit's
};

/// The names of messages, of which their bytes are a function: the receive that a message is for,
/// numbered among all that its terminal ever opens.
struct MessageName {
  std::uint32_t terminal = 0;
  std::uint64_t receive = 0;
  /// Of packets that are for no receive: their bytes depend on terminal and offset alone.
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  bool operator==(const MessageName&) const = default;
};
/// Eight bytes of a message, from a multiple of eight on.
std::uint64_t message_bytes(std::uint64_t seed, const MessageName& name, std::uint64_t offset);

/// The lower half of the address space is windows: messages come in, and others read. In the upper
/// half stand the host's own messages: PUTs go out, the data of GETs come in. Of either kind there
/// is one in each block of kBlockBits bits of address.
class HostMemory {
 public:
  static constexpr std::size_t kMostFailures = 4;  // that are told; of a host as well
  static constexpr unsigned kBlockBits = 26;
  static constexpr std::uint64_t kOwn = std::uint64_t{1} << 39;
  static std::uint64_t window_address(std::uint32_t window) {
    return std::uint64_t{window} << kBlockBits;
  }
  static std::uint64_t message_address(std::uint32_t slot) { return kOwn | window_address(slot); }

  explicit HostMemory(const MemorySettings& settings, std::uint32_t terminal)
      : settings_(&settings), terminal_(terminal) {}

  /// Bytes of this name to come from the address of a window or message on, each once. With 0
  /// bytes: any of them, any number of times.
  void expect(std::uint64_t address, const MessageName& name, std::uint64_t bytes);
  /// All of them are there; what is wrong if they are not, or none were expected.
  std::optional<std::string> close(std::uint64_t address);
  /// A PUT goes out from this slot.
  void hold(std::uint32_t slot, const MessageName& name) { out_[slot] = name; }
  void release(std::uint32_t slot) { out_.erase(slot); }

  /// Drives the slave's pins for `cycle`, and takes what the master's pins hand over in it.
  void drive(std::uint64_t cycle, model::HostInputs& in, const model::HostOutputs& out);
  bool idle() const { return reads_.empty() && writes_.empty() && answers_.empty(); }
  /// Drives something in this cycle.
  bool drives() const { return drives_; }

  std::uint64_t bytes_written() const { return written_; }
  std::uint64_t beats_read() const { return beats_read_; }
  /// For tests: a bit of this beat, counted from now on, is flipped as it is read.
  void flip_beat(std::uint64_t beat) { flip_ = beats_read_ + beat; }
  /// What was wrong with writes, each once.
  std::vector<std::string>& failures() { return failures_; }

 private:
  struct Burst {
    std::uint64_t address = 0;
    std::uint64_t ready = 0;         // cycle
    std::uint32_t id = 0, left = 0;  // beats
  };
  struct Answer {
    std::uint64_t ready = 0;
    std::uint32_t id = 0;
  };
  struct Expected {
    MessageName name;
    std::uint64_t bytes = 0, got = 0;
    std::vector<std::uint64_t> here;  // a bit for each beat
  };

  bool pauses(std::uint64_t cycle, unsigned channel) const;
  void read_beat(std::uint64_t address, std::uint32_t* words);
  void write_beat(std::uint64_t address, const model::HostOutputs& out);
  void fail(std::string what);

  const MemorySettings* settings_;
  std::uint32_t terminal_;
  std::map<std::uint64_t, Expected> in_;  // by block
  std::map<std::uint32_t, MessageName> out_;
  std::deque<Burst> reads_, writes_;
  std::deque<Answer> answers_;
  bool r_held_ = false, b_held_ = false;  // valid stays until it is taken
  bool drives_ = false;
  std::uint64_t written_ = 0, beats_read_ = 0;
  std::uint64_t flip_ = ~std::uint64_t{0};
  std::vector<std::string> failures_;
};

}  // namespace hopwise::engine
