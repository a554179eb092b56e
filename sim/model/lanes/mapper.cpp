// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/mapper.hpp"

#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "model/lanes/words.hpp"

namespace hopwise::lanes {

namespace {

/// Computes nets on demand. A bit of a bitwise cell is made alone: words that are pieced together
/// of several signals would otherwise depend on themselves.
class Builder {
 public:
  Builder(const std::vector<Cell>& cells, const Bits& inputs) : cells_(cells) {
    for (const Bit bit : inputs) wires_.emplace(bit, circuit.gates.input());
    circuit.inputs = inputs.size();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const Bits& y = cells[c].pin("Y");
      for (std::size_t i = 0; i < y.size(); ++i) drivers_[y[i]] = {c, i};
    }
  }

  Wire make(Bit root) {
    std::vector<Bit> open = {root};
    while (!open.empty()) {
      const Bit bit = open.back();
      const auto driver = drivers_.find(bit);
      if (wires_.contains(bit) || driver == drivers_.end()) {
        wires_.emplace(bit, kFalse);
        open.pop_back();
        continue;
      }
      const auto [c, i] = driver->second;
      if (need(cells_[c], i, open)) {
        open.pop_back();
        compute(cells_[c], i);
      } else if (!entered_.insert(bit).second) {
        throw std::runtime_error("a loop of logic through " + cells_[c].name);
      }
    }
    return wires_.at(root);
  }

  Circuit circuit;

 private:
  static Bits part(const Cell& cell, const char* pin, std::size_t first, std::size_t stride) {
    Bits bits;
    if (!cell.has(pin)) return bits;
    const Bits& all = cell.pin(pin);
    for (std::size_t i = first; i < all.size(); i += stride) bits.push_back(all[i]);
    return bits;
  }

  /// Bit i of an operand, which is its highest one or 0 behind its end.
  static Bits extended(const Cell& cell, const char* pin, const char* sign, std::size_t i) {
    if (!cell.has(pin)) return {};
    const Bits& all = cell.pin(pin);
    if (i < all.size()) return {all[i]};
    const bool is_signed = cell.number("A_SIGNED") != 0 && cell.number(sign) != 0;
    return {is_signed && !all.empty() ? all.back() : kZero};
  }

  /// A, B and S as far as bit `i` of Y needs them.
  static std::array<Bits, 3> inputs_of(const Cell& cell, std::size_t i) {
    if (cell.type == "$lut") return {Bits{}, {}, cell.pin("A")};
    if (!is_bitwise(cell.type))
      return {part(cell, "A", 0, 1), part(cell, "B", 0, 1), part(cell, "S", 0, 1)};
    const bool parallel = cell.type == "$pmux";
    return {
        extended(cell, "A", cell.has("B") ? "B_SIGNED" : "A_SIGNED", i),
        parallel ? part(cell, "B", i, cell.pin("Y").size()) : extended(cell, "B", "B_SIGNED", i),
        part(cell, "S", 0, 1)};
  }

  /// Puts on `open` what is still missing; true: nothing.
  bool need(const Cell& cell, std::size_t i, std::vector<Bit>& open) const {
    bool ready = true;
    for (const Bits& bits : inputs_of(cell, i)) {
      for (const Bit bit : bits) {
        if (wires_.contains(bit)) continue;
        open.push_back(bit);
        ready = false;
      }
    }
    return ready;
  }

  Wires wires_of(const Bits& bits) const {
    Wires wires;
    for (const Bit bit : bits) wires.push_back(wires_.at(bit));
    return wires;
  }

  void compute(const Cell& cell, std::size_t i) {
    const bool lut = cell.type == "$lut", alone = is_bitwise(cell.type);
    if (!lut && !has_gates(cell.type))
      throw std::runtime_error(fmt::format("{} ({}): a kind of logic", cell.name, cell.type));
    const Bits& y = cell.pin("Y");
    const auto inputs = inputs_of(cell, i);
    Operands o{wires_of(inputs[0]),          wires_of(inputs[1]),          wires_of(inputs[2]),
               cell.number("A_SIGNED") != 0, cell.number("B_SIGNED") != 0, alone ? 1 : y.size()};
    for (std::size_t k = 0; lut && k < std::size_t{1} << o.s.size(); ++k)
      o.a.push_back(cell.flag("LUT", k) ? kTrue : kFalse);
    const Wires made = gates_of(lut ? "$bmux" : cell.type, o, circuit.gates);
    if (alone) {
      wires_.emplace(y[i], made.front());
    } else {
      for (std::size_t k = 0; k < y.size(); ++k) wires_.emplace(y[k], made[k]);
    }
  }

  const std::vector<Cell>& cells_;
  std::unordered_map<Bit, Wire> wires_ = {{kZero, kFalse}, {kOne, kTrue}};
  std::unordered_map<Bit, std::pair<std::size_t, std::size_t>> drivers_;
  std::unordered_set<Bit> entered_;
};

/// The lines of a BLIF text, joined where one ends in a backslash, in words.
std::vector<std::vector<std::string>> lines_of(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream stream(text);
  bool continued = false;
  for (std::string line; std::getline(stream, line);) {
    const bool more = line.ends_with('\\');
    if (more) line.pop_back();
    std::istringstream words(line);
    std::vector<std::string> split(std::istream_iterator<std::string>(words), {});
    if (continued)
      lines.back().insert(lines.back().end(), split.begin(), split.end());
    else if (!split.empty() && !split.front().starts_with('#'))
      lines.push_back(std::move(split));
    continued = more;
  }
  return lines;
}

/// One line of a cover: where the inputs match `row`, the table is `value`.
void cover(Table& table, const std::string& row, bool value) {
  for (unsigned i = 0; i < 1u << table.inputs; ++i) {
    bool matches = true;
    for (unsigned k = 0; k < table.inputs; ++k)
      matches &= row[k] == '-' || (row[k] == '1') == ((i >> k & 1) != 0);
    if (matches)
      table.truth =
          static_cast<std::uint8_t>(value ? table.truth | 1u << i : table.truth & ~(1u << i));
  }
}

}  // namespace

