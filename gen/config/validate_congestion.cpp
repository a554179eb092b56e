// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

class CongestionValidator : SectionValidator {
 public:
  CongestionValidator(const KeyTable& table, const NetworkConfig& config, Diagnostics& errors)
      : SectionValidator(table, config, errors) {}

  void run(spec::NetworkSpec& spec) {
    spec::CongestionSpec& c = spec.congestion;
    c.enabled = c_.congestion_enabled.value;
    c.throttle = c_.throttle.value;
    c.flows = to_unsigned(c_.flows);
    c.mark_inputs = to_unsigned(c_.mark_inputs);
    c.mark_cycles = to_unsigned(c_.mark_cycles);
    c.note_cycles = to_unsigned(c_.note_cycles);
    c.period_cycles = to_unsigned(c_.period_cycles);
    c.increase = to_unsigned(c_.increase);
    c.decrease_shift = to_unsigned(c_.decrease_shift);
    if (!c.enabled) return;
    const bool compact = spec.packet.format == spec::PacketFormatKind::kCompact;
    if (!compact)
      no("packet.format: apenet", "packet.format: compact",
         "the header of apenet has fixed fields");
    if (spec.packet.tkeep)
      no("terminal.tkeep", "terminal.tkeep: false",
         "the throttle stands before streams without TKEEP");
    if (!c_.flows.bad() && !c_.period_cycles.bad() && c.period_cycles <= c.flows)
      refuse("config.congestion", c_.period_cycles.where, "congestion.period_cycles",
             std::to_string(c.period_cycles), fmt::format("at least {}", c.flows + 1),
             "one of congestion.flows changes in a cycle");
    spec.packet.congestion = compact;
  }

 private:
  void no(std::string found, std::string allowed, std::string hint) {
    refuse("config.congestion", c_.congestion_enabled.where, "congestion.enabled",
           "true with " + std::move(found), std::move(allowed), std::move(hint));
  }
};

}  // namespace

void validate_congestion(const KeyTable& table, const NetworkConfig& config,
                         spec::NetworkSpec& spec, Diagnostics& errors) {
  CongestionValidator(table, config, errors).run(spec);
}

}  // namespace hopwise::config
