// SPDX-License-Identifier: Apache-2.0
// A host that reads and writes the registers in front of a message interface, an access at a time.
#pragma once

#include "spec/message_csr_map.hpp"
#include "world.hpp"

namespace hopwise::test {

using csr::message_offset_of;

inline constexpr unsigned kOkay = 0, kSlvErr = 2, kCounters = 15, kPushed = 16;
inline constexpr std::uint32_t kValid = 1U << 31;
enum Control : std::uint32_t { kClear = 1, kFreeze = 2, kSnapshot = 4, kEvents = 8 };
enum State : std::uint32_t {
  kCompletion = 1,
  kEvent = 2,
  kDescriptorRoom = 4,
  kWindowRoom = 8,
  kDestination = 16
};

template <class Model>
class Registers {
 public:
  Registers(World<Model>& world, unsigned terminal, std::uint64_t seed = 1)
      : world_(world), node_(world.node(terminal)), random_(seed) {}

  unsigned write(std::string_view name, std::uint32_t data, unsigned strobe = 15) {
    return write_at(message_offset_of(name), data, strobe);
  }
  unsigned write_at(std::uint32_t address, std::uint32_t data, unsigned strobe = 15) {
    Model& m = node_.bench.model();
    bool has_address = false, has_data = false;
    for (unsigned i = 0; i < kMost && !testing::Test::HasFatalFailure(); ++i) {
      // One of the two may come later.
      if (!has_address && (m.msg_awvalid_i != 0 || chance(random_, 70))) m.msg_awvalid_i = 1;
      if (!has_data && (m.msg_wvalid_i != 0 || chance(random_, 70))) m.msg_wvalid_i = 1;
      m.msg_awaddr_i = static_cast<std::uint16_t>(address);
      m.msg_wdata_i = data;
      m.msg_wstrb_i = static_cast<std::uint8_t>(strobe);
      m.msg_bready_i = chance(random_, 70);
      const bool takes = m.msg_awvalid_i != 0 && m.msg_awready_o != 0,
                 takes_data = m.msg_wvalid_i != 0 && m.msg_wready_o != 0,
                 ends = m.msg_bvalid_o != 0 && m.msg_bready_i != 0;
      const unsigned response = m.msg_bresp_o;
      world_.step();
      if (takes) m.msg_awvalid_i = 0, has_address = true;
      if (takes_data) m.msg_wvalid_i = 0, has_data = true;
      if (ends) return response;
    }
    ADD_FAILURE() << "no response to a write of " << address;
    return ~0U;
  }
  unsigned read_at(std::uint32_t address, std::uint32_t& data) {
    Model& m = node_.bench.model();
    bool taken = false;
    for (unsigned i = 0; i < kMost && !testing::Test::HasFatalFailure(); ++i) {
      if (!taken) m.msg_arvalid_i = 1;
      m.msg_araddr_i = static_cast<std::uint16_t>(address);
      m.msg_rready_i = chance(random_, 70);
      const bool takes = m.msg_arvalid_i != 0 && m.msg_arready_o != 0,
                 ends = m.msg_rvalid_o != 0 && m.msg_rready_i != 0;
      const unsigned response = m.msg_rresp_o;
      data = m.msg_rdata_o;
      world_.step();
      if (takes) m.msg_arvalid_i = 0, taken = true;
      if (ends) return response;
    }
    ADD_FAILURE() << "no response to a read of " << address;
    return ~0U;
  }
  std::uint32_t read(std::string_view name, std::uint32_t more = 0) {
    std::uint32_t data = 0;
    EXPECT_EQ(read_at(message_offset_of(name) + more, data), kOkay) << name;
    return data;
  }
  void write64(std::string_view name, std::uint64_t data) {
    EXPECT_EQ(write(name, static_cast<std::uint32_t>(data)), kOkay);
    EXPECT_EQ(write_at(message_offset_of(name) + 4, static_cast<std::uint32_t>(data >> 32)), kOkay);
  }
  std::uint64_t counter(unsigned c) {
    const std::uint64_t high = read("COUNTER", 8 * c + 4);  // in any order
    return high << 32 | read("COUNTER", 8 * c);
  }

  unsigned push(const Descriptor& d) {
    EXPECT_EQ(write("DESC_DST", d.dst), kOkay);
    EXPECT_EQ(write("DESC_OP", unsigned{d.get} | d.mode << 4 | unsigned{d.automatic} << 8), kOkay);
    EXPECT_EQ(write("DESC_BYTES", d.bytes), kOkay);
    write64("DESC_LOCAL", d.local);
    EXPECT_EQ(write("DESC_WINDOW", d.window | d.key << 24), kOkay);
    EXPECT_EQ(write("DESC_OFFSET", d.offset), kOkay);
    return write("DESC_TAG", d.tag);
  }
  unsigned push(const Window& w) {
    EXPECT_EQ(write("WIN_ACCESS", unsigned{w.open} | unsigned{w.write} << 1 |
                                      unsigned{w.read} << 2 | w.key << 24),
              kOkay);
    write64("WIN_BASE", w.base);
    EXPECT_EQ(write("WIN_SIZE", w.size), kOkay);
    EXPECT_EQ(write("WIN_EXPECT", w.expect), kOkay);
    return write("WIN_INDEX", w.index);
  }
  /// Waits for a completion and pops it: {tag, status, bytes}.
  Completion completion() {
    for (unsigned i = 0; i < kMost && !testing::Test::HasFatalFailure(); ++i) {
      const std::uint32_t word = read("CPL");
      if ((word & kValid) == 0) continue;
      const Completion c{word & 0xffffU, word >> 16 & 7U, read("CPL_BYTES"), world_.cycle()};
      EXPECT_EQ(write("POP", 1), kOkay);
      return c;
    }
    ADD_FAILURE() << "no completion";
    return {};
  }

  Model& model() { return node_.bench.model(); }

 private:
  static constexpr unsigned kMost = 5000;
  World<Model>& world_;
  typename World<Model>::Node& node_;
  std::mt19937_64 random_;
};

}  // namespace hopwise::test
