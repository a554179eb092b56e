// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/writer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/lanes/evaluation.hpp"
#include "model/lanes/schedule.hpp"

namespace hopwise::lanes {

namespace {

using std::to_string;

template <class Items>
std::string list(const Items& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

constexpr const char* kCycle =
    "State& s, [[maybe_unused]] const Word* __restrict in, "
    "[[maybe_unused]] const Word& active";
constexpr const char* kOutputs =
    "State& s, [[maybe_unused]] const Word* __restrict in, "
    "[[maybe_unused]] Word* __restrict out";

class Writer {
 public:
  Writer(const Machine& machine, const Logic& logic, const WriterOptions& options)
      : machine_(machine), logic_(logic), options_(options) {}

  Sources write() {
    check_ = std::find_if(machine_.pins.begin(), machine_.pins.end(), [&](const Port& pin) {
               return pin.name == options_.check;
             })->bits.front();
    cycle_ = schedule_cycle(machine_, logic_, check_, options_.guard);
    names_ = {{0, "zero"}, {1, "ones"}};
    name_registers();
    name_pins();
    name_answers();
    Sources sources;
    Evaluation next("next", machine_, logic_, names_);
    twice(next, [&] { write_cycle(next); });
    add(sources, next, kCycle, end_of_cycle(next));
    declarations_ += fmt::format(
        "using Part = void (*)({});\nconstexpr std::size_t kNextParts = {};\n"
        "extern const Part next_parts[kNextParts];\n",
        kCycle, next.size());
    Evaluation ask("ask", machine_, logic_, names_);
    twice(ask, [&] { write_asks(ask); });
    add(sources, ask, kCycle, in_turn(ask, kCycle, "active"));
    for (const auto& [name, bits] : {std::pair{"show", &shown_}, {"watch", &watched_}}) {
      Evaluation outputs(name, machine_, logic_, names_);
      twice(outputs, [&] { write_outputs(outputs, *bits); });
      add(sources, outputs, kOutputs, in_turn(outputs, kOutputs, "out"));
    }
    sources.parts.push_back(clear());
    sources.parts.push_back(reset());
    sources.header = fmt::format(
        "namespace hopwise::lanes {{\n\n{}constexpr unsigned kInputs = {}, kShown = {}, kWatched = "
        "{};\n\n{}{}\n}}  // namespace hopwise::lanes\n",
        pins_, inputs_, shown_.size(), watched_.size(), state(), declarations_);
    for (std::string& part : sources.parts)
      part = "namespace hopwise::lanes {\n\n" + part + "}  // namespace hopwise::lanes\n";
    return sources;
  }

 private:
  template <class F>
  static void twice(Evaluation& evaluation, F&& write) {
    write();
    evaluation.restart();
    write();
  }

  void name_registers() {
    for (const Guarded& g : cycle_.guarded) {
      for (const std::size_t i : g.registers) {
        names_[logic_.of(machine_.registers[i].q)] = fmt::format("s.held[{}]", held_.size());
        place_.emplace(i, held_.size());
        held_.push_back(i);
      }
    }
    for (std::size_t i = 0; i < machine_.registers.size(); ++i) {
      if (place_.contains(i)) continue;
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
      auto& shown =
          std::find(options_.shown.begin(), options_.shown.end(), pin.name) != options_.shown.end()
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

  void name_answers() {
    for (std::size_t h = 0; h < machine_.hosted.size(); ++h) {
      const Cell& cell = machine_.hosted[h];
      for (const auto& [pin, bits] : cell.pins) {
        if (!drives(cell, pin)) continue;
        answers_ += fmt::format("  Word {}[{}] = {{}};\n", hosted_name(h, pin), bits.size());
        clear_answers_ += fmt::format("  for (Word& w : s.{}) w &= ~lanes;\n", hosted_name(h, pin));
        for (std::size_t i = 0; i < bits.size(); ++i)
          names_[logic_.of(bits[i])] = fmt::format("s.{}[{}]", hosted_name(h, pin), i);
      }
    }
  }

  std::string state() const {
    const auto size = [](std::size_t n) { return std::max<std::size_t>(1, n); };
    std::string text = fmt::format(
        "struct State {{\n  Word q[2][{0}] = {{}};\n  Word held[{1}] = {{}}, pending[{1}] = {{}};\n"
        "  Word mid[{2}];\n  bool on[{3}] = {{}};\n  Word failed = {{}};\n  unsigned now = 0;\n",
        size(plain_.size()), size(held_.size()), size(mids_), size(cycle_.guarded.size()));
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const Memory& memory = machine_.memories[m];
      text += fmt::format("  LaneMemory<{}, {}, {}, {}> m{};  // {}\n",
                          memory.reads.front().address.size(), memory.reads.front().data.size(),
                          memory.reads.size(), memory.size, m, memory.name);
    }
    return text + answers_ +
           "  Host host;\n};\n\nvoid clear(State& s, const Word& lanes);\n"
           "void reset(State& s, const Word& lanes);\n";
  }

  /// Lanes as they are before reset: all zero.
  std::string clear() const {
    std::string text =
        "void clear(State& s, const Word& lanes) {\n"
        "  for (auto& q : s.q) for (Word& w : q) w &= ~lanes;\n"
        "  for (Word& w : s.held) w &= ~lanes;\n  for (Word& w : s.pending) w &= ~lanes;\n";
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      text += fmt::format("  s.m{}.clear(lanes);\n", m);
    text += clear_answers_;
    return text + "}\n\n";
  }

  std::string reset() const {
    std::string text = "void reset(State& s, const Word& lanes) {\n";
    for (const auto& [registers, array] : {std::pair{&plain_, "q[s.now]"}, {&held_, "held"}}) {
      std::array<std::vector<std::size_t>, 2> of_value;
      for (const std::size_t i : *registers) {
        const Register& r = machine_.registers[i];
        if (r.reset) of_value[r.value ? 1 : 0].push_back(place_.at(i));
      }
      for (const bool value : {false, true}) {
        const auto& places = of_value[value ? 1 : 0];
        if (places.empty()) continue;
        text += fmt::format(
            "  {{\n    static constexpr unsigned short places[] = {{{}}};\n"
            "    for (const unsigned i : places) s.{}[i] {};\n  }}\n",
            list(places), array, value ? "|= lanes" : "&= ~lanes");
      }
    }
    return text + "}\n\n";
  }

  /// Steps in functions of `options_.part`, each with the sinks whose last operand it makes.
  template <class Sink>
  void write_steps(Evaluation& to, const std::vector<Step>& steps, std::size_t sinks,
                   const std::function<std::vector<Value>(std::size_t)>& operands, Sink&& sink) {
    std::vector<bool> done(sinks);
    std::unordered_set<Value> missing;
    for (const Step& step : steps) {
      for (const Value v : to.made_by(step)) missing.insert(v);
    }
    to.begin_function();
    const auto write_ready = [&](bool all) {
      for (std::size_t i = 0; i < sinks; ++i) {
        if (done[i]) continue;
        const std::vector<Value> needed = operands(i);
        const bool here =
            std::any_of(needed.begin(), needed.end(), [&](Value v) { return to.is_made_here(v); });
        const bool ready = std::none_of(needed.begin(), needed.end(),
                                        [&](Value v) { return missing.contains(v); });
        if (!all && (!here || !ready)) continue;
        done[i] = true;
        sink(i);
      }
    };
    for (std::size_t at = 0; at < steps.size(); ++at) {
      if (at > 0 && at % options_.part == 0) {
        write_ready(false);
        to.begin_function();
      }
      to.step(steps[at], "  ");
      for (const Value v : to.made_by(steps[at])) missing.erase(v);
    }
    write_ready(true);
  }

  void write_cycle(Evaluation& to) {
    write_steps(
        to, cycle_.steps, plain_.size(),
        [&](std::size_t i) {
          const Register& r = machine_.registers[plain_[i]];
          return std::vector<Value>{logic_.of(r.d), logic_.of(r.enable)};
        },
        [&](std::size_t i) {
          const Register& r = machine_.registers[plain_[i]];
          const std::string d = to.use(r.d, "  "), q = to.use(r.q, "  ");
          to.put(fmt::format("  nxt[{}] = {};\n", i,
                             r.enable == kOne ? d
                                              : fmt::format("{0} ^ (({0} ^ {1}) & {2})", q, d,
                                                            to.use(r.enable, "  "))));
        });
    for (std::size_t g = 0; g < cycle_.guarded.size(); ++g) {
      const Guarded& guarded = cycle_.guarded[g];
      to.begin_function();
      to.put(
          fmt::format("  const Word enable = {} & active;\n  s.on[{}] = any(enable);\n"
                      "  if (!s.on[{}]) return;\n",
                      to.use(guarded.enable, "  "), g, g));
      for (const Step& one : guarded.steps) to.step(one, "  ");
      for (const std::size_t i : guarded.registers) {
        to.put(fmt::format("  s.pending[{0}] = s.held[{0}] ^ ((s.held[{0}] ^ {1}) & enable);\n",
                           place_.at(i), to.use(machine_.registers[i].d, "  ")));
      }
    }
    write_memories(to);
  }

  /// What memories take, and the assertions.
  void write_memories(Evaluation& to) {
    to.begin_function();
    to.put(fmt::format("  s.failed = {} & active;\n", to.use(check_, "  ")));
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      for (const Memory::Write& w : machine_.memories[m].writes) {
        if (w.enable == kZero) continue;
        const std::string enable = to.use(w.enable, "  "), address = to.use(w.address, "  "),
                          data = to.use(w.data, "  ");
        to.put(
            fmt::format("  if (const Word e = {} & active; any(e)) {{\n"
                        "    const Word a[] = {{{}}}, d[] = {{{}}};\n    s.m{}.write(a, d, e);\n"
                        "  }}\n",
                        enable, address, data, m));
      }
    }
  }

  void append(std::vector<Value>& values, const Bits& bits) const {
    for (const Bit bit : bits) values.push_back(logic_.of(bit));
  }

  /// What the host answers to the state after the edge; the next edge takes it.
  void write_asks(Evaluation& to) {
    std::vector<std::vector<Value>> asked;
    std::vector<Value> used;
    for (const Cell& cell : machine_.hosted) {
      asked.emplace_back();
      for (const auto& [pin, bits] : cell.pins) {
        if (!drives(cell, pin)) append(asked.back(), bits);
      }
      used.insert(used.end(), asked.back().begin(), asked.back().end());
    }
    const std::vector<Step> steps = order(machine_, logic_, used);
    for (const Step& step : steps) {
      if (step.kind != Step::Kind::kTable) continue;
      const Table& t = logic_.table(step.table);
      used.insert(used.end(), t.in.begin(), t.in.begin() + t.inputs);
    }
    // These change without an edge.
    std::vector<Value> fleeting;
    for (const Port& pin : machine_.pins) {
      if (pin.input) append(fleeting, pin.bits);
    }
    for (const Cell& cell : machine_.hosted) {
      for (const auto& [pin, bits] : cell.pins) {
        if (drives(cell, pin)) append(fleeting, bits);
      }
    }
    const std::unordered_set<Value> changing(fleeting.begin(), fleeting.end());
    if (std::any_of(used.begin(), used.end(), [&](Value v) { return changing.contains(v); }))
      throw std::runtime_error("the host is asked for what depends on pins or on other answers");
    write_steps(
        to, steps, asked.size(), [&](std::size_t i) { return asked[i]; },
        [&](std::size_t i) { to.ask(i); });
  }

  /// What is left of a cycle behind the parts of `next`, and the list of these.
  std::string end_of_cycle(const Evaluation& next) const {
    std::string text = fmt::format("Word end_of_cycle({}, const Word& kept) {{\n", kCycle), names;
    for (std::size_t f = 0; f < next.size(); ++f) names += fmt::format("next_{}, ", f);
    for (std::size_t g = 0; g < cycle_.guarded.size(); ++g) {
      const auto& registers = cycle_.guarded[g].registers;
      const std::size_t first = place_.at(registers.front());
      text += fmt::format(
          "  if (s.on[{}]) {{\n    for (unsigned i = {}; i < {}; ++i) s.held[i] = s.pending[i];\n"
          "  }}\n",
          g, first, first + registers.size());
    }
    return text +
           "  if (any(kept)) {\n    const Word* cur = s.q[s.now];\n    Word* nxt = s.q[s.now ^ "
           "1];\n"
           "    for (unsigned i = 0; i < sizeof s.q[0] / sizeof(Word); ++i)\n"
           "      nxt[i] = nxt[i] ^ ((cur[i] ^ nxt[i]) & kept);\n  }\n"
           "  s.now ^= 1;\n  ask(s, in, active);\n  return s.failed;\n}\n\n"
           "const Part next_parts[kNextParts] = {" +
           names + "};\n\n";
  }

  void write_outputs(Evaluation& to, const Bits& bits) {
    std::vector<Value> roots;
    for (const Bit bit : bits) roots.push_back(logic_.of(bit));
    write_steps(
        to, order(machine_, logic_, roots), bits.size(),
        [&](std::size_t i) { return std::vector<Value>{logic_.of(bits[i])}; },
        [&](std::size_t i) {
          const std::string value = to.use(bits[i], "  ");
          to.put(fmt::format("  out[{}] = {};\n", i, value));
        });
  }

  static std::string in_turn(const Evaluation& of, const char* parameters, const char* last) {
    std::string text = fmt::format("void {}({}) {{\n", of.name(), parameters);
    for (std::size_t f = 0; f < of.size(); ++f)
      text += fmt::format("  {}_{}(s, in, {});\n", of.name(), f, last);
    return text + "}\n\n";
  }

  /// `whole` begins with a function that goes with them.
  void add(Sources& sources, const Evaluation& from, const std::string& parameters,
           std::string whole) {
    mids_ = std::max(mids_, from.mids());
    for (std::size_t f = 0; f < from.size(); ++f)
      declarations_ += fmt::format("void {}_{}({});\n", from.name(), f, parameters);
    declarations_ += whole.substr(0, whole.find(" {")) + ";\n";
    for (std::string& function : from.functions(parameters))
      sources.parts.push_back(std::move(function));
    sources.parts.push_back(std::move(whole));
  }

  const Machine& machine_;
  const Logic& logic_;
  const WriterOptions& options_;
  Bit check_ = kZero;
  Schedule cycle_;
  Names names_;
  std::map<std::size_t, std::size_t> place_;  // of a register in its array
  std::vector<std::size_t> plain_, held_;     // registers written in every cycle, and guarded ones
  std::size_t inputs_ = 0, mids_ = 0;
  Bits shown_, watched_;
  std::string pins_, answers_, clear_answers_, declarations_;
};

}  // namespace

Sources write_model(const Machine& machine, const Logic& logic, const WriterOptions& options) {
  return Writer(machine, logic, options).write();
}

}  // namespace hopwise::lanes
