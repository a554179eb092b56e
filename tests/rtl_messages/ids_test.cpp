// SPDX-License-Identifier: Apache-2.0
// When requests without response are given up, with a time that wraps every 64 cycles.
#include "Vmessage_ids.h"
#include "Vmessage_ids_wrap.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kWrap = 64, kNever = 1000;

/// Cycles from the head of a request, on the pins when the time is `sent`, to its end.
template <class Model>
unsigned given_up_after(unsigned timeout, unsigned sent) {
  Bench<Model> ids;
  ids->timeout_i = static_cast<CData>(timeout);
  ids->take_i = ids->entry_i = ids->head_sent_i = ids->head_id_i = 0;
  ids->fail_valid_i = ids->fail_ticket_i = ids->rsp_valid_i = ids->rsp_ticket_i = ids->wait_i = 0;
  ids.reset();
  const auto step = [&] {
    ids.edge();
    ids.settle();
  };
  ids.settle();
  // A wrap goes by first, so that the time is what it will be for years.
  for (unsigned i = 0; i < kWrap; ++i) step();
  while (ids->now_o != (sent + kWrap - 3) % kWrap) step();
  EXPECT_TRUE(ids->ticket_valid_o);
  ids->take_i = 1;
  const unsigned id = ids->ticket_o & 1U;
  step();
  ids->take_i = 0;
  while (ids->now_o != sent) step();
  ids->head_sent_i = 1;
  ids->head_id_i = static_cast<CData>(id);
  step();
  ids->head_sent_i = 0;
  for (unsigned cycles = 1; cycles < 2 * kWrap; ++cycles) {
    if (ids->over_o) {
      EXPECT_TRUE(ids->timeout_o);
      return cycles;
    }
    step();
  }
  return kNever;
}

/// A sweep of two numbers takes four cycles.
TEST(MessageIds, ARequestIsGivenUpAfterItsTimeoutWheneverItWasSent) {
  unsigned wrong = 0;
  for (unsigned timeout = 1; timeout < kWrap - 4; ++timeout) {
    for (unsigned sent = 0; sent < kWrap; ++sent) {
      const unsigned after = given_up_after<Vmessage_ids>(timeout, sent);
      ASSERT_GT(after, timeout) << "sent at " << sent;
      ASSERT_LE(after, timeout + 4) << "sent at " << sent;
      const unsigned faulty = given_up_after<Vmessage_ids_wrap>(timeout, sent);
      wrong += faulty <= timeout || faulty > timeout + 4;
    }
  }
  EXPECT_GT(wrong, 100U) << "the seeded fault";
}

}  // namespace
}  // namespace hopwise::test
