// SPDX-License-Identifier: Apache-2.0
// C++ of the steps of one evaluation: what writer.hpp makes a model of.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/lanes/schedule.hpp"

namespace hopwise::lanes {

/// C++ names of what a function reads but does not compute: constants, pins, registers, and what
/// hosted modules answer.
using Names = std::unordered_map<Value, std::string>;

/// In the State, a pin of a hosted module.
std::string hosted_name(std::size_t hosted, const std::string& pin);

/// One evaluation, cut into functions of some steps each. A value that another function uses too
/// travels in `s.mid`; which ones, a first round of writing finds out.
class Evaluation {
 public:
  Evaluation(std::string name, const Machine& machine, const Logic& logic, const Names& names);

  /// Begins a function; what follows is written into it.
  void begin_function();
  void put(const std::string& text) { functions_.back() += text; }
  void step(const Step& step, const std::string& indent);
  /// Calls the host's function for a module.
  void ask(std::size_t hosted);

  /// The name of a value in the function that is being written.
  std::string use(Value v, const std::string& indent);
  std::string use(Bit bit, const std::string& indent) { return use(logic_.of(bit), indent); }
  std::string use(const Bits& bits, const std::string& indent);  ///< a list of names

  std::vector<Value> made_by(const Step& step) const;
  bool is_made_here(Value v) const;  ///< in this function

  /// The functions, named NAME_0 and on, of `parameters`.
  std::vector<std::string> functions(const std::string& parameters) const;
  std::size_t size() const { return functions_.size(); }
  std::size_t mids() const { return mid_.size(); }
  const std::string& name() const { return name_; }

  /// For the second round.
  void restart();

 private:
  std::string name_;
  const Machine& machine_;
  const Logic& logic_;
  const Names& names_;
  std::unordered_map<Value, std::string> data_;     // of memories: POINTER[BIT]
  std::unordered_map<Value, std::size_t> made_in_;  // number of functions when it was written
  std::unordered_map<Value, std::size_t> mid_;
  std::set<std::string> seen_;  // pointers to memories' data, in this function
  std::vector<std::string> functions_;
};

}  // namespace hopwise::lanes
