// SPDX-License-Identifier: Apache-2.0
#include "model/lanes/gates.hpp"

#include <utility>

namespace hopwise::lanes {

std::size_t Gates::Hash::operator()(const Gate& gate) const {
  std::uint64_t h = static_cast<std::uint64_t>(gate.kind);
  for (const Wire w : {gate.a, gate.b, gate.c}) h = (h ^ w) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
  return h;
}

Wire Gates::made(const Gate& gate) {
  const auto [at, fresh] = known_.emplace(gate, static_cast<Wire>(2 * gates_.size()));
  if (fresh) gates_.push_back(gate);
  return at->second;
}

Wire Gates::input() {
  gates_.push_back({Gate::Kind::kInput, 0, 0, 0});
  return static_cast<Wire>(2 * (gates_.size() - 1));
}

Wire Gates::both(Wire a, Wire b) {
  if (a > b) std::swap(a, b);
  if (a == kFalse || a == inverted(b)) return kFalse;
  if (a == kTrue || a == b) return b;
  return made({Gate::Kind::kAnd, a, b, 0});
}

Wire Gates::differ(Wire a, Wire b) {
  const Wire inversion = (a ^ b) & 1;
  a &= ~1u;
  b &= ~1u;
  if (a > b) std::swap(a, b);
  if (a == b) return inversion;
  if (a == kFalse) return b ^ inversion;
  return made({Gate::Kind::kXor, a, b, 0}) ^ inversion;
}

Wire Gates::choose(Wire select, Wire one, Wire zero) {
  if ((select & 1) != 0) {
    std::swap(one, zero);
    select = inverted(select);
  }
  if (select == kFalse || one == zero) return zero;
  if (one == inverted(zero)) return differ(select, zero);
  if (one == kTrue || one == select) return either(select, zero);
  if (one == kFalse || one == inverted(select)) return both(inverted(select), zero);
  if (zero == kFalse || zero == select) return both(select, one);
  if (zero == kTrue || zero == inverted(select)) return either(inverted(select), one);
  const Wire inversion = zero & 1;
  return made({Gate::Kind::kMux, select, one ^ inversion, zero ^ inversion}) ^ inversion;
}

}  // namespace hopwise::lanes
