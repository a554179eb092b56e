// SPDX-License-Identifier: Apache-2.0
// What compiler_test.cpp calls in the lanes of a random netlist: compiled with them. Pins come and
// go as groups of 64 lanes, [bit][group].
#pragma once

#include "model/lanes/lane_edge.hpp"

namespace hopwise::lanes {
namespace {

struct Driven {
  State state, other;  // two words that are clocked together; the other one has no clock
  Word in[kInputs + 1] = {}, shown[kShown + 1] = {}, watched[kWatched + 1] = {};
};

Word word_of(const std::uint64_t* groups) {
  Word w{};
  for (unsigned k = 0; k < kGroups; ++k) set_group(w, k, groups[k]);
  return w;
}

template <std::size_t kBits>
void give(const Word* words, const std::int16_t (&places)[kBits], std::uint64_t* out) {
  for (std::size_t i = 0; i < kBits; ++i) {
    for (unsigned k = 0; k < kGroups; ++k) *out++ = places[i] < 0 ? 0 : group(words[places[i]], k);
  }
}

}  // namespace
}  // namespace hopwise::lanes

extern "C" {
using namespace hopwise::lanes;

void* lanes_make() { return new Driven; }
void lanes_free(void* d) { delete static_cast<Driven*>(d); }

/// These lanes as they are behind power-on, in reset; the others stay.
void lanes_reset(void* d, const std::uint64_t* which) {
  Driven& dut = *static_cast<Driven*>(d);
  const Word lanes = word_of(which);
  clear(dut.state, lanes);
  reset(dut.state, lanes);
}

/// A rising edge in the active lanes; `failed`: where an assertion did.
void lanes_clock(void* d, const std::uint64_t* in, const std::uint64_t* active,
                 std::uint64_t* failed) {
  Driven& dut = *static_cast<Driven*>(d);
  for (std::size_t i = 0; i < std::size(kPin_in_i); ++i) {
    if (kPin_in_i[i] >= 0) dut.in[kPin_in_i[i]] = word_of(in + i * kGroups);
  }
  const Word lanes = word_of(active);
  Edge edges[] = {{&dut.other, dut.in, Word{}, all_lanes(true)},
                  {&dut.state, dut.in, lanes, ~lanes}};
  rising_edge(edges);
  for (unsigned k = 0; k < kGroups; ++k) failed[k] = group(edges[1].failed, k);
}

void lanes_show(void* d, std::uint64_t* out, std::uint64_t* more) {
  Driven& dut = *static_cast<Driven*>(d);
  show(dut.state, dut.in, dut.shown);
  watch(dut.state, dut.in, dut.watched);
  give(dut.shown, kPin_out_o, out);
  give(dut.watched, kPin_more_o, more);
}
}
