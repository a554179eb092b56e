// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/payload.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace hopwise::lanes {

namespace {

/// How one bit is made of others: bitwise, by a register, or by a memory.
struct Maker {
  const Cell* cell = nullptr;
  std::size_t kind = 0;       ///< hash of the cell's type, and of the memory and its port
  std::vector<Bit> data;      ///< operands that may be payload, in their order
  std::vector<Bit> controls;  ///< operands that may not
  std::size_t words = 0;      ///< that hold the bit from cycle to cycle
};

Bit operand(const Bits& bits, std::size_t i) { return i < bits.size() ? bits[i] : kZero; }

std::size_t mix(std::size_t h, std::size_t value) {
  return (h ^ value) * 0x9e3779b97f4a7c15u + (h >> 29);
}

std::size_t hash_of(const std::string& text) { return std::hash<std::string>{}(text); }

/// The makers of all bits that could be payload. Reads of any other kind put a bit into `read`.
class Makers {
 public:
  explicit Makers(const Netlist& netlist) {
    for (const Cell& cell : netlist.cells) {
      if (cell.type == "$mem_v2")
        add_memory(cell);
      else if (is_register(cell))
        add_register(cell);
      else if (cell.type == "$mux" || cell.type == "$and" || cell.type == "$or")
        add_bitwise(cell);
      else if (cell.type == "$pmux")
        add_parallel(cell);
      else
        for (const auto& [pin, bits] : cell.pins) {
          if (!drives(cell, pin)) read.insert(bits.begin(), bits.end());
        }
    }
  }

  std::unordered_map<Bit, Maker> of;
  std::set<Bit> read;

 private:
  void add(Bit made, Maker maker) {
    read.insert(maker.controls.begin(), maker.controls.end());
    of.emplace(made, std::move(maker));
  }

  void add_register(const Cell& cell) {
    const Bits &d = cell.pin("D"), &q = cell.pin("Q");
    for (std::size_t i = 0; i < q.size(); ++i) {
      Maker m{&cell, hash_of(cell.type) + cell.flag("ARST_VALUE", i), {d[i]}, {}, 1};
      if (cell.has("EN")) m.controls.push_back(cell.pin("EN").front());
      add(q[i], std::move(m));
    }
  }

  void add_bitwise(const Cell& cell) {
    const Bits &a = cell.pin("A"), &b = cell.pin("B"), &y = cell.pin("Y");
    for (std::size_t i = 0; i < y.size(); ++i) {
      Maker m{&cell, hash_of(cell.type), {operand(a, i), operand(b, i)}, {}, 0};
      if (cell.has("S")) m.controls.push_back(cell.pin("S").front());
      add(y[i], std::move(m));
    }
  }

  void add_parallel(const Cell& cell) {
    const Bits &a = cell.pin("A"), &b = cell.pin("B"), &y = cell.pin("Y");
    for (std::size_t i = 0; i < y.size(); ++i) {
      Maker m{&cell, hash_of(cell.type), {a[i]}, cell.pin("S"), 0};
      for (std::size_t at = i; at < b.size(); at += y.size()) m.data.push_back(b[at]);
      add(y[i], std::move(m));
    }
  }

  void add_memory(const Cell& cell) {
    const std::size_t width = cell.number("WIDTH"), reads = cell.number("RD_PORTS"),
                      writes = cell.number("WR_PORTS");
    for (const char* pin : {"RD_ADDR", "WR_ADDR"})
      read.insert(cell.pin(pin).begin(), cell.pin(pin).end());
    for (std::size_t r = 0; r < reads; ++r) {
      for (std::size_t i = 0; i < width; ++i) {
        Maker m{&cell, mix(hash_of(cell.name), r), {}, {}, r == 0 ? cell.number("SIZE") : 0};
        for (std::size_t w = 0; w < writes; ++w) {
          m.data.push_back(cell.pin("WR_DATA")[w * width + i]);
          m.controls.push_back(cell.pin("WR_EN")[w * width + i]);
        }
        add(cell.pin("RD_DATA")[r * width + i], std::move(m));
      }
    }
  }
};

class Search {
 public:
  Search(const Netlist& netlist, const FlitPins& pins)
      : makers_(netlist), pins_(pins), in_(bits(netlist, pins.in)), out_(bits(netlist, pins.out)) {
    for (const Port& port : netlist.ports) {
      if (!port.input && port.name != pins.out)
        makers_.read.insert(port.bits.begin(), port.bits.end());
    }
    for (const auto& [made, maker] : makers_.of) {
      for (const Bit from : maker.data) users_[from].push_back(made);
    }
  }

