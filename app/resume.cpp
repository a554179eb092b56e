// SPDX-License-Identifier: Apache-2.0
#include "app/resume.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "app/code_hash.hpp"
#include "app/files.hpp"
#include "app/output.hpp"
#include "report/warnings.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

const char* const kMend =
    "--force runs all points anew; a copy of the undamaged file can be resumed";

// What the program reads of an entry; the page and the tables take anything.
struct Field {
  const char* path;
  const char* allowed;
  bool (*fits)(const Json&);
};

bool is_text(const Json& value) { return value.is_string(); }
bool is_object(const Json& value) { return value.is_object(); }
bool is_array(const Json& value) { return value.is_array(); }
bool is_number(const Json& value) { return value.is_number(); }
bool is_number_or_null(const Json& value) { return value.is_number() || value.is_null(); }
bool is_text_or_null(const Json& value) { return value.is_string() || value.is_null(); }
bool is_texts(const Json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), is_text);
}

bool is_filled(const Json& value) { return value.is_array() && !value.empty(); }

const Field kHead[] = {
    {"/hopwise", "a text", is_text},     {"/network", "an object", is_object},
    {"/config_yaml", "a text", is_text}, {"/channels", "a list", is_array},
    {"/overrides", "texts", is_texts},   {"/proofs", "a list of one or more", is_filled},
};
const Field kProof[] = {{"/routing", "a text", is_text}};
const Field kNetwork[] = {{"/routings", "texts", is_texts}};
const Field kPointFields[] = {
    {"/routing", "a text", is_text},
    {"/pattern", "a text", is_text},
    {"/offered_load", "a number", is_number},
    {"/accepted_load", "a number or null", is_number_or_null},
    {"/latency_cycles/mean", "a number or null", is_number_or_null},
    {"/seed", "a number", is_number},
    {"/failures", "texts", is_texts},
    {"/stopped", "a text", is_text},
};
const Field kSpeed[] = {
    {"/routing", "a text", is_text},
    {"/pattern", "a text", is_text},
    {"/offered_load", "a number", is_number},
};
const Field kSearchFields[] = {
    {"/routing", "a text", is_text},
    {"/pattern", "a text", is_text},
    {"/throughput", "a number", is_number},
};
const Field kCost[] = {
    {"/routing", "a text", is_text},
    {"/target", "a text", is_text},
    {"/area", "a number or null", is_number_or_null},
    {"/area_unit", "a text or null", is_text_or_null},
    {"/flip_flops", "a number or null", is_number_or_null},
    {"/ram_bits", "a number or null", is_number_or_null},
    {"/luts", "a number or null", is_number_or_null},
    {"/path_ns", "a number or null", is_number_or_null},
    {"/fmax_mhz", "a number or null", is_number_or_null},
    {"/power_mw", "a number or null", is_number_or_null},
};

/// A file of results; what it finds wrong with it first.
class Source {
 public:
  explicit Source(fs::path file) : file_(std::move(file)) {}

  const Diagnostics& errors() const { return errors_; }
  bool good() const { return errors_.empty(); }
  void at_line(unsigned line) { line_ = line; }

  void damaged(const std::string& key, const std::string& found, const std::string& allowed) {
    if (good())
      errors_ = {{"app.bad-results", {file_.string(), line_, 0}, key, found, allowed, kMend}};
  }

  /// Null where there is an error.
  Json parse(std::string_view text) {
    try {
      return Json::parse(text);
    } catch (const Json::exception& e) {
      const std::string why = e.what();
      damaged("", why.substr(why.find("] ") == std::string::npos ? 0 : why.find("] ") + 2), "JSON");
      return nullptr;
    }
  }

  void check(const Json& entry, const std::string& name, std::span<const Field> fields) {
    for (const Field& field : fields) {
      const Json::json_pointer path(field.path);
      const bool there = entry.is_object() && entry.contains(path);
      if (there && field.fits(entry.at(path))) continue;
      return damaged(name + field.path, there ? entry.at(path).type_name() : "nothing",
                     field.allowed);
    }
  }

