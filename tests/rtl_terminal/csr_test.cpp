// SPDX-License-Identifier: Apache-2.0
// The register map of docs/reference/csr.md.
#include <array>
#include <map>

#include "Vcsr_bare.h"
#include "Vcsr_full.h"
#include "Vcsr_stuck.h"
#include "csr_driver.hpp"

namespace hopwise::test {
namespace {

using Full = CsrDriver<Vcsr_full>;
using Bare = CsrDriver<Vcsr_bare>;

constexpr std::uint32_t kControl = 0x40, kElapsed = 0x48, kOccupancy = 0x50, kTableAddr = 0x60,
                        kTableData = 0x64, kStatus = 0x70, kMask = 0x74, kEvent = 0x100;
constexpr std::uint32_t kCfg = 0x1000, kCounters = 0x2000;
constexpr unsigned kPorts = 3;

std::map<std::uint32_t, std::uint32_t> identity(bool full) {
  return {{0x00, 0x484F5057},
          {0x04, 0x00020001},
          {0x08, full ? 0x89ABCDEFU : 0U},
          {0x0C, full ? 0x01234567U : 0U},
          {0x10, 0x12345678},
          {0x14, 0xAB},
          {0x18, 3},
          {0x1C, 2},
          {0x20, 128},
          {0x24, 8},
          {0x28, full ? 3U : 1U},
          {0x2C, full ? 16U : 0U},
          {0x30, full ? 0x101U : 0x100U},
          {kStatus, 0},
          {kMask, 0}};
}

/// Every address of the map and what it reads after reset, with nothing counted.
std::map<std::uint32_t, std::uint32_t> reset_map(bool full) {
  std::map<std::uint32_t, std::uint32_t> map = identity(full);
  if (!full) {
    map[kCfg] = 0;
    return map;
  }
  for (std::uint32_t a : {kControl, kElapsed, kElapsed + 4, kOccupancy, kOccupancy + 4, kTableAddr,
                          kTableData, kEvent, kEvent + 4})
    map[a] = 0;
  for (std::uint32_t w = 0; w < 3; ++w) map[kCfg + 4 * w] = 0x11111111 * (w + 1);
  for (std::uint32_t p = 0; p < kPorts; ++p) {
    for (std::uint32_t a = 0; a < 0x20; a += 4) map[kCounters + 0x40 * p + a] = 0;
  }
  return map;
}

template <class Driver>
void check_map(bool full) {
  const auto map = reset_map(full);
  Driver driver;
  for (std::uint32_t address = 0; address < 0x10000; address += 4) {
    driver.now = 0;  // time stands still, so that elapsed cycles read 0
    driver.before_cycle = [&driver] { driver.csr()->now_i = 0; };
    if (address == kTableData && full) {
      ASSERT_EQ(driver.write(kTableAddr, 0), kOkay);
    }
    const Response got = driver.read(address);
    const auto found = map.find(address);
    ASSERT_EQ(got.resp, found == map.end() ? kSlvErr : kOkay) << std::hex << address;
    ASSERT_EQ(got.data, address == kTableAddr || found == map.end() ? 0 : found->second)
        << std::hex << address;
  }
}

TEST(Csr, EveryAddressReadsAsTheMapSaysOrAnswersSlverr) { check_map<Full>(true); }
TEST(Csr, WithoutCountersAndTableTheirAddressesAnswerSlverr) { check_map<Bare>(false); }

TEST(Csr, WritesChangeOnlyWritableRegistersAndAllOthersAnswerSlverr) {
  Full driver;
  driver.before_cycle = [&driver] { driver.csr()->now_i = 0; };
  for (std::uint32_t address = 0; address < 0x10000; address += 4) {
    const bool cfg = address >= kCfg && address < kCfg + 12;
    const bool writable = cfg || address == kStatus || address == kMask || address == kControl ||
                          address == kTableAddr || address == kTableData;
    // tested below
    if (address == kTableAddr || address == kTableData || address == kControl) continue;
    ASSERT_EQ(driver.write(address, 0xDEADBEEF), writable ? kOkay : kSlvErr) << std::hex << address;
  }
  for (const auto& [address, value] : reset_map(true)) {
    if (address == kTableData) continue;
    const bool cfg = address >= kCfg && address < kCfg + 12;
    EXPECT_EQ(driver.read(address).data, cfg                ? 0xDEADBEEF
                                         : address == kMask ? 1
                                                            : value)
        << std::hex << address;
  }
}

TEST(Csr, ConfigurationWordsFollowByteStrobesUnderRandomHandshakes) {
  for (unsigned active : {15U, 50U, 100U}) {
    std::mt19937_64 random(active);
    Full driver(active, active);
    std::array<std::uint32_t, 3> oracle{0x11111111, 0x22222222, 0x33333333};
    for (int i = 0; i < 500; ++i) {
      const std::size_t word = random() % 3;
      const auto data = static_cast<std::uint32_t>(random());
      const unsigned strobe = random() % 16;
      const std::uint32_t low_bits = random() % 4;  // ignored
      ASSERT_EQ(driver.write(kCfg + static_cast<std::uint32_t>(4 * word) + low_bits, data, strobe),
                kOkay);
      for (unsigned byte = 0; byte < 4; ++byte) {
        const std::uint32_t mask = 0xFFU << (8 * byte);
        if ((strobe >> byte) & 1U) oracle[word] = (oracle[word] & ~mask) | (data & mask);
      }
      const std::size_t check = random() % 3;
      ASSERT_EQ(driver.read(kCfg + static_cast<std::uint32_t>(4 * check)),
                (Response{kOkay, oracle[check]}));
      ASSERT_EQ(read_port(driver.csr()->cfg_o, 96), Words(oracle.begin(), oracle.end()));
    }
  }
}

TEST(Csr, ReadsAndWritesDoNotWaitForEachOther) {
  Full driver(3, 40);
  for (std::uint32_t i = 0; i < 300; ++i) {
    driver.start_write(kCfg + 4, i);
    driver.start_read(0x00);
    while (!(driver.write_response() && driver.read_response()) && driver.running()) driver.cycle();
    ASSERT_EQ(*driver.read_response(), (Response{kOkay, 0x484F5057}));
    ASSERT_EQ(driver.write_response()->resp, kOkay);
    ASSERT_EQ(driver.read(kCfg + 4).data, i);
  }
}

TEST(Csr, AnswersInTheSecondCycleAfterTheRequest) {
  Full driver;
  driver.start_read(0x00);
  driver.start_write(kCfg, 1);
  for (int cycle = 0; cycle < 3; ++cycle) {
    EXPECT_FALSE(driver.read_response().has_value());
    EXPECT_FALSE(driver.write_response().has_value());
    driver.cycle();
  }
  EXPECT_TRUE(driver.read_response().has_value());
  EXPECT_TRUE(driver.write_response().has_value());
}

struct Counts {
  std::array<std::array<std::uint64_t, 4>, kPorts> port{};
  std::uint64_t occupancy = 0, cycles = 0;
};

/// Random events in each cycle, counted by the oracle while `frozen` is false.
void random_events(Full& driver, std::mt19937_64& random, Counts& counts, const bool& frozen) {
  auto& csr = driver.csr();
  const std::array<std::uint8_t*, 4> pins{&csr->flit_in_i, &csr->flit_out_i, &csr->packet_out_i,
                                          &csr->stall_i};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    *pins[kind] = static_cast<std::uint8_t>(random() % (1U << kPorts));
    for (std::size_t p = 0; p < kPorts && !frozen; ++p)
      counts.port[p][kind] += (*pins[kind] >> p) & 1U;
  }
  csr->occupancy_i = static_cast<std::uint16_t>(random() % 100);
  if (!frozen) counts.occupancy += csr->occupancy_i;
  if (!frozen) ++counts.cycles;
}

/// Writes CONTROL without pauses, up to the end of the cycle in which the command acts: it waits
/// for its place between the counters' reads of their memory.
void command(Full& driver, std::uint32_t value) {
  driver.start_write(kControl, value);
  unsigned cycles = 0;
  while (!driver.csr()->s_bvalid_o && ++cycles < 6) driver.cycle();
  EXPECT_LT(cycles, 6U);
}

void no_events(Full& driver) {
  driver.before_cycle = [] {};
  auto& csr = driver.csr();
  csr->flit_in_i = csr->flit_out_i = csr->packet_out_i = csr->stall_i = 0;
  csr->occupancy_i = 0;
}

void expect_counts(Full& driver, const Counts& counts) {
  for (std::uint32_t p = 0; p < kPorts; ++p) {
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
      EXPECT_EQ(driver.read64(kCounters + 0x40 * p + 8 * kind), counts.port[p][kind])
          << "port " << p << " kind " << kind;
    }
  }
  EXPECT_EQ(driver.read64(kOccupancy), counts.occupancy);
}

