// SPDX-License-Identifier: Apache-2.0
// Two nodes that send packets over a link, each of which is reset again and again.
#include <array>
#include <deque>
#include <string>
#include <utility>

#include "Vlink_guard_1.h"
#include "Vlink_guard_7.h"
#include "Vlink_guard_credits_lost.h"
#include "Vlink_guard_does_not_skip.h"
#include "Vlink_guard_does_not_wait.h"
#include "Vlink_guard_leaves_open.h"
#include "Vlink_guard_short.h"
#include "bench.hpp"

namespace hopwise::test {
namespace {

constexpr unsigned kVcs = 3, kDepth = 10, kMostFlits = 5, kFlitBits = 33;

/// What stands for a router: it sends packets that have room for all of their flits, and holds what
/// it gets for a while.
struct Node {
  struct Sending {
    unsigned flits = 0, sent = 0;
    std::uint32_t packet = 0;
  };
  struct Getting {
    bool open = false;
    unsigned flits = 0, got = 0;
    std::uint32_t packet = 0;
  };
  std::array<unsigned, kVcs> credits{}, held{};
  std::array<Sending, kVcs> sending{};
  std::array<Getting, kVcs> getting{};

  Node() { credits.fill(kDepth); }
  bool rests() const {
    for (unsigned v = 0; v < kVcs; ++v) {
      if (credits[v] != kDepth || held[v] != 0 || sending[v].flits != 0 || getting[v].open)
        return false;
    }
    return true;
  }
};

struct Counts {
  std::uint64_t sent = 0, arrived = 0, cut = 0, lost_in = 0, lost_out = 0, resets = 0;
};

template <class Model>
class Play {
 public:
  explicit Play(unsigned seed) : random_(seed) {
    set(bench_->from_valid_i, 0);
    bench_->request_i = 0;
    set(bench_->to_credit_valid_i, 0);
    bench_.reset();
  }

  /// Runs for some cycles; each of the first `nodes` nodes is reset in one of so many, 0: never.
  /// Empty, or what went wrong.
  std::string run(unsigned cycles, unsigned one_in, unsigned load, unsigned drain,
                  unsigned nodes = 2) {
    for (unsigned c = 0; c < cycles; ++c) {
      cycle(one_in, load, drain, nodes);
      if (bench_.failed()) return "an assertion fails";
      if (!error_.empty()) return error_;
    }
    return {};
  }
  /// Both nodes send packets of `flits` flits on one VC, back to back, one of them is reset once:
  /// how many packets arrive in `cycles` cycles, when the reset is long over.
  std::uint64_t arrivals_behind_a_reset(unsigned flits, unsigned cycles) {
    eager_flits_ = flits;
    EXPECT_EQ(run(200, 0, 0, 0), "");
    reset_next_ = 2;
    EXPECT_EQ(run(400, 0, 0, 0), "");
    const std::uint64_t before = counts_.arrived;
    EXPECT_EQ(run(cycles, 0, 0, 0), "");
    eager_flits_ = 0;
    return counts_.arrived - before;
  }
  std::string finish() {
    std::string error = run(2000, 0, 0, 100);
    if (!error.empty()) return error;
    for (const Node& node : nodes_) {
      if (!node.rests()) return "a node does not come to rest with all credits";
    }
    if (bench_->idle_o != 3) return "a guard is not idle";
    if (counts_.sent != counts_.arrived + counts_.lost_in + counts_.lost_out)
      return "packets are not accounted for";
    return {};
  }
  const Counts& counts() const { return counts_; }

 private:
  template <class Pin>
  static void set(Pin& pin, std::uint64_t value) {
    pin = static_cast<Pin>(value);
  }
  void fail(const char* what) {
    if (error_.empty()) error_ = what;
  }

