// SPDX-License-Identifier: Apache-2.0
#include "app/extensions.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/code_hash.hpp"
#include "app/files.hpp"
#include "app/include/hopwise/extension.hpp"
#include "app/network.hpp"
#include "app/places.hpp"
#include "app/progress.hpp"
#include "emit/bundle.hpp"
#include "support/cache.hpp"
#include "support/hash.hpp"
#include "synth/src/process.hpp"

namespace hopwise::app {

namespace {

namespace fs = std::filesystem;
using Texts = std::map<std::string, std::string>;  // file name -> text

Diagnostic fault(const char* code, const fs::path& where, std::string found, std::string allowed,
                 std::string hint = "") {
  return {code,           {where.string(), 0, 0}, "--with", std::move(found), std::move(allowed),
          std::move(hint)};
}

struct Sources {
  Texts code, units;  // C++ and its headers; SystemVerilog
};

Result<Sources> read_sources(const fs::path& directory) {
  std::error_code error;
  fs::directory_iterator entries(directory, error);
  if (error)
    return fault("extension.directory", directory, error.message(),
                 "the directory of an extension");
  Sources sources;
  Diagnostics errors;
  for (const auto& entry : entries) {
    const fs::path& path = entry.path();
    const std::string kind = path.extension().string();
    if (kind == ".cpp" || kind == ".hpp" || kind == ".sv") {
      auto text = read_file(path);
      if (!text) return text.errors();
      (kind == ".sv" ? sources.units : sources.code)
          .emplace(path.filename().string(), std::move(text).value());
    } else if (kind != ".md" && kind != ".yaml") {
      errors.push_back(fault("extension.file", path, "neither code nor a page nor an example",
                             ".cpp, .hpp, .sv, .md, .yaml"));
    }
  }
  if (errors.empty() && sources.code.empty())
    errors.push_back(fault("extension.directory", directory, "no C++ file", "one at least"));
  if (!errors.empty()) return errors;
  return sources;
}

/// The text of every header that an extension can include.
std::string header_texts(const std::vector<fs::path>& directories) {
  std::map<fs::path, std::string> texts;
  for (const fs::path& directory : directories) {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.path().extension() == ".hpp") texts.emplace(entry.path(), read_text(entry.path()));
    }
  }
  std::string all;
  for (const auto& [path, text] : texts) all += text;
  return all;
}

int run(const std::vector<std::string>& command, const fs::path& log) {
  return synth::run_process(command, fs::current_path(), log, [] { return false; }).status;
}

/// The shared library of these files, compiled unless it is in the cache.
Result<fs::path> compile(const fs::path& directory, const Texts& code, const fs::path& cache,
                         bool own_cache) try {
  const std::vector<fs::path> includes = header_directories();
  if (includes.empty())
    return fault("extension.headers", directory, "no include/hopwise beside the command's bin/",
                 "an installed command, or one in its build tree");
  if (const Diagnostics closed = open_cache(cache, own_cache); !closed.empty()) return closed;
  const fs::path log = fs::absolute(cache) / fmt::format("extension.{}.log", getpid());
  write_text(log, "");
  if (run({"g++", "--version"}, log) != 0)
    return fault("extension.compiler", directory, "no g++", "g++ on the PATH",
                 "Debian: apt-get install g++ libfmt-dev");
  std::vector<std::string> command = {"g++",     "-std=c++20", "-O1",     "-Wall",
                                      "-Wextra", "-fPIC",      "-shared", "-DFMT_SHARED"};
  std::uint64_t h = fingerprint(kFnv1aStart, HOPWISE_VERSION);
  h = fingerprint(h, read_text(log));
  h = fingerprint(h, header_texts(includes));
  for (const auto& [name, text] : code) h = fingerprint(fingerprint(h, name), text);
  const fs::path home = fs::absolute(cache) / fmt::format("extension-{:016x}", h);
  const fs::path library = home / "extension.so";
  if (is_intact(library)) {
    fs::remove(log);
    return library;
  }
  for (const fs::path& include : includes) {
    command.push_back("-I");
    command.push_back(include.string());
  }
  for (const auto& [name, text] : code) {
    if (name.ends_with(".cpp")) command.push_back((directory / name).string());
  }
  // Beside its place and moved there whole, so that a cache never holds half a library.
  const fs::path work = home.string() + fmt::format(".{}", getpid());
  fs::remove_all(work);
  fs::create_directory(work);
  command.insert(command.end(), {"-o", (work / "extension.so").string()});
  Spinner spinner;
  spinner.say(fmt::format("{}: compiling the extension", directory.filename().string()));
  const int status = run(command, log);
  spinner.stop();
  const std::string output = read_text(log);
  fs::remove(log);
  if (status != 0) {
    fs::remove_all(work);
    return fault("extension.compiler", directory, last_lines(output, 25),
                 "C++20 that compiles against the headers of this Hopwise",
                 "see docs/extending.md");
  }
  keep(work, home, "extension.so");
  return library;
} catch (const fs::filesystem_error& error) {
  return cache_failure(error);
}

}  // namespace

