// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "config/names.hpp"
#include "config/read.hpp"

namespace hopwise::config {

namespace {

constexpr std::string_view kAlgorithmKey = "routing.algorithm";

class RoutingsReader {
 public:
  RoutingsReader(const KeyTable& table, const spec::Key& key, Diagnostics& errors)
      : table_(table), key_(key), errors_(errors) {}

  bool read(const Node& node, Field<Routings>& out) {
    std::vector<Node> single;
    if (node.is_scalar() || node.is_map()) single.push_back(node);
    const std::vector<Node>& items = single.empty() ? node.items : single;
    if (!node.is_list() && single.empty()) {
      errors_.push_back({"config.wrong-type", node.where, std::string(key_.path), describe(node),
                         describe_allowed(key_), ""});
      return false;
    }
    if (items.empty() || items.size() > key_.max_entries) {
      errors_.push_back({"config.wrong-length", node.where, std::string(key_.path),
                         count_entries(items.size()),
                         fmt::format("1 to {} entries", key_.max_entries), ""});
      return false;
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      path_ = fmt::format("{}[{}]", key_.path, i);
      RoutingEntry entry;
      entry.where = items[i].where;
      if (!read_entry(items[i], entry)) good_ = false;
      const auto same =
          std::find_if(out.value.begin(), out.value.end(),
                       [&entry](const RoutingEntry& e) { return e.label == entry.label; });
      if (same != out.value.end() && !entry.label.empty()) {
        errors_.push_back({"config.duplicate-label", entry.where, path_ + ".label",
                           "'" + entry.label + "' again", "a label of its own for every routing",
                           "add 'label: ...'"});
        good_ = false;
      }
      out.value.push_back(std::move(entry));
      out.items.push_back(items[i].where);
    }
    return good_;
  }

 private:
  bool read_entry(const Node& node, RoutingEntry& entry) {
    if (node.is_scalar()) return read_algorithm(node, entry, path_, true);
    if (!node.is_map()) {
      errors_.push_back({"config.wrong-type", node.where, path_, describe(node),
                         join_names(key_.names) + ", or a map with label, algorithm and other keys",
                         ""});
      return false;
    }
    bool good = true;
    const bool labelled = std::any_of(node.entries.begin(), node.entries.end(),
                                      [](const Entry& item) { return item.key == "label"; });
    for (const Entry& item : node.entries) {
      if (item.key == "label") {
        good = read_label(item.value, entry) && good;
      } else if (item.key == "algorithm") {
        good = read_algorithm(item.value, entry, path_ + ".algorithm", !labelled) && good;
      } else if (item.key == "set") {
        if (item.value.is_map()) {
          good = read_overrides(item.value, "", entry) && good;
        } else {
          errors_.push_back({"config.wrong-type", item.value.where, path_ + ".set",
                             describe(item.value), "a map of dotted keys, such as {router.vcs: 3}",
                             ""});
          good = false;
        }
      } else {
        good = read_override(item, "", entry) && good;
      }
    }
    if (!labelled && entry.label.empty() && good) {
      errors_.push_back({"config.missing-key", node.where, path_ + ".label", "nothing",
                         "a label, an algorithm or both", "reports name the routing by its label"});
      return false;
    }
    return good;
  }

  /// `is_label`: it is the entry's label as well.
  bool read_algorithm(const Node& node, RoutingEntry& entry, const std::string& path,
                      bool is_label) {
    // The key of the network says which names there are; only the path in the diagnostics is this
    // list's.
    NetworkConfig scratch;
    Diagnostics found;
    if (!read_value(table_, *table_.find(kAlgorithmKey), node, scratch, found)) {
      for (Diagnostic& error : found) {
        error.key = path;
        errors_.push_back(std::move(error));
      }
      return false;
    }
    if (is_label) entry.label = node.text;
    entry.overrides.push_back({std::string(kAlgorithmKey), node});
    return true;
  }

  bool read_label(const Node& node, RoutingEntry& entry) {
    if (node.is_scalar() && is_label(node.text)) {
      entry.label = node.text;
      return true;
    }
    errors_.push_back({"config.bad-name", node.where, path_ + ".label", describe(node),
                       "1 to 40 letters, digits, spaces and _ . + -", ""});
    return false;
  }

  bool read_overrides(const Node& map, const std::string& prefix, RoutingEntry& entry) {
    bool good = true;
    for (const Entry& item : map.entries) good = read_override(item, prefix, entry) && good;
    return good;
  }

  bool read_override(const Entry& item, const std::string& prefix, RoutingEntry& entry) {
    const std::string path = join_path(prefix, item.key);
    if (table_.is_section(path) && item.value.is_map())
      return read_overrides(item.value, path, entry);
    if (table_.find(path) == nullptr) {
      const auto dot = path.rfind('.');
      const std::string section = dot == std::string::npos ? "" : path.substr(0, dot);
      Diagnostic error = unknown_key(table_, item.where, table_.is_section(section) ? section : "",
                                     table_.is_section(section) ? path.substr(dot + 1) : path);
      error.key = fmt::format("{}.{}", path_, path);
      if (dot == std::string::npos)
        error.allowed = "label, algorithm, set, or a dotted key such as router.vcs";
      errors_.push_back(std::move(error));
      return false;
    }
    // A routing is compared on the same experiment; its own name would only change the files'.
    if (path == "name" || path == "job.program" || path.starts_with("simulation.") ||
        path.starts_with("experiment.")) {
      errors_.push_back({"config.routing-key", item.where, fmt::format("{}.{}", path_, path),
                         "a key that all routings share", "any other key", ""});
      return false;
    }
    const auto same = [&path](const auto& other) { return other.path == path; };
    if (std::any_of(entry.overrides.begin(), entry.overrides.end(), same)) {
      errors_.push_back({"config.duplicate-key", item.where, fmt::format("{}.{}", path_, path),
                         "the key a second time", "each key once", ""});
      return false;
    }
    entry.overrides.push_back({path, item.value});
    return true;
  }

  const KeyTable& table_;
  const spec::Key& key_;
  Diagnostics& errors_;
  std::string path_;
  bool good_ = true;
};

}  // namespace

bool read_routings(const KeyTable& table, const spec::Key& key, const Node& node,
                   Field<Routings>& out, Diagnostics& errors) {
  return RoutingsReader(table, key, errors).read(node, out);
}

}  // namespace hopwise::config
