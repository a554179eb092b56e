// SPDX-License-Identifier: Apache-2.0
// Application-aware routing as host software: the library between a program and its network
// interface chooses the routing mode of each message from what the messages before it met (De
// Sensi, Di Girolamo, Hoefler, SC 2019, algorithm 1). The same in hardware:
// rtl/terminal/hw_mode_selector.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace hopwise::traffic {

class ModeSelector {
 public:
  enum class Mode { kAdaptive, kHighBias };

  struct Settings {
    std::uint64_t threshold_bytes = 4096;  ///< that must come together before a message decides
    double lambda = 1.2;                   ///< latency of kAdaptive over that of kHighBias, > 0
    double sigma = 5;                      ///< stalls of kHighBias over those of kAdaptive, > 0
    unsigned max_age = 5;                  ///< samples after which one is forgotten
    unsigned outstanding = 1024;           ///< packets that wait for their responses, at most
  };
  struct Message {
    std::uint64_t bytes = 0;
    std::uint32_t destination = 0;
    bool get = false;  ///< requests carry no data
  };
  /// By how much the counters of the interface grew with a message.
  struct Sample {
    std::uint64_t latency_cycles = 0, packets = 0, stalled_cycles = 0, flits = 0;
  };
  struct Choice {
    Mode mode = Mode::kHighBias;
    bool decided = false;  ///< the counters are to be read once the message has gone: see heed
  };

  explicit ModeSelector(const Settings& settings) : settings_(settings) {}
  ModeSelector() : ModeSelector(Settings{}) {}

  Choice choose(const Message& message);
  /// Of the last message that decided. A sample without packets or flits says nothing.
  void heed(const Sample& sample);

 private:
  struct Seen {
    double latency = 0, stalls = 0;  ///< of a packet, of a flit; cycles
    unsigned age = 0;                ///< samples since then
    Message message;
  };

  Mode decide(const Message& message) const;
  std::optional<Seen>& seen(Mode mode) { return seen_[static_cast<std::size_t>(mode)]; }
  const std::optional<Seen>& seen(Mode mode) const { return seen_[static_cast<std::size_t>(mode)]; }

  Settings settings_;
  Mode mode_ = Mode::kAdaptive;
  std::uint64_t bytes_ = 0;  ///< since the last decision
  Message decided_;          ///< the last message that decided
  std::array<std::optional<Seen>, 2> seen_;
};

}  // namespace hopwise::traffic
