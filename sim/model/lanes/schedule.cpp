// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/schedule.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace hopwise::lanes {

namespace {

/// Steps in the order in which they can be done, each once over all calls.
class Orderer {
 public:
  Orderer(const Machine& machine, const Logic& logic) : machine_(machine), logic_(logic) {
    for (std::size_t m = 0; m < machine.memories.size(); ++m) {
      const auto& reads = machine.memories[m].reads;
      for (std::size_t r = 0; r < reads.size(); ++r) {
        for (const Bit bit : reads[r].data) read_of_[logic.of(bit)] = {m, r};
      }
    }
    state_.assign(logic.first_table() + logic.tables.size(), State::kNew);
  }

  /// What a value is computed from, at once.
  std::vector<Value> operands(Value v) const {
    if (logic_.is_table(v)) {
      const Table& t = logic_.table(v);
      return {t.in.begin(), t.in.begin() + t.inputs};
    }
    std::vector<Value> all;
    if (const auto read = read_of_.find(v); read != read_of_.end()) {
      for (const Bit bit : machine_.memories[read->second.first].reads[read->second.second].address)
        all.push_back(logic_.of(bit));
    }
    return all;
  }

  /// Appends what `root` still needs, without recursion: netlists are deep.
  void add(Value root, std::vector<Step>& steps) {
    std::vector<Value> open = {root};
    while (!open.empty()) {
      const Value v = open.back();
      if (state_[v] == State::kDone) {
        open.pop_back();
        continue;
      }
      const bool entered = state_[v] == State::kOpen;
      state_[v] = State::kOpen;
      bool ready = true;
      const std::vector<Value> from = operands(v);
      for (auto at = from.rbegin(); at != from.rend(); ++at) {
        if (state_[*at] == State::kDone) continue;
        if (entered && state_[*at] == State::kOpen) throw std::runtime_error("a loop of logic");
        open.push_back(*at);
        ready = false;
      }
      if (!ready) continue;
      open.pop_back();
      finish(v, steps);
    }
  }

  const std::unordered_map<Value, std::pair<std::size_t, std::size_t>>& reads() const {
    return read_of_;
  }

 private:
  enum class State : char { kNew, kOpen, kDone };

  void finish(Value v, std::vector<Step>& steps) {
    state_[v] = State::kDone;
    if (logic_.is_table(v)) {
      steps.push_back({Step::Kind::kTable, v, 0, 0});
    } else if (const auto read = read_of_.find(v); read != read_of_.end()) {
      const auto [m, r] = read->second;
      steps.push_back({Step::Kind::kRead, 0, m, r});
      for (const Bit bit : machine_.memories[m].reads[r].data)
        state_[logic_.of(bit)] = State::kDone;
    }
  }

  const Machine& machine_;
  const Logic& logic_;
  std::unordered_map<Value, std::pair<std::size_t, std::size_t>> read_of_;
  std::vector<State> state_;
};

/// Every value's only user: a group of registers, everybody, or nobody.
class Owners {
 public:
  static constexpr int kNobody = -2, kEverybody = -1;

  Owners(const Orderer& orderer, const Logic& logic, const std::vector<Step>& all)
      : orderer_(orderer), logic_(logic), all_(all) {}

  /// roots[v]: the owner that v has from outside.
  std::vector<int> find(const std::unordered_map<Value, int>& roots) const {
    std::vector<int> owner(logic_.first_table() + logic_.tables.size(), kNobody);
    const auto use = [&](Value v, int by) {
      if (by == kNobody) return;
      owner[v] = owner[v] == kNobody || owner[v] == by ? by : kEverybody;
    };
    for (const auto& [v, by] : roots) use(v, by);
    for (auto step = all_.rbegin(); step != all_.rend(); ++step) {
      if (step->kind == Step::Kind::kTable) {
        for (const Value v : orderer_.operands(step->table)) use(v, owner[step->table]);
      } else {
        // Memories are read in all cycles: what a read costs depends on its address.
        for (const auto& [data, read] : orderer_.reads()) {
          if (read != std::pair{step->memory, step->read}) continue;
          for (const Value v : orderer_.operands(data)) use(v, kEverybody);
          break;
        }
      }
    }
    return owner;
  }

