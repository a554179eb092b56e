// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

constexpr std::uint64_t kMaxRouters = 65536;
constexpr unsigned kMaxPorts = 32;

class TopologyValidator {
 public:
  TopologyValidator(const NetworkConfig& config, Diagnostics& errors)
      : c_(config), errors_(errors) {}

  spec::TopologySpec run() {
    spec_.kind = to_enum<spec::TopologyKind>(kTopologyKinds, c_.kind);
    spec_.terminals_per_router = to_unsigned(c_.terminals_per_router);
    if (c_.kind.bad()) return spec_;
    foreign_keys();
    if (dragonfly()) {
      dragonfly_groups();
    } else {
      grid();
    }
    return spec_;
  }

 private:
  void refuse(const char* code, const SourceLocation& where, std::string key, std::string found,
              std::string allowed, std::string hint) {
    errors_.push_back(
        {code, where, std::move(key), std::move(found), std::move(allowed), std::move(hint)});
  }

  bool dragonfly() const { return spec_.kind == spec::TopologyKind::kDragonfly; }

  /// A key that the topology has no use for is a misunderstanding, not a preference.
  void foreign_keys() {
    const auto foreign = [this](const char* key, const auto& field, const char* owner) {
      if (!field.written()) return;
      refuse("config.foreign-key", field.where, fmt::format("topology.{}", key),
             fmt::format("a key of {} in a {}", owner, c_.kind.value),
             fmt::format("topology.kind: {}", owner),
             dragonfly() ? "a dragonfly has routers_per_group, global_ports and groups instead"
                         : fmt::format("a {} has dims instead", c_.kind.value));
    };
    if (dragonfly()) {
      foreign("dims", c_.dims, "torus or mesh");
      return;
    }
    foreign("routers_per_group", c_.routers_per_group, "dragonfly");
    foreign("global_ports", c_.global_ports, "dragonfly");
    foreign("groups", c_.groups, "dragonfly");
    foreign("links_per_group_pair", c_.links_per_group_pair, "dragonfly");
    foreign("group_rows", c_.group_rows, "dragonfly");
    foreign("arrangement", c_.arrangement, "dragonfly");
  }

  /// False, and a diagnostic unless there was one already, where a key that this topology needs is
  /// not there.
  template <class T>
  bool given(const char* key, const Field<T>& field, std::string allowed) {
    if (field.written()) return true;
    if (!field.bad()) {
      refuse("config.missing-key", field.where, fmt::format("topology.{}", key), "nothing",
             std::move(allowed), fmt::format("a {} needs it", c_.kind.value));
    }
    return false;
  }

  void count_routers(const SourceLocation& where, const char* key) {
    std::uint64_t routers = 1;
    for (const unsigned size : spec_.dims) routers *= size;
    if (routers <= kMaxRouters) return;
    refuse("config.too-many-routers", where, key,
           fmt::format("{} = {} routers", fmt::join(spec_.dims, " x "), routers),
           fmt::format("up to {} routers", kMaxRouters),
           dragonfly()
               ? fmt::format("groups: {} works", kMaxRouters / spec_.dragonfly.routers_per_group)
               : "");
  }

  void grid() {
    if (!given("dims", c_.dims, "a list of 1 to 4 integers from 2 to 64")) return;
    spec_.dims = to_unsigned(c_.dims.value.values);
    count_routers(c_.dims.where, "topology.dims");
    constexpr unsigned kMaxGridTerminals = 8;
    if (c_.terminals_per_router.written() && c_.terminals_per_router.value > kMaxGridTerminals) {
      refuse("config.out-of-range", c_.terminals_per_router.where, "topology.terminals_per_router",
             fmt::format("{}", c_.terminals_per_router.value),
             fmt::format("an integer from 1 to {}", kMaxGridTerminals), "on a torus or mesh");
    }
  }

