// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/netlist.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

namespace hopwise::lanes {

namespace {

using Json = nlohmann::json;

// Numbers of nets in Yosys' text begin with 2 and are unique in a module; here too.
Bits read_bits(const Json& bits, Bit& nets) {
  Bits all;
  for (const Json& bit : bits) {
    if (bit.is_string())
      all.push_back(bit == "1" ? kOne : kZero);
    else
      all.push_back(bit.get<Bit>());
    nets = std::max(nets, all.back() + 1);
  }
  return all;
}

Json bits_json(const Bits& bits) {
  Json all = Json::array();
  for (const Bit bit : bits) {
    if (bit == kZero || bit == kOne)
      all.push_back(bit == kOne ? "1" : "0");
    else
      all.push_back(bit);
  }
  return all;
}

}  // namespace

const Bits& Cell::pin(const std::string& which) const {
  const auto found = pins.find(which);
  if (found == pins.end()) throw std::runtime_error(type + " without a pin " + which);
  return found->second;
}

std::uint64_t Cell::number(const std::string& which) const {
  const auto found = parameters.find(which);
  if (found == parameters.end()) return 0;
  std::uint64_t value = 0;
  for (const char digit : found->second) value = value << 1 | (digit == '1' ? 1u : 0u);
  return value;
}

bool Cell::flag(const std::string& which, std::size_t i) const {
  const auto found = parameters.find(which);
  return found != parameters.end() && i < found->second.size() &&
         found->second[found->second.size() - 1 - i] == '1';
}

Bits Netlist::fresh(std::size_t width) {
  Bits bits(width);
  for (Bit& bit : bits) bit = fresh();
  return bits;
}

const Port* Netlist::port(const std::string& name) const {
  const auto found =
      std::find_if(ports.begin(), ports.end(), [&](const Port& p) { return p.name == name; });
  return found == ports.end() ? nullptr : &*found;
}

bool drives(const Cell& cell, const std::string& pin) {
  if (cell.type == "$mem_v2") return pin == "RD_DATA";
  if (is_register(cell)) return pin == "Q";
  if (is_hosted(cell)) return pin.ends_with("_o");
  return pin == "Y" || pin == "X" || pin == "CO";
}

bool is_hosted(const Cell& cell) { return !cell.type.starts_with('$'); }

bool is_register(const Cell& cell) {
  return cell.type == "$dff" || cell.type == "$dffe" || cell.type == "$adff" ||
         cell.type == "$adffe";
}

namespace {

/// A module with parameters has a copy for each set of values, under a name that is made up.
void restore_name(Cell& cell, const Json& modules) {
  const auto module = modules.find(cell.type);
  if (module == modules.end() || !module->contains("parameter_default_values")) return;
  for (const auto& [key, value] : module->at("parameter_default_values").items())
    cell.parameters.emplace(key, value.get<std::string>());
  const std::string name = module->at("attributes").at("hdlname");
  cell.type = name.substr(name.starts_with('\\') ? 1 : 0);
}

}  // namespace

Netlist read_netlist(const std::string& text, const std::string& top) try {
  const Json modules = Json::parse(text).at("modules");
  const Json& module = modules.at(top);
  Netlist n;
  n.top = top;
  for (const auto& [name, port] : module.at("ports").items())
    n.ports.push_back({name, port.at("direction") == "input", read_bits(port.at("bits"), n.nets)});
  for (const auto& [name, cell] : module.at("cells").items()) {
    Cell c{name, cell.at("type"), {}, {}};
    for (const auto& [key, value] : cell.at("parameters").items())
      c.parameters.emplace(key, value.get<std::string>());
    for (const auto& [pin, bits] : cell.at("connections").items())
      c.pins.emplace(pin, read_bits(bits, n.nets));
    restore_name(c, modules);
    n.cells.push_back(std::move(c));
  }
  return n;
} catch (const Json::exception& error) {
  throw std::runtime_error("not a netlist of " + top + ": " + error.what());
}

std::string write_netlist(const Netlist& n) {
  Json ports = Json::object(), cells = Json::object();
  for (const Port& port : n.ports) {
    ports[port.name] = {{"direction", port.input ? "input" : "output"},
                        {"bits", bits_json(port.bits)}};
  }
  for (const Cell& cell : n.cells) {
    Json pins = Json::object(), directions = Json::object();
    for (const auto& [pin, bits] : cell.pins) {
      pins[pin] = bits_json(bits);
      directions[pin] = drives(cell, pin) ? "output" : "input";
    }
    cells[cell.name] = {{"hide_name", 0},
                        {"type", cell.type},
                        {"parameters", cell.parameters},
                        {"attributes", Json::object()},
                        {"port_directions", directions},
                        {"connections", pins}};
  }
  const Json module = {{"attributes", Json::object()},
                       {"ports", ports},
                       {"cells", cells},
                       {"netnames", Json::object()}};
  return Json{{"creator", "hopwise"}, {"modules", {{n.top, module}}}}.dump();
}

}  // namespace hopwise::lanes
