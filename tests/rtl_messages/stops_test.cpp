// SPDX-License-Identifier: Apache-2.0
// What the registers of a message interface say of destinations that congestion control stops.
#include "Vmessage_csr.h"
#include "Vmessage_csr_any_stop.h"
#include "model/csr_port.hpp"
#include "registers.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kFlows = 3, kDstBits = 6;

/// Times that STATUS or the interrupt was not what the stops make it.
template <class Model>
unsigned wrong_answers() {
  Bench<Model> csr;
  csr->stop_valid_i = 0;
  csr->stop_dst_i = 0;
  csr.reset();
  model::CsrPort<Model> port(csr.model());
  const auto clock = [&] {
    csr.edge();
    csr.settle();
  };
  EXPECT_EQ(port.write(message_offset_of("MASK"), kDestination, clock), kOkay);
  std::mt19937_64 random(3);
  unsigned wrong = 0, stopped = 0;
  for (unsigned round = 0; round < 500; ++round) {
    const auto one_of_few = [&] { return static_cast<std::uint32_t>(random() % 4 * 0x15); };
    const std::uint32_t wanted = one_of_few();
    bool is_stopped = false;
    csr->stop_valid_i = 0;
    csr->stop_dst_i = 0;
    for (unsigned f = 0; f < kFlows; ++f) {
      const std::uint32_t at = one_of_few();
      const bool valid = chance(random, 30);
      csr->stop_valid_i |= static_cast<CData>(valid ? 1U << f : 0U);
      csr->stop_dst_i |= at << (kDstBits * f);
      is_stopped |= valid && at == wanted;
    }
    EXPECT_EQ(port.write(message_offset_of("DESC_DST"), wanted, clock), kOkay);
    for (unsigned wait = 0; wait < 2; ++wait) clock();
    std::uint32_t status = 0;
    EXPECT_EQ(port.read(message_offset_of("STATUS"), status, clock), kOkay);
    wrong += ((status & kDestination) == 0) != is_stopped || (csr->irq_o == 0) != is_stopped;
    stopped += is_stopped ? 1 : 0;
    for (unsigned wait = 0; wait < 2; ++wait) clock();
    EXPECT_NE(csr->quiescent_o, 0);
  }
  EXPECT_GT(stopped, 100U);
  EXPECT_LT(stopped, 400U);
  return wrong;
}

TEST(MessageStops, StatusSaysWhetherTheDestinationIsStopped) {
  EXPECT_EQ(wrong_answers<Vmessage_csr>(), 0U);
  EXPECT_GT(wrong_answers<Vmessage_csr_any_stop>(), 0U) << "the seeded fault";
}

}  // namespace
}  // namespace hopwise::test