  void cycle(unsigned one_in, unsigned load, unsigned drain, unsigned nodes) {
    std::uint64_t valid = 0, vcs = 0, heads = 0, tails = 0, data = 0, credits = 0, credit_vcs = 0;
    bench_.settle();
    const unsigned awake = bench_->node_rst_no;
    for (unsigned n = 0; n < 2; ++n) {
      if ((awake >> n & 1) == 0) nodes_[n] = {};
      if ((awake >> n & 1) == 0) continue;
      Node& node = nodes_[n];
      // A flit of a packet under way, or of a new one.
      const bool eager = eager_flits_ != 0;
      const auto v = eager ? 0 : static_cast<unsigned>(random_() % kVcs);
      Node::Sending& s = node.sending[v];
      if (s.flits == 0 && (eager || chance(random_, load))) {
        const auto flits = eager ? eager_flits_ : static_cast<unsigned>(1 + random_() % kMostFlits);
        if (node.credits[v] >= flits) s = {flits, 0, next_++ & 0xffff};
      }
      if (s.flits != 0 && (eager || chance(random_, 70))) {
        const bool head = s.sent == 0, tail = ++s.sent == s.flits;
        valid |= std::uint64_t{1} << n;
        vcs |= std::uint64_t{v} << (2 * n);
        heads |= std::uint64_t{head} << n;
        tails |= std::uint64_t{tail} << n;
        // The lowest bits of a head say its length, above them is the packet's number.
        words_[n] = s.packet << 8 | (head ? s.flits : s.sent);
        --node.credits[v];
        counts_.sent += head ? 1 : 0;
        if (tail) s = {};
      }
      const auto w = eager ? 0 : static_cast<unsigned>(random_() % kVcs);
      if (node.held[w] != 0 && (eager || chance(random_, drain))) {
        --node.held[w];
        credits |= std::uint64_t{1} << n;
        credit_vcs |= std::uint64_t{w} << (2 * n);
      }
    }
    data = words_[0] | words_[1] << kFlitBits;
    set(bench_->from_valid_i, valid);
    set(bench_->from_vc_i, vcs);
    set(bench_->from_head_i, heads);
    set(bench_->from_tail_i, tails);
    write_port(bench_->from_data_i,
               {static_cast<std::uint32_t>(data), static_cast<std::uint32_t>(data >> 32),
                static_cast<std::uint32_t>(words_[1] >> (64 - kFlitBits))});
    set(bench_->to_credit_valid_i, credits);
    set(bench_->to_credit_vc_i, credit_vcs);
    unsigned request = std::exchange(reset_next_, 0U);
    for (unsigned n = 0; n < nodes; ++n)
      request |= one_in != 0 && random_() % one_in == 0 ? 1U << n : 0;
    bench_->request_i = static_cast<std::uint8_t>(request);
    bench_.settle();
    const Words to = read_port(bench_->to_data_o, 2 * kFlitBits);
    for (unsigned n = 0; n < 2; ++n) {
      counts_.lost_in += bench_->lost_in_o >> n & 1;
      counts_.lost_out += bench_->lost_out_o >> n & 1;
      if ((bench_->from_credit_valid_o >> n & 1) != 0) {
        const unsigned v = bench_->from_credit_vc_o >> (2 * n) & 3;
        if (++nodes_[n].credits[v] > kDepth) fail("more credits than places");
      }
      if ((bench_->to_valid_o >> n & 1) != 0 && (awake >> n & 1) != 0) {
        const std::uint64_t lane =
            n == 0 ? to[0] | std::uint64_t{to[1]} << 32 : to[1] >> 1 | std::uint64_t{to[2]} << 31;
        get(nodes_[n], bench_->to_vc_o >> (2 * n) & 3, (bench_->to_head_o >> n & 1) != 0,
            (bench_->to_tail_o >> n & 1) != 0, lane);
      }
    }
    counts_.resets +=
        static_cast<unsigned>((bench_->node_rst_no ^ before_) & ~bench_->node_rst_no & 3) != 0;
    before_ = bench_->node_rst_no;
    bench_.edge();
  }

  void get(Node& node, unsigned vc, bool head, bool tail, std::uint64_t data) {
    Node::Getting& g = node.getting[vc];
    const bool made_up = (data >> (kFlitBits - 1) & 1) != 0;
    const auto packet = static_cast<std::uint32_t>(data >> 8 & 0xffff);
    if (++node.held[vc] > kDepth) fail("a buffer overflows");
    if (head && g.open) fail("a head comes inside a packet");
    if (!head && !g.open) fail("a flit comes outside a packet");
    if (head) {
      g = {true, static_cast<unsigned>(data & 0xff), 0, packet};
      ++counts_.arrived;
    }
    ++g.got;
    if (!made_up && g.packet != packet) fail("flits of two packets are one");
    if (made_up && !tail) fail("a flit is made up that is no tail");
    if (tail && (made_up ? g.got > g.flits : g.got != g.flits)) fail("a packet has a wrong length");
    counts_.cut += made_up ? 1 : 0;
    if (tail) g = {};
  }