Extensions::Extensions() {
  const config::Catalogue own = builtin_catalogue();
  kinds_.assign(own.kinds.begin(), own.kinds.end());
  families_.assign(own.families.begin(), own.families.end());
  patterns_.assign(own.patterns.begin(), own.patterns.end());
}

Diagnostics Extensions::load(const std::vector<std::string>& directories, const fs::path& cache,
                             bool own_cache) {
  for (const std::string& directory : directories) {
    if (Diagnostics errors = load(fs::path(directory), cache, own_cache); !errors.empty())
      return errors;
  }
  return {};
}

Diagnostics Extensions::load(const fs::path& directory, const fs::path& cache, bool own_cache) {
  auto sources = read_sources(directory);
  if (!sources) return sources.errors();
  std::uint64_t code = kFnv1aStart;
  for (const auto& [name, text] : sources.value().code)
    code = fingerprint(fingerprint(code, name), text);
  add_to_code_hash(code);
  auto library = compile(directory, sources.value().code, cache, own_cache);
  if (!library) return library.errors();
  void* handle = dlopen(library.value().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return {fault("extension.load", directory, dlerror(), "functions that the headers declare")};
  const auto* version = static_cast<const unsigned*>(dlsym(handle, "hopwise_extension_version"));
  const auto entry = reinterpret_cast<const Extension& (*)()>(dlsym(handle, "hopwise_extension"));
  if (version == nullptr || entry == nullptr)
    return {fault("extension.load", directory, "no HOPWISE_EXTENSION(...)",
                  "one, in one of its files")};
  if (*version != kExtensionVersion)
    return {fault("extension.version", directory, fmt::format("version {}", *version),
                  fmt::format("version {}", kExtensionVersion))};
  Diagnostics errors;
  const Extension& extension = entry();
  for (const topology::Kind* kind : extension.kinds) {
    if (topology::find_kind(kinds_, kind->name) != nullptr)
      errors.push_back(fault("extension.name", directory,
                             fmt::format("another kind of topology '{}'", kind->name),
                             "a new name"));
    kinds_.push_back(kind);
  }
  for (const routing::Family* family : extension.families) {
    for (const routing::Variant& variant : family->variants) {
      if (routing::find_variant(families_, variant.name) != nullptr)
        errors.push_back(fault("extension.name", directory,
                               fmt::format("another routing '{}'", variant.name), "a new name"));
    }
    families_.push_back(family);
  }
  const std::vector<std::string_view> names = spec::names_of(patterns_);
  for (const spec::PatternDeclaration* pattern : extension.patterns) {
    if (std::find(names.begin(), names.end(), pattern->name) != names.end())
      errors.push_back(fault("extension.name", directory,
                             fmt::format("another traffic pattern '{}'", pattern->name),
                             "a new name"));
    patterns_.push_back(pattern);
  }
  for (const std::string& name : emit::extend_rtl_library(sources.value().units))
    errors.push_back(fault("extension.name", directory / name, "a file of the library",
                           "a new name", "module and file have one name"));
  return errors;
}

}  // namespace hopwise::app
