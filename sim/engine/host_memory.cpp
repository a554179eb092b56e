// SPDX-License-Identifier: Apache-2.0
#include "engine/host_memory.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "traffic/random.hpp"

namespace hopwise::engine {
namespace {

using traffic::mix64;

constexpr std::uint64_t kStallStream = std::uint64_t{0x6d656d6f72790000};
constexpr unsigned kDecodeError = 3;  // of AXI

enum Channel : unsigned { kAr, kR, kAw, kW, kB };

std::uint64_t block_of(std::uint64_t address) { return address >> HostMemory::kBlockBits; }
std::uint32_t slot_of(std::uint64_t address) {
  return static_cast<std::uint32_t>(block_of(address & ~HostMemory::kOwn));
}
std::string place_of(std::uint64_t address) {
  return fmt::format("{} {}", (address & HostMemory::kOwn) != 0 ? "GET" : "window",
                     slot_of(address));
}
std::uint64_t offset_of(std::uint64_t address) {
  return address & ((std::uint64_t{1} << HostMemory::kBlockBits) - 1);
}

}  // namespace

std::uint64_t message_bytes(std::uint64_t seed, const MessageName& name, std::uint64_t offset) {
  return mix64(seed ^ mix64((std::uint64_t{name.terminal} << 40) + offset + mix64(name.receive)));
}

void HostMemory::expect(std::uint64_t address, const MessageName& name, std::uint64_t bytes) {
  Expected& message = in_[block_of(address)];
  message = {name, bytes, 0, {}};
  const std::uint64_t beats = (bytes + settings_->beat_bytes - 1) / settings_->beat_bytes;
  message.here.assign((beats + 63) / 64, 0);
}

std::optional<std::string> HostMemory::close(std::uint64_t address) {
  const auto found = in_.find(block_of(address));
  if (found == in_.end()) return fmt::format("{} ends, which is not open", place_of(address));
  const Expected message = std::move(found->second);
  in_.erase(found);
  if (message.got == message.bytes) return std::nullopt;
  return fmt::format("{} ends with {} of {} bytes", place_of(address), message.got, message.bytes);
}

/// A function of time, so that cycles that are skipped change nothing.
bool HostMemory::pauses(std::uint64_t cycle, unsigned channel) const {
  if (settings_->stalls == 0) return false;
  const std::uint64_t draw =
      mix64(settings_->seed ^ mix64(kStallStream + channel + (std::uint64_t{terminal_} << 8)) ^
            mix64(cycle));
  return (draw >> 32) < settings_->stalls;
}

void HostMemory::drive(std::uint64_t cycle, model::HostInputs& in, const model::HostOutputs& out) {
  const std::uint64_t due = cycle + settings_->latency_cycles;
  const auto pauses_now = [&](unsigned channel) { return pauses(cycle, channel); };

  const bool r_waits = !reads_.empty() && reads_.front().ready <= cycle;
  r_held_ = r_waits && (r_held_ || !pauses_now(kR));
  in.r_valid = r_held_ ? 1 : 0;
  if (r_held_) {
    Burst& burst = reads_.front();
    read_beat(burst.address, in.r_data);
    in.r_id = burst.id;
    in.r_last = burst.left == 1 ? 1 : 0;
    in.r_resp =
        (burst.address & kOwn) != 0 && !out_.contains(slot_of(burst.address)) ? kDecodeError : 0;
    if (out.r_ready != 0) {
      r_held_ = false;
      ++beats_read_;
      burst.address += settings_->beat_bytes;
      if (--burst.left == 0) reads_.pop_front();
    }
  }
  in.ar_ready = pauses_now(kAr) ? 0 : 1;
  if (in.ar_ready != 0 && out.ar_valid != 0)
    reads_.push_back({model::address_of(out.ar_addr), due, out.ar_id, out.ar_len + 1});

  b_held_ = !answers_.empty() && answers_.front().ready <= cycle && (b_held_ || !pauses_now(kB));
  in.b_valid = b_held_ ? 1 : 0;
  if (b_held_) {
    in.b_id = answers_.front().id;
    in.b_resp = 0;
    if (out.b_ready != 0) {
      b_held_ = false;
      answers_.pop_front();
    }
  }
  in.aw_ready = pauses_now(kAw) ? 0 : 1;
  // Data follow their address, at the earliest in the cycle after it.
  in.w_ready = !writes_.empty() && !pauses_now(kW) ? 1 : 0;
  if (in.w_ready != 0 && out.w_valid != 0) {
    Burst& burst = writes_.front();
    write_beat(burst.address, out);
    burst.address += settings_->beat_bytes;
    const bool last = --burst.left == 0;
    if (last != (out.w_last != 0)) fail("the last beat of a write is not marked, or another is");
    if (last) {
      answers_.push_back({due, burst.id});
      writes_.pop_front();
    }
  }
  if (in.aw_ready != 0 && out.aw_valid != 0)
    writes_.push_back({model::address_of(out.aw_addr), cycle, out.aw_id, out.aw_len + 1});
  drives_ = in.r_valid != 0 || in.b_valid != 0;
}

void HostMemory::read_beat(std::uint64_t address, std::uint32_t* words) {
  const std::uint64_t offset = offset_of(address);
  MessageName name{terminal_, MessageName::kNone};
  if ((address & kOwn) != 0) {
    const auto found = out_.find(slot_of(address));
    if (found != out_.end()) name = found->second;
  } else if (const auto found = in_.find(block_of(address)); found != in_.end()) {
    name = found->second.name;
  }
  for (unsigned at = 0; at < settings_->beat_bytes; at += 8) {
    const std::uint64_t bytes = message_bytes(settings_->seed, name, offset + at);
    std::memcpy(reinterpret_cast<std::byte*>(words) + at, &bytes, 8);
  }
  if (beats_read_ == flip_) words[0] ^= 1;
}

/// Every byte is compared with what its sender has.
void HostMemory::write_beat(std::uint64_t address, const model::HostOutputs& out) {
  const auto found = in_.find(block_of(address));
  if (found == in_.end()) {
    fail(fmt::format("a write to {:#x}, where nothing is expected", address));
    return;
  }
  Expected& message = found->second;
  const std::uint64_t offset = offset_of(address);
  const auto* data = reinterpret_cast<const std::byte*>(out.w_data);
  unsigned written = 0;
  bool differs = false;
  for (unsigned at = 0; at < settings_->beat_bytes; at += 8) {
    const std::uint64_t want = message_bytes(settings_->seed, message.name, offset + at);
    const unsigned strobes = out.w_strb[at / 32] >> (at % 32) & 0xff;
    std::uint64_t got, mask = 0;
    std::memcpy(&got, data + at, 8);
    for (unsigned byte = 0; byte < 8; ++byte)
      if ((strobes >> byte & 1) != 0) mask |= std::uint64_t{0xff} << (8 * byte);
    differs |= ((got ^ want) & mask) != 0;
    written += static_cast<unsigned>(__builtin_popcount(strobes));
  }
  written_ += written;
  message.got += written;
  if (differs)
    fail(fmt::format("bytes at offset {} of {} are not what was sent", offset, place_of(address)));
  if (message.here.empty()) return;
  const std::uint64_t beat = offset / settings_->beat_bytes;
  if (offset + written > message.bytes || beat / 64 >= message.here.size()) {
    fail(fmt::format("a write behind the {} bytes of {}", message.bytes, place_of(address)));
    return;
  }
  std::uint64_t& word = message.here[beat / 64];
  const std::uint64_t bit = std::uint64_t{1} << (beat % 64);
  if ((word & bit) != 0)
    fail(fmt::format("bytes at offset {} of {} come twice", offset, place_of(address)));
  word |= bit;
}

void HostMemory::fail(std::string what) {
  if (failures_.size() < kMostFailures) failures_.push_back(std::move(what));
}

}  // namespace hopwise::engine