TEST(CsrCounters, CountEveryEventOfEveryPort) {
  Full driver;
  std::mt19937_64 random(5);
  Counts counts;
  const bool frozen = false;
  driver.before_cycle = [&] { random_events(driver, random, counts, frozen); };
  for (int i = 0; i < 2000; ++i) driver.cycle();
  no_events(driver);
  expect_counts(driver, counts);
}

TEST(CsrCounters, ReadAtAnyTimeTheyHoldEveryEventUntilThen) {
  for (unsigned active : {30U, 100U}) {
    Full driver(active, active);
    std::mt19937_64 random(active);
    Counts counts, before;
    const bool frozen = false;
    driver.before_cycle = [&] {
      before = counts;
      random_events(driver, random, counts, frozen);
    };
    for (int i = 0; i < 2000 && driver.running(); ++i) {
      const auto which = static_cast<std::uint32_t>(random() % (4 * kPorts + 1));
      const bool port = which < 4 * kPorts;
      driver.start_read(port ? kCounters + 0x40 * (which / 4) + 8 * (which % 4) : kOccupancy);
      while (!driver.csr()->s_rvalid_o && driver.running()) driver.cycle();
      const std::uint64_t expected = port ? before.port[which / 4][which % 4] : before.occupancy;
      while (!driver.read_response() && driver.running()) driver.cycle();
      ASSERT_EQ(driver.read_response()->data, expected) << which;
    }
  }
}

