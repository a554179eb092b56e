// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/field_values.hpp"
#include "config/keys.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

class TopologyValidator : SectionValidator {
 public:
  TopologyValidator(const KeyTable& table, const NetworkConfig& config,
                    const spec::KeyPlaces& places, Diagnostics& errors)
      : SectionValidator(table, config, errors), places_(places) {}

  spec::TopologySpec run() {
    const topology::Kind* kind = topology::find_kind(table_.kinds(), c_.kind.value);
    if (kind != nullptr) spec_ = topology::unsized(*kind);
    spec_.terminals_per_router = to_unsigned(c_.terminals_per_router);
    if (kind == nullptr || c_.kind.bad()) return spec_;
    foreign_keys(*kind);
    if (!settings(*kind)) return spec_;
    topology::Request request(places_, spec_, errors_);
    kind->complete(request);
    if (!spec_.dims.empty()) terminals(*kind);
    return spec_;
  }

 private:
  const spec::KeyPlace& place(const spec::Key& key) const {
    return places_.at(spec::path_of("topology", key.path));
  }

  static bool has(const topology::Kind& kind, std::string_view key) {
    return std::any_of(kind.keys.begin(), kind.keys.end(),
                       [key](const spec::Key& k) { return k.path == key; });
  }
  /// "torus or mesh": the kinds that have the key.
  std::string owners(std::string_view key) const {
    std::vector<std::string_view> names;
    for (const topology::Kind* kind : table_.kinds()) {
      if (has(*kind, key)) names.push_back(kind->name);
    }
    return join_names(names);
  }
  /// What the kind cannot do without: "routers_per_group and global_ports".
  static std::string needs(const topology::Kind& kind) {
    std::vector<std::string_view> names;
    for (const spec::Key& key : kind.keys) {
      if (key.required) names.push_back(key.path);
    }
    return fmt::format("{}", fmt::join(names, " and "));
  }

  /// A key that the topology has no use for is a misunderstanding, not a preference.
  void foreign_keys(const topology::Kind& kind) {
    std::vector<std::string_view> seen;  // kinds may share a key
    for (const topology::Kind* other : table_.kinds()) {
      for (const spec::Key& key : other->keys) {
        const bool known = std::find(seen.begin(), seen.end(), key.path) != seen.end();
        if (known || has(kind, key.path) || !place(key).written) continue;
        seen.push_back(key.path);
        const std::string owner = owners(key.path);
        refuse("config.foreign-key", place(key).where, spec::path_of("topology", key.path),
               fmt::format("a key of {} in a {}", owner, kind.name),
               fmt::format("topology.kind: {}", owner),
               fmt::format("a {} has {} instead", kind.name, needs(kind)));
      }
    }
  }

  /// What the user wrote for the kind's keys, with the defaults. False where one that is needed is
  /// missing or bad.
  bool settings(const topology::Kind& kind) {
    bool good = true;
    for (const spec::Key& key : kind.keys) {
      const auto& field = c_.settings.at(spec::path_of("topology", key.path));
      good &= !field.bad();
      if (field.has_value()) {
        spec_.settings.set(key.path, field.value);
      } else if (key.required && !field.bad()) {
        good = false;
        refuse("config.missing-key", place(key).where, spec::path_of("topology", key.path),
               "nothing", describe_allowed(key), fmt::format("a {} needs it", kind.name));
      }
    }
    return good;
  }

  void terminals(const topology::Kind& kind) {
    const auto& field = c_.terminals_per_router;
    if (!field.written() || field.value <= kind.max_terminals) return;
    refuse("config.out-of-range", field.where, "topology.terminals_per_router",
           fmt::format("{}", field.value),
           fmt::format("an integer from 1 to {}", kind.max_terminals),
           fmt::format("on a {}", kind.name));
  }

  const spec::KeyPlaces& places_;
  spec::TopologySpec spec_;
};

}  // namespace

spec::TopologySpec validate_topology(const KeyTable& table, const NetworkConfig& config,
                                     const spec::KeyPlaces& places, Diagnostics& errors) {
  return TopologyValidator(table, config, places, errors).run();
}

}  // namespace hopwise::config
