// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/machine.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace hopwise::lanes {

namespace {

/// Modules that lane_host.hpp computes.
constexpr std::string_view kHosted[] = {"hw_sim_global_queues"};

[[noreturn]] void refuse(const Cell& cell, const std::string& why) {
  throw std::runtime_error(fmt::format("{} ({}): {}", cell.name, cell.type, why));
}

bool works_bit_by_bit(const Cell& cell) {
  return cell.type == "$and" || cell.type == "$or" || cell.type == "$xor" || cell.type == "$not" ||
         cell.type == "$mux";
}

Bits slice(const Bits& bits, std::size_t first, std::size_t width) {
  const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

Memory read_memory(const Cell& cell, Bit clock) {
  const std::size_t address = cell.number("ABITS");
  if (cell.number("OFFSET") != 0) refuse(cell, "addresses that do not begin with 0");
  if (cell.parameters.at("INIT").find('1') != std::string::npos)
    refuse(cell, "contents from the start");
  Memory m{cell.name, cell.number("SIZE"), {}, {}};
  for (std::size_t r = 0; r < cell.number("RD_PORTS"); ++r) {
    if (cell.flag("RD_CLK_ENABLE", r)) refuse(cell, "a registered read port");
    m.reads.push_back({slice(cell.pin("RD_ADDR"), r * address, address), {}});
  }
  for (std::size_t w = 0; w < cell.number("WR_PORTS"); ++w) {
    if (!cell.flag("WR_CLK_ENABLE", w) || !cell.flag("WR_CLK_POLARITY", w) ||
        cell.pin("WR_CLK")[w] != clock)
      refuse(cell, "a write port of another clock");
    m.writes.push_back({slice(cell.pin("WR_ADDR"), w * address, address), {}, kZero});
  }
  return m;
}

/// The memory as several: of the bits that some live read shows, those that are written together.
std::vector<Memory> split_memory(const Cell& cell, const Memory& whole,
                                 const std::unordered_set<Bit>& live) {
  const std::size_t width = cell.number("WIDTH");
  std::map<Bits, std::vector<std::size_t>> together;  // enables of all write ports to bits
  for (std::size_t i = 0; i < width; ++i) {
    Bits enables;
    for (std::size_t w = 0; w < whole.writes.size(); ++w)
      enables.push_back(cell.pin("WR_EN")[w * width + i]);
    bool shown = false;
    for (std::size_t r = 0; r < whole.reads.size(); ++r)
      shown |= live.contains(cell.pin("RD_DATA")[r * width + i]);
    if (shown) together[enables].push_back(i);
  }
  std::vector<Memory> parts;
  for (const auto& [enables, bits] : together) {
    for (std::size_t at = 0; at < bits.size(); ++at) {
      if (at % kWidestMemory == 0) parts.push_back(whole);
      Memory& part = parts.back();
      for (std::size_t r = 0; r < part.reads.size(); ++r)
        part.reads[r].data.push_back(cell.pin("RD_DATA")[r * width + bits[at]]);
      for (std::size_t w = 0; w < part.writes.size(); ++w) {
        part.writes[w].data.push_back(cell.pin("WR_DATA")[w * width + bits[at]]);
        part.writes[w].enable = enables[w];
      }
    }
  }
  for (Memory& part : parts) {
    std::erase_if(part.reads, [&](const Memory::Read& r) {
      return std::none_of(r.data.begin(), r.data.end(), [&](Bit b) { return live.contains(b); });
    });
  }
  return parts;
}

void check_register(const Cell& cell, Bit clock, Bit reset) {
  if (cell.pin("CLK").front() != clock || cell.number("CLK_POLARITY") == 0)
    refuse(cell, "another clock");
  if (cell.has("ARST") && (cell.pin("ARST").front() != reset || cell.number("ARST_POLARITY") != 0))
    refuse(cell, "another reset");
}

/// Registers with an enable that is low get one that is high.
void raise_enables(Netlist& netlist) {
  std::vector<Cell> inverters;
  for (Cell& cell : netlist.cells) {
    if (!is_register(cell) || !cell.has("EN") || cell.number("EN_POLARITY") != 0) continue;
    const Bit high = netlist.fresh();
    const std::string one = fmt::format("{:032b}", 1);
    inverters.push_back({fmt::format("{}$enable", cell.name),
                         "$not",
                         {{"A_SIGNED", "0"}, {"A_WIDTH", one}, {"Y_WIDTH", one}},
                         {{"A", cell.pin("EN")}, {"Y", {high}}}});
    cell.pins["EN"] = {high};
    cell.parameters["EN_POLARITY"] = one;
  }
  netlist.cells.insert(netlist.cells.end(), inverters.begin(), inverters.end());
}

/// Registers that another register resets, in step with the clock, get that from what feeds them:
/// such a register R is 0 from the edge on at which its own input is 0, and until the edge after
/// the one at which that is 1 again, and so long the others have the value of their reset.
void feed_resets(Netlist& netlist, Bit reset) {
  const std::string one = fmt::format("{:032b}", 1);
  const auto gate = [&one](std::string name, const char* type, Bit a, Bit b, Bit y) {
    return Cell{std::move(name),
                type,
                {{"A_SIGNED", "0"},
                 {"B_SIGNED", "0"},
                 {"A_WIDTH", one},
                 {"B_WIDTH", one},
                 {"Y_WIDTH", one}},
                {{"A", {a}}, {"B", {b}}, {"Y", {y}}}};
  };
  std::map<Bit, Bit> runs;  // by the reset: it is not there, before and after the edge
  std::vector<Cell> gates;
  for (const Cell& cell : netlist.cells) {
    if (!is_register(cell) || cell.has("EN") || !cell.has("ARST") ||
        cell.pin("ARST").front() != reset)
      continue;
    for (std::size_t i = 0; i < cell.pin("Q").size(); ++i) {
      if (!cell.flag("ARST_VALUE", i)) runs.emplace(cell.pin("Q")[i], cell.pin("D")[i]);
    }
  }
  std::map<Bit, Bit> used;
  for (Cell& cell : netlist.cells) {
    if (!is_register(cell) || !cell.has("ARST") || cell.pin("ARST").front() == reset ||
        cell.number("ARST_POLARITY") != 0)
      continue;
    const auto by = runs.find(cell.pin("ARST").front());
    if (by == runs.end()) continue;
    const auto [run, is_new] = used.emplace(by->first, 0);
    if (is_new) {
      run->second = netlist.fresh();
      gates.push_back(gate(cell.name + "$runs", "$and", by->first, by->second, run->second));
    }
    const std::size_t width = cell.pin("D").size();
    Bits value, fed;
    for (std::size_t i = 0; i < width; ++i) {
      value.push_back(cell.flag("ARST_VALUE", i) ? kOne : kZero);
      fed.push_back(netlist.fresh());
    }
    gates.push_back({cell.name + "$fed",
                     "$mux",
                     {{"WIDTH", fmt::format("{:032b}", width)}},
                     {{"A", value}, {"B", cell.pin("D")}, {"S", {run->second}}, {"Y", fed}}});
    cell.pins["D"] = fed;
    if (cell.has("EN")) {
      const Bit halts = netlist.fresh(), enable = netlist.fresh();
      gates.push_back({cell.name + "$halts",
                       "$not",
                       {{"A_SIGNED", "0"}, {"A_WIDTH", one}, {"Y_WIDTH", one}},
                       {{"A", {run->second}}, {"Y", {halts}}}});
      gates.push_back(gate(cell.name + "$or", "$or", cell.pin("EN").front(), halts, enable));
      cell.pins["EN"] = {enable};
    }
    cell.pins["ARST"] = {reset};
  }
  netlist.cells.insert(netlist.cells.end(), gates.begin(), gates.end());
}

/// Which nets matter: backwards from the wanted pins through everything that drives them.
class Liveness {
 public:
  explicit Liveness(const Netlist& netlist) : netlist_(netlist) {
    for (std::size_t c = 0; c < netlist.cells.size(); ++c) {
      const Cell& cell = netlist.cells[c];
      for (const auto& [pin, bits] : cell.pins) {
        if (!drives(cell, pin)) continue;
        for (std::size_t i = 0; i < bits.size(); ++i) driver_[bits[i]] = {c, i};
      }
    }
  }

  void want(Bit bit) {
    if (live.insert(bit).second) open_.push_back(bit);
  }

  void run() {
    while (!open_.empty()) {
      const Bit bit = open_.back();
      open_.pop_back();
      const auto at = driver_.find(bit);
      if (at == driver_.end()) continue;
      const Cell& cell = netlist_.cells[at->second.first];
      const std::size_t i = at->second.second;
      if (is_register(cell)) {
        want(cell.pin("D")[i]);
        want_all(cell, "EN");
      } else if (cell.type == "$mem_v2") {
        want_memory(cell, i);
      } else if (works_bit_by_bit(cell)) {
        for (const char* pin : {"A", "B"}) {
          if (cell.has(pin) && i < cell.pin(pin).size()) want(cell.pin(pin)[i]);
        }
        // The sign of a narrow operand stands for the bits above it.
        if (cell.number("A_SIGNED") != 0) want_all(cell, "A"), want_all(cell, "B");
        want_all(cell, "S");
      } else {
        for (const auto& [pin, bits] : cell.pins) {
          if (!drives(cell, pin)) want_all(cell, pin);
        }
      }
    }
  }

  std::unordered_set<Bit> live = {kZero, kOne};

 private:
  void want_all(const Cell& cell, const std::string& pin) {
    if (!cell.has(pin)) return;
    for (const Bit bit : cell.pin(pin)) want(bit);
  }

  void want_memory(const Cell& cell, std::size_t i) {
    const std::size_t width = cell.number("WIDTH"), address = cell.number("ABITS"),
                      read = i / width, bit = i % width;
    for (std::size_t a = 0; a < address; ++a) want(cell.pin("RD_ADDR")[read * address + a]);
    want_all(cell, "WR_ADDR");
    for (std::size_t w = 0; w < cell.number("WR_PORTS"); ++w) {
      want(cell.pin("WR_DATA")[w * width + bit]);
      want(cell.pin("WR_EN")[w * width + bit]);
    }
  }

  const Netlist& netlist_;
  std::unordered_map<Bit, std::pair<std::size_t, std::size_t>> driver_;
  std::vector<Bit> open_;
};

void add(Bits& to, const Bits& bits) { to.insert(to.end(), bits.begin(), bits.end()); }

/// Each net once, without constants.
Bits distinct(Bits bits) {
  std::unordered_set<Bit> seen = {kZero, kOne};
  std::erase_if(bits, [&](Bit bit) { return !seen.insert(bit).second; });
  return bits;
}

}  // namespace

Bits Machine::sources() const {
  Bits all;
  for (const Port& pin : pins) {
    if (pin.input) add(all, pin.bits);
  }
  for (const Register& r : registers) all.push_back(r.q);
  for (const Memory& m : memories) {
    for (const Memory::Read& r : m.reads) add(all, r.data);
  }
  for (const Cell& cell : hosted) {
    for (const auto& [pin, bits] : cell.pins) {
      if (drives(cell, pin)) add(all, bits);
    }
  }
  return distinct(std::move(all));
}

Bits Machine::sinks() const {
  Bits all;
  for (const Port& pin : pins) {
    if (!pin.input) add(all, pin.bits);
  }
  for (const Register& r : registers) all.push_back(r.d), all.push_back(r.enable);
  for (const Memory& m : memories) {
    for (const Memory::Read& r : m.reads) add(all, r.address);
    for (const Memory::Write& w : m.writes)
      add(all, w.address), add(all, w.data), all.push_back(w.enable);
  }
  for (const Cell& cell : hosted) {
    for (const auto& [pin, bits] : cell.pins) {
      if (!drives(cell, pin)) add(all, bits);
    }
  }
  return distinct(std::move(all));
}

Machine take_apart(Netlist netlist, const std::string& clock, const std::string& reset,
                   const std::function<bool(const std::string&, std::size_t)>& wanted) {
  const auto net = [&](const std::string& name) {
    const Port* port = netlist.port(name);
    if (port == nullptr || port->bits.size() != 1) throw std::runtime_error("no pin " + name);
    return port->bits.front();
  };
  const Bit clock_net = net(clock), reset_net = net(reset);
  raise_enables(netlist);
  feed_resets(netlist, reset_net);
  Machine m;
  Liveness liveness(netlist);
  for (Port port : netlist.ports) {
    if (port.name == clock) continue;
    if (!port.input) {
      for (std::size_t i = 0; i < port.bits.size(); ++i) {
        if (!wanted(port.name, i)) port.bits[i] = kZero;
        liveness.want(port.bits[i]);
      }
    }
    m.pins.push_back(std::move(port));
  }
  liveness.run();
  const auto is_live = [&](Bit bit) { return liveness.live.contains(bit); };
  for (Cell& cell : netlist.cells) {
    if (is_register(cell)) {
      const Bits& q = cell.pin("Q");
      if (std::none_of(q.begin(), q.end(), is_live)) continue;
      check_register(cell, clock_net, reset_net);
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (!is_live(q[i])) continue;
        m.registers.push_back({q[i], cell.pin("D")[i],
                               cell.has("EN") ? cell.pin("EN").front() : kOne, cell.has("ARST"),
                               cell.flag("ARST_VALUE", i), cell.name});
      }
    } else if (cell.type == "$mem_v2") {
      const Bits& data = cell.pin("RD_DATA");
      if (std::none_of(data.begin(), data.end(), is_live)) continue;
      for (Memory& part : split_memory(cell, read_memory(cell, clock_net), liveness.live))
        m.memories.push_back(std::move(part));
    } else {
      if (cell.has("CLK") || cell.has("EN")) refuse(cell, "a kind of register");
      const bool matters = std::any_of(cell.pins.begin(), cell.pins.end(), [&](const auto& pin) {
        return drives(cell, pin.first) &&
               std::any_of(pin.second.begin(), pin.second.end(), is_live);
      });
      if (!matters) continue;
      if (is_hosted(cell) &&
          std::find(std::begin(kHosted), std::end(kHosted), cell.type) == std::end(kHosted))
        refuse(cell, "a module without contents");
      (is_hosted(cell) ? m.hosted : m.logic.cells).push_back(std::move(cell));
    }
  }
  m.logic.top = netlist.top;
  m.logic.nets = netlist.nets;
  m.logic.ports = {{"in", true, m.sources()}, {"out", false, m.sinks()}};
  return m;
}

