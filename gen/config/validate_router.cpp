// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <bit>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/names.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

/// More than the places of all VCs of a router with as many ports as it may have.
constexpr unsigned kShortestWatch = 2048;

class RouterValidator : SectionValidator {
 public:
  RouterValidator(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                  Diagnostics& errors)
      : SectionValidator(table, config, errors), s_(spec) {}

  void run() {
    router();
    message_classes();
    terminal();
  }

 private:
  void router() {
    spec::RouterSpec& r = s_.router;
    r.switching = to_enum<spec::Switching>(kSwitchings, c_.switching);
    r.output_queue_flits = to_unsigned(c_.output_queue);
    r.allocator = to_enum<spec::AllocatorKind>(kAllocators, c_.allocator_kind);
    r.allocator_iterations = to_unsigned(c_.allocator_iterations);
    r.arbiter = to_enum<spec::ArbiterKind>(kArbiters, c_.arbiter);
    r.granularity = to_enum<spec::Granularity>(kGranularities, c_.granularity);
    r.pipeline_cycles = to_unsigned(c_.pipeline_cycles);
    r.counters = c_.counters.value;
    r.checks = c_.checks.value;
    constexpr const char* kHeads = "what is wrong with a head is seen and dropped by router.checks";
    if (c_.header_parity.value)
      needs_checks("router.header_parity", c_.header_parity.where, "true", "false", kHeads);
    r.memory_parity = c_.memory_parity.value;
    if (r.memory_parity) {
      needs_checks("router.memory_parity", c_.memory_parity.where, "true", "false",
                   "a packet whose route has a flipped bit is dropped by router.checks");
      if (!c_.output_queue.bad() && r.output_queue_flits > 1)
        refuse("config.parity-output-queues", c_.memory_parity.where, "router.memory_parity",
               "true with output queues", "false, or router.output_queue_flits of 0 or 1",
               "a length in an output queue says how many credits its packet waits for");
    }
    if (!c_.hop_limit.bad() && c_.hop_limit.value > 0)
      needs_checks("router.hop_limit", c_.hop_limit.where, fmt::format("{}", c_.hop_limit.value),
                   "0", kHeads);
    r.clock_gating = c_.clock_gating.value;
    r.partial_reset = c_.partial_reset.value;
    if (r.partial_reset) partial_reset();
    r.watchdog_cycles = to_unsigned(c_.watchdog_cycles);
    if (!c_.watchdog_cycles.bad() && r.watchdog_cycles != 0 &&
        (r.watchdog_cycles < kShortestWatch || !std::has_single_bit(r.watchdog_cycles))) {
      refuse("config.not-a-power-of-two", c_.watchdog_cycles.where, "router.watchdog_cycles",
             fmt::format("{}", r.watchdog_cycles), "0, or a power of two from 2048 on",
             "VCs are visited by the low bits of the time");
    }
    if (r.switching == spec::Switching::kWormhole && c_.reservations.written() &&
        c_.reservations.value) {
      refuse("config.reservations-wormhole", c_.reservations.where, "router.allocator.reservations",
             "true with router.switching: wormhole", "false, or vct or saf",
             "a packet that owns the VC may wait for others for as long as they last");
    }
    if (r.switching == spec::Switching::kWormhole && c_.room.written() &&
        c_.room.value != kRooms[0]) {
      refuse("config.room-wormhole", c_.room.where, "router.room", "'" + c_.room.value + "'",
             "packet with router.switching: wormhole", "under wormhole a head needs one place");
    }
    if (r.switching == spec::Switching::kWormhole && !c_.pipeline_cycles.bad() &&
        r.pipeline_cycles > 3) {
      refuse("config.pipeline-wormhole", c_.pipeline_cycles.where, "router.pipeline_cycles",
             std::to_string(r.pipeline_cycles), "2 or 3 with router.switching: wormhole",
             "a request from a register does not see the last credit taken");
    }
    if (s_.link.idle_wait && !c_.output_queue.bad() && r.output_queue_flits <= 1) {
      refuse("config.output-queue-too-shallow", c_.idle_wait.where, "link.idle_wait",
             "true without output queues", "false, or router.output_queue_flits of 2 and more",
             "a flit waits for its link in an output queue");
    }
  }

  void partial_reset() {
    needs_checks("router.partial_reset", c_.partial_reset.where, "true", "false",
                 "routers make up what is missing of packets that are cut short");
    const auto no = [this](const char* found, const char* allowed, const char* why) {
      refuse("config.partial-reset", c_.partial_reset.where, "router.partial_reset",
             std::string("true with ") + found, allowed, why);
    };
    if (s_.router.switching == spec::Switching::kWormhole)
      no("router.switching: wormhole", "false",
         "what is missing of a packet takes the places that its head has reserved");
    if (c_.congestion_enabled.value)
      no("congestion.enabled", "false", "a terminal counts the notifications under way");
  }

  void needs_checks(const char* key, const SourceLocation& where, std::string found,
                    const char* without, const char* why) {
    if (c_.checks.bad() || s_.router.checks) return;
    refuse("config.needs-checks", where, key, std::move(found),
           fmt::format("{}, or router.checks: true", without), why);
  }

  void terminal() {
    s_.terminal.cut_through = c_.terminal_injection.value == kTerminalInjections[1];
    s_.terminal.pause_cycles = to_unsigned(c_.pause_cycles);
    s_.packet.poison = s_.terminal.cut_through || s_.router.partial_reset;
    if (s_.terminal.cut_through)
      needs_checks("terminal.injection", c_.terminal_injection.where, "cut_through", "store",
                   "router.checks has the events and counts of packets that break off");
  }

  void message_classes() {
    if (c_.message_classes.bad()) return;
    const Names& names = s_.router.message_classes = c_.message_classes.value;
    const auto place = [&names](std::string_view name) {
      return std::find(names.begin(), names.end(), name) - names.begin();
    };
    const auto bad = [this](const SourceLocation& where, std::string key, const std::string& name,
                            std::string allowed) {
      refuse("config.message-class", where, std::move(key), "'" + name + "'", std::move(allowed),
             "");
    };
    const std::size_t before = errors_.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!is_identifier(names[i]) || place(names[i]) != static_cast<std::ptrdiff_t>(i))
        bad(c_.message_classes.items[i], fmt::format("router.message_classes[{}]", i), names[i],
            "names of letters, digits and underscores, each once");
    }
    if (!c_.replies.written() || errors_.size() != before) return;
    for (std::size_t i = 0; i < c_.replies.value.size(); ++i) {
      const auto& [request, reply] = c_.replies.value[i];
      const auto unknown = [&](const std::string& name) {
        return place(name) == std::ssize(names);
      };
      if (unknown(request) || unknown(reply)) {
        bad(c_.replies.items[i], "terminal.replies." + request, unknown(request) ? request : reply,
            fmt::format("router.message_classes: {}", fmt::join(names, ", ")));
        continue;
      }
      s_.terminal.replies[static_cast<unsigned>(place(request))] =
          static_cast<unsigned>(place(reply));
    }
  }

  spec::NetworkSpec& s_;
};

}  // namespace

void validate_router(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                     Diagnostics& errors) {
  RouterValidator(table, config, spec, errors).run();
}

}  // namespace hopwise::config
