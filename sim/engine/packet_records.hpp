// SPDX-License-Identifier: Apache-2.0
// What sources remember of the packets under way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace hopwise::engine {

/// Numbers from `first` on, before `end`.
struct Range {
  std::uint32_t first = 0, end = 0;
};

/// What a source remembers of a packet until its delivery is reported back. Two of them are a cache
/// line: there are many, and each is found cold.
struct alignas(32) PacketRecord {
  std::uint64_t generated = 0;  ///< core cycle
  std::uint64_t injected = 0;   ///< core cycle in which the head is on the terminal's output pins
  std::uint32_t dst = 0;
  std::uint32_t crc = 0;       ///< CRC-32C of all flits
  std::uint16_t sequence = 0;  ///< among the packets of this source and destination, modulo 2^16
  std::uint16_t id = 0;        ///< as in the header
  std::uint16_t flits = 0;     ///< 0: not in use
  std::uint8_t message_class = 0;
  bool reply = false;  ///< to a packet that its source has got
};
static_assert(sizeof(PacketRecord) == 32);

/// PacketRecord::flits where threads may meet: either value leads to the same count.
inline std::atomic_ref<std::uint16_t> use_of(PacketRecord& record) {
  return std::atomic_ref(record.flits);
}

struct PacketName {
  std::uint32_t source = 0, id = 0;
};

/// The records of all sources, by the packet id of the header. Each source has a ring of a power of
/// two of them, which grows as long as it is too short, so that few packets under way take little
/// memory.
///
/// Records of a source are written by its thread alone. Other threads read those of packets that
/// were sent before all threads last met: a ring that has grown since is found in its old place or
/// in the new one, and both hold the same of these packets. But for one thing: the source of a
/// packet whose head was flipped frees the record while another thread may look at it (`use_of`).
class PacketRecords {
 public:
  /// `most`: that a source may have under way, a power of two. `own`: sources of this process; of
  /// others it remembers the packets that come to it.
  PacketRecords(std::size_t sources, std::size_t most, Range own);

  std::size_t most() const { return most_; }

  PacketRecord& of(std::uint32_t source, std::uint32_t id) {
    const std::uintptr_t ring = rings_[source].load(std::memory_order_acquire);
    return records_of(ring)[id & mask_of(ring)];
  }

  /// Of the packet, in a closed loop: the application's step.
  std::uint64_t& step(std::uint32_t source, std::uint32_t id) {
    const std::uintptr_t ring = rings_[source].load(std::memory_order_acquire);
    return steps_of(ring)[id & mask_of(ring)];
  }
  /// Has a record brought from memory; before that, the place of the source's ring.
  void prefetch(std::uint32_t source, std::uint32_t id) { __builtin_prefetch(&of(source, id), 1); }
  void prefetch_ring(std::uint32_t source) const { __builtin_prefetch(&rings_[source]); }

  /// A record for the next packet of `source`; nullptr where `most` packets or the one that last
  /// had this id are under way. Only the source's thread asks.
  PacketRecord* next(std::uint32_t source, std::uint32_t id) {
    PacketRecord* record = &of(source, id);
    while (record->flits != 0) {
      if (!grow(source)) return nullptr;
      record = &of(source, id);
    }
    return record;
  }

 private:
  static constexpr std::size_t kAlignment = 64, kFirst = 16, kFirstOfOthers = 1;
  struct Free {
    void operator()(std::byte* memory) const {
      ::operator delete[](memory, std::align_val_t{kAlignment});
    }
  };
  using Memory = std::unique_ptr<std::byte[], Free>;  // records, then the steps of each

  static PacketRecord* records_of(std::uintptr_t ring) {
    return reinterpret_cast<PacketRecord*>(ring & ~std::uintptr_t{kAlignment - 1});
  }
  static std::uint64_t* steps_of(std::uintptr_t ring) {
    return reinterpret_cast<std::uint64_t*>(records_of(ring) + mask_of(ring) + 1);
  }
  static std::uint32_t mask_of(std::uintptr_t ring) {
    return (1U << (ring & (kAlignment - 1))) - 1;
  }
  std::uintptr_t make(std::uint32_t source, std::size_t records);
  bool grow(std::uint32_t source);

  std::size_t most_;
  // [source]: address of the ring, and in the bits that its alignment leaves the logarithm of its
  // length: one word, for threads that read it
  std::vector<std::atomic<std::uintptr_t>> rings_;
  std::vector<std::vector<Memory>> memory_;  // [source]: former rings may still be read
};

}  // namespace hopwise::engine
