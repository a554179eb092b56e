// SPDX-License-Identifier: Apache-2.0
// Runs of networks whose terminals have message interfaces.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/results.hpp"
#include "fixture.hpp"
#include "traffic/jobs/job.hpp"

namespace hopwise::engine {

inline const char* const kMessageTorus = R"(
topology: {kind: torus, dims: [2, 2]}
packet: {flit_bits: 128, max_flits: 5}
router: {vcs: 4, vc_depth_flits: 16}
terminal: {interface: messages, outstanding: 64, windows: 16}
)";
inline const char* const kMessageDragonfly = R"(
topology: {kind: dragonfly, terminals_per_router: 1, routers_per_group: 2, global_ports: 1}
packet: {flit_bits: 128, max_flits: 5}
router: {vc_depth_flits: 16}
routing: {algorithm: ugal_ln, modes: true}
terminal: {interface: messages, outstanding: 64, windows: 16}
)";

/// A network with the job of its section, if there is one. The run points into it.
struct MessageRun {
  app::Simulated network;
  std::optional<traffic::Job> job;
  RunOptions run;
};

inline std::unique_ptr<MessageRun> message_run(const char* yaml,
                                               const std::vector<std::string>& settings,
                                               double load = 0) {
  auto all = std::make_unique<MessageRun>(
      MessageRun{compiled(yaml, with(settings, {"simulation.engine=verilator"})), {}, {}});
  all->run = short_run(all->network, load);
  if (!all->network.proven->spec().job.any()) return all;
  auto job = traffic::make_job(all->network.proven->spec().job, all->network.proven->spec().network,
                               all->network.setup->topology);
  EXPECT_TRUE(job.ok()) << (job.ok() ? "" : format(job.errors()));
  all->job.emplace(std::move(job).value());
  all->run.job = &*all->job;
  return all;
}

inline RunResult simulated(const MessageRun& r) { return simulated(r.network, r.run); }

inline std::string text(const MessageRun& r, const RunResult& result) {
  return app::point_json("r", "p", result, *r.network.proven).dump();
}

/// What the packets on the wires show of each mode adds up to what the interfaces count. To them a
/// response is there once it is out of the ejection queue, a cycle later or a few.
inline void expect_modes_add_up(const MessageCounts& counts) {
  InterfaceCounts all;
  for (const InterfaceCounts& mode : counts.of_ranks_by_mode) all += mode;
  const InterfaceCounts& own = counts.of_ranks;
  EXPECT_EQ(all.request_packets, own.request_packets);
  EXPECT_EQ(all.request_flits, own.request_flits);
  EXPECT_EQ(all.request_stalled, own.request_stalled);
  EXPECT_EQ(all.response_packets, own.response_packets);
  EXPECT_GE(own.response_latency, all.response_latency + all.response_packets);
  EXPECT_LT(own.response_latency, all.response_latency + 2 * all.response_packets);
}

/// Every message was delivered, to the byte.
inline void expect_delivered(const RunResult& r) {
  expect_accounted(r);
  ASSERT_TRUE(r.messages);
  EXPECT_EQ(r.messages->sent, r.messages->completed);
  EXPECT_EQ(r.messages->bytes_sent, r.messages->bytes_written);
  const std::uint64_t responses = r.by_class.at(1).delivered - r.congestion.heard;
  EXPECT_EQ(r.by_class.at(0).delivered, responses);  // one for each
  EXPECT_EQ(r.messages->interfaces.request_packets, r.by_class.at(0).delivered);
  EXPECT_EQ(r.messages->interfaces.response_packets, responses);
}

inline std::string all_failures(const RunResult& r) {
  std::string all;
  for (const auto& what : r.failures) all += what + "\n";
  return all;
}

inline const std::vector<std::string> kStalls = {"simulation.memory_stalls=0.3",
                                                 "simulation.memory_latency_cycles=9"};

}  // namespace hopwise::engine
