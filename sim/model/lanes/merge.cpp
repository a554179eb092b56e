// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/merge.hpp"

#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace hopwise::lanes {

namespace {

class Merger {
 public:
  explicit Merger(Netlist& netlist)
      : netlist_(netlist), same_(static_cast<std::size_t>(netlist.nets)) {
    std::iota(same_.begin(), same_.end(), Bit{0});
  }

  void run() {
    do {
      changed_ = false;
      known_.clear();
      for (const Cell& cell : netlist_.cells) merge(cell);
    } while (changed_);
    for (Cell& cell : netlist_.cells) {
      for (auto& [pin, bits] : cell.pins) {
        if (!drives(cell, pin)) replace(bits);
      }
    }
    for (Port& port : netlist_.ports) {
      if (!port.input) replace(port.bits);
    }
  }

 private:
  Bit find(Bit bit) const {
    while (same_[static_cast<std::size_t>(bit)] != bit) bit = same_[static_cast<std::size_t>(bit)];
    return bit;
  }

  void replace(Bits& bits) const {
    for (Bit& bit : bits) bit = find(bit);
  }

  void merge(const Cell& cell) {
    const bool mux = cell.type == "$mux";
    if (!mux && cell.type != "$and" && cell.type != "$or") return;
    if (cell.number("A_SIGNED") != 0) return;
    const Bits &a = cell.pin("A"), &b = cell.pin("B"), &y = cell.pin("Y");
    const Bit select = mux ? find(cell.pin("S").front()) : kZero;
    for (std::size_t i = 0; i < y.size(); ++i) {
      Bit one = i < a.size() ? find(a[i]) : kZero, other = i < b.size() ? find(b[i]) : kZero;
      if (!mux && one > other) std::swap(one, other);
      Bit result = -1;
      if (one == other)
        result = one;
      else if (mux && one == kZero && other == kOne)
        result = select;
      else if (!mux && one == kZero)
        result = cell.type == "$or" ? other : kZero;
      else if (!mux && one == kOne)
        result = cell.type == "$or" ? kOne : other;
      if (result < 0)
        result = known_.emplace(std::tuple{cell.type, one, other, select}, y[i]).first->second;
      const Bit made = find(y[i]);
      result = find(result);
      if (made == result) continue;
      same_[static_cast<std::size_t>(made)] = result;
      changed_ = true;
    }
  }

  Netlist& netlist_;
  std::vector<Bit> same_;
  std::map<std::tuple<std::string, Bit, Bit, Bit>, Bit> known_;
  bool changed_ = false;
};

}  // namespace

void merge_bits(Netlist& netlist) { Merger(netlist).run(); }

}  // namespace hopwise::lanes