 private:
  const Orderer& orderer_;
  const Logic& logic_;
  const std::vector<Step>& all_;
};

}  // namespace

std::vector<Step> order(const Machine& machine, const Logic& logic,
                        const std::vector<Value>& roots) {
  Orderer orderer(machine, logic);
  std::vector<Step> steps;
  for (const Value root : roots) orderer.add(root, steps);
  return steps;
}

Schedule schedule_cycle(const Machine& machine, const Logic& logic, Bit check, std::size_t least) {
  std::vector<Value> always = {logic.of(check)};
  for (const Memory& m : machine.memories) {
    for (const Memory::Write& w : m.writes) {
      for (const Bits* bits : {&w.address, &w.data}) {
        for (const Bit bit : *bits) always.push_back(logic.of(bit));
      }
      always.push_back(logic.of(w.enable));
    }
  }
  std::map<Value, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < machine.registers.size(); ++i) {
    const Register& r = machine.registers[i];
    always.push_back(logic.of(r.enable));
    if (r.enable == kOne)
      always.push_back(logic.of(r.d));
    else
      groups[logic.of(r.enable)].push_back(i);
  }
  std::vector<Value> all = always;
  for (const auto& [enable, registers] : groups) {
    for (const std::size_t i : registers) all.push_back(logic.of(machine.registers[i].d));
  }

  std::vector<Guarded> candidates;
  std::unordered_map<Value, int> roots;
  for (const Value v : always) roots[v] = Owners::kEverybody;
  for (auto& [enable, registers] : groups) {
    const int number = static_cast<int>(candidates.size());
    for (const std::size_t i : registers) {
      const auto [at, fresh] = roots.emplace(logic.of(machine.registers[i].d), number);
      if (!fresh && at->second != number) at->second = Owners::kEverybody;
    }
    candidates.push_back({enable, std::move(registers), {}});
  }
  const std::vector<Step> everything = order(machine, logic, all);
  const Orderer orderer(machine, logic);
  const std::vector<int> owner = Owners(orderer, logic, everything).find(roots);
  std::vector<std::size_t> exclusive(candidates.size());
  for (const Step& step : everything) {
    if (step.kind == Step::Kind::kTable && owner[step.table] >= 0)
      ++exclusive[static_cast<std::size_t>(owner[step.table])];
  }

  Schedule schedule;
  Orderer of_all(machine, logic);
  for (const Value v : always) of_all.add(v, schedule.steps);
  for (std::size_t g = 0; g < candidates.size(); ++g) {
    if (exclusive[g] >= least) continue;
    for (const std::size_t i : candidates[g].registers)
      of_all.add(logic.of(machine.registers[i].d), schedule.steps);
  }
  // What several guarded groups share is computed for all of them.
  for (const Step& step : everything) {
    if (step.kind == Step::Kind::kRead || owner[step.table] < 0 ||
        exclusive[static_cast<std::size_t>(owner[step.table])] < least) {
      if (step.kind == Step::Kind::kTable)
        of_all.add(step.table, schedule.steps);
      else
        of_all.add(logic.of(machine.memories[step.memory].reads[step.read].data.front()),
                   schedule.steps);
    }
  }
  for (std::size_t g = 0; g < candidates.size(); ++g) {
    if (exclusive[g] < least) continue;
    for (const std::size_t i : candidates[g].registers)
      of_all.add(logic.of(machine.registers[i].d), candidates[g].steps);
    schedule.guarded.push_back(std::move(candidates[g]));
  }
  return schedule;
}

}  // namespace hopwise::lanes
