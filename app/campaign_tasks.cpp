// SPDX-License-Identifier: Apache-2.0
#include "app/campaign_tasks.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/code_hash.hpp"
#include "app/files.hpp"
#include "probes/probes.hpp"
#include "support/hash.hpp"

namespace hopwise::app {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// Keys that a task has for itself.
const char* const kOfTask[] = {"experiment.loads", "experiment.patterns",
                               "experiment.find_saturation", "simulation.seed"};

/// A setting's file is relative to the campaign that names it.
Setting with_place(Setting setting, const std::vector<std::string>& file_keys) {
  if (std::find(file_keys.begin(), file_keys.end(), setting.key) == file_keys.end()) return setting;
  std::string word = setting.value;
  if (word.size() > 1 && word.front() == '"' && word.back() == '"')
    word = word.substr(1, word.size() - 2);
  const fs::path whole = fs::absolute(setting.where.file).parent_path() / word;
  setting.value = Json(whole.lexically_normal().string()).dump();
  return setting;
}

class Maker {
 public:
  Maker(const config::Catalogue& catalogue, std::vector<CampaignTask>& tasks)
      : catalogue_(catalogue), file_keys_(file_keys(catalogue)), tasks_(tasks) {}

  void add(const CampaignExperiment& e) {
    std::vector<std::size_t> at(e.axes.size(), 0);
    for (bool more = true; more && status == kGood;) {
      add_combination(e, at);
      more = false;
      for (std::size_t a = e.axes.size(); a-- > 0 && !more;) {
        more = ++at[a] < e.axes[a].values.size();
        if (!more) at[a] = 0;
      }
    }
  }

  Diagnostics errors;
  int status = kGood;

 private:
  void add_combination(const CampaignExperiment& e, const std::vector<std::size_t>& at) {
    std::vector<Setting> settings;
    CampaignTask task;
    for (const Setting& s : e.settings) settings.push_back(with_place(s, file_keys_));
    for (std::size_t a = 0; a < at.size(); ++a) {
      const Setting& s = e.axes[a].values[at[a]];
      settings.push_back(with_place(s, file_keys_));
      task.axes.emplace_back(s.key, s.value);
    }
    Input input{.file = e.file.string(), .overrides = {}, .catalogue = catalogue_};
    for (const Setting& s : settings) input.overrides.push_back(s.text());
    input.routings = e.routings;
    const auto experiment = load_experiment(input);
    if (!experiment) return add_errors(e, placed(experiment.errors(), settings));
    const spec::Spec& base = experiment.value().base;
    task.experiment = e.name;
    task.file = input.file;
    task.code_hash = code_hash();
    for (const Setting& s : e.training) task.training.push_back(s.text());
    for (const Setting& s : settings) {
      if (std::find(std::begin(kOfTask), std::end(kOfTask), s.key) == std::end(kOfTask))
        task.overrides.push_back(s.text());
    }
    std::vector<std::uint64_t> seeds = e.seeds;
    for (std::uint64_t r = 0; e.seeds.empty() && r < e.repetitions; ++r)
      seeds.push_back(base.simulation.seed + r);
    for (const auto& variant : experiment.value().variants) {
      const auto spec = load_variant(input, experiment.value(), variant);
      if (!spec) return add_errors(e, placed(spec.errors(), settings));
      task.routing = variant.label;
      const auto& family = routing::family_of(catalogue_.families, spec.value().network.routing);
      task.trains = e.trains && probes::probes_of(family).lesson != nullptr;
      if (!find_rtl(spec.value(), e.name + ": " + variant.label, task.rtl_hash)) return;
      for (const auto& pattern : base.experiment.patterns) {
        task.pattern = pattern;
        const bool own = spec::pattern_of(catalogue_.patterns, pattern).sets_load();
        task.loads = own ? std::vector<double>{} : base.experiment.loads;
        task.search = base.experiment.find_saturation && task.loads.size() > 1;
        task.texts = {{input.file, text_hash(experiment.value().text)}};
        const auto named = files(input, spec.value(), pattern, task.texts);
        for (const std::uint64_t seed : seeds) {
          task.seed = seed;
          task.key = key(task, experiment.value().text, named);
          tasks_.push_back(task);
        }
      }
    }
  }

