// SPDX-License-Identifier: Apache-2.0
#include "app/campaign_file.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files.hpp"
#include "config/names.hpp"
#include "config/overrides.hpp"
#include "config/tree.hpp"
#include "report/published.hpp"
#include "support/words.hpp"

namespace hopwise::app {

namespace {

namespace fs = std::filesystem;
using config::Node;

constexpr std::uint64_t kMostRepetitions = 10000;

constexpr std::string_view kCampaignKeys[] = {"name", "published", "experiments"};
constexpr std::string_view kExperimentKeys[] = {"name",  "file",        "routings", "set",  "axes",
                                                "seeds", "repetitions", "train",    "quick"};
/// What `quick` may change; it may also leave the experiment out.
constexpr std::string_view kQuickKeys[] = {"routings",    "set",   "axes",     "seeds",
                                           "repetitions", "train", "leave_out"};

class Reader {
 public:
  Reader(fs::path file, bool quick) : file_(std::move(file)), quick_(quick) {}

  Campaign read(Node& root) {
    Campaign campaign;
    campaign.name = file_.stem().string();
    if (!is_map(root, "", "a map with experiments")) return campaign;
    check_keys(root, "", kCampaignKeys);
    read_name(root, "", "name", campaign.name);
    if (const Node* node = root.find("published")) {
      const std::vector<std::string> known = report::publications();
      if (node->is_scalar() && std::find(known.begin(), known.end(), node->text) != known.end())
        campaign.published = node->text;
      else
        value(node->where, "published", config::describe(*node),
              fmt::format("{}", fmt::join(known, ", ")));
    }
    Node* list = root.find("experiments");
    if (list == nullptr || list->is_null()) {
      value(list == nullptr ? root.where : list->where, "experiments", "nothing", "a list");
      return campaign;
    }
    if (!is_list(*list, "experiments")) return campaign;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      read_experiment(list->items[i], fmt::format("experiments[{}]", i), campaign);
    return campaign;
  }

  Diagnostics errors;

 private:
  void value(const SourceLocation& where, const std::string& key, const std::string& found,
             const std::string& allowed, const std::string& hint = "") {
    errors.push_back({"app.campaign-value", where, key, found, allowed, hint});
  }

  bool is_map(const Node& node, const std::string& path, const std::string& allowed) {
    if (!node.is_map()) value(node.where, path, config::describe(node), allowed);
    return node.is_map();
  }
  bool is_list(const Node& node, const std::string& path) {
    const bool good = node.is_list() && !node.items.empty();
    if (!good)
      value(node.where, path, node.is_list() ? "an empty list" : config::describe(node),
            "a list with an entry at least");
    return good;
  }

  void check_keys(const Node& map, const std::string& path,
                  std::span<const std::string_view> allowed) {
    for (const auto& entry : map.entries) {
      if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end()) continue;
      const auto near =
          nearest(entry.key, std::vector<std::string>(allowed.begin(), allowed.end()));
      errors.push_back({"app.campaign-key", entry.where, config::join_path(path, entry.key),
                        fmt::format("'{}'", entry.key), join_names(allowed),
                        near ? fmt::format("did you mean '{}'?", *near) : ""});
    }
  }

  void read_text(const Node& node, const std::string& path, std::string& to) {
    if (node.is_scalar() && !node.text.empty())
      to = node.text;
    else
      value(node.where, path, config::describe(node), "a text");
  }

  void read_name(Node& map, const std::string& path, const char* key, std::string& to) {
    const Node* node = map.find(key);
    if (node == nullptr) return;
    if (node->is_scalar() && config::is_identifier(node->text) && node->text != "index")
      to = node->text;
    else
      value(node->where, config::join_path(path, key), config::describe(*node),
            "letters, digits and underscores, not beginning with a digit; not index");
  }

  bool read_number(const Node& node, const std::string& path, std::uint64_t least,
                   std::uint64_t most, std::uint64_t& to) {
    const char* end = node.text.data() + node.text.size();
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(node.text.data(), end, number);
    const bool good = node.is_scalar() && error == std::errc() && stop == end && number >= least &&
                      number <= most;
    if (good)
      to = number;
    else
      value(node.where, path, config::describe(node), fmt::format("{} to {}", least, most));
    return good;
  }

  void read_settings(const Node& node, const std::string& path, std::vector<Setting>& to) {
    if (!is_map(node, path, "a map of keys of the network file")) return;
    for (const auto& entry : node.entries) {
      std::erase_if(to, [&](const Setting& s) { return s.key == entry.key; });
      to.push_back({entry.key, config::to_flow(entry.value), entry.where});
    }
  }

  void read_axes(const Node& node, const std::string& path, std::vector<Axis>& to) {
    if (!is_map(node, path, "a map of keys of the network file, with lists of values")) return;
    to.clear();
    for (const auto& entry : node.entries) {
      const std::string key = config::join_path(path, entry.key);
      if (!is_list(entry.value, key)) continue;
      Axis axis{entry.key, {}};
      for (const Node& item : entry.value.items) {
        Setting setting{entry.key, config::to_flow(item), item.where};
        for (const Setting& other : axis.values) {
          if (other.value == setting.value)
            value(item.where, key, setting.value + " twice", "each value once");
        }
        axis.values.push_back(std::move(setting));
      }
      to.push_back(std::move(axis));
    }
  }