  Payload run() {
    std::set<std::size_t> payload;
    for (std::size_t i = 0; i < pins_.width; ++i) payload.insert(i);
    while (!payload.empty() && (drop_what_is_read(payload) || drop_what_differs(payload))) {
    }
    Payload found;
    for (std::size_t i = 0; i < pins_.width; ++i)
      (payload.contains(i) ? found.payload : found.control).push_back(i);
    if (payload.empty()) return found;
    for (const auto& [bit, index] : labels_) {
      const auto maker = makers_.of.find(bit);
      if (index == found.payload.front() && maker != makers_.of.end())
        found.capacity += maker->second.words;
    }
    return found;
  }

 private:
  static const Bits& bits(const Netlist& netlist, const std::string& name) {
    const Port* port = netlist.port(name);
    if (port == nullptr) throw std::runtime_error("no port " + name);
    return port->bits;
  }

  /// Labels every bit that is made of payload bit i with i, and takes from the payload the bits
  /// that something reads, or that meet others. True: some went.
  bool drop_what_is_read(std::set<std::size_t>& payload) {
    labels_.clear();
    std::vector<Bit> open;
    std::set<std::size_t> dropped;
    const auto label = [&](Bit bit, std::size_t index) {
      const auto [at, fresh] = labels_.emplace(bit, index);
      if (fresh) open.push_back(bit);
      if (at->second != index) dropped.insert({index, at->second});
    };
    for (std::size_t p = 0; p < pins_.ports; ++p) {
      for (const std::size_t i : payload) label(in_[p * pins_.stride + i], i);
    }
    while (!open.empty()) {
      const Bit bit = open.back();
      open.pop_back();
      const std::size_t index = labels_.at(bit);
      if (makers_.read.contains(bit)) dropped.insert(index);
      if (const auto users = users_.find(bit); users != users_.end())
        for (const Bit made : users->second) label(made, index);
    }
    // An output bit shows the payload bit of its place, or none.
    for (std::size_t p = 0; p < pins_.ports; ++p) {
      for (std::size_t i = 0; i < pins_.width; ++i) {
        const auto found = labels_.find(out_[p * pins_.stride + i]);
        if (found != labels_.end() && found->second != i) dropped.insert({found->second, i});
      }
    }
    bool some = false;
    for (const std::size_t index : dropped) some |= payload.erase(index) > 0;
    return some;
  }

  /// Classes of labelled bits that are made alike; takes from the payload the bits that some output
  /// port makes otherwise than most. True: some went.
  bool drop_what_differs(std::set<std::size_t>& payload) {
    std::unordered_map<Bit, std::size_t> classes;
    for (const auto& [bit, index] : labels_) classes[bit] = 1;
    for (std::size_t p = 0; p < pins_.ports; ++p) {
      for (const std::size_t i : payload) classes[in_[p * pins_.stride + i]] = 2 + p;
    }
    for (std::size_t number = 0;;) {
      std::unordered_map<Bit, std::size_t> refined;
      std::set<std::size_t> distinct;
      for (const auto& [bit, old] : classes) {
        std::size_t h = old;
        if (const auto maker = makers_.of.find(bit); maker != makers_.of.end()) {
          h = mix(h, maker->second.kind);
          for (const Bit c : maker->second.controls) h = mix(h, static_cast<std::size_t>(c));
          for (const Bit d : maker->second.data) {
            const auto known = classes.find(d);
            h = known != classes.end() ? mix(mix(h, 1), known->second)
                                       : mix(mix(h, 2), static_cast<std::size_t>(d));
          }
        }
        refined[bit] = h;
        distinct.insert(h);
      }
      classes = std::move(refined);
      if (distinct.size() == number) break;
      number = distinct.size();
    }
    bool some = false;
    for (std::size_t p = 0; p < pins_.ports; ++p) {
      std::map<std::size_t, std::vector<std::size_t>> sets;
      for (const std::size_t i : payload) {
        const Bit bit = out_[p * pins_.stride + i];
        const auto known = classes.find(bit);
        sets[known != classes.end() ? known->second : static_cast<std::size_t>(bit)].push_back(i);
      }
      const auto most = std::max_element(
          sets.begin(), sets.end(),
          [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
      for (const auto& [unused, members] : sets) {
        if (members.size() == most->second.size() && members == most->second) continue;
        for (const std::size_t i : members) some |= payload.erase(i) > 0;
      }
    }
    return some;
  }

  Makers makers_;
  const FlitPins& pins_;
  const Bits &in_, &out_;
  std::unordered_map<Bit, std::vector<Bit>> users_;
  std::unordered_map<Bit, std::size_t> labels_;
};

}  // namespace

Payload find_payload(const Netlist& netlist, const FlitPins& pins) {
  return Search(netlist, pins).run();
}

}  // namespace hopwise::lanes