  /// Errors of the file, and of what the campaign asks of it.
  void add_errors(const CampaignExperiment& e, Diagnostics found) {
    for (Diagnostic& error : found) {
      if (error.code == "app.no-such-routing") {
        error.where = e.routings_where;
        error.key = e.name + ": routings";
      }
      if (error.code == "app.cannot-read" && error.where.file == e.file.string()) {
        error.found = e.file.string() + ": " + error.found;
        error.where = e.file_where;
      }
      add_error(error);
    }
  }

  void add_error(const Diagnostic& error) {
    const auto same = [&](const Diagnostic& d) { return format(d) == format(error); };
    if (std::none_of(errors.begin(), errors.end(), same)) errors.push_back(error);
  }

  /// Networks of several experiments are proved once.
  bool find_rtl(const spec::Spec& spec, const std::string& name, std::string& hash) {
    const auto known = hashes_.find(spec.canonical_network_yaml);
    if (known != hashes_.end()) {
      hash = known->second;
      return true;
    }
    const auto network = prove_or_say(spec, catalogue_, name, ", so no task is run");
    if (!network) {
      status = kFailed;
      return false;
    }
    hash = hashes_[spec.canonical_network_yaml] = rtl_hash(*network);
    return true;
  }

  /// Hashes of the files that the description names, which are added to `texts`, too.
  std::vector<std::string> files(const Input& input, const spec::Spec& spec,
                                 const std::string& pattern,
                                 std::map<std::string, std::string>& texts) {
    std::vector<std::string> all;
    const auto add = [&](std::string_view key, const std::string& word) {
      if (word.empty()) return;
      const fs::path path = named_file(input, input.file, key, word);
      auto text = read_file(path);
      if (!text) return add_error(text.errors().front());
      all.push_back(text_hash(text.value()));
      texts[path.string()] = all.back();
    };
    const routing::Family& family = routing::family_of(catalogue_.families, spec.network.routing);
    const std::string key(probes::probes_of(family).file_key);
    if (const auto& s = spec.network.routing.settings; !key.empty() && s.has(key))
      add(routing::path_of(key), s.word(key));
    const auto& declared = spec::pattern_of(catalogue_.patterns, pattern);
    if (!declared.replays.empty())
      add(declared.replays, spec.traffic.settings.word(declared.replays));
    return all;
  }

  /// Where a file is does not matter, what is in it does.
  std::string key(const CampaignTask& task, const std::string& text,
                  const std::vector<std::string>& named) const {
    Json all = {task.code_hash, text, task.routing, task.pattern, task.seed, task.rtl_hash, named};
    for (const auto& o : task.overrides) {
      const std::string name = o.substr(0, o.find('='));
      const bool of_file =
          std::find(file_keys_.begin(), file_keys_.end(), name) != file_keys_.end();
      if (!of_file) all.push_back(o);
    }
    if (task.trains) all.push_back(task.training);
    return fmt::format("{:016x}", fnv1a(all.dump()));
  }

  const config::Catalogue& catalogue_;
  const std::vector<std::string> file_keys_;
  std::vector<CampaignTask>& tasks_;
  std::map<std::string, std::string> hashes_;
};

Json task_json(const CampaignTask& t) {
  Json axes = Json::object();
  for (const auto& [key, value] : t.axes) axes[key] = value;
  Json json = {{"key", t.key},
               {"experiment", t.experiment},
               {"axes", axes},
               {"routing", t.routing},
               {"pattern", t.pattern},
               {"seed", t.seed},
               {"loads", t.loads},
               {"search", t.search},
               {"file", t.file},
               {"texts", t.texts},
               {"rtl_hash", t.rtl_hash},
               {"code_hash", t.code_hash},
               {"overrides", t.overrides}};
  if (t.trains) json["training"] = t.training;
  return json;
}

CampaignTask read_task(const Json& json) {
  CampaignTask t;
  for (const auto& [key, value] : json.at("axes").items())
    t.axes.emplace_back(key, value.get<std::string>());
  const auto text = [&json](const char* key) { return json.at(key).get<std::string>(); };
  t.key = text("key");
  t.experiment = text("experiment");
  t.routing = text("routing");
  t.pattern = text("pattern");
  t.seed = json.at("seed").get<std::uint64_t>();
  t.loads = json.at("loads").get<std::vector<double>>();
  t.search = json.at("search").get<bool>();
  t.file = text("file");
  t.texts = json.at("texts").get<std::map<std::string, std::string>>();
  t.rtl_hash = text("rtl_hash");
  t.code_hash = text("code_hash");
  t.overrides = json.at("overrides").get<std::vector<std::string>>();
  t.trains = json.contains("training");
  if (t.trains) t.training = json.at("training").get<std::vector<std::string>>();
  return t;
}

}  // namespace

