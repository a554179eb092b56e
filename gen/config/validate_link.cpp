// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/names.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

constexpr unsigned kMaxLatency = 10000;  // core cycles, whatever unit the file writes

class LinkValidator : SectionValidator {
 public:
  LinkValidator(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                Diagnostics& errors)
      : SectionValidator(table, config, errors), s_(spec) {}

  void run() {
    s_.link.terminal_latency_cycles = to_unsigned(c_.terminal_latency);
    s_.link.cycles_per_flit = c_.cycles_per_flit.value;
    s_.link.idle_wait = c_.idle_wait.value;
    link_latency();
  }

 private:
  /// One of three keys says how long the links are, each in its own unit; the rest of Hopwise knows
  /// core cycles only.
  void link_latency() {
    if (s_.topology.dims.empty() || c_.cycles_per_flit.bad() || c_.core_clock_ghz.bad()) return;
    const Field<UIntList>& core = c_.link_latency;
    const Field<UIntList>& link = c_.link_latency_link_cycles;
    const Field<Reals>& ns = c_.link_latency_ns;
    if (core.bad() || link.bad() || ns.bad()) return;
    if (core.written() + link.written() + ns.written() > 1) {
      refuse("config.two-units", ns.written() ? ns.where : link.where,
             ns.written() ? "link.latency_ns" : "link.latency_link_cycles",
             "link latencies in two units",
             "one of latency_cycles, latency_link_cycles and latency_ns", "");
      return;
    }
    const auto up = [](double cycles) { return static_cast<unsigned>(std::ceil(cycles - 1e-9)); };
    std::vector<unsigned> cycles{1};
    bool scalar = true;
    SourceLocation where = core.where;
    std::string key = "link.latency_cycles";
    if (core.written()) {
      cycles = to_unsigned(core.value.values);
      scalar = core.value.scalar;
    } else if (link.written()) {
      cycles.clear();
      for (const auto v : link.value.values)
        cycles.push_back(up(static_cast<double>(v) * c_.cycles_per_flit.value.value()));
      scalar = link.value.scalar;
      where = link.where;
      key = "link.latency_link_cycles";
    } else if (ns.written()) {
      cycles.clear();
      for (const double v : ns.value)
        cycles.push_back(std::max(1u, up(v * c_.core_clock_ghz.value)));
      scalar = cycles.size() == 1;
      where = ns.where;
      key = "link.latency_ns";
    }
    for (const unsigned c : cycles) {
      if (c <= kMaxLatency) continue;
      refuse("config.out-of-range", where, key, fmt::format("{} core cycles", c),
             fmt::format("up to {} core cycles", kMaxLatency), "");
      return;
    }
    const topology::Kind& kind = topology::kind_of(table_.kinds(), s_.topology);
    const std::size_t entries = kind.num_link_classes(s_.topology);
    s_.link.latency_cycles = cycles;
    if (scalar) {
      s_.link.latency_cycles.assign(entries, cycles.at(0));
    } else if (cycles.size() != entries) {
      refuse("config.wrong-length", where, key, count_entries(cycles.size()),
             fmt::format("{}, {}", count_entries(entries), kind.link_entries),
             fmt::format("one number alone stands for {}", kind.link_scalar));
    }
  }

  spec::NetworkSpec& s_;
};

}  // namespace

void validate_link(const KeyTable& table, const NetworkConfig& config, spec::NetworkSpec& spec,
                   Diagnostics& errors) {
  LinkValidator(table, config, spec, errors).run();
}

}  // namespace hopwise::config
