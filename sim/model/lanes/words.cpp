// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/words.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

namespace hopwise::lanes {

namespace {

using Function = Wires (*)(Gates&, const Operands&);

/// `a` cut or extended to `width` bits.
Wires extended(Wires a, bool is_signed, std::size_t width) {
  const Wire sign = is_signed && !a.empty() ? a.back() : kFalse;
  a.resize(width, sign);
  return a;
}

/// Both operands in the width of the result, or the wider one's; signed only if both are.
std::pair<Wires, Wires> pair_of(const Operands& o, std::size_t width) {
  const bool is_signed = o.a_signed && o.b_signed;
  return {extended(o.a, is_signed, width), extended(o.b, is_signed, width)};
}

std::pair<Wires, Wires> compared(const Operands& o) {
  return pair_of(o, std::max(o.a.size(), o.b.size()));
}

Wires truth(Wire bit, const Operands& o) { return extended({bit}, false, o.width); }

Wires inverted(Wires a) {
  for (Wire& wire : a) wire = lanes::inverted(wire);
  return a;
}

Wire all(Gates& g, const Wires& a) {
  Wire sum = kTrue;
  for (const Wire wire : a) sum = g.both(sum, wire);
  return sum;
}

Wire any(Gates& g, const Wires& a) { return lanes::inverted(all(g, inverted(a))); }

Wire parity(Gates& g, const Wires& a) {
  Wire sum = kFalse;
  for (const Wire wire : a) sum = g.differ(sum, wire);
  return sum;
}

Wire equal(Gates& g, const Wires& a, const Wires& b) {
  Wire sum = kTrue;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = g.both(sum, lanes::inverted(g.differ(a[i], b[i])));
  return sum;
}

/// a + b + carry; the carry out is `carry`.
Wires sum_of(Gates& g, const Wires& a, const Wires& b, Wire& carry) {
  Wires sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Wire one = g.differ(a[i], b[i]);
    sum[i] = g.differ(one, carry);
    carry = g.choose(one, carry, a[i]);
  }
  return sum;
}

Wires difference(Gates& g, const Wires& a, const Wires& b) {
  Wire carry = kTrue;
  return sum_of(g, a, inverted(b), carry);
}

Wires negated(Gates& g, const Wires& a) { return difference(g, Wires(a.size(), kFalse), a); }

/// a < b of unsigned words: from the lowest bit up, the highest in which they differ decides.
Wire below(Gates& g, const Wires& a, const Wires& b) {
  Wire less = kFalse;
  for (std::size_t i = 0; i < a.size(); ++i) less = g.choose(g.differ(a[i], b[i]), b[i], less);
  return less;
}

Wire less(Gates& g, Wires a, Wires b, bool is_signed) {
  if (is_signed && !a.empty()) std::swap(a.back(), b.back());
  return below(g, a, b);
}

Wire a_less(Gates& g, const Operands& o) {
  auto [a, b] = compared(o);
  return less(g, std::move(a), std::move(b), o.a_signed && o.b_signed);
}

Wire b_less(Gates& g, const Operands& o) {
  auto [a, b] = compared(o);
  return less(g, std::move(b), std::move(a), o.a_signed && o.b_signed);
}

Wires chosen(Gates& g, Wire select, const Wires& one, const Wires& zero) {
  Wires y(zero.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = g.choose(select, one[i], zero[i]);
  return y;
}

/// `a` by `amount` to lower bits, or to higher ones; `fill` comes in.
Wires shifted(Gates& g, Wires a, const Wires& amount, bool up, Wire fill) {
  const std::size_t steps = std::bit_width(a.size());
  Wire far = kFalse;
  for (std::size_t k = 0; k < amount.size(); ++k) {
    if (k >= steps) {
      far = g.either(far, amount[k]);
      continue;
    }
    Wires moved(a.size(), fill);
    for (std::size_t i = 0, by = std::size_t{1} << k; i + by < a.size(); ++i) {
      if (up)
        moved[i + by] = a[i];
      else
        moved[i] = a[i + by];
    }
    a = chosen(g, amount[k], moved, a);
  }
  return chosen(g, far, Wires(a.size(), fill), a);
}

Wires shift_up(Gates& g, const Operands& o) {
  const Wires a = extended(o.a, o.a_signed, std::max(o.a.size(), o.width));
  return extended(shifted(g, a, o.b, true, kFalse), false, o.width);
}

Wires shift_down(Gates& g, const Operands& o, bool arithmetic) {
  const Wires a = extended(o.a, o.a_signed, std::max(o.a.size(), o.width));
  const Wire fill = arithmetic && o.a_signed ? a.back() : kFalse;
  return extended(shifted(g, a, o.b, false, fill), false, o.width);
}

/// Down by a signed number.
Wires shift_both(Gates& g, const Operands& o) {
  const Wires down = shift_down(g, o, false);
  if (!o.b_signed) return down;
  Operands other = o;
  other.b = negated(g, o.b);
  return chosen(g, o.b.back(), shift_up(g, other), down);
}

Wires product(Gates& g, const Operands& o) {
  const auto [a, b] = pair_of(o, o.width);
  Wires sum(o.width, kFalse);
  for (std::size_t i = 0; i < o.width; ++i) {
    Wires part(o.width, kFalse);
    for (std::size_t k = i; k < o.width; ++k) part[k] = g.both(a[k - i], b[i]);
    Wire carry = kFalse;
    sum = sum_of(g, sum, part, carry);
  }
  return sum;
}

/// Quotient and remainder of unsigned words, bit by bit from above; both are 0 where b is 0.
std::pair<Wires, Wires> divided(Gates& g, const Wires& a, const Wires& b) {
  const std::size_t width = a.size();
  const Wire valid = any(g, b);
  Wires quotient(width, kFalse), rest(width + 1, kFalse), divisor = b;
  divisor.push_back(kFalse);
  for (std::size_t i = width; i-- > 0;) {
    rest.insert(rest.begin(), a[i]);
    rest.pop_back();
    const Wire fits = lanes::inverted(below(g, rest, divisor));
    rest = chosen(g, fits, difference(g, rest, divisor), rest);
    quotient[i] = g.both(fits, valid);
  }
  rest.pop_back();
  return {quotient, chosen(g, valid, rest, Wires(width, kFalse))};
}

/// Rounds to zero, as Verilog does: the rest has the sign of `a`.
Wires division(Gates& g, const Operands& o, bool rest) {
  const std::size_t width = std::max({o.a.size(), o.b.size(), o.width});
  const bool is_signed = o.a_signed && o.b_signed;
  auto [a, b] = pair_of(o, width);
  const Wire a_minus = is_signed ? a.back() : kFalse, b_minus = is_signed ? b.back() : kFalse;
  const auto parts =
      divided(g, chosen(g, a_minus, negated(g, a), a), chosen(g, b_minus, negated(g, b), b));
  const Wires& y = rest ? parts.second : parts.first;
  const Wire minus = rest ? a_minus : g.differ(a_minus, b_minus);
  return extended(chosen(g, minus, negated(g, y), y), is_signed, o.width);
}

/// Of the words in `a` the one whose number is `s`.
Wires indexed(Gates& g, const Operands& o) {
  Wires words = o.a;
  for (const Wire s : o.s) {
    Wires half;
    for (std::size_t at = 0; at < words.size(); at += 2 * o.width) {
      for (std::size_t i = at; i < at + o.width; ++i)
        half.push_back(g.choose(s, words[i + o.width], words[i]));
    }
    words = std::move(half);
  }
  return words;
}

/// `a` at word `s` of Y, zeros elsewhere.
Wires placed(Gates& g, const Operands& o) {
  Wires y = o.a;
  for (const Wire s : o.s) {
    Wires low, high;
    for (const Wire wire : y) {
      low.push_back(g.both(wire, lanes::inverted(s)));
      high.push_back(g.both(wire, s));
    }
    y = std::move(low);
    y.insert(y.end(), high.begin(), high.end());
  }
  return y;
}

/// `a` where no bit of `s` is set, otherwise the word of `b` of that bit.
Wires selected(Gates& g, const Operands& o) {
  const Wire none = lanes::inverted(any(g, o.s));
  Wires y(o.width);
  for (std::size_t i = 0; i < o.width; ++i) {
    y[i] = g.both(none, o.a[i]);
    for (std::size_t k = 0; k < o.s.size(); ++k)
      y[i] = g.either(y[i], g.both(o.s[k], o.b[k * o.width + i]));
  }
  return y;
}

template <class Combine>
Wires zipped(const Operands& o, Combine combine) {
  auto [a, b] = pair_of(o, o.width);
  for (std::size_t i = 0; i < o.width; ++i) a[i] = combine(a[i], b[i]);
  return a;
}

const std::map<std::string_view, Function> kFunctions = {
    {"$pos", [](Gates&, const Operands& o) { return extended(o.a, o.a_signed, o.width); }},
    {"$not",
     [](Gates&, const Operands& o) { return inverted(extended(o.a, o.a_signed, o.width)); }},
    {"$neg",
     [](Gates& g, const Operands& o) { return negated(g, extended(o.a, o.a_signed, o.width)); }},
    {"$and",
     [](Gates& g, const Operands& o) {
       return zipped(o, [&](Wire a, Wire b) { return g.both(a, b); });
     }},
    {"$or",
     [](Gates& g, const Operands& o) {
       return zipped(o, [&](Wire a, Wire b) { return g.either(a, b); });
     }},
    {"$xor",
     [](Gates& g, const Operands& o) {
       return zipped(o, [&](Wire a, Wire b) { return g.differ(a, b); });
     }},
    {"$xnor",
     [](Gates& g, const Operands& o) {
       return zipped(o, [&](Wire a, Wire b) { return lanes::inverted(g.differ(a, b)); });
     }},
    {"$reduce_and", [](Gates& g, const Operands& o) { return truth(all(g, o.a), o); }},
    {"$reduce_or", [](Gates& g, const Operands& o) { return truth(any(g, o.a), o); }},
    {"$reduce_bool", [](Gates& g, const Operands& o) { return truth(any(g, o.a), o); }},
    {"$reduce_xor", [](Gates& g, const Operands& o) { return truth(parity(g, o.a), o); }},
    {"$reduce_xnor",
     [](Gates& g, const Operands& o) { return truth(lanes::inverted(parity(g, o.a)), o); }},
    {"$logic_not",
     [](Gates& g, const Operands& o) { return truth(lanes::inverted(any(g, o.a)), o); }},
    {"$logic_and",
     [](Gates& g, const Operands& o) { return truth(g.both(any(g, o.a), any(g, o.b)), o); }},
    {"$logic_or",
     [](Gates& g, const Operands& o) { return truth(g.either(any(g, o.a), any(g, o.b)), o); }},
    {"$eq",
     [](Gates& g, const Operands& o) {
       const auto [a, b] = compared(o);
       return truth(equal(g, a, b), o);
     }},
    {"$ne",
     [](Gates& g, const Operands& o) {
       const auto [a, b] = compared(o);
       return truth(lanes::inverted(equal(g, a, b)), o);
     }},
    {"$lt", [](Gates& g, const Operands& o) { return truth(a_less(g, o), o); }},
    {"$gt", [](Gates& g, const Operands& o) { return truth(b_less(g, o), o); }},
    {"$le", [](Gates& g, const Operands& o) { return truth(lanes::inverted(b_less(g, o)), o); }},
    {"$ge", [](Gates& g, const Operands& o) { return truth(lanes::inverted(a_less(g, o)), o); }},
    {"$add",
     [](Gates& g, const Operands& o) {
       const auto [a, b] = pair_of(o, o.width);
       Wire carry = kFalse;
       return sum_of(g, a, b, carry);
     }},
    {"$sub",
     [](Gates& g, const Operands& o) {
       const auto [a, b] = pair_of(o, o.width);
       return difference(g, a, b);
     }},
    {"$mul", product},
    {"$div", [](Gates& g, const Operands& o) { return division(g, o, false); }},
    {"$mod", [](Gates& g, const Operands& o) { return division(g, o, true); }},
    {"$shl", shift_up},
    {"$sshl", shift_up},
    {"$shr", [](Gates& g, const Operands& o) { return shift_down(g, o, false); }},
    {"$sshr", [](Gates& g, const Operands& o) { return shift_down(g, o, true); }},
    {"$shift", shift_both},
    {"$shiftx", shift_both},
    {"$mux", [](Gates& g, const Operands& o) { return chosen(g, o.s.front(), o.b, o.a); }},
    {"$pmux", selected},
    {"$bmux", indexed},
    {"$demux", placed},
};

/// The same for bits that are 0 and 1 only.
std::string_view known_name(std::string_view type) {
  if (type == "$eqx") return "$eq";
  if (type == "$nex") return "$ne";
  return type;
}

}  // namespace

bool has_gates(const std::string& type) { return kFunctions.contains(known_name(type)); }

bool is_bitwise(const std::string& type) {
  return type == "$and" || type == "$or" || type == "$xor" || type == "$xnor" || type == "$not" ||
         type == "$pos" || type == "$mux" || type == "$pmux";
}

Wires gates_of(const std::string& type, const Operands& operands, Gates& gates) {
  return kFunctions.at(known_name(type))(gates, operands);
}

}  // namespace hopwise::lanes
