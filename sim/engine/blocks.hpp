// SPDX-License-Identifier: Apache-2.0
// Wires in memory: blocks of them, and where the pins of one router stand in its block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "model/router_bank.hpp"

namespace hopwise::engine {

/// The input pins of one router: a lane of a block.
struct InputPins {
  std::byte* block = nullptr;
  const model::WireShape* shape = nullptr;
  std::uint32_t lane = 0;

  std::byte* slot(std::uint64_t cycle) const {
    return block + std::size_t{shape->slot_bytes()} * (cycle & shape->slot_mask);
  }
  std::byte& flit_meta(std::uint64_t cycle, std::uint32_t port) const {
    return slot(cycle)[shape->flit_meta(port, lane)];
  }
  const std::byte* flit(std::uint64_t cycle, std::uint32_t port) const {
    return slot(cycle) + shape->flit_offset(port, lane);
  }

  /// The wire to input port `port`, of flits or (`credit`) of credits.
  model::Wire wire_to(std::uint32_t port, bool credit, unsigned delay) const {
    return {
        .block = block,
        .slot_bytes = shape->slot_bytes(),
        .slot_mask = shape->slot_mask,
        .meta_offset = credit ? shape->credit_meta(port, lane) : shape->flit_meta(port, lane),
        .data_offset = credit ? shape->feedback_offset(port, lane) : shape->flit_offset(port, lane),
        .delay = delay};
  }
};

/// Memory for blocks of wires: empty wires at first, at a multiple of kBlockAlignment.
class Blocks {
 public:
  Blocks() = default;
  explicit Blocks(std::size_t bytes)
      : bytes_(new (std::align_val_t{model::kBlockAlignment}) std::byte[bytes]()) {}
  std::byte* data() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(std::byte* bytes) const {
      ::operator delete[](bytes, std::align_val_t{model::kBlockAlignment});
    }
  };
  std::unique_ptr<std::byte[], Free> bytes_;
};

/// Copies 64-bit words of a flit, which are few.
inline void copy_words(void* to, const void* from, std::size_t words) {
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  for (std::size_t i = 0; i < 8 * words; i += 8) std::memcpy(target + i, source + i, 8);
}

/// Nothing is on the wires of a block, in no slot.
inline bool all_zero_meta(const std::byte* block, const model::WireShape& shape) {
  for (std::uint32_t slot = 0; slot <= shape.slot_mask; ++slot) {
    const std::byte* meta = block + std::size_t{slot} * shape.slot_bytes();
    if (model::any_meta(meta, std::size_t{2} * shape.meta_bytes())) return false;
  }
  return true;
}

/// Something is on the pins of one router, now or in cycles to come.
inline bool any_meta(const InputPins& pins) {
  std::byte seen{0};
  for (std::uint32_t slot = 0; slot <= pins.shape->slot_mask; ++slot) {
    const std::byte* meta = pins.slot(slot);
    for (std::uint32_t p = 0; p < pins.shape->ports; ++p)
      seen |=
          meta[pins.shape->flit_meta(p, pins.lane)] | meta[pins.shape->credit_meta(p, pins.lane)];
  }
  return seen != std::byte{0};
}

}  // namespace hopwise::engine