  void read_seeds(const Node& node, const std::string& path, CampaignExperiment& to) {
    to.seeds.clear();
    if (!is_list(node, path)) return;
    for (const Node& item : node.items) {
      std::uint64_t seed = 0;
      if (!read_number(item, path, 0, ~std::uint64_t{0} >> 1, seed)) continue;
      if (std::find(to.seeds.begin(), to.seeds.end(), seed) != to.seeds.end())
        value(item.where, path, item.text + " twice", "each seed once");
      to.seeds.push_back(seed);
    }
  }

  void read_routings(const Node& node, const std::string& path, CampaignExperiment& to) {
    to.routings.clear();
    to.routings_where = node.where;
    if (!is_list(node, path)) return;
    for (const Node& item : node.items) {
      std::string label;
      read_text(item, path, label);
      to.routings.push_back(label);
    }
  }

  /// The keys that an experiment and its `quick` have in common.
  void read_body(Node& map, const std::string& path, CampaignExperiment& to) {
    const auto at = [&path](const char* key) { return config::join_path(path, key); };
    if (const Node* node = map.find("routings")) read_routings(*node, at("routings"), to);
    if (const Node* node = map.find("set")) read_settings(*node, at("set"), to.settings);
    if (const Node* node = map.find("axes")) read_axes(*node, at("axes"), to.axes);
    const Node *seeds = map.find("seeds"), *repetitions = map.find("repetitions");
    if (seeds != nullptr && repetitions != nullptr)
      value(repetitions->where, at("repetitions"), "seeds as well", "one of the two");
    if (repetitions != nullptr) {
      to.seeds.clear();
      read_number(*repetitions, at("repetitions"), 1, kMostRepetitions, to.repetitions);
    }
    if (seeds != nullptr) {
      to.repetitions = 1;
      read_seeds(*seeds, at("seeds"), to);
    }
    if (const Node* node = map.find("train")) {
      to.trains = true;
      if (!node->is_null()) read_settings(*node, at("train"), to.training);
    }
  }

  void read_experiment(Node& node, const std::string& path, Campaign& campaign) {
    if (!is_map(node, path, "a map with name and file")) return;
    check_keys(node, path, kExperimentKeys);
    CampaignExperiment e;
    e.where = node.where;
    read_name(node, path, "name", e.name);
    if (node.find("name") == nullptr)
      value(node.where, config::join_path(path, "name"), "nothing", "a name");
    for (const auto& other : campaign.experiments) {
      if (!e.name.empty() && other.name == e.name)
        value(node.find("name")->where, config::join_path(path, "name"), e.name + " twice",
              "each name once");
    }
    std::string file;
    if (const Node* named = node.find("file")) {
      read_text(*named, config::join_path(path, "file"), file);
      e.file_where = named->where;
    } else {
      value(node.where, config::join_path(path, "file"), "nothing", "a network description (YAML)");
    }
    e.file = (fs::absolute(file_).parent_path() / file).lexically_normal();
    read_body(node, path, e);
    bool leave_out = false;
    if (Node* quick = node.find("quick")) {
      const std::string at = config::join_path(path, "quick");
      CampaignExperiment changed = e;  // what is wrong is said in any case
      if (is_map(*quick, at, "a map of what is different with --quick")) {
        check_keys(*quick, at, kQuickKeys);
        read_body(*quick, at, changed);
        if (const Node* out = quick->find("leave_out")) {
          if (out->text != "true" && out->text != "false")
            value(out->where, at + ".leave_out", config::describe(*out), "true or false");
          leave_out = out->text == "true";
        }
      }
      if (quick_) e = changed;
    }
    if (!quick_ || !leave_out) campaign.experiments.push_back(std::move(e));
  }

  const fs::path file_;
  const bool quick_;
};

}  // namespace

Result<Campaign> read_campaign(const fs::path& file, bool quick) {
  const auto text = read_file(file);
  if (!text) return text.errors();
  Diagnostics errors;
  auto root = config::parse_tree(text.value(), file.string(), "config.syntax", false, errors);
  if (!root) return errors;
  config::drop_duplicate_keys(*root, "", errors);
  Reader reader(file, quick);
  Campaign campaign = reader.read(*root);
  errors.insert(errors.end(), reader.errors.begin(), reader.errors.end());
  if (!errors.empty()) return errors;
  return campaign;
}

Diagnostics placed(Diagnostics errors, const std::vector<Setting>& settings) {
  for (Diagnostic& error : errors) {
    const auto at = std::find_if(settings.begin(), settings.end(), [&](const Setting& s) {
      return error.where.file == config::override_place(s.text());
    });
    if (at != settings.end()) error.where = at->where;
  }
  return errors;
}

}  // namespace hopwise::app