TEST(CsrCounters, FrozenTheyHoldWithTheCyclesTheyReferToAndThawedTheyGoOn) {
  Full driver;
  std::mt19937_64 random(6);
  Counts counts;
  bool frozen = false;
  driver.before_cycle = [&] { random_events(driver, random, counts, frozen); };
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 100; ++i) driver.cycle();
    command(driver, 2);
    frozen = true;
    driver.cycle();
    for (int i = 0; i < 50; ++i) driver.cycle();
    expect_counts(driver, counts);
    EXPECT_EQ(driver.read64(kElapsed), counts.cycles);
    EXPECT_EQ(driver.read(kControl).data, 2U);
    command(driver, 0);
    frozen = false;
  }
}

TEST(CsrCounters, ClearSetsAllToZeroAndTheElapsedCyclesFollowNow) {
  for (bool freeze : {false, true}) {
    Full driver;
    std::mt19937_64 random(7);
    Counts counts;
    const bool frozen = false;
    driver.before_cycle = [&] { random_events(driver, random, counts, frozen); };
    for (int i = 0; i < 100; ++i) driver.cycle();
    command(driver, freeze ? 3 : 1);  // cleared with the events of its last cycle
    const std::uint64_t cleared = driver.now;
    no_events(driver);
    expect_counts(driver, Counts{});
    driver.now += 1'000'000'000'000;  // cycles that a simulator skipped
    driver.start_read(kElapsed);
    while (!driver.csr()->s_rvalid_o) driver.cycle();
    const std::uint64_t read_at = driver.now - 1;  // the cycle in which the counter was read
    while (!driver.read_response()) driver.cycle();
    const std::uint64_t low = driver.read_response()->data;
    const std::uint64_t elapsed = std::uint64_t{driver.read(kElapsed + 4).data} << 32 | low;
    EXPECT_EQ(elapsed, freeze ? 0 : read_at - cleared);
  }
}

TEST(CsrCounters, ClearedWhileFrozenTheElapsedCyclesStayZeroUntilThawed) {
  Full driver;
  driver.write(kControl, 2);
  for (int i = 0; i < 50; ++i) driver.cycle();
  driver.write(kControl, 3);
  for (int i = 0; i < 50; ++i) driver.cycle();
  EXPECT_EQ(driver.read64(kElapsed), 0U);
  driver.write(kControl, 0);
  EXPECT_LT(driver.read64(kElapsed), 20U);
}