  Bench<Model> bench_;
  std::mt19937_64 random_;
  std::array<Node, 2> nodes_;
  std::array<std::uint64_t, 2> words_{};
  Counts counts_;
  std::string error_;
  std::uint32_t next_ = 0;
  unsigned before_ = 3;
  unsigned eager_flits_ = 0, reset_next_ = 0;
};

template <class Model>
std::string play(unsigned seed, Counts* counts = nullptr) {
  Play<Model> play(seed);
  // Traffic alone; resets far apart; resets that meet; slow receivers; one node that is
  // reset before it is welcome; traffic alone again.
  std::string error = play.run(500, 0, 90, 60);
  if (error.empty() && play.counts().lost_in + play.counts().lost_out + play.counts().cut != 0)
    error = "packets are lost without a reset";
  if (error.empty()) error = play.run(6000, 300, 90, 60);
  if (error.empty()) error = play.run(6000, 25, 90, 60);
  if (error.empty()) error = play.run(6000, 60, 90, 5);
  if (error.empty()) error = play.run(12000, 40, 90, 25, 1);
  if (error.empty()) error = play.finish();
  const Counts before = play.counts();
  if (error.empty()) error = play.run(1000, 0, 90, 60);
  if (error.empty()) error = play.finish();
  const Counts& now = play.counts();
  if (error.empty() && (now.lost_in != before.lost_in || now.lost_out != before.lost_out ||
                        now.cut != before.cut || now.arrived == before.arrived))
    error = "after the resets packets are lost";
  if (counts != nullptr) *counts = now;
  return error;
}

template <class Model>
class LinkGuard : public testing::Test {};
using Guards = testing::Types<Vlink_guard_1, Vlink_guard_7>;
TYPED_TEST_SUITE(LinkGuard, Guards);

TYPED_TEST(LinkGuard, BringsBothEndsTogetherAgain) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Counts counts;
    ASSERT_EQ(play<TypeParam>(seed, &counts), "") << "seed " << seed;
    EXPECT_GT(counts.resets, 100U);
    EXPECT_GT(counts.cut, 20U);
    EXPECT_GT(counts.lost_in, 20U);
    EXPECT_GT(counts.lost_out, 20U);
  }
}

// A VC opens again behind a sender that never pauses of its own will.
TYPED_TEST(LinkGuard, LetsBackToBackPacketsThroughAgain) {
  for (const unsigned flits : {1U, 2U, 5U}) {
    Play<TypeParam> play(flits);
    EXPECT_GT(play.arrivals_behind_a_reset(flits, 600), 2 * 600 / flits / 3)
        << "packets of " << flits << " flits";
    EXPECT_EQ(play.finish(), "");
  }
}

template <class Model>
void expect_caught() {
  testing::internal::CaptureStdout();
  bool caught = false;
  for (unsigned seed = 1; seed <= 20 && !caught; ++seed) caught = !play<Model>(seed).empty();
  testing::internal::GetCapturedStdout();
  EXPECT_TRUE(caught);
}

TEST(LinkGuardFaults, AResetIsShorterThanARoundTrip) { expect_caught<Vlink_guard_short>(); }
TEST(LinkGuardFaults, BuffersAreNotWaitedFor) { expect_caught<Vlink_guard_does_not_wait>(); }
TEST(LinkGuardFaults, TheRestOfACutPacketIsSent) { expect_caught<Vlink_guard_does_not_skip>(); }
TEST(LinkGuardFaults, CreditsOfWhatWasSentAreNotGivenBack) {
  expect_caught<Vlink_guard_credits_lost>();
}
TEST(LinkGuardFaults, PacketsStayOpen) { expect_caught<Vlink_guard_leaves_open>(); }

}  // namespace
}  // namespace hopwise::test