  /// Each entry of a list that may be missing.
  void check_all(const Json& object, const std::string& key, std::span<const Field> fields) {
    if (!object.contains(key)) return;
    if (!object[key].is_array()) return damaged("/" + key, object[key].type_name(), "a list");
    for (std::size_t i = 0; i < object[key].size(); ++i)
      check(object[key][i], fmt::format("/{}/{}", key, i), fields);
  }

  void check_head(const Json& head) {
    check(head, "", kHead);
    if (!good()) return;
    check_all(head, "proofs", kProof);
    check_all(head, "networks", kNetwork);
    check_all(head, "costs", kCost);
  }

 private:
  const fs::path file_;
  unsigned line_ = 0;
  Diagnostics errors_;
};

std::string key_of(const Json& entry) {
  return Plan::key(entry["routing"].get<std::string>(), entry["pattern"].get<std::string>(),
                   entry["offered_load"].get<double>());
}

/// Adds an entry, or puts it in the place of an earlier one of the same key.
template <class Entry>
void put(std::vector<Entry>& entries, std::map<std::string, std::size_t>& places,
         const std::string& key, Entry entry) {
  const auto [place, is_new] = places.emplace(key, entries.size());
  if (is_new)
    entries.push_back(std::move(entry));
  else
    entries[place->second] = std::move(entry);
}

/// Entries as they come; a later one takes the place of an earlier one.
class Collector {
 public:
  explicit Collector(Earlier& earlier) : earlier_(earlier) {}
  void point(Json result, Json speed) {
    const std::string key = key_of(result);
    put(earlier_.points, points_, key, {std::move(result), std::move(speed)});
  }
  void search(Json entry) {
    const std::string key = curve_of(entry);
    put(earlier_.searches, searches_, key, std::move(entry));
  }

 private:
  Earlier& earlier_;
  std::map<std::string, std::size_t> points_, searches_;
};

Result<Earlier> read_journal(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return text.errors();
  Source source(file);
  Earlier earlier;
  earlier.file = file.string();
  Collector collect(earlier);
  unsigned number = 0;
  std::string_view rest = text.value();
  for (std::size_t end; source.good() && (end = rest.find('\n')) != rest.npos;) {
    source.at_line(++number);
    const Json line = source.parse(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!source.good()) break;
    if (number == 1) {
      source.check_head(line);
      earlier.head = line;
    } else if (line.contains("point") && line.contains("speed")) {
      source.check(line["point"], "/point", kPointFields);
      if (source.good()) collect.point(line["point"], line["speed"]);
    } else if (line.contains("saturation")) {
      source.check(line["saturation"], "/saturation", kSearchFields);
      if (source.good()) collect.search(line["saturation"]);
    } else {
      source.damaged("", "neither", "a point with its speed, or a saturation");
    }
  }
  source.at_line(1);
  if (number == 0) source.damaged("", "no line", "the run");
  if (!source.good()) return source.errors();
  return earlier;
}

/// The entries of speed.json by key; none where there is no such file.
Result<std::map<std::string, Json>> read_speeds(const fs::path& file) {
  std::map<std::string, Json> speeds;
  if (!fs::exists(file)) return speeds;
  const auto text = read_file(file);
  if (!text) return text.errors();
  Source source(file);
  const Json all = source.parse(text.value());
  if (source.good() && !(all.is_object() && all.contains("points")))
    source.damaged("/points", "nothing", "a list");
  if (source.good()) source.check_all(all, "points", kSpeed);
  if (!source.good()) return source.errors();
  for (const Json& s : all["points"]) speeds[key_of(s)] = s;
  return speeds;
}