Circuit make_circuit(const std::vector<Cell>& cells, const Bits& inputs, const Bits& outputs) {
  Builder builder(cells, inputs);
  for (const Bit bit : outputs) builder.circuit.outputs.push_back(builder.make(bit));
  return std::move(builder.circuit);
}

std::string write_blif(const Circuit& circuit) {
  const std::vector<Gate>& gates = circuit.gates.all();
  std::vector<bool> used(gates.size());
  for (const Wire wire : circuit.outputs) used[wire / 2] = true;
  for (std::size_t g = gates.size(); g-- > 0;) {
    if (!used[g] || gates[g].kind < Gate::Kind::kAnd) continue;
    for (const Wire wire : {gates[g].a, gates[g].b, gates[g].c}) used[wire / 2] = true;
  }
  std::string text = ".model logic\n.inputs";
  const auto name = [&](Wire wire) {
    const std::size_t g = wire / 2;
    return g <= circuit.inputs ? fmt::format("i{}", g - 1) : fmt::format("n{}", g);
  };
  for (std::size_t i = 0; i < circuit.inputs; ++i) text += fmt::format(" i{}", i);
  text += "\n.outputs";
  for (std::size_t i = 0; i < circuit.outputs.size(); ++i) text += fmt::format(" o{}", i);
  text += '\n';
  const auto level = [](Wire wire, bool value) { return (wire & 1) != 0 ? !value : value; };
  for (std::size_t g = 0; g < gates.size(); ++g) {
    if (!used[g]) continue;
    const auto [kind, a, b, c] = gates[g];
    const std::string y = fmt::format("n{}", g);
    if (kind == Gate::Kind::kAnd)
      text += fmt::format(".names {} {} {}\n{:d}{:d} 1\n", name(a), name(b), y, level(a, true),
                          level(b, true));
    else if (kind == Gate::Kind::kXor)
      text += fmt::format(".names {} {} {}\n01 1\n10 1\n", name(a), name(b), y);
    else if (kind == Gate::Kind::kMux)
      text += fmt::format(".names {} {} {} {}\n1{:d}- 1\n0-{:d} 1\n", name(a), name(b), name(c), y,
                          level(b, true), level(c, true));
  }
  for (std::size_t i = 0; i < circuit.outputs.size(); ++i) {
    const Wire wire = circuit.outputs[i];
    if (wire <= kTrue)
      text += fmt::format(".names o{}\n{}", i, wire == kTrue ? "1\n" : "");
    else
      text += fmt::format(".names {} o{}\n{:d} 1\n", name(wire), i, level(wire, true));
  }
  return text + ".end\n";
}

Mapped read_blif(const std::string& text, std::size_t inputs, std::size_t outputs) {
  const auto lines = lines_of(text);
  std::unordered_map<std::string_view, Value> values;
  std::unordered_map<std::string_view, std::string_view> copies;
  for (const auto& line : lines) {
    if (line.front() == ".inputs") {
      for (std::size_t i = 1; i < line.size(); ++i)
        values.emplace(line[i], static_cast<Value>(1 + i));
      if (line.size() != inputs + 1) throw std::runtime_error("other inputs after mapping");
    }
  }
  Mapped mapped;
  std::vector<const std::vector<std::string>*> heads;  // of the tables
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const auto& line = lines[l];
    if (line.front() != ".names") continue;
    Table table;
    if (line.size() > 5) throw std::runtime_error("a table of more than three inputs");
    table.inputs = static_cast<unsigned>(line.size() - 2);
    // Lines of a cover are all 1, or all 0: what they do not match is the other.
    for (bool first = true; l + 1 < lines.size() && !lines[l + 1].front().starts_with('.');
         ++l, first = false) {
      const auto& row = lines[l + 1];
      const bool value = row.back() == "1";
      if (first && !value)
        table.truth = static_cast<std::uint8_t>((1u << (1u << table.inputs)) - 1);
      cover(table, row.size() == 2 ? row.front() : "", value);
    }
    if (table.inputs == 0) {
      values.emplace(line.back(), table.truth);
    } else if (table.inputs == 1 && table.truth == 0b10) {
      copies.emplace(line.back(), line[1]);
    } else {
      values.emplace(line.back(), static_cast<Value>(2 + inputs + mapped.tables.size()));
      mapped.tables.push_back(table);
      heads.push_back(&line);
    }
  }
  const auto value_of = [&](std::string_view name) {
    for (auto at = copies.find(name); at != copies.end(); at = copies.find(name)) name = at->second;
    const auto found = values.find(name);
    if (found == values.end()) throw std::runtime_error(fmt::format("{} after mapping", name));
    return found->second;
  };
  for (std::size_t t = 0; t < mapped.tables.size(); ++t) {
    for (unsigned i = 0; i < mapped.tables[t].inputs; ++i)
      mapped.tables[t].in.at(i) = value_of((*heads[t])[1 + i]);
  }
  for (std::size_t i = 0; i < outputs; ++i)
    mapped.outputs.push_back(value_of(fmt::format("o{}", i)));
  return mapped;
}

}  // namespace hopwise::lanes
