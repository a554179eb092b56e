// SPDX-License-Identifier: Apache-2.0
// What hw_message_queues assumes and promises, with two descriptors and two windows.
#include "Vmessage_queues.h"
#include "Vmessage_queues_owe_nothing.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kTagBits = 4;  // as CMakeLists.txt has it
constexpr std::uint64_t kPushedBit = std::uint64_t{1} << kTagBits;

template <class Model>
struct Queues : Bench<Model> {
  Queues() {
    Model& m = this->model();
    m.push_desc_i = m.push_win_i = m.pop_cpl_i = m.pop_evt_i = m.events_i = 0;
    m.push_desc_word_i = m.push_win_word_i = m.host_desc_i = m.host_win_i = 0;
    m.push_win_index_i = m.host_win_index_i = 0;
    m.host_desc_valid_i = m.host_cpl_ready_i = m.host_evt_ready_i = m.host_win_valid_i = 0;
    m.desc_ready_i = m.cpl_valid_i = m.evt_valid_i = m.win_ready_i = 0;
    m.cpl_i = 0;
    this->reset();
  }
  void step() {
    this->settle();
    this->edge();
  }
};

/// Descriptors go to the interface as they are pushed, and nobody pops their completions.
template <class Model>
bool completions(unsigned descriptors) {
  Queues<Model> queues;
  queues->desc_ready_i = 1;
  for (unsigned i = 0; i < descriptors; ++i) {
    queues->push_desc_i = 1;
    queues.step();
  }
  queues->push_desc_i = 0;
  queues.step();
  queues->cpl_i = kPushedBit;
  queues->cpl_valid_i = 1;
  for (unsigned i = 0; i < descriptors; ++i) queues.step();
  queues->cpl_valid_i = 0;
  queues.step();
  if (!queues.failed()) {
    EXPECT_EQ(queues->cpl_count_o, descriptors);
  }
  return queues.failed();
}

TEST(MessageQueues, CompletionsOfPushedDescriptorsHaveTheirPlaces) {
  EXPECT_FALSE(completions<Vmessage_queues>(2));
  expect_assertion("a_completions_have_a_place",
                   [] { return completions<Vmessage_queues_owe_nothing>(3); });
}

TEST(MessageQueues, APushWithoutRoomTripsItsAssertion) {
  expect_assertion("a_push_with_room", [] { return completions<Vmessage_queues>(3); });
  expect_assertion("a_push_with_room", [] {
    Queues<Vmessage_queues> queues;
    queues->push_win_i = 1;
    for (unsigned i = 0; i < 3; ++i) queues.step();
    return queues.failed();
  });
}

TEST(MessageQueues, APopOfNothingTripsItsAssertion) {
  expect_assertion("a_pop_what_is_there", [] {
    Queues<Vmessage_queues> queues;
    queues->pop_cpl_i = 1;
    queues.step();
    return queues.failed();
  });
  expect_assertion("a_pop_what_is_there", [] {
    Queues<Vmessage_queues> queues;
    queues->evt_valid_i = 1;  // an event of the other host
    queues->pop_evt_i = 1;
    queues.step();
    return queues.failed();
  });
}

}  // namespace
}  // namespace hopwise::test
