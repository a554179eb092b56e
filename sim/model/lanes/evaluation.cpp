// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/evaluation.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace hopwise::lanes {

namespace {

std::string read_name(std::size_t m, std::size_t r) { return fmt::format("r{}_{}", m, r); }

}  // namespace

std::string hosted_name(std::size_t hosted, const std::string& pin) {
  return fmt::format("h{}_{}", hosted, pin);
}

Evaluation::Evaluation(std::string name, const Machine& machine, const Logic& logic,
                       const Names& names)
    : name_(std::move(name)), machine_(machine), logic_(logic), names_(names) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const auto& reads = machine.memories[m].reads;
    for (std::size_t r = 0; r < reads.size(); ++r) {
      for (std::size_t i = 0; i < reads[r].data.size(); ++i)
        data_[logic.of(reads[r].data[i])] = fmt::format("{}[{}]", read_name(m, r), i);
    }
  }
}

void Evaluation::begin_function() {
  functions_.emplace_back();
  seen_.clear();
}

void Evaluation::step(const Step& step, const std::string& indent) {
  if (step.kind == Step::Kind::kTable) {
    const Table& t = logic_.table(step.table);
    std::array<std::string, 3> operands;
    for (unsigned i = 0; i < t.inputs; ++i) operands.at(i) = use(t.in.at(i), indent);
    const auto mid = mid_.find(step.table);
    put(fmt::format("{}const Word t{} = {}{};\n", indent, step.table,
                    mid == mid_.end() ? "" : fmt::format("s.mid[{}] = ", mid->second),
                    expression(t, operands)));
  } else {
    const Memory::Read& read = machine_.memories[step.memory].reads[step.read];
    const std::string r = read_name(step.memory, step.read), address = use(read.address, indent);
    put(
        fmt::format("{0}const Word {1}_address[] = {{{2}}};\n"
                    "{0}const Word* {1} = s.m{3}.read({4}, {1}_address);\n",
                    indent, r, address, step.memory, step.read));
    seen_.insert(r);
  }
  for (const Value v : made_by(step)) made_in_[v] = functions_.size();
}

/// Its argument has the module's parameters and pins in the order of their names.
void Evaluation::ask(std::size_t hosted) {
  const Cell& cell = machine_.hosted[hosted];
  std::string argument;
  for (const auto& [key, value] : cell.parameters)
    argument += fmt::format(".{} = 0b{}, ", key, value);
  for (const auto& [pin, bits] : cell.pins) {
    const std::string name = hosted_name(hosted, pin);
    argument += fmt::format(".{} = {}{}, ", pin, drives(cell, pin) ? "s." : "", name);
    if (drives(cell, pin)) continue;
    const std::string words = use(bits, "  ");
    put(fmt::format("  const Word {}[] = {{{}}};\n", name, words));
  }
  put(fmt::format("  s.host.{}({{{}}}, active);\n", cell.type, argument));
}

std::vector<Value> Evaluation::made_by(const Step& step) const {
  if (step.kind == Step::Kind::kTable) return {step.table};
  std::vector<Value> all;
  for (const Bit bit : machine_.memories[step.memory].reads[step.read].data)
    all.push_back(logic_.of(bit));
  return all;
}

std::string Evaluation::use(Value v, const std::string& indent) {
  if (logic_.is_table(v)) {
    if (is_made_here(v)) return fmt::format("t{}", v);
    return fmt::format("s.mid[{}]", mid_.emplace(v, mid_.size()).first->second);
  }
  const auto data = data_.find(v);
  if (data == data_.end()) return names_.at(v);
  const std::string pointer = data->second.substr(0, data->second.find('['));
  if (seen_.insert(pointer).second) {  // read in another function
    std::size_t m = 0, r = 0;
    std::sscanf(pointer.c_str(), "r%zu_%zu", &m, &r);
    put(fmt::format("{}const Word* {} = s.m{}.shown({});\n", indent, pointer, m, r));
  }
  return data->second;
}

std::string Evaluation::use(const Bits& bits, const std::string& indent) {
  std::string all;
  for (const Bit bit : bits) all += (all.empty() ? "" : ", ") + use(bit, indent);
  return all;
}

bool Evaluation::is_made_here(Value v) const {
  const auto made = made_in_.find(v);
  return made != made_in_.end() && made->second == functions_.size();
}

std::vector<std::string> Evaluation::functions(const std::string& parameters) const {
  std::vector<std::string> all;
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    all.push_back(
        fmt::format("void {}_{}({}) {{\n  [[maybe_unused]] const Word zero{{}}, ones = ~zero;\n"
                    "  [[maybe_unused]] const Word* __restrict cur = s.q[s.now];\n"
                    "  [[maybe_unused]] Word* __restrict nxt = s.q[s.now ^ 1];\n{}}}\n\n",
                    name_, f, parameters, functions_[f]));
  }
  return all;
}

void Evaluation::restart() {
  functions_.clear();
  made_in_.clear();
}

}  // namespace hopwise::lanes
