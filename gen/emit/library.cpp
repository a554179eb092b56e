// SPDX-License-Identifier: Apache-2.0
// Which files of the SystemVerilog library some modules need: those that they name, those that
// these name, and so on.
#include <cctype>
#include <functional>
#include <set>

#include "emit/parts.hpp"

namespace hopwise::emit {

namespace {

bool of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The names in SystemVerilog text, in their order, without comments.
std::vector<std::string> library_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at + 2), text.size());
    } else if (of_name(text[at])) {
      std::size_t end = at;
      while (end < text.size() && of_name(text[end])) ++end;
      names.push_back(text.substr(at, end - at));
      at = end;
    } else {
      ++at;
    }
  }
  return names;
}

/// Module, package or header -> its path in the library.
std::map<std::string, std::string> paths_by_name() {
  std::map<std::string, std::string> paths;
  for (const auto& [path, text] : rtl_library()) {
    const std::size_t name = path.rfind('/') + 1;
    paths.emplace(path.substr(name, path.find('.', name) - name), path);
  }
  return paths;
}

std::map<std::string, std::string>& library() {
  static std::map<std::string, std::string> files = builtin_rtl();
  return files;
}

}  // namespace

const std::map<std::string, std::string>& rtl_library() { return library(); }

std::vector<std::string> extend_rtl_library(const std::map<std::string, std::string>& files) {
  const std::map<std::string, std::string> known = paths_by_name();
  std::vector<std::string> refused;
  for (const auto& [name, text] : files) {
    if (known.contains(name.substr(0, name.find('.'))))
      refused.push_back(name);
    else
      library().emplace("extension/" + name, text);
  }
  return refused;
}

std::vector<std::string> library_closure(const std::vector<std::string>& texts, bool simulation) {
  static const std::map<std::string, std::string> paths = paths_by_name();
  std::vector<std::string> files;
  std::set<std::string> seen;
  const std::function<void(const std::string&)> add = [&](const std::string& text) {
    for (const std::string& name : library_names(text)) {
      const auto found = paths.find(name);
      if (found == paths.end() || !seen.insert(name).second) continue;
      if (!simulation && found->second.starts_with("simulation/")) continue;
      add(rtl_library().at(found->second));
      files.push_back(found->second);
    }
  };
  for (const auto& text : texts) add(text);
  return files;
}

std::vector<std::string> whole_library() {
  std::vector<std::string> texts;
  for (const auto& [path, text] : rtl_library()) {
    if (!path.starts_with("simulation/")) texts.push_back(path + "\n" + text);
  }
  return library_closure(texts, false);
}

}  // namespace hopwise::emit
