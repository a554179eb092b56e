// SPDX-License-Identifier: Apache-2.0
// The memory behind a message interface finds every byte that is wrong, missing, or written twice.
#include "engine/host_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace hopwise::engine {
namespace {

constexpr std::uint32_t kWindow = 3, kSlot = 5;
constexpr MessageName kName{7, 12};

/// A master that copies a message from the memory of one host to that of another, beat by beat.
class Copy {
 public:
  explicit Copy(const MemorySettings& settings)
      : settings_(settings), from_(settings_, 0), to_(settings_, kName.terminal) {
    from_.hold(kSlot, kName);
  }

  HostMemory& to() { return to_; }
  HostMemory& from() { return from_; }

  /// `strobes` of the beat at `offset`.
  void move(std::uint64_t offset, std::uint32_t strobes = 0xffff) {
    std::uint32_t beat[4];
    model::HostOutputs out;
    out.ar_valid = out.r_ready = 1;
    model::put_address(out.ar_addr, HostMemory::message_address(kSlot) + offset);
    for (bool read = false; !read; ++cycle_) {
      model::HostInputs in;
      from_.drive(cycle_, in, out);
      if (in.ar_ready != 0) out.ar_valid = 0;
      read = in.r_valid != 0;
      EXPECT_EQ(in.r_resp, 0u);
      std::memcpy(beat, in.r_data, sizeof beat);
    }
    write(offset, beat, strobes);
  }
  void write(std::uint64_t offset, const std::uint32_t* beat, std::uint32_t strobes = 0xffff) {
    model::HostOutputs out;
    out.aw_valid = out.w_valid = out.w_last = out.b_ready = 1;
    model::put_address(out.aw_addr, HostMemory::window_address(kWindow) + offset);
    std::memcpy(out.w_data, beat, 16);
    out.w_strb[0] = strobes;
    for (bool answered = false; !answered; ++cycle_) {
      model::HostInputs in;
      to_.drive(cycle_, in, out);
      if (in.aw_ready != 0 && out.aw_valid != 0) out.aw_valid = 0;
      if (in.w_ready != 0) out.w_valid = 0;
      answered = in.b_valid != 0;
    }
    EXPECT_TRUE(to_.idle());
  }
  /// What was wrong, all in one.
  std::string wrong() {
    std::string all;
    for (const auto& what : to_.failures()) all += what + ";";
    to_.failures().clear();
    if (const auto what = to_.close(HostMemory::window_address(kWindow))) all += *what;
    return all;
  }

 private:
  MemorySettings settings_;
  HostMemory from_, to_;
  std::uint64_t cycle_ = 0;
};

MemorySettings memory_settings(unsigned latency = 3, double stalls = 0) {
  return {.seed = 9,
          .latency_cycles = latency,
          .stalls = static_cast<std::uint64_t>(stalls * 0x1p32),
          .beat_bytes = 16};
}

TEST(HostMemory, AMessageInAnyOrderIsWhole) {
  for (const double stalls : {0.0, 0.7}) {
    Copy copy(memory_settings(3, stalls));
    copy.to().expect(HostMemory::window_address(kWindow), kName, 40);
    copy.move(32, 0x00ff);
    copy.move(0);
    copy.move(16);
    EXPECT_EQ(copy.wrong(), "");
    EXPECT_EQ(copy.to().bytes_written(), 40u);
  }
}

TEST(HostMemory, AByteThatIsFlippedIsFound) {
  Copy copy(memory_settings());
  copy.to().expect(HostMemory::window_address(kWindow), kName, 48);
  copy.from().flip_beat(1);
  copy.move(0);
  copy.move(16);
  copy.move(32);
  EXPECT_EQ(copy.wrong(), "bytes at offset 16 of window 3 are not what was sent;");
}

TEST(HostMemory, BytesOfAnotherMessageAreFound) {
  Copy copy(memory_settings());
  copy.to().expect(HostMemory::window_address(kWindow), {kName.terminal, kName.receive + 1}, 16);
  copy.move(0);
  EXPECT_EQ(copy.wrong(), "bytes at offset 0 of window 3 are not what was sent;");
}

TEST(HostMemory, BytesThatComeTwiceAreFound) {
  Copy copy(memory_settings());
  copy.to().expect(HostMemory::window_address(kWindow), kName, 32);
  copy.move(16);
  copy.move(16);
  EXPECT_EQ(copy.wrong(), "bytes at offset 16 of window 3 come twice;");
}

TEST(HostMemory, BytesThatAreMissingAreFound) {
  Copy copy(memory_settings());
  copy.to().expect(HostMemory::window_address(kWindow), kName, 32);
  copy.move(0);
  EXPECT_EQ(copy.wrong(), "window 3 ends with 16 of 32 bytes");
}

TEST(HostMemory, BytesBehindAMessageAreFound) {
  Copy copy(memory_settings());
  copy.to().expect(HostMemory::window_address(kWindow), kName, 20);
  copy.move(0);
  copy.move(16);
  EXPECT_EQ(copy.wrong(),
            "a write behind the 20 bytes of window 3;window 3 ends with 32 of 20 bytes");
}

TEST(HostMemory, DataOfAGetAreCheckedWhereTheyGo) {
  const MemorySettings of_memory = memory_settings();
  HostMemory memory(of_memory, 1);
  const MessageName name{kName.terminal, MessageName::kNone};
  const std::uint64_t address = HostMemory::message_address(kSlot);
  memory.expect(address, name, 16);
  std::uint32_t beat[4];
  for (unsigned at = 0; at < 16; at += 8) {
    const std::uint64_t bytes = message_bytes(9, name, at);
    std::memcpy(reinterpret_cast<std::byte*>(beat) + at, &bytes, 8);
  }
  model::HostOutputs out;
  out.aw_valid = out.w_valid = out.w_last = out.b_ready = 1;
  model::put_address(out.aw_addr, address);
  std::memcpy(out.w_data, beat, 16);
  out.w_strb[0] = 0x0fff;
  for (std::uint64_t cycle = 0; cycle < 9; ++cycle) {
    model::HostInputs in;
    memory.drive(cycle, in, out);
    if (in.aw_ready != 0) out.aw_valid = 0;
    if (in.w_ready != 0) out.w_valid = 0;
  }
  EXPECT_TRUE(memory.failures().empty());
  EXPECT_EQ(memory.close(address), "GET 5 ends with 12 of 16 bytes");
}

TEST(HostMemory, WritesWithoutAWindowAreFound) {
  Copy copy(memory_settings());
  const std::uint32_t beat[4] = {};
  copy.write(0, beat);
  EXPECT_EQ(copy.wrong(),
            "a write to 0xc000000, where nothing is expected;window 3 ends, which is not open");
}

}  // namespace
}  // namespace hopwise::engine
