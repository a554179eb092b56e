// SPDX-License-Identifier: Apache-2.0
// Watchdogs of routers: a network that stands still says who waits for whom, one that moves says
// nothing.
#include "fixture.hpp"
#include "spec/csr_map.hpp"

namespace hopwise::engine {
namespace {

/// Terminals that leave requests where they are until replies have left.
const char* const kWatched = R"(
topology: {kind: torus, dims: [3, 3]}
packet: {flit_bits: 128, max_flits: 4}
router: {vc_depth_flits: 8, watchdog_cycles: 4096}
traffic: {packet_flits: {min: 1, max: 4}}
)";

RunResult stopped(const std::string& engine, unsigned threads) {
  const app::Simulated network = compiled(kWatched, {"simulation.engine=" + engine});
  RunOptions run = short_run(network, 1.0, 60000);
  run.threads = threads;
  run.traffic.reply_queue_packets = 4;
  run.traffic.replies = {{0, 0}};
  return simulated(network, run);
}

TEST(Watchdog, TellsWhoWaitsForWhomWhereANetworkStops) {
  const RunResult r = stopped("verilator", 1);
  ASSERT_FALSE(r.failures.empty());
  // Whoever waits last waits for a terminal, which takes no requests.
  EXPECT_NE(r.failures[0].find("VCs do not move: "), std::string::npos) << r.failures[0];
  EXPECT_NE(r.failures[0].find("(no room in the output VC: t0 VC "), std::string::npos)
      << r.failures[0];
  EXPECT_GT(r.stuck_vcs, 0u);
  for (const auto& [engine, threads] : {std::pair{"verilator", 2u}, {"lanes", 1u}}) {
    const RunResult other = stopped(engine, threads);
    EXPECT_EQ(other.stuck_vcs, r.stuck_vcs) << engine;
    EXPECT_EQ(other.failures, r.failures) << engine;
  }
}

TEST(Watchdog, SaysNothingOfANetworkThatMovesBeyondFullLoad) {
  for (const char* routing : {"dor", "star_channel"}) {
    const app::Simulated network = compiled(
        kTorus, {"router.watchdog_cycles=4096", std::string("routing.algorithm=") + routing});
    const RunResult r = simulated(network, short_run(network, 1.0, 20000));
    expect_accounted(r);
    EXPECT_EQ(r.stuck_vcs, 0u) << routing;
  }
}

TEST(Watchdog, ChangesNothingElse) {
  const app::Simulated with = compiled(kTorus, {"router.watchdog_cycles=2048"}),
                       without = compiled(kTorus);
  RunOptions run = short_run(with, 0.8, 3000);
  run.record_deliveries = true;
  EXPECT_EQ(simulated(with, run).deliveries, simulated(without, run).deliveries);
}

/// Reads the registers of a router while the network stands still.
class StuckReader final : public Probe {
 public:
  struct Found {
    std::uint32_t stuck = 0, waits_for = 0, status = 0;
  };
  StuckReader(std::uint32_t router, Found& found) : router_(router), found_(found) {}
  Needs needs() const override { return {}; }
  void prepare(const Section& section) override { bank_ = section.bank; }
  void report(RunResult&) const override {
    bank_->csr_read(router_, csr::offset_of("STUCK"), found_.stuck);
    bank_->csr_read(router_, csr::offset_of("WAITS_FOR"), found_.waits_for);
    bank_->csr_read(router_, csr::offset_of("STATUS"), found_.status);
  }

 private:
  std::uint32_t router_;
  model::RouterBank* bank_ = nullptr;
  Found& found_;
};

TEST(Watchdog, ShowsInRegistersWhatTheMessageSays) {
  const app::Simulated network = compiled(kWatched);
  RunOptions run = short_run(network, 1.0, 60000);
  run.threads = 1;
  run.traffic.reply_queue_packets = 4;
  run.traffic.replies = {{0, 0}};
  StuckReader::Found found;
  run.probes = {[&](const Scene&) { return std::make_unique<StuckReader>(0, found); }};
  const RunResult r = simulated(network, run);
  ASSERT_FALSE(r.failures.empty());
  EXPECT_EQ(found.status, 4u);
  EXPECT_TRUE((found.stuck & 0xff) >= 1 && (found.stuck & 0xff) <= std::size(csr::kWaits));
  EXPECT_LT(found.stuck >> 8 & 0xff, 5u);
  EXPECT_LT(found.stuck >> 16 & 0xff, 2u);
  if ((found.stuck & 0xff) >= 3) {
    EXPECT_NE(found.waits_for >> 16, 0u);
  }
}

}  // namespace
}  // namespace hopwise::engine
