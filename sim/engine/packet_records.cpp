// SPDX-License-Identifier: Apache-2.0
#include "engine/packet_records.hpp"

#include <algorithm>
#include <bit>

namespace hopwise::engine {

PacketRecords::PacketRecords(std::size_t sources, std::size_t most, Range own)
    : most_(most), rings_(sources), memory_(sources) {
  for (std::uint32_t source = 0; source < sources; ++source) {
    const std::size_t first = source >= own.first && source < own.end ? kFirst : kFirstOfOthers;
    rings_[source].store(make(source, std::min(first, most_)), std::memory_order_relaxed);
  }
}

std::uintptr_t PacketRecords::make(std::uint32_t source, std::size_t records) {
  const std::size_t bytes = records * (sizeof(PacketRecord) + sizeof(std::uint64_t));
  auto& memory = memory_[source].emplace_back(new (std::align_val_t{kAlignment}) std::byte[bytes]);
  std::uninitialized_value_construct_n(reinterpret_cast<PacketRecord*>(memory.get()), records);
  std::uninitialized_value_construct_n(
      reinterpret_cast<std::uint64_t*>(memory.get() + records * sizeof(PacketRecord)), records);
  return reinterpret_cast<std::uintptr_t>(memory.get()) |
         static_cast<std::uintptr_t>(std::countr_zero(records));
}

bool PacketRecords::grow(std::uint32_t source) {
  const std::uintptr_t old = rings_[source].load(std::memory_order_relaxed);
  const std::size_t length = std::size_t{mask_of(old)} + 1;
  if (length == most_) return false;
  const std::uintptr_t ring = make(source, 2 * length);
  for (std::size_t i = 0; i < length; ++i) {
    const PacketRecord& record = records_of(old)[i];
    if (record.flits == 0) continue;
    records_of(ring)[record.id & mask_of(ring)] = record;
    steps_of(ring)[record.id & mask_of(ring)] = steps_of(old)[i];
  }
  rings_[source].store(ring, std::memory_order_release);
  return true;
}

}  // namespace hopwise::engine
