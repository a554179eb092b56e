// SPDX-License-Identifier: Apache-2.0
// Terminals with message interfaces: the interfaces' own RTL, compiled once and instantiated for
// each, with hosts in C++.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/blocks.hpp"
#include "engine/host.hpp"
#include "engine/options.hpp"
#include "engine/request_modes.hpp"
#include "engine/terminal.hpp"
#include "engine/terminal_group.hpp"
#include "model/router_bank.hpp"

namespace hopwise::engine {

/// The terminals of a partition are a bank of their own beside that of its routers, joined to it by
/// the same blocks of wires: each is a router of one port to it. An interface at rest whose host
/// does nothing, and whose wires are empty, is skipped.
///
/// The packets on the wires are counted here, whatever the interfaces and the hosts think of them.
class MessageTerminals final : public TerminalGroup {
 public:
  /// `routers`: pins of the partition's routers, the first of which is `first_router`.
  MessageTerminals(Shared& shared, HostSettings& settings, std::uint32_t first_router,
                   std::span<const InputPins> routers, std::size_t partitions,
                   std::vector<traffic::Source> sources);

  InputPins pins(std::size_t local) const override {
    return {blocks_.data() + local / wires_.lanes * wires_.block_bytes(), &wires_,
            static_cast<std::uint32_t>(local % wires_.lanes)};
  }
  bool at_rest() const override;
  void step(std::uint64_t cycle) override;
  void begin_epoch(std::uint64_t epoch) override;
  void stop_generating() override;
  bool sources_done() const override;

  void add_messages(MessageCounts& counts) const override;

 private:
  struct Arriving {
    std::uint32_t source = 0, crc = 0;  // of its packet: number of the records, and check
    std::uint16_t id = 0, got = 0;
    std::uint32_t ticket = 0;
    bool known = false, nonminimal = false, note = false;  // note: of congestion
  };

  InterfaceCounts counts(std::size_t local) const;
  std::uint64_t counter(std::size_t local, unsigned place) const;
  unsigned class_of(model::Meta meta) const { return (meta & model::kVcMask) / class_vcs_; }
  void eject(std::uint32_t local, std::uint64_t cycle);
  void inject(std::uint32_t local, std::uint64_t cycle);
  void end_packet(std::uint32_t local, unsigned message_class, std::uint64_t cycle);
  void count(std::uint32_t local, std::uint64_t cycle);
  void plant_fault();

  Shared& shared_;
  HostSettings& settings_;
  const unsigned classes_, class_vcs_;
  const std::uint32_t flit_words_;
  model::WireShape wires_;
  Blocks blocks_;
  std::vector<model::Wire> to_router_;  // flits of each terminal
  std::unique_ptr<model::RouterBank> bank_;
  std::vector<model::HostInputs*> inputs_;
  std::vector<const model::HostOutputs*> outputs_;
  std::vector<Host> hosts_;
  std::vector<PacketRecord*> sending_;  // [terminal][class]: of the packet under way
  std::vector<Arriving> arriving_;      // [terminal][class]
  std::vector<RequestModes> modes_;     // [terminal], where packets have modes
  std::vector<std::uint64_t> scratch_;  // the flit at hand
  JobMessages of_job_;                  // those that are complete
};

}  // namespace hopwise::engine
