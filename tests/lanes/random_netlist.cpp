// SPDX-License-Identifier: Apache-2.0
#include "random_netlist.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "parameters.hpp"

namespace hopwise::lanes {

namespace {

void append(Bits& to, const Bits& bits) { to.insert(to.end(), bits.begin(), bits.end()); }

}  // namespace

RandomNetlist::RandomNetlist(unsigned seed, std::size_t cells, bool all_registers) : random_(seed) {
  n_.top = "dut";
  Bits in;
  for (const std::size_t width : {1, 1, 1, 2, 3, 5, 8, 17, 33, 70}) {
    words_.push_back(n_.fresh(width));
    append(in, words_.back());
  }
  n_.ports = {{"clk_i", true, {clock_}}, {"rst_ni", true, {reset_}}, {"in_i", true, in}};
  add_registers(all_registers ? 36 : 24, all_registers);
  const std::size_t first = words_.size();
  static constexpr const char* kUnary[] = {"$not",         "$pos",         "$neg",
                                           "$reduce_and",  "$reduce_or",   "$reduce_xor",
                                           "$reduce_xnor", "$reduce_bool", "$logic_not"};
  static constexpr const char* kBinary[] = {
      "$and", "$or", "$xor", "$xnor", "$logic_and", "$logic_or", "$eq",  "$ne",  "$eqx", "$nex",
      "$lt",  "$le", "$gt",  "$ge",   "$add",       "$sub",      "$mul", "$div", "$mod"};
  static constexpr const char* kShifts[] = {"$shl", "$shr", "$sshl", "$sshr", "$shift", "$shiftx"};
  for (std::size_t i = 0; i < cells; ++i) {
    if (i % 5 == 0) add_unary(kUnary[i / 5 % std::size(kUnary)]);
    add_binary(kBinary[i % std::size(kBinary)]);
    if (i % 4 == 0) add_shift(kShifts[i / 4 % std::size(kShifts)]);
    if (i % 3 == 0) add_choices();
    if (i % 25 == 0) add_memory(i % 50 == 0 ? 16 : 3 + upto(30), upto(3), upto(3));
    if (i % 50 == 10) add_memory(2 + upto(2), 1, upto(2));
  }
  finish_registers();
  finish_memories();
  add_assertions();
  // Outputs are copies, for the Verilog has a port as one word, and a word that depends on itself
  // takes Verilator long.
  Bits shown, watched;
  for (std::size_t i = first; i < words_.size(); ++i) {
    if (i % 3 != 2) append(i % 3 == 0 ? shown : watched, words_[i]);
  }
  for (const auto& [name, bits] : {std::pair{"out_o", &shown}, {"more_o", &watched}}) {
    const std::string size = number(bits->size());
    n_.cells.push_back({std::string("copy_of_") + name,
                        "$pos",
                        {{"A_SIGNED", "0"}, {"A_WIDTH", size}, {"Y_WIDTH", size}},
                        {{"A", *bits}, {"Y", n_.fresh(bits->size())}}});
    n_.ports.push_back({name, false, n_.cells.back().pin("Y")});
  }
}

Bits RandomNetlist::word(std::size_t width) {
  Bits bits;
  while (bits.size() < width) {
    if (one_in(25)) {
      bits.push_back(one_in(2) ? kOne : kZero);
      continue;
    }
    const Bits& from = words_[random_() % words_.size()];
    const std::size_t first = one_in(3) ? random_() % from.size() : 0;
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    append(bits, {begin, begin + static_cast<std::ptrdiff_t>(
                                     std::min(from.size() - first, width - bits.size()))});
  }
  return bits;
}

Bits RandomNetlist::data(std::size_t width) {
  const Bits& in = n_.port("in_i")->bits;
  Bits noise;
  for (std::size_t i = 0; i < width; ++i) noise.push_back(in[random_() % in.size()]);
  const std::string size = number(width);
  return cell("$xor",
              {{"A_SIGNED", "0"},
               {"B_SIGNED", "0"},
               {"A_WIDTH", size},
               {"B_WIDTH", size},
               {"Y_WIDTH", size}},
              {{"A", word(width)}, {"B", noise}}, "Y", width);
}

Bits RandomNetlist::cell(const std::string& type, std::map<std::string, std::string> parameters,
                         std::map<std::string, Bits> pins, const std::string& output,
                         std::size_t width) {
  const Bits made = n_.fresh(width);
  pins[output] = made;
  n_.cells.push_back(
      {"c" + std::to_string(n_.cells.size()), type, std::move(parameters), std::move(pins)});
  words_.push_back(made);
  return made;
}

void RandomNetlist::add_unary(const std::string& type) {
  const Bits a = word(width());
  const std::size_t y = width();
  cell(type,
       {{"A_SIGNED", one_in(2) ? "1" : "0"}, {"A_WIDTH", number(a.size())}, {"Y_WIDTH", number(y)}},
       {{"A", a}}, "Y", y);
}

void RandomNetlist::add_binary(const std::string& type) {
  const bool costly = type == "$mul" || type == "$div" || type == "$mod";
  const auto size = [&] { return costly ? upto(one_in(4) ? 20 : 7) : width(); };
  const Bits a = word(size()), b = word(size());
  const std::size_t y = size();
  const std::string sign = one_in(2) ? "1" : "0";
  cell(type,
       {{"A_SIGNED", sign},
        {"B_SIGNED", sign},
        {"A_WIDTH", number(a.size())},
        {"B_WIDTH", number(b.size())},
        {"Y_WIDTH", number(y)}},
       {{"A", a}, {"B", b}}, "Y", y);
}

void RandomNetlist::add_shift(const std::string& type) {
  const Bits b = word(upto(6));
  const bool inside = type == "$shiftx";
  const std::size_t y = inside ? upto(6) : width(),
                    a = inside ? (std::size_t{1} << b.size()) - 1 + y : width();
  const bool a_signed = type[1] == 's' && type[2] == 's' && one_in(2);
  cell(type,
       {{"A_SIGNED", a_signed ? "1" : "0"},
        {"B_SIGNED", type == "$shift" && one_in(2) ? "1" : "0"},
        {"A_WIDTH", number(a)},
        {"B_WIDTH", number(b.size())},
        {"Y_WIDTH", number(y)}},
       {{"A", word(a)}, {"B", b}}, "Y", y);
}

/// One each of $mux, $demux, $pmux (which the one-hot word of $demux selects in), $bmux and $lut.
void RandomNetlist::add_choices() {
  const std::size_t w = width(), k = upto(3);
  cell("$mux", {{"WIDTH", number(w)}}, {{"A", word(w)}, {"B", word(w)}, {"S", word(1)}}, "Y", w);
  Bits hot = cell("$demux", {{"WIDTH", number(1)}, {"S_WIDTH", number(k)}},
                  {{"A", word(1)}, {"S", word(k)}}, "Y", std::size_t{1} << k);
  if (one_in(2)) hot.pop_back();
  const std::size_t v = upto(12), j = upto(3);
  cell("$pmux", {{"WIDTH", number(v)}, {"S_WIDTH", number(hot.size())}},
       {{"A", word(v)}, {"B", word(v * hot.size())}, {"S", hot}}, "Y", v);
  cell("$demux", {{"WIDTH", number(v)}, {"S_WIDTH", number(j)}}, {{"A", word(v)}, {"S", word(j)}},
       "Y", v << j);
  cell("$bmux", {{"WIDTH", number(v)}, {"S_WIDTH", number(j)}},
       {{"A", word(v << j)}, {"S", word(j)}}, "Y", v);
  const std::size_t inputs = upto(4);
  cell("$lut", {{"WIDTH", number(inputs)}, {"LUT", number(random_(), std::size_t{1} << inputs)}},
       {{"A", word(inputs)}}, "Y", 1);
}

/// Their outputs; finish_registers() gives them inputs.
void RandomNetlist::add_registers(std::size_t number_of, bool all_kinds) {
  static constexpr const char* kKinds[] = {"$dff",  "$dffe",  "$adff",  "$adffe",
                                           "$sdff", "$sdffe", "$sdffce"};
  for (std::size_t i = 0; i < number_of; ++i) {
    const std::size_t w = width(), kinds = all_kinds ? std::size(kKinds) : 4;
    const std::string type = kKinds[i % kinds];
    std::map<std::string, std::string> parameters = {{"WIDTH", number(w)}, {"CLK_POLARITY", "1"}};
    if (type.ends_with("e")) parameters["EN_POLARITY"] = all_kinds && one_in(3) ? "0" : "1";
    std::string value;
    for (std::size_t b = 0; b < w; ++b) value += one_in(2) ? '1' : '0';
    if (type.starts_with("$ad"))
      parameters["ARST_POLARITY"] = "0", parameters["ARST_VALUE"] = value;
    if (type.starts_with("$sd"))
      parameters["SRST_POLARITY"] = one_in(2) ? "0" : "1", parameters["SRST_VALUE"] = value;
    registers_.push_back(n_.cells.size());
    cell(type, std::move(parameters), {{"CLK", {clock_}}}, "Q", w);
  }
}

/// Some share an enable, so that their logic is guarded by it.
void RandomNetlist::finish_registers() {
  const Bits shared = word(1);
  for (const std::size_t r : registers_) {
    const std::size_t w = n_.cells[r].pin("Q").size();
    const Bits d = n_.cells[r].type.starts_with("$ad") ? word(w) : data(w);
    Cell& c = n_.cells[r];
    c.pins["D"] = d;
    if (c.type.ends_with("e")) c.pins["EN"] = one_in(2) ? shared : word(1);
    if (c.type.starts_with("$ad")) c.pins["ARST"] = {reset_};
    if (c.type.starts_with("$sd")) c.pins["SRST"] = word(1);
  }
}

void RandomNetlist::add_memory(std::size_t size, std::size_t reads, std::size_t writes) {
  const std::size_t w = one_in(3) ? upto(70) : upto(9);
  std::size_t address = 1;
  while (std::size_t{1} << address < size) ++address;
  memories_.push_back(n_.cells.size());
  const std::string clocked(writes, '1'), none(reads, '0');
  // A read port is a word each.
  const Bits data = cell("$mem_v2",
                         {{"MEMID", "\\m" + std::to_string(n_.cells.size())},
                          {"WIDTH", number(w)},
                          {"SIZE", number(size)},
                          {"ABITS", number(address)},
                          {"OFFSET", number(0)},
                          {"INIT", "x"},
                          {"RD_PORTS", number(reads)},
                          {"RD_CLK_ENABLE", none},
                          {"RD_CLK_POLARITY", none},
                          {"RD_TRANSPARENCY_MASK", std::string(reads * writes, '0')},
                          {"RD_COLLISION_X_MASK", std::string(reads * writes, '0')},
                          {"RD_WIDE_CONTINUATION", none},
                          {"RD_CE_OVER_SRST", none},
                          {"RD_ARST_VALUE", std::string(reads * w, 'x')},
                          {"RD_SRST_VALUE", std::string(reads * w, 'x')},
                          {"RD_INIT_VALUE", std::string(reads * w, 'x')},
                          {"WR_PORTS", number(writes)},
                          {"WR_CLK_ENABLE", clocked},
                          {"WR_CLK_POLARITY", clocked},
                          {"WR_PRIORITY_MASK", std::string(writes * writes, '0')},
                          {"WR_WIDE_CONTINUATION", std::string(writes, '0')}},
                         {{"RD_CLK", Bits(reads, kZero)},
                          {"RD_EN", Bits(reads, kOne)},
                          {"RD_ARST", Bits(reads, kZero)},
                          {"RD_SRST", Bits(reads, kZero)},
                          {"RD_ADDR", word(reads * address)},
                          {"WR_CLK", Bits(writes, clock_)}},
                         "RD_DATA", reads * w);
}

/// Of several writes to one word the last one stays: WR_PRIORITY_MASK. Enables are of the whole
/// word, or of its halves.
void RandomNetlist::finish_memories() {
  for (const std::size_t m : memories_) {
    const Bits written = data(n_.cells[m].number("WR_PORTS") * n_.cells[m].number("WIDTH"));
    Cell& c = n_.cells[m];
    const std::size_t writes = c.number("WR_PORTS"), w = c.number("WIDTH");
    std::string& priority = c.parameters["WR_PRIORITY_MASK"];
    for (std::size_t i = 0; i < writes; ++i) {
      for (std::size_t j = 0; j < i; ++j) priority[priority.size() - 1 - (i * writes + j)] = '1';
    }
    c.pins["WR_ADDR"] = word(writes * c.number("ABITS"));
    c.pins["WR_DATA"] = written;
    Bits enables;
    for (std::size_t i = 0; i < writes; ++i) {
      const Bit low = word(1).front(), high = one_in(2) ? low : word(1).front();
      for (std::size_t b = 0; b < w; ++b) enables.push_back(b < w / 2 ? low : high);
    }
    c.pins["WR_EN"] = enables;
  }
}

/// Assertions and assumptions, and the same as logic: fail_o.
void RandomNetlist::add_assertions() {
  const auto parameters = [](std::size_t width, const char* sign) {
    return std::map<std::string, std::string>{{"A_SIGNED", sign},
                                              {"B_SIGNED", sign},
                                              {"A_WIDTH", number(width)},
                                              {"B_WIDTH", number(width)},
                                              {"Y_WIDTH", number(1)}};
  };
  Bits fails;
  for (int i = 0; i < 4; ++i) {
    // They hold most of the time.
    const Bits rare = word(3);
    const Bit enable = word(1).front();
    const Bit holds =
        cell("$ne", parameters(3, "0"), {{"A", rare}, {"B", Bits(3, kOne)}}, "Y", 1).front();
    const Bit fails_now =
        cell("$gt", parameters(1, "0"), {{"A", {enable}}, {"B", {holds}}}, "Y", 1).front();
    fails.push_back(fails_now);
    n_.cells.push_back({"a" + std::to_string(i),
                        i % 2 == 0 ? "$assert" : "$assume",
                        {},
                        {{"A", {holds}}, {"EN", {enable}}}});
  }
  n_.ports.push_back({"fail_o", false, {n_.fresh()}});
  n_.cells.push_back({"fails",
                      "$reduce_or",
                      {{"A_SIGNED", "0"}, {"A_WIDTH", number(4)}, {"Y_WIDTH", number(1)}},
                      {{"A", fails}, {"Y", n_.ports.back().bits}}});
}

}  // namespace hopwise::lanes