Result<Earlier> read_results(const fs::path& directory) {
  const fs::path file = directory / kResultsFile;
  const auto text = read_file(file);
  if (!text) return text.errors();
  Source source(file);
  Json all = source.parse(text.value());
  if (source.good()) source.check_head(all);
  if (source.good() && !all.contains("points")) source.damaged("/points", "nothing", "a list");
  if (source.good()) source.check_all(all, "points", kPointFields);
  if (source.good()) source.check_all(all, "saturation", kSearchFields);
  if (!source.good()) return source.errors();
  auto speeds = read_speeds(directory / kSpeedFile);
  if (!speeds) return speeds.errors();
  Earlier earlier;
  earlier.file = file.string();
  Collector collect(earlier);
  for (const Json& p : all["points"]) {
    const auto speed = speeds.value().find(key_of(p));
    collect.point(p, speed == speeds.value().end() ? Json(nullptr) : speed->second);
  }
  if (all.contains("saturation")) {
    for (const Json& s : all["saturation"]) collect.search(s);
  }
  for (const char* key : {"points", "saturation", "interrupted"}) all.erase(key);
  earlier.head = std::move(all);
  return earlier;
}

/// The overrides that change what a point is, not which points there are. Of files what is in them
/// counts, which `agents_hash` and `trace_hash` tell.
std::vector<std::string> of_points(const std::vector<std::string>& overrides,
                                   const config::Catalogue& catalogue) {
  std::vector<std::string> others = file_keys(catalogue);
  others.insert(others.end(),
                {"experiment.loads", "experiment.patterns", "experiment.find_saturation"});
  std::vector<std::string> kept;
  for (const auto& o : overrides) {
    if (std::find(others.begin(), others.end(), o.substr(0, o.find('='))) == others.end())
      kept.push_back(o);
  }
  return kept;
}

Diagnostics other(const Earlier& earlier, const std::string& key, const std::string& found,
                  const std::string& now) {
  const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  return {{"app.other-results",
           {earlier.file, 0, 0},
           key,
           shown(found),
           shown(now) + ", as in this run",
           "another directory (-o) keeps both; --force runs all points anew in this one"}};
}

/// The first line that differs.
std::pair<std::string, std::string> difference(std::string_view old, std::string_view now) {
  for (unsigned number = 1;; ++number) {
    const std::string_view old_line = old.substr(0, old.find('\n')),
                           now_line = now.substr(0, now.find('\n'));
    if (old_line != now_line || old.size() == old_line.size() || now.size() == now_line.size()) {
      const auto said = [&](std::string_view line) {
        return fmt::format("line {}: \"{}\"", number, line);
      };
      return {said(old_line), said(now_line)};
    }
    old.remove_prefix(old_line.size() + 1);
    now.remove_prefix(now_line.size() + 1);
  }
}

std::string value_of(const Json& object, const std::string& key) {
  return object.contains(key) ? object[key].dump() : "";
}

}  // namespace

std::string curve_of(const Json& entry) {
  return entry["routing"].get<std::string>() + "/" + entry["pattern"].get<std::string>();
}

std::vector<std::string> merged(std::vector<std::string> now, const std::vector<std::string>& old) {
  auto place = now.begin();
  for (const auto& name : old) {
    const auto there = std::find(now.begin(), now.end(), name);
    place = (there == now.end() ? now.insert(place, name) : there) + 1;
  }
  return now;
}

Result<Earlier> read_earlier(const fs::path& directory) {
  const std::string file = earlier_file(directory);
  if (file == kJournalFile) return read_journal(directory / file);
  if (file == kResultsFile) return read_results(directory);
  if (file.empty()) return Earlier{};
  return Diagnostic{"app.bad-results",
                    {(directory / file).string(), 0, 0},
                    "",
                    fmt::format("no {} beside it", kResultsFile),
                    "all files of a run",
                    kMend};
}

