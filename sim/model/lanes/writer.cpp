// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/writer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "model/lanes/schedule.hpp"

namespace hopwise::lanes {

namespace {

using std::to_string;

template <class Items>
std::string list(const Items& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

class Writer {
 public:
  Writer(const Machine& machine, const Logic& logic, const WriterOptions& options)
      : machine_(machine), logic_(logic), options_(options) {}

  std::string write() {
    const Port& check = output(options_.check);
    cycle_ = schedule_cycle(machine_, logic_, check.bits.front(), options_.guard);
    name_registers();
    name_pins();
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const auto& reads = machine_.memories[m].reads;
      for (std::size_t r = 0; r < reads.size(); ++r) {
        for (std::size_t i = 0; i < reads[r].data.size(); ++i)
          names_[logic_.of(reads[r].data[i])] = fmt::format("{}[{}]", read_name(m, r), i);
      }
    }
    for (std::size_t t = 0; t < logic_.tables.size(); ++t)
      names_[logic_.first_table() + static_cast<Value>(t)] = "t" + to_string(t);
    names_[0] = "zero";
    names_[1] = "ones";
    return "namespace hopwise::lanes {\nnamespace {\n\n" + pins() + state() + next() +
           outputs("show", shown_) + outputs("watch", watched_) + "}\n}  // namespace hopwise::lanes\n";
  }

 private:
  const Port& output(const std::string& name) const {
    return *std::find_if(machine_.pins.begin(), machine_.pins.end(),
                         [&](const Port& pin) { return pin.name == name; });
  }

  std::string name(Bit bit) const { return names_.at(logic_.of(bit)); }

  void name_registers() {
    std::unordered_set<std::size_t> guarded;
    for (const Guarded& g : cycle_.guarded) {
      for (const std::size_t i : g.registers) {
        names_[logic_.of(machine_.registers[i].q)] = fmt::format("held[{}]", guarded.size());
        place_.emplace(i, guarded.size());
        guarded.insert(i);
      }
    }
    held_ = guarded.size();
    for (std::size_t i = 0; i < machine_.registers.size(); ++i) {
      if (guarded.contains(i)) continue;
      names_[logic_.of(machine_.registers[i].q)] = fmt::format("cur[{}]", plain_.size());
      place_.emplace(i, plain_.size());
      plain_.push_back(i);
    }
  }

  /// Inputs that something reads get places.
  void name_pins() {
    std::unordered_set<Value> read;
    for (const Table& t : logic_.tables) read.insert(t.in.begin(), t.in.begin() + t.inputs);
    for (const Bit sink : machine_.sinks()) read.insert(logic_.of(sink));
    for (const Port& pin : machine_.pins) {
      std::vector<int> places(pin.bits.size(), -1);
      auto& shown = std::find(options_.shown.begin(), options_.shown.end(), pin.name) !=
                            options_.shown.end()
                        ? shown_
                        : watched_;
      for (std::size_t i = 0; i < pin.bits.size(); ++i) {
        const Bit bit = pin.bits[i];
        if (pin.input && read.contains(logic_.of(bit))) {
          places[i] = static_cast<int>(inputs_);
          names_[logic_.of(bit)] = fmt::format("in[{}]", inputs_++);
        } else if (!pin.input && bit != kZero && pin.name != options_.check) {
          places[i] = static_cast<int>(shown.size());
          shown.push_back(bit);
        }
      }
      pins_ += fmt::format("constexpr std::int16_t kPin_{}[] = {{{}}};\n", pin.name, list(places));
    }
  }

  std::string pins() const {
    return fmt::format("{}constexpr unsigned kInputs = {}, kShown = {}, kWatched = {};\n\n", pins_,
                       inputs_, shown_.size(), watched_.size());
  }

  std::string state() const {
    std::string text = fmt::format(
        "struct State {{\n  Word q[2][{}] = {{}};\n  Word held[{}] = {{}}, pending[{}] = {{}};\n"
        "  unsigned now = 0;\n",
        std::max<std::size_t>(1, plain_.size()), std::max<std::size_t>(1, held_),
        std::max<std::size_t>(1, held_));
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const Memory& memory = machine_.memories[m];
      text += fmt::format("  LaneMemory<{}, {}, {}, {}> m{};  // {}\n",
                          memory.reads.front().address.size(), memory.reads.front().data.size(),
                          memory.reads.size(), memory.size, m, memory.name);
    }
    text += "};\n\nvoid reset(State& s) {\n";
    for (const auto& [array, wanted] : {std::pair{"q[s.now]", false}, {"held", true}}) {
      std::array<std::vector<std::size_t>, 2> of_value;
      for (const auto& [i, at] : place_) {
        const bool is_held = names_.at(logic_.of(machine_.registers[i].q)).starts_with("held");
        if (is_held == wanted && machine_.registers[i].reset)
          of_value[machine_.registers[i].value ? 1 : 0].push_back(at);
      }
      for (const bool value : {false, true}) {
        const auto& places = of_value[value ? 1 : 0];
        if (places.empty()) continue;
        text += fmt::format(
            "  static constexpr unsigned short {0}_{1}[] = {{{2}}};\n"
            "  for (const unsigned i : {0}_{1}) s.{3}[i] = all_lanes({1});\n",
            wanted ? "held" : "plain", value, list(places), array);
      }
    }
    return text + "}\n\n";
  }