TEST(CsrCounters, ControlFollowsItsByteStrobe) {
  Full driver;
  ASSERT_EQ(driver.write(kControl, 2, 0b1110), kOkay);
  EXPECT_EQ(driver.read(kControl).data, 0U);
  ASSERT_EQ(driver.write(kControl, 2, 0b0001), kOkay);
  EXPECT_EQ(driver.read(kControl).data, 2U);
  ASSERT_EQ(driver.write(kControl, 0, 0b1110), kOkay);
  EXPECT_EQ(driver.read(kControl).data, 2U);
}

TEST(CsrCounters, HighHalfIsTheOneOfTheMomentInWhichTheLowHalfWasRead) {
  Full driver;
  driver.now = 0x1'FFFF'FFFD;
  EXPECT_EQ(driver.read(kElapsed).data, 0xFFFFFFFFU);  // read two cycles after its acceptance
  for (int i = 0; i < 20; ++i) driver.cycle();
  EXPECT_GT(driver.now, 0x2'0000'0000U);
  EXPECT_EQ(driver.read(kElapsed + 4).data, 1U);
  EXPECT_EQ(driver.read(kElapsed + 4).data, 1U) << "again, from the latch";
  EXPECT_EQ(driver.read64(kElapsed) >> 32, 2U);
}

TEST(CsrCounters, OccupancyCarriesIntoItsHighHalf) {
  Full driver;
  driver.before_cycle = [&driver] { driver.csr()->occupancy_i = 0xFFFF; };
  for (int i = 0; i < 66000; ++i) driver.cycle();
  no_events(driver);
  EXPECT_EQ(driver.read64(kOccupancy), 66000ULL * 0xFFFF);
}

TEST(CsrEvents, AreKeptUntilTheyAreClearedAndRaiseTheInterruptWhereTheMaskIsSet) {
  Full driver;
  EXPECT_FALSE(driver.csr()->irq_o);
  driver.csr()->event_i = 2;  // twice in one cycle
  driver.cycle();
  driver.csr()->event_i = 0;
  EXPECT_EQ(driver.read(kStatus).data, 1U);
  EXPECT_FALSE(driver.csr()->irq_o) << "masked";
  ASSERT_EQ(driver.write(kMask, 1), kOkay);
  EXPECT_TRUE(driver.csr()->irq_o);
  EXPECT_EQ(driver.read(kStatus).data, 1U) << "reading clears nothing";
  ASSERT_EQ(driver.write(kStatus, 0), kOkay);
  ASSERT_EQ(driver.write(kStatus, 1, 0b1110), kOkay);
  EXPECT_TRUE(driver.csr()->irq_o);
  ASSERT_EQ(driver.write(kStatus, 1), kOkay);
  EXPECT_FALSE(driver.csr()->irq_o);
  EXPECT_EQ(driver.read(kStatus).data, 0U);
  EXPECT_EQ(driver.read64(kEvent), 2U);
  EXPECT_EQ(driver.read(kMask).data, 1U);
}

TEST(CsrEvents, OneInTheCycleInWhichItsBitIsClearedIsNotLost) {
  Full driver;
  ASSERT_EQ(driver.write(kMask, 1), kOkay);
  driver.csr()->event_i = 1;
  driver.cycle();
  driver.start_write(kStatus, 1);
  for (int i = 0; i < 20; ++i) driver.cycle();  // it goes on all the time
  EXPECT_TRUE(driver.csr()->irq_o);
  driver.csr()->event_i = 0;
  EXPECT_EQ(driver.read64(kEvent), 21U);
}

TEST(CsrTable, WindowReadsAndWritesWithStrobesAndCountsUp) {
  for (unsigned active : {20U, 100U}) {
    std::mt19937_64 random(active);
    Full driver(active, active);
    std::vector<std::uint32_t> oracle(16);
    for (int round = 0; round < 50; ++round) {
      auto address = static_cast<std::uint32_t>(random() % 16);
      ASSERT_EQ(driver.write(kTableAddr, address), kOkay);
      for (; address < 16 && !chance(random, 20); ++address) {
        ASSERT_EQ(driver.read(kTableAddr).data, address);
        if (chance(random, 50)) {
          const auto data = static_cast<std::uint32_t>(random());
          ASSERT_EQ(driver.write(kTableData, data, 0b0101), kOkay);
          oracle[address] = (oracle[address] & 0xFF00FF00) | (data & 0x00FF00FF);
        } else {
          ASSERT_EQ(driver.read(kTableData), (Response{kOkay, oracle[address]}));
        }
      }
    }
    EXPECT_EQ(driver.table, oracle);
    ASSERT_EQ(driver.write(kTableAddr, 16), kOkay);
    EXPECT_EQ(driver.write(kTableData, 1), kSlvErr);
    EXPECT_EQ(driver.read(kTableData), (Response{kSlvErr, 0}));
    EXPECT_EQ(driver.read(kTableAddr).data, 16U) << "a refused access does not count up";
  }
}