Diagnostics check_same_run(const Earlier& earlier, const SimulateOptions& options,
                           const Plan& plan) {
  if (earlier.file.empty()) return {};
  const Json& head = earlier.head;
  if (head["hopwise"] != HOPWISE_VERSION)
    return other(earlier, "hopwise", head["hopwise"].get<std::string>(), HOPWISE_VERSION);
  if (const auto code = head.value("code_hash", ""); code != code_hash())
    return other(earlier, "code_hash", code, code_hash());
  if (head.contains("training"))
    return other(earlier, "training", "the run in which agents were trained", "");
  if (const auto yaml = head["config_yaml"].get<std::string>(); yaml != plan.experiment.text) {
    const auto [old, now] = difference(yaml, plan.experiment.text);
    return other(earlier, "config_yaml", old, now);
  }
  const auto& catalogue = options.input.catalogue;
  const auto old = of_points(head["overrides"].get<std::vector<std::string>>(), catalogue),
             now = of_points(options.input.overrides, catalogue);
  if (old != now) {
    return other(earlier, "overrides", fmt::format("{}", fmt::join(old, " ")),
                 fmt::format("{}", fmt::join(now, " ")));
  }
  if (const auto trace = head.value("trace_hash", ""); trace != plan.trace_hash)
    return other(earlier, "trace_hash", trace, plan.trace_hash);
  if (head.contains("loaded_tables"))
    return other(earlier, "loaded_tables", value_of(head, "loaded_tables"), "");
  if (head.contains("checked_learning") != options.check_learning) {
    return other(earlier, "checked_learning", head.contains("checked_learning") ? "true" : "",
                 options.check_learning ? "true" : "");
  }
  const Json seed = plan.experiment.base.simulation.seed;
  for (const auto& p : earlier.points) {
    if (p.result["seed"] != seed)
      return other(earlier, "seed", p.result["seed"].dump(), seed.dump());
  }
  return {};
}

Diagnostics check_same_networks(const Earlier& earlier, const Json& results) {
  if (earlier.file.empty()) return {};
  for (const Json& old : earlier.head["proofs"]) {
    for (const Json& now : results["proofs"]) {
      if (now["routing"] != old["routing"] || now == old) continue;
      for (const auto& [key, value] : now.items()) {
        if (value_of(old, key) == value.dump()) continue;
        return other(earlier, fmt::format("proofs: {}: {}", now["routing"].get<std::string>(), key),
                     value_of(old, key), value.dump());
      }
      return other(earlier, "proofs: " + now["routing"].get<std::string>(), "another proof", "");
    }
  }
  return {};
}

void keep_routings(const Earlier& earlier, Json& results) {
  if (earlier.file.empty()) return;
  std::map<std::string, Json> proofs;
  const auto labels = [&proofs](const Json& list) {
    std::vector<std::string> names;
    for (const Json& proof : list) {
      names.push_back(proof["routing"].get<std::string>());
      proofs[names.back()] = proof;
    }
    return names;
  };
  const auto old = labels(earlier.head["proofs"]), now = labels(results["proofs"]);
  Json& all = results["proofs"] = Json::array();
  for (const auto& label : merged(now, old)) all.push_back(proofs[label]);
  if (!results.contains("networks") || !earlier.head.contains("networks")) return;
  // The same files, since the descriptions are the same: one entry each.
  Json& networks = results["networks"];
  for (std::size_t i = 0; i < std::min(networks.size(), earlier.head["networks"].size()); ++i) {
    Json& routings = networks[i]["routings"];
    routings = merged(routings.get<std::vector<std::string>>(),
                      earlier.head["networks"][i]["routings"].get<std::vector<std::string>>());
  }
}

Warnings kept_warnings(const Earlier& earlier, const Plan& plan) {
  Warnings kept = plan.warnings;
  if (!earlier.head.contains("warnings")) return kept;
  const auto& patterns = plan.experiment.base.experiment.patterns;
  const auto asked = [&](const std::string& label, const std::string& pattern) {
    return std::any_of(plan.contenders.begin(), plan.contenders.end(),
                       [&](const Contender& c) { return c.label == label; }) &&
           (pattern.empty() ||
            std::find(patterns.begin(), patterns.end(), pattern) != patterns.end());
  };
  for (Warning& w : report::read_warnings(nlohmann::json(earlier.head["warnings"]))) {
    std::erase_if(w.routings, [&](const auto& label) { return asked(label, w.pattern); });
    if (!w.routings.empty() && !w.code.starts_with(report::kOfPoints)) add(kept, w);
  }
  return kept;
}

}  // namespace hopwise::app