  void dragonfly_groups() {
    const bool a_given =
        given("routers_per_group", c_.routers_per_group, "an integer from 2 to 64");
    const bool h_given = given("global_ports", c_.global_ports, "an integer from 1 to 16");
    if (!a_given || !h_given || c_.groups.bad() || c_.links_per_group_pair.bad() ||
        c_.group_rows.bad())
      return;
    spec::DragonflySpec& d = spec_.dragonfly;
    d.routers_per_group = to_unsigned(c_.routers_per_group);
    d.global_ports = to_unsigned(c_.global_ports);
    d.arrangement = to_enum<spec::GlobalArrangement>(kArrangements, c_.arrangement);
    if (c_.arrangement.value == kArrangementAliases[0])
      d.arrangement = spec::GlobalArrangement::kPalmtree;
    const unsigned links = d.routers_per_group * d.global_ports;
    d.groups = c_.groups.written() ? to_unsigned(c_.groups) : links + 1;
    if (d.groups > links + 1) {
      constexpr unsigned kMaxGlobalPorts = 16;
      const unsigned more = (d.groups - 1 + d.routers_per_group - 1) / d.routers_per_group;
      refuse(
          "config.too-many-groups", c_.groups.where, "topology.groups", fmt::format("{}", d.groups),
          fmt::format("2 to {}: {} routers with {} global ports each reach {} other groups",
                      links + 1, d.routers_per_group, d.global_ports, links),
          fmt::format("groups: {} works", links + 1) +
              (more <= kMaxGlobalPorts ? fmt::format(", and so does global_ports: {}", more) : ""));
      return;
    }
    const unsigned most = links / (d.groups - 1);
    d.links_per_group_pair =
        c_.links_per_group_pair.written() ? to_unsigned(c_.links_per_group_pair) : most;
    if (d.links_per_group_pair > most) {
      const unsigned fewer = links / d.links_per_group_pair + 1;
      refuse("config.too-many-links", c_.links_per_group_pair.where,
             "topology.links_per_group_pair", fmt::format("{}", d.links_per_group_pair),
             fmt::format("1 to {}: a group has {} global ports for {} other groups", most, links,
                         d.groups - 1),
             fmt::format("links_per_group_pair: {} works", most) +
                 (fewer >= 2 ? fmt::format(", and so does groups: {}", fewer) : ""));
    }
    d.group_rows = to_unsigned(c_.group_rows);
    if (d.routers_per_group % d.group_rows != 0 ||
        (d.group_rows > 1 && d.group_rows == d.routers_per_group)) {
      unsigned nearest = 1;
      for (unsigned rows = 1; rows < d.routers_per_group; ++rows) {
        if (d.routers_per_group % rows == 0 && rows <= d.group_rows) nearest = rows;
      }
      refuse("config.group-rows", c_.group_rows.where, "topology.group_rows",
             fmt::format("{}", d.group_rows),
             fmt::format("a divisor of routers_per_group ({}) below it", d.routers_per_group),
             fmt::format("group_rows: {} works; 1 connects all routers of a group", nearest));
    }
    spec_.dims = {d.routers_per_group, d.groups};
    count_routers(c_.groups.written() ? c_.groups.where : c_.routers_per_group.where,
                  "topology.groups");
    const unsigned columns = d.routers_per_group / std::max(1u, d.group_rows);
    const unsigned local =
        d.group_rows == 1 ? d.routers_per_group - 1 : columns - 1 + d.group_rows - 1;
    const unsigned ports = local + d.global_ports + spec_.terminals_per_router;
    if (ports > kMaxPorts) {
      refuse("config.too-many-ports", c_.routers_per_group.where, "topology.routers_per_group",
             fmt::format("{} local, {} global and {} terminal ports = {}", local, d.global_ports,
                         spec_.terminals_per_router, ports),
             fmt::format("up to {} ports of a router", kMaxPorts),
             d.group_rows == 1 ? "group_rows above 1 needs fewer local ports" : "");
    }
  }

  const NetworkConfig& c_;
  Diagnostics& errors_;
  spec::TopologySpec spec_;
};

}  // namespace

spec::TopologySpec validate_topology(const NetworkConfig& config, Diagnostics& errors) {
  return TopologyValidator(config, errors).run();
}

}  // namespace hopwise::config