std::size_t watch_assertions(Netlist& netlist, const std::string& name) {
  Bits fails;
  std::vector<Cell> more;
  for (const Cell& cell : netlist.cells) {
    if (cell.type != "$assert" && cell.type != "$assume") continue;
    const Bit wrong = netlist.fresh(), fail = netlist.fresh();
    const auto width = [](int n) { return fmt::format("{:032b}", n); };
    more.push_back({cell.name + "$not",
                    "$not",
                    {{"A_SIGNED", "0"}, {"A_WIDTH", width(1)}, {"Y_WIDTH", width(1)}},
                    {{"A", cell.pin("A")}, {"Y", {wrong}}}});
    more.push_back({cell.name + "$fails",
                    "$and",
                    {{"A_SIGNED", "0"},
                     {"B_SIGNED", "0"},
                     {"A_WIDTH", width(1)},
                     {"B_WIDTH", width(1)},
                     {"Y_WIDTH", width(1)}},
                    {{"A", {wrong}}, {"B", cell.pin("EN")}, {"Y", {fail}}}});
    fails.push_back(fail);
  }
  std::erase_if(netlist.cells, [](const Cell& cell) {
    return cell.type == "$assert" || cell.type == "$assume" || cell.type == "$cover";
  });
  Bit any = kZero;
  if (!fails.empty()) {
    any = netlist.fresh();
    more.push_back({name,
                    "$reduce_or",
                    {{"A_SIGNED", "0"},
                     {"A_WIDTH", fmt::format("{:032b}", fails.size())},
                     {"Y_WIDTH", fmt::format("{:032b}", 1)}},
                    {{"A", fails}, {"Y", {any}}}});
  }
  netlist.cells.insert(netlist.cells.end(), more.begin(), more.end());
  netlist.ports.push_back({name, false, {any}});
  return fails.size();
}

}  // namespace hopwise::lanes
