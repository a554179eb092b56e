// SPDX-License-Identifier: Apache-2.0
#include "engine/packet_records.hpp"

#include <algorithm>
#include <bit>

namespace hopwise::engine {

PacketRecords::PacketRecords(std::size_t sources, std::size_t most)
    : most_(most), rings_(sources), memory_(sources) {
  for (std::uint32_t source = 0; source < sources; ++source)
    rings_[source].store(make(source, std::min(kFirst, most_)), std::memory_order_relaxed);
}

std::uintptr_t PacketRecords::make(std::uint32_t source, std::size_t records) {
  memory_[source].emplace_back(new (std::align_val_t{kAlignment}) PacketRecord[records]());
  return reinterpret_cast<std::uintptr_t>(memory_[source].back().get()) |
         static_cast<std::uintptr_t>(std::countr_zero(records));
}

bool PacketRecords::grow(std::uint32_t source) {
  const std::uintptr_t old = rings_[source].load(std::memory_order_relaxed);
  const std::size_t length = std::size_t{mask_of(old)} + 1;
  if (length == most_) return false;
  const std::uintptr_t ring = make(source, 2 * length);
  for (std::size_t i = 0; i < length; ++i) {
    const PacketRecord& record = records_of(old)[i];
    if (record.flits != 0) records_of(ring)[record.id & mask_of(ring)] = record;
  }
  rings_[source].store(ring, std::memory_order_release);
  return true;
}

}  // namespace hopwise::engine
