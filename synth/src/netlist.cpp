// SPDX-License-Identifier: Apache-2.0
#include "synth/src/netlist.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace hopwise::synth {

CellCounts read_stat(const std::string& text) {
  CellCounts counts;
  std::istringstream lines(text);
  std::string line, module;
  bool cells = false;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    if (first == "===") {
      if (second == "design" && third == "hierarchy") break;
      module = second;
      counts[module];
      cells = false;
    } else if (line.find("Number of cells:") != std::string::npos) {
      cells = true;
    } else if (cells && !second.empty() && third.empty() &&
               std::all_of(second.begin(), second.end(), ::isdigit)) {
      counts[module][first] = std::stoull(second);
    } else {
      cells = false;
    }
  }
  return counts;
}

namespace {

/// A parameter of Yosys' JSON: a string of bits, or a text.
std::string value_of(const std::string& bits) {
  if (bits.find_first_not_of("01") != std::string::npos || bits.empty()) return bits;
  const std::size_t first = bits.find('1');
  if (first == std::string::npos) return "0";
  const std::string digits = bits.substr(first);
  if (digits.size() <= 64) return std::to_string(std::stoull(digits, nullptr, 2));
  std::string hex;
  for (std::size_t end = digits.size(); end > 0; end -= std::min<std::size_t>(4, end)) {
    const std::size_t begin = end - std::min<std::size_t>(4, end);
    hex.insert(hex.begin(),
               "0123456789abcdef"[std::stoul(digits.substr(begin, end - begin), nullptr, 2)]);
  }
  return "0x" + hex;
}

/// Names each module by what its parameters have different from other modules of the same name.
void label(Hierarchy& hierarchy) {
  std::map<std::string, std::vector<Module*>> variants;
  for (auto& [id, module] : hierarchy) variants[module.name].push_back(&module);
  for (auto& [name, modules] : variants) {
    std::set<std::string> telling;
    for (const auto* module : modules) {
      for (const auto& [key, value] : module->parameters) {
        if (value != modules.front()->parameters[key]) telling.insert(key);
      }
    }
    for (auto* module : modules) {
      std::string list;
      for (const auto& key : telling)
        list += fmt::format("{}{}={}", list.empty() ? "" : ", ", key, module->parameters[key]);
      module->label = list.empty() ? name : fmt::format("{}({})", name, list);
    }
  }
}

void count(Hierarchy& hierarchy, const std::string& id) {
  Module& module = hierarchy.at(id);
  ++module.count;
  for (const auto& [instance, type] : module.instances) count(hierarchy, type);
}

}  // namespace

std::map<std::string, std::uint64_t> all_cells(const CellCounts& counts,
                                               const std::string& module) {
  std::map<std::string, std::uint64_t> sum;
  for (const auto& [type, n] : counts.at(module)) {
    if (!counts.contains(type)) {
      sum[type] += n;
      continue;
    }
    for (const auto& [inner, times] : all_cells(counts, type)) sum[inner] += times * n;
  }
  return sum;
}

Hierarchy read_hierarchy(const nlohmann::json& design, const std::string& top) {
  Hierarchy hierarchy;
  const nlohmann::json& modules = design.at("modules");
  for (const auto& [id, described] : modules.items()) {
    Module module;
    module.name = described.at("attributes").value("hdlname", "\\" + id).substr(1);
    if (const auto values = described.find("parameter_default_values"); values != described.end()) {
      for (const auto& [key, value] : values->items())
        module.parameters[key] = value_of(value.get<std::string>());
    }
    for (const auto& [cell, body] : described.at("cells").items()) {
      if (const std::string type = body.at("type"); modules.contains(type))
        module.instances[cell] = type;
    }
    hierarchy[id] = module;
  }
  label(hierarchy);
  count(hierarchy, top);
  return hierarchy;
}

Place place_of(const Hierarchy& hierarchy, const std::string& top, const std::string& name) {
  std::string path, id = top;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const auto& [instance, type] : hierarchy.at(id).instances) {
      const std::string inside = path.empty() ? instance : path + "." + instance;
      if (!name.starts_with(inside + ".")) continue;
      path = inside;
      id = type;
      deeper = true;
      break;
    }
  }
  return {path, hierarchy.at(id).label};
}