  static std::string read_name(std::size_t m, std::size_t r) { return fmt::format("r{}_{}", m, r); }

  std::string words(const Bits& bits) const {
    std::vector<std::string> names;
    for (const Bit bit : bits) names.push_back(name(bit));
    return list(names);
  }

  std::string step(const Step& step, const std::string& indent) const {
    if (step.kind == Step::Kind::kTable) {
      const Table& t = logic_.table(step.table);
      std::array<std::string, 3> operands;
      for (unsigned i = 0; i < t.inputs; ++i) operands.at(i) = names_.at(t.in.at(i));
      return fmt::format("{}const Word {} = {};\n", indent, names_.at(step.table),
                         expression(t, operands));
    }
    const Memory::Read& read = machine_.memories[step.memory].reads[step.read];
    const std::string r = read_name(step.memory, step.read);
    return fmt::format(
        "{0}const Word {1}_address[] = {{{2}}};\n{0}const Word* {1} = s.m{3}.read({4}, "
        "{1}_address);\n",
        indent, r, words(read.address), step.memory, step.read);
  }

  std::string next() const {
    std::string text =
        "Word next(State& s, const Word* __restrict in, const Word& active) {\n"
        "  const Word zero{}, ones = ~zero;\n"
        "  const Word* __restrict cur = s.q[s.now];\n"
        "  Word* __restrict nxt = s.q[s.now ^ 1];\n  const Word* held = s.held;\n"
        "  static_cast<void>(ones);\n";
    for (const Step& one : cycle_.steps) text += step(one, "  ");
    for (const std::size_t i : plain_) {
      const Register& r = machine_.registers[i];
      const std::string d = name(r.d), q = name(r.q);
      text += fmt::format("  nxt[{}] = {};\n", place_.at(i),
                          r.enable == kOne ? d : fmt::format("{0} ^ (({0} ^ {1}) & {2})", q, d, name(r.enable)));
    }
    std::string commits;
    for (std::size_t g = 0; g < cycle_.guarded.size(); ++g) {
      const Guarded& guarded = cycle_.guarded[g];
      text += fmt::format("  const Word g{0} = {1} & active;\n  const bool on{0} = any(g{0});\n"
                          "  if (on{0}) {{\n", g, names_.at(guarded.enable));
      for (const Step& one : guarded.steps) text += step(one, "    ");
      const std::size_t first = place_.at(guarded.registers.front());
      for (const std::size_t i : guarded.registers) {
        const Register& r = machine_.registers[i];
        text += fmt::format("    s.pending[{0}] = held[{0}] ^ ((held[{0}] ^ {1}) & g{2});\n",
                            place_.at(i), name(r.d), g);
      }
      text += "  }\n";
      commits += fmt::format("  if (on{}) {{\n    for (unsigned i = {}; i < {}; ++i) s.held[i] = "
                             "s.pending[i];\n  }}\n", g, first, first + guarded.registers.size());
    }
    text += fmt::format("  const Word failed = {} & active;\n", name(output(options_.check).bits.front()));
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      for (const Memory::Write& w : machine_.memories[m].writes) {
        if (w.enable == kZero) continue;
        text += fmt::format(
            "  if (const Word e = {} & active; any(e)) {{\n    const Word a[] = {{{}}}, d[] = "
            "{{{}}};\n    s.m{}.write(a, d, e);\n  }}\n",
            name(w.enable), words(w.address), words(w.data), m);
      }
    }
    text += commits;
    text +=
        "  if (any(~active)) {\n    for (unsigned i = 0; i < sizeof s.q[0] / sizeof(Word); ++i)\n"
        "      nxt[i] = cur[i] ^ ((cur[i] ^ nxt[i]) & active);\n  }\n"
        "  s.now ^= 1;\n  return failed;\n}\n\n";
    return text;
  }

  std::string outputs(const std::string& function, const Bits& bits) const {
    std::vector<Value> roots;
    for (const Bit bit : bits) roots.push_back(logic_.of(bit));
    std::string text = fmt::format(
        "void {}([[maybe_unused]] State& s, [[maybe_unused]] const Word* __restrict in, "
        "[[maybe_unused]] Word* __restrict out) {{\n"
        "  [[maybe_unused]] const Word zero{{}}, ones = ~zero;\n"
        "  [[maybe_unused]] const Word* __restrict cur = s.q[s.now];\n"
        "  [[maybe_unused]] const Word* held = s.held;\n",
        function);
    for (const Step& one : order(machine_, logic_, roots)) text += step(one, "  ");
    for (std::size_t i = 0; i < bits.size(); ++i)
      text += fmt::format("  out[{}] = {};\n", i, name(bits[i]));
    return text + "}\n\n";
  }

  const Machine& machine_;
  const Logic& logic_;
  const WriterOptions& options_;
  Schedule cycle_;
  std::map<Value, std::string> names_;
  std::map<std::size_t, std::size_t> place_;  // of a register in its array
  std::vector<std::size_t> plain_;            // registers that are written every cycle
  std::size_t held_ = 0, inputs_ = 0;
  Bits shown_, watched_;
  std::string pins_;
};

}  // namespace

std::string write_model(const Machine& machine, const Logic& logic, const WriterOptions& options) {
  return Writer(machine, logic, options).write();
}

}  // namespace hopwise::lanes
