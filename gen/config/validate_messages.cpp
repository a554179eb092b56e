// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"
#include "topology/message_format.hpp"

namespace hopwise::config {

namespace {

/// A burst of AXI4 does not cross an address that is a multiple of it.
constexpr unsigned kPageBytes = 4096;

class MessageValidator : SectionValidator {
 public:
  MessageValidator(const KeyTable& table, const NetworkConfig& config, Diagnostics& errors)
      : SectionValidator(table, config, errors) {}

  void run(spec::NetworkSpec& spec) {
    spec::TerminalSpec& t = spec.terminal;
    t.messages = c_.terminal_interface.value == kTerminalInterfaces[1];
    t.outstanding = power_of_two("terminal.outstanding", c_.outstanding);
    t.windows = power_of_two("terminal.windows", c_.windows);
    t.timeout_cycles = to_unsigned(c_.timeout_cycles);
    t.mode_selector = c_.mode_selector.value;
    const auto sixteenths = [](double factor) {
      return static_cast<unsigned>(std::lround(factor * spec::SelectorSpec::kUnit));
    };
    t.selector = {.threshold_bytes = to_unsigned(c_.selector_threshold_bytes),
                  .lambda = sixteenths(c_.selector_lambda.value),
                  .sigma = sixteenths(c_.selector_sigma.value),
                  .max_age = to_unsigned(c_.selector_max_age)};
    t.message_registers = c_.message_registers.value;
    t.counter_read_cycles = to_unsigned(c_.counter_read_cycles);
    const auto of_interfaces = [&](const Field<bool>& field, const char* code, const char* key,
                                   const char* hint) {
      if (field.value && !field.bad() && !t.messages && !c_.terminal_interface.bad())
        refuse(code, field.where, key, "true with terminal.interface: streams",
               "false, or terminal.interface: messages", hint);
    };
    of_interfaces(c_.message_registers, "config.message-registers", "terminal.message_registers",
                  "the registers are those of message interfaces");
    of_interfaces(c_.mode_selector, "config.mode-selector", "terminal.mode_selector",
                  "the selector decides for messages");
    if (!t.messages) return;
    const std::size_t before = errors_.size();
    classes(spec);
    packets(spec.packet);
    const bool unknown = c_.flit_bits.bad() || c_.max_flits.bad() || c_.format.bad();
    if (errors_.size() != before || unknown) return;
    spec.packet.message_bits = topology::message_format(t, spec.packet).bits();
  }

 private:
  unsigned power_of_two(const char* key, const Field<std::uint64_t>& field) {
    if (!field.bad() && !std::has_single_bit(field.value))
      refuse("config.not-a-power-of-two", field.where, key, fmt::format("{}", field.value),
             "16, 32, 64 to 4096", "the numbers of requests and windows are fields of heads");
    return to_unsigned(field);
  }

  void classes(spec::NetworkSpec& spec) {
    const Names names{"request", "response"};
    if (!c_.message_classes.bad() && c_.message_classes.written() &&
        c_.message_classes.value != names)
      no(c_.message_classes.where, "router.message_classes",
         fmt::format("[{}]", fmt::join(c_.message_classes.value, ", ")),
         "[request, response], which need not be written");
    const Pairs pairs{{"request", "response"}};
    if (!c_.replies.bad() && c_.replies.written() && c_.replies.value != pairs)
      no(c_.replies.where, "terminal.replies", "other replies",
         "{request: response}, which need not be written");
    spec.router.message_classes = names;
    spec.terminal.replies = {{0, 1}};
  }

  void packets(const spec::PacketSpec& packet) {
    if (packet.tkeep)
      no(c_.tkeep.where, "terminal.tkeep", "true", "false: messages have their lengths in bytes");
    if (packet.poison)
      no(c_.terminal_interface.where, "terminal.interface",
         "messages with terminal.injection: cut_through or router.partial_reset",
         "terminal.injection: store and no partial resets, so that packets come whole");
    if (!c_.flit_bits.bad() && !std::has_single_bit(packet.flit_bits))
      no(c_.flit_bits.where, "packet.flit_bits", fmt::format("{}", packet.flit_bits),
         "32, 64, 128, 256, 512 or 1024: a width of AXI4's data");
    else if (!c_.flit_bits.bad() && !c_.max_flits.bad() && !c_.format.bad()) {
      const unsigned overhead = topology::overhead_flits(packet);
      const unsigned most = overhead + std::min(256u, kPageBytes / (packet.flit_bits / 8));
      if (packet.max_flits <= overhead || packet.max_flits > most)
        no(c_.max_flits.where, "packet.max_flits", fmt::format("{}", packet.max_flits),
           fmt::format("{} to {}: a head{}, and a burst of AXI4", overhead + 1, most,
                       overhead > 1 ? ", a footer" : ""));
    }
  }

  /// Unless something else is wrong with the key.
  void no(const SourceLocation& where, const char* key, std::string found, std::string allowed) {
    for (const Diagnostic& error : errors_)
      if (error.key.starts_with(key)) return;
    refuse("config.messages", where, key, std::move(found), std::move(allowed),
           "of terminal.interface: messages");
  }
};

}  // namespace

void validate_messages(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                       Diagnostics& errors) {
  MessageValidator(table, config, errors).run(spec);
}

}  // namespace hopwise::config