std::string CampaignTask::name() const {
  std::string text = fmt::format("{}: {}, {}, seed {}", experiment, routing, pattern, seed);
  for (const auto& [name, value] : axes) text += fmt::format(", {} {}", name, value);
  return text;
}

int make_tasks(const Campaign& campaign, const config::Catalogue& catalogue,
               std::vector<CampaignTask>& tasks) {
  Maker maker(catalogue, tasks);
  for (const CampaignExperiment& e : campaign.experiments) maker.add(e);
  if (!maker.errors.empty()) return report(maker.errors);
  return maker.status;
}

std::vector<CampaignTask> distinct(const std::vector<CampaignTask>& tasks) {
  std::vector<CampaignTask> all;
  std::map<std::string, std::size_t> places;
  for (const CampaignTask& t : tasks) {
    const auto [place, is_new] = places.emplace(t.key, all.size());
    if (is_new) {
      all.push_back(t);
      continue;
    }
    CampaignTask& known = all[place->second];
    known.search = known.search || t.search;
    known.loads.insert(known.loads.end(), t.loads.begin(), t.loads.end());
    std::sort(known.loads.begin(), known.loads.end());
    known.loads.erase(std::unique(known.loads.begin(), known.loads.end()), known.loads.end());
  }
  return all;
}

Json manifest_json(const Manifest& manifest) {
  Json json = {{"hopwise", HOPWISE_VERSION},      {"name", manifest.name},
               {"published", manifest.published}, {"file", manifest.file},
               {"quick", manifest.quick},         {"arguments", manifest.arguments}};
  Json& tasks = json["tasks"] = Json::array();
  for (const CampaignTask& t : manifest.tasks) tasks.push_back(task_json(t));
  return json;
}

Result<Manifest> read_manifest(const fs::path& directory) {
  const fs::path file = directory / kManifestFile;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return Diagnostic{"app.no-campaign",
                      {directory.string(), 0, 0},
                      "",
                      std::string("no ") + kManifestFile,
                      "a directory that `hopwise campaign run` writes to",
                      ""};
  }
  const auto text = read_file(file);
  if (!text) return text.errors();
  Manifest manifest;
  try {
    const Json json = Json::parse(text.value());
    manifest.name = json.at("name").get<std::string>();
    manifest.published = json.at("published").get<std::string>();
    manifest.file = json.at("file").get<std::string>();
    manifest.quick = json.at("quick").get<bool>();
    manifest.arguments = json.at("arguments").get<std::vector<std::string>>();
    for (const Json& task : json.at("tasks")) manifest.tasks.push_back(read_task(task));
  } catch (const Json::exception& error) {
    return Diagnostic{"app.bad-results",
                      {file.string(), 0, 0},
                      "",
                      error.what(),
                      "what `hopwise campaign run` writes",
                      "run the campaign again: finished tasks are kept"};
  }
  return manifest;
}

fs::path task_directory(const fs::path& directory, const std::string& key) {
  return directory / "tasks" / key;
}

SimulateOptions task_options(const CampaignTask& task, const fs::path& directory,
                             SimulateOptions options) {
  Input& input = options.input;
  input.file = task.file;
  input.overrides = task.overrides;
  input.overrides.push_back(fmt::format("simulation.seed={}", task.seed));
  input.overrides.push_back(fmt::format("experiment.patterns=[\"{}\"]", task.pattern));
  if (!task.loads.empty())
    input.overrides.push_back(fmt::format("experiment.loads=[{}]", fmt::join(task.loads, ",")));
  input.overrides.push_back(fmt::format("experiment.find_saturation={}", task.search));
  if (task.trains) input.overrides.push_back(fmt::format("routing.agent={}", kAgents));
  input.routings = {task.routing};
  options.output = task_directory(directory, task.key) / "run";
  options.resume = true;
  options.quiet = true;
  return options;
}

}  // namespace hopwise::app
