// SPDX-License-Identifier: Apache-2.0
#include "app/bundles.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files.hpp"

namespace hopwise::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kBuilt = "obj";  // by the bundle's Makefile
constexpr std::size_t kMostNamed = 10;

using Hashes = std::map<std::string, std::string>;  // path -> hash

Diagnostic cannot_read(const fs::path& path, const std::string& why) {
  return {"app.cannot-read", {path.string(), 0, 0}, "", why, "a file", ""};
}

Diagnostic not_a_bundle(const fs::path& directory, const std::string& found) {
  return {"app.not-a-bundle",
          {directory.string(), 0, 0},
          "",
          found,
          "a new directory, an empty one, or a bundle to replace",
          ""};
}

/// Of a path in a bundle: relative, and down from there.
bool stays_inside(const std::string& text) {
  const fs::path path(text);
  return !text.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) {
           return part.empty() || part == "." || part == "..";
         });
}

Result<Hashes> listed_files(const std::string& text, const std::string& file) {
  const auto bad = [&file](const std::string& key, const std::string& found) {
    return Diagnostic{
        "app.bad-manifest",
        {file, 0, 0},
        key,
        found,
        "the manifest.json that `generate` wrote",
        "which files are the bundle's is not known any more: choose another directory"};
  };
  const auto manifest = nlohmann::json::parse(text, nullptr, false);
  if (!manifest.is_object()) return bad("", "no JSON object");
  if (const auto by = manifest.find("generator"); by == manifest.end() || *by != "hopwise")
    return bad("generator", "another program's");
  const auto files = manifest.find("files");
  if (files == manifest.end() || !files->is_object()) return bad("files", "no object");
  Hashes hashes;
  for (const auto& [path, hash] : files->items()) {
    if (!stays_inside(path)) return bad("files", "'" + path + "', which leads out of the bundle");
    if (!hash.is_string()) return bad("files." + path, "no hash");
    hashes.emplace(path, hash.get<std::string>());
  }
  // Those of earlier versions have none.
  if (manifest.contains("hash") && !emit::is_sealed(text))
    return bad("hash", "a manifest that was edited");
  return hashes;
}

bool has_hash(const fs::path& path, const std::string& hash) {
  const auto text = read_file(path);
  return text && text_hash(text.value()) == hash;
}

fs::file_type type_of(const fs::path& path) {
  std::error_code none;  // then there is none
  return fs::symlink_status(path, none).type();
}