std::optional<Path> read_path(const std::string& report, double period_ns) {
  static const std::regex start(R"(Startpoint: (\S+))"), end(R"(Endpoint: (\S+))"),
      slack(R"((\S+)\s+slack)"), step(R"([\^v] (\S+)/\S+ \((\S+)\))");
  std::smatch from, to, left;
  if (!std::regex_search(report, from, start) || !std::regex_search(report, to, end) ||
      !std::regex_search(report, left, slack)) {
    return std::nullopt;
  }
  Path path{.from = from[1], .to = to[1], .ns = period_ns - std::stod(left[1])};
  const std::string data = report.substr(0, report.find("data arrival time"));
  for (std::sregex_iterator at(data.begin(), data.end(), step), none; at != none; ++at) {
    if ((*at)[1] != path.from && (*at)[1] != path.to) ++path.levels;
  }
  return path;
}

std::map<std::string, double> read_ends(const std::string& report, double period_ns) {
  std::map<std::string, double> ends;
  std::istringstream lines(report);
  std::string line, pin, type, verdict;
  double needed = 0, arrival = 0, slack = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    if (!(words >> pin >> type >> needed >> arrival >> slack >> verdict)) continue;
    const auto slash = pin.rfind('/');
    if (slash == std::string::npos) continue;
    double& ns = ends[pin.substr(0, slash)];
    ns = std::max(ns, period_ns - slack);
  }
  return ends;
}

namespace {

std::string unescaped(std::string name) {
  if (name.starts_with("\\")) name.erase(0, 1);
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name;
}

bool anonymous(const std::string& net) { return net.starts_with("_") && net.ends_with("_"); }

/// The memory a word of which stands beside `net` at some cell, behind buffers and inverters:
/// Yosys takes the register of a read address into the memory, and that loses its name.
std::string selected_memory(const std::string& netlist, const std::string& net) {
  static const std::regex word(R"(\\(\S+\.mem)\[)"),
      one_input(R"(^ \(\n\s+\.A\(\S+\),\n\s+\.Y\((\S+)\)\n)");
  std::vector<std::string> nets{net};
  for (std::size_t n = 0; n < nets.size(); ++n) {
    const std::string pin = "(" + nets[n] + ")";
    for (auto at = netlist.find(pin); at != std::string::npos; at = netlist.find(pin, at + 1)) {
      const std::size_t begin = netlist.rfind(" (\n", at), end = netlist.find(");\n", at);
      const std::string cell = netlist.substr(begin, end - begin);
      std::smatch found;
      if (std::regex_search(cell, found, word)) return found[1];
      if (!std::regex_search(cell, found, one_input)) continue;
      if (std::find(nets.begin(), nets.end(), found[1].str()) == nets.end())
        nets.push_back(found[1]);
    }
  }
  return "";
}

}  // namespace

std::string register_name(const std::string& netlist, const std::string& instance) {
  const std::size_t at = netlist.find(" " + instance + " (");
  if (!anonymous(instance) || at == std::string::npos) return unescaped(instance);
  const std::string body = netlist.substr(at, netlist.find(");\n", at) - at);
  static const std::regex output(R"(\.Q\((.*?)\)(,|\n|$))");
  std::smatch net;
  if (!std::regex_search(body, net, output)) return instance;
  const std::string name = unescaped(net[1]);
  if (!anonymous(name)) return name;
  const std::string memory = selected_memory(netlist, name);
  return memory.empty() ? instance : memory;
}

std::map<std::string, std::string> register_names(const std::string& netlist) {
  std::map<std::string, std::string> names;
  std::istringstream lines(netlist);
  std::string line, instance;
  while (std::getline(lines, line)) {
    if (line.ends_with(" (")) {
      std::istringstream(line) >> instance >> instance;
    } else if (const auto at = line.find(".Q("); at != std::string::npos) {
      const std::string name = unescaped(line.substr(at + 3, line.rfind(')') - at - 3));
      if (!anonymous(name)) names[instance] = name;
    }
  }
  return names;
}

std::optional<Power> read_power(const std::string& report) {
  static const std::regex total(R"(\nTotal\s+(\S+)\s+(\S+)\s+(\S+))");
  std::smatch watts;
  if (!std::regex_search(report, watts, total)) return std::nullopt;
  return Power{std::stod(watts[1]), std::stod(watts[2]), std::stod(watts[3])};
}

}  // namespace hopwise::synth