TEST(CsrTable, ReadAndWriteAtOnceBothHappenOneAfterTheOther) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Full driver(seed, 40);
    for (std::uint32_t i = 0; i < 16; ++i) driver.table[i] = 100 + i;
    ASSERT_EQ(driver.write(kTableAddr, 4), kOkay);
    driver.start_write(kTableData, 7);
    driver.start_read(kTableData);
    while (!(driver.write_response() && driver.read_response()) && driver.running()) driver.cycle();
    const bool write_first = driver.table[4] == 7;
    EXPECT_EQ(driver.table[write_first ? 4 : 5], 7U);
    EXPECT_EQ(driver.read_response()->data, write_first ? 105U : 104U);
    EXPECT_EQ(driver.read(kTableAddr).data, 6U);
  }
}

TEST(CsrTable, WaitingReadKeepsItsAddressAndItsTurn) {
  for (std::uint32_t register_written : {kTableAddr, kTableData}) {
    Full driver;
    for (std::uint32_t i = 0; i < 16; ++i) driver.table[i] = 100 + i;
    ASSERT_EQ(driver.write(kTableAddr, 4), kOkay);
    driver.table_percent = 0;
    driver.start_read(kTableData);
    for (int i = 0; i < 3; ++i) driver.cycle();
    driver.start_write(register_written, 9);
    for (int i = 0; i < 10; ++i) driver.cycle();
    EXPECT_FALSE(driver.write_response().has_value());
    EXPECT_FALSE(driver.csr()->table_we_o);
    EXPECT_EQ(driver.csr()->table_addr_o, 4U);
    driver.table_percent = 100;
    while (!(driver.write_response() && driver.read_response()) && driver.running()) driver.cycle();
    EXPECT_EQ(driver.read_response()->data, 104U);
    EXPECT_EQ(driver.table[5], register_written == kTableData ? 9U : 105U);
    EXPECT_EQ(driver.read(kTableAddr).data, register_written == kTableData ? 6U : 9U);
  }
}

TEST(CsrTable, AcknowledgeWithoutRequestTripsItsAssertion) {
  expect_assertion("a_ack_only_for_request", [] {
    Full driver;
    driver.csr()->table_ack_i = 1;
    driver.csr().edge();
    return driver.csr().failed();
  });
}

// In whatever cycle a VC is reported while software clears the bit: what STATUS announces can be
// read.
TEST(CsrStuck, AReportBesideTheClearOfTheLastOneIsKept) {
  constexpr std::uint32_t kStuck = 0x90, kWaitsFor = 0x280, kBit = 4;
  constexpr std::uint64_t kFirst = 0x11111111'22222222, kSecond = 0x33333333'44444444;
  unsigned announced = 0;
  for (unsigned after = 0; after < 8; ++after) {
    CsrDriver<Vcsr_stuck> driver;
    driver.csr()->stuck_i = kFirst;
    driver.csr()->event_i = 1U << 4;
    driver.cycle();
    driver.csr()->event_i = 0;
    EXPECT_EQ(driver.read(kStatus).data, kBit);
    driver.start_write(kStatus, kBit);
    for (unsigned cycle = 0; cycle < 12; ++cycle) {
      driver.csr()->stuck_i = kSecond;
      driver.csr()->event_i = cycle == after ? 1U << 4 : 0;
      driver.cycle();
    }
    driver.csr()->event_i = 0;
    const bool again = driver.read(kStatus).data == kBit;
    announced += again;
    const std::uint64_t shown =
        std::uint64_t{driver.read(kWaitsFor).data} << 32 | driver.read(kStuck).data;
    EXPECT_EQ(shown, again ? kSecond : kFirst) << after << " cycles after the write began";
  }
  EXPECT_GT(announced, 0U);
  EXPECT_LT(announced, 8U);
}

}  // namespace
}  // namespace hopwise::test