/// What is in `directory`, or in `below` in it; links are not followed.
std::error_code compare(const fs::path& directory, const fs::path& below, const Hashes& listed,
                        std::set<std::string>& seen, BundleChanges& changes) {
  std::error_code error;
  for (fs::directory_iterator at(directory / below, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path path = below / at->path().filename();
    const std::string name = path.generic_string();
    const fs::file_type type = type_of(at->path());
    const auto next = listed.lower_bound(name + "/");
    const bool leads_to_files = next != listed.end() && next->first.starts_with(name + "/");
    if (type == fs::file_type::directory && name == kBuilt) continue;
    if (type == fs::file_type::directory && leads_to_files) {
      error = compare(directory, path, listed, seen, changes);
      if (error) break;
      continue;
    }
    const auto file = listed.find(name);
    if (type == fs::file_type::regular && name == kManifest) continue;
    if (type != fs::file_type::regular || file == listed.end()) {
      changes.added.push_back(type == fs::file_type::directory ? name + "/" : name);
      continue;
    }
    seen.insert(name);
    if (!has_hash(at->path(), file->second)) changes.changed.push_back(name);
  }
  return error;
}

/// Of a directory without a manifest.
Diagnostics check_empty(const fs::path& directory) {
  BundleChanges all;
  std::set<std::string> none;
  if (const auto error = compare(directory, "", {}, none, all))
    return {cannot_read(directory, error.message())};
  if (type_of(directory / kBuilt) == fs::file_type::directory) all.added.push_back("obj/");
  if (all.added.empty()) return {};
  std::sort(all.added.begin(), all.added.end());
  std::string names;
  for (std::size_t i = 0; i < std::min(all.added.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : ", ") + all.added[i];
  if (all.added.size() > kMostNamed)
    names += fmt::format(" and {} more", all.added.size() - kMostNamed);
  return {not_a_bundle(directory, "something that is not a bundle: " + names)};
}

/// A place beside `directory` that nobody else has.
fs::path beside(const fs::path& directory, const char* what) {
  return directory.string() + fmt::format(".{}.{}", getpid(), what);
}

}  // namespace

Result<BundleChanges> compare_bundle(const fs::path& directory) {
  const fs::path manifest = directory / kManifest;
  BundleChanges changes;
  if (const fs::file_type type = type_of(manifest);
      type != fs::file_type::regular && type != fs::file_type::not_found)
    return cannot_read(manifest, "no regular file");
  const auto text = read_file(manifest);
  if (!text) return text.errors();
  const auto listed = listed_files(text.value(), manifest.string());
  if (!listed) return listed.errors();
  std::set<std::string> seen;
  if (const auto error = compare(directory, "", listed.value(), seen, changes))
    return cannot_read(directory, error.message());
  for (const auto& [path, hash] : listed.value()) {
    if (!seen.contains(path)) changes.missing.push_back(path);
  }
  std::sort(changes.changed.begin(), changes.changed.end());
  std::sort(changes.added.begin(), changes.added.end());
  return changes;
}

Diagnostics check_replaceable(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) return {};
  if (status.type() != fs::file_type::directory)
    return {not_a_bundle(directory, error ? error.message() : "a file")};
  if (type_of(directory / kManifest) == fs::file_type::not_found) return check_empty(directory);
  auto compared = compare_bundle(directory);
  if (!compared) return compared.errors();
  const BundleChanges& changes = compared.value();
  std::vector<std::pair<std::string, const char*>> lost;
  for (const auto& path : changes.changed) lost.emplace_back(path, "edited since it was generated");
  for (const auto& path : changes.added) lost.emplace_back(path, "added since it was generated");
  Diagnostics errors;
  for (std::size_t i = 0; i < std::min(lost.size(), kMostNamed); ++i) {
    errors.push_back({"app.changed-bundle",
                      {(directory / lost[i].first).string(), 0, 0},
                      "",
                      lost[i].second,
                      "what `generate` wrote, and obj/",
                      ""});
  }
  if (errors.empty()) return {};
  if (lost.size() > kMostNamed)
    errors.back().hint = fmt::format("and {} more; ", lost.size() - kMostNamed);
  errors.back().hint += "nothing is written: move them away, or choose another directory";
  return errors;
}

fs::path bundle_directory(const fs::path& output, const std::string& label) {
  return output / "bundles" / label;
}

Diagnostics write_bundle(const fs::path& directory, const emit::Files& files) {
  if (Diagnostics lost = check_replaceable(directory); !lost.empty()) return lost;
  std::error_code error;
  const fs::path whole = fs::absolute(directory, error);
  fs::path target = error ? whole : fs::weakly_canonical(whole, error);  // of a link: what it names
  if (!target.has_filename()) target = target.parent_path();
  const fs::path fresh = beside(target, "new"), old = beside(target, "old");
  bool mine = false;  // fresh is
  const auto give_up = [&] {
    std::error_code ignored;
    if (mine) fs::remove_all(fresh, ignored);
    return Diagnostics{{"app.cannot-write",
                        {directory.string(), 0, 0},
                        "",
                        error ? error.message() : fresh.string() + ", which is in the way",
                        "a place where files can be written",
                        ""}};
  };
  if (!error) fs::create_directories(target.parent_path(), error);
  if (!error) mine = fs::create_directory(fresh, error);
  if (!mine) return give_up();
  for (const auto& [path, text] : files) {
    if (Diagnostics failed = write_file(fresh / path, text); !failed.empty()) {
      fs::remove_all(fresh, error);
      return failed;
    }
  }
  fs::rename(fresh, target, error);
  if (!error) return {};  // there was nothing, or an empty directory
  if (error != std::errc::directory_not_empty && error != std::errc::file_exists) return give_up();
  fs::rename(target, old, error);
  if (error) return give_up();
  fs::rename(fresh, target, error);
  if (error) {
    std::error_code ignored;
    fs::rename(old, target, ignored);
    return give_up();
  }
  fs::remove_all(old, error);
  return {};
}

Diagnostics write_bundles(const fs::path& output, const std::vector<Simulated>& networks) {
  for (const Simulated& n : networks) {
    if (n.proven->simulation_only()) continue;
    Diagnostics failed =
        write_bundle(bundle_directory(output, n.label), emit::emit_bundle(*n.proven));
    if (!failed.empty()) return failed;
  }
  return {};
}

}  // namespace hopwise::app
