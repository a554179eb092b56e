// SPDX-License-Identifier: Apache-2.0
// The pins between message interfaces in lanes and their hosts. Part of lanes_bank.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "model/host_pins.hpp"
#include "model/lanes/lane_word.hpp"

namespace hopwise::lanes {

#if HOPWISE_HOSTS
/// What hosts drive and see, a structure for each lane; the netlist has a slice for each bit that
/// it reads or makes. Bytes of the structures are transposed, but for those that mean nothing in
/// any lane of a group.
class LanePins {
 public:
  LanePins() : in_(kLanes), out_(kLanes) {}

  model::HostInputs* inputs(unsigned lane) { return &in_[lane]; }
  const model::HostOutputs* outputs(unsigned lane) const { return &out_[lane]; }
  void clear(unsigned lane) {
    in_[lane] = {};
    out_[lane] = {};
  }
  bool stimulated() const {
    return std::any_of(in_.begin(), in_.end(), [](const auto& in) { return in.stimulus != 0; });
  }

  void take(Word* in) const {
    using In = model::HostInputs;
    for (unsigned k = 0; k < kGroups; ++k) {
      const In* hosts = &in_[64 * k];
      const auto any_of = [&](std::uint32_t In::*valid) {
        std::uint32_t some = 0;
        for (unsigned l = 0; l < 64; ++l) some |= hosts[l].*valid;
        return some != 0;
      };
      const bool descriptors = any_of(&In::desc_valid), windows = any_of(&In::win_valid),
                 reads = any_of(&In::r_valid);
      const auto skipped = [&](std::size_t byte) {
        if (within(byte, offsetof(In, desc_dst), offsetof(In, cpl_ready))) return !descriptors;
        if (within(byte, offsetof(In, win_index), offsetof(In, ar_ready))) return !windows;
        return within(byte, offsetof(In, r_data), offsetof(In, r_data) + sizeof(In::r_data)) &&
               !reads;
      };
      for (const std::size_t byte : used_in_) {
        const std::int16_t* pins = kPin_host_i + 8 * byte;
        if (skipped(byte)) continue;
        std::uint8_t bytes[64];
        for (unsigned l = 0; l < 64; ++l)
          bytes[l] = reinterpret_cast<const std::uint8_t*>(&hosts[l])[byte];
        Word slices[8];
        to_slices(bytes, 8, k, slices);
        for (unsigned j = 0; j < 8; ++j) {
          if (pins[j] >= 0) set_group(in[pins[j]], k, group(slices[j], k));
        }
      }
    }
  }

  void give(const Word* shown) {
    using Out = model::HostOutputs;
    for (unsigned k = 0; k < kGroups; ++k) {
      const auto any_of = [&](std::size_t valid) {
        const int place = kPin_host_o[8 * valid];
        return place >= 0 && group(shown[place], k) != 0;
      };
      const bool writes = any_of(offsetof(Out, w_valid)), reads = any_of(offsetof(Out, ar_valid)),
                 addresses = any_of(offsetof(Out, aw_valid)),
                 completions = any_of(offsetof(Out, cpl_valid));
      const auto skipped = [&](std::size_t byte) {
        if (within(byte, offsetof(Out, cpl_tag), offsetof(Out, evt_valid))) return !completions;
        if (within(byte, offsetof(Out, ar_id), offsetof(Out, r_ready))) return !reads;
        if (within(byte, offsetof(Out, aw_id), offsetof(Out, w_valid))) return !addresses;
        return within(byte, offsetof(Out, w_strb), offsetof(Out, w_data) + sizeof(Out::w_data)) &&
               !writes;
      };
      for (const std::size_t byte : used_out_) {
        const std::int16_t* pins = kPin_host_o + 8 * byte;
        if (skipped(byte)) continue;
        Word slices[8];
        for (unsigned j = 0; j < 8; ++j)
          set_group(slices[j], k, pins[j] < 0 ? 0 : group(shown[pins[j]], k));
        std::uint8_t bytes[64];
        to_bytes(slices, 8, k, bytes);
        for (unsigned l = 0; l < 64; ++l)
          reinterpret_cast<std::uint8_t*>(&out_[64 * k + l])[byte] = bytes[l];
      }
    }
  }

 private:
  static bool within(std::size_t byte, std::size_t from, std::size_t to) {
    return byte >= from && byte < to;
  }
  /// The bytes of a vector that the model has pins in.
  static std::vector<std::uint16_t> used(const std::int16_t* pins, std::size_t bytes) {
    std::vector<std::uint16_t> all;
    for (std::size_t byte = 0; byte < bytes; ++byte) {
      if (std::any_of(pins + 8 * byte, pins + 8 * byte + 8,
                      [](std::int16_t place) { return place >= 0; }))
        all.push_back(static_cast<std::uint16_t>(byte));
    }
    return all;
  }

  std::vector<std::uint16_t> used_in_ = used(kPin_host_i, sizeof(model::HostInputs)),
                             used_out_ = used(kPin_host_o, sizeof(model::HostOutputs));
  std::vector<model::HostInputs> in_;
  std::vector<model::HostOutputs> out_;
};
#else
/// Routers have none.
class LanePins {
 public:
  void clear(unsigned) {}
  bool stimulated() const { return false; }
  void take(Word*) const {}
  void give(const Word*) {}
};
#endif

}  // namespace hopwise::lanes
