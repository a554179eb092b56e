// SPDX-License-Identifier: Apache-2.0
#include "config/load.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "config/canonical.hpp"
#include "config/overrides.hpp"
#include "config/read.hpp"
#include "config/validate.hpp"

namespace hopwise::config {

namespace {

bool same_mistake(const Diagnostic& a, const Diagnostic& b) {
  const auto tie = [](const Diagnostic& d) {
    return std::tie(d.code, d.where.file, d.where.line, d.where.column, d.key, d.found);
  };
  return tie(a) == tie(b);
}

bool contains(const Diagnostics& errors, const Diagnostic& error) {
  return std::any_of(errors.begin(), errors.end(),
                     [&error](const Diagnostic& d) { return same_mistake(d, error); });
}

spec::Spec check(const KeyTable& table, const NetworkConfig& config, Diagnostics& errors) {
  spec::Spec spec;
  spec.network = validate_network(table, config, errors);
  validate_job(table, config, spec, errors);
  validate_run(table, config, spec, errors);
  return spec;
}

/// A routing of the experiment changes the network, and the changed network has to be sound as
/// well.
void check_variant(const KeyTable& table, Node root, const RoutingEntry& entry,
                   const std::string& file, const Diagnostics& known, Diagnostics& errors) {
  for (const auto& change : entry.overrides) set_path(root, change.path, change.value);
  Diagnostics found;
  const NetworkConfig config = read(table, root, file, found);
  check(table, config, found);
  for (Diagnostic& error : found) {
    if (contains(known, error)) continue;
    const std::string context =
        fmt::format("with the routing '{}' of experiment.routings", entry.label);
    error.hint = error.hint.empty() ? context : fmt::format("{}; {}", context, error.hint);
    errors.push_back(std::move(error));
  }
}

/// The order of the file, then that of the command line.
void sort_by_place(Diagnostics& errors, std::span<const std::string> overrides) {
  const auto rank = [overrides](const Diagnostic& d) {
    const auto at = std::find_if(overrides.begin(), overrides.end(), [&d](const std::string& text) {
      return d.where.file == override_place(text);
    });
    const auto position = at == overrides.end() ? 0 : 1 + (at - overrides.begin());
    return std::tuple(position, d.where.line, d.where.column);
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&rank](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); });
}

}  // namespace

Result<spec::Spec> load(std::string_view text, std::string_view file,
                        std::span<const std::string> overrides, const Catalogue& catalogue) {
  const KeyTable table(catalogue);
  const std::string file_name(file);
  Diagnostics errors;
  auto root = parse_tree(text, file_name, "config.syntax", false, errors);
  if (!root) return errors;
  drop_duplicate_keys(*root, "", errors);
  if (root->is_map()) {
    for (const std::string& text_of_override : overrides)
      apply_override(*root, text_of_override, errors);
  }
  const NetworkConfig config = read(table, *root, file_name, errors);
  spec::Spec spec = check(table, config, errors);
  if (config.routings.written()) {
    const Diagnostics known = errors;
    for (const RoutingEntry& entry : config.routings.value)
      check_variant(table, *root, entry, file_name, known, errors);
  }
  if (!errors.empty()) {
    sort_by_place(errors, overrides);
    return errors;
  }
  spec.canonical_network_yaml = canonical_yaml(table, spec.network);
  spec.network_hash = hash_text(spec.canonical_network_yaml);
  return spec;
}

}  // namespace hopwise::config
