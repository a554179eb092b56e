// SPDX-License-Identifier: Apache-2.0
// Ranks that get data from others through message interfaces.
#include <fmt/format.h>

#include "engine/run.hpp"
#include "message_run.hpp"

namespace hopwise::engine {
namespace {

std::vector<std::string> all_to_all(unsigned bytes) {
  return {"job.program=custom", fmt::format("job.operations=[all alltoall {} get]", bytes),
          "job.iterations=3"};
}

TEST(Messages, DataOfGetsAreThoseOfTheOtherRankToTheByteWhateverTheMemoriesDo) {
  for (const unsigned bytes : {1, 16, 63, 64, 65, 777, 9000}) {
    SCOPED_TRACE(bytes);
    const auto r = message_run(kMessageTorus, with(kStalls, all_to_all(bytes)));
    const RunResult result = simulated(*r);
    expect_delivered(result);
    EXPECT_EQ(result.stopped, "last-step");
    EXPECT_EQ(result.messages->sent, 4u * 3 * 4);  // with the warm-up
    EXPECT_EQ(result.messages->bytes_written, 4u * 3 * 4 * bytes);
    // Requests of a GET are heads alone.
    EXPECT_EQ(result.messages->interfaces.request_flits, result.by_class.at(0).delivered);
  }
}

TEST(Messages, ProgramsThatGetWriteEveryByteOnce) {
  for (const auto& [program, blocks] : std::initializer_list<std::pair<const char*, unsigned>>{
           {"ping_pong", 2}, {"alltoall", 4 * 3}, {"halo3d", 8}, {"fft", 8}}) {
    SCOPED_TRACE(program);
    const auto r = message_run(
        kMessageTorus, with(kStalls, {fmt::format("job.program={}", program), "job.ranks=4",
                                      "job.bytes=777", "job.transfer=get", "job.iterations=3"}));
    const RunResult result = simulated(*r);
    expect_delivered(result);
    EXPECT_EQ(result.messages->sent, 4u * blocks);  // with the warm-up
    EXPECT_EQ(result.messages->bytes_written, 4u * blocks * 777);
    // Of a ping-pong the second half of the ranks is only read.
    EXPECT_EQ(result.jobs.at(0).communication_cycles.size(), blocks == 2 ? 2u : 4u);
  }
}

TEST(Messages, GetsAndSendsOfAProgramPassEachOtherInAnyNumberOfThreads) {
  const auto r = message_run(
      kMessageDragonfly,
      with(kStalls, {"job.program=custom", "job.iterations=4",
                     "job.operations=[all get +1 700,all get +2 3000,all send +1 100,all recv -1,"
                     "all wait,0 get 3 0,0 get 3 9000,2-3 compute 50,all barrier]"}));
  const RunResult one = simulated(*r);
  expect_delivered(one);
  const std::uint64_t ranks = one.jobs.front().ranks;
  EXPECT_EQ(one.messages->sent, 5 * (ranks * (3 + 3) + 2));  // a barrier of 6 ranks has 3 rounds
  r->run.threads = 2;
  EXPECT_EQ(text(*r, simulated(*r)), text(*r, one));
}

TEST(Messages, PacketsOfApenetCarryThemToTheByte) {
  const auto r =
      message_run(R"(
topology: {kind: torus, dims: [2, 2]}
packet: {format: apenet, flit_bits: 128, max_flits: 18}
router: {vcs: 4, vc_depth_flits: 18}
terminal: {interface: messages, outstanding: 64, windows: 16}
)",
                  with(kStalls, {"job.program=custom", "job.iterations=3",
                                 "job.operations=[all alltoall 777,all alltoall 5000 get,"
                                 "all alltoall 1]"}));
  const RunResult result = simulated(*r);
  expect_delivered(result);
  EXPECT_EQ(result.messages->bytes_written, 4u * 3 * 4 * (777 + 5000 + 1));
  // Requests of PUTs of 777, 5000 by GET, and 1 byte in packets of up to 256 bytes, with footers.
  EXPECT_EQ(result.messages->interfaces.request_flits,
            4u * 3 * 4 * ((4 * 2 + 49) + (20 * 2) + (2 + 1)));
}

/// Cycles from the head of a request of `bytes` on the pins to the last flit of its response, by
/// docs/reference/messages.md; routers pass flits on as they come.
double get_cycles(const MessageRun& r, unsigned hops, std::uint64_t bytes) {
  const auto& setup = *r.network.setup;
  const unsigned flits = static_cast<unsigned>((bytes + 15) / 16);
  const double one_way = (hops + 1) * zero_load_router_cycles(setup.network, setup.route_cycles) +
                         hops * setup.network.link.latency_cycles.front() +
                         2.0 * setup.topology.terminal_latency_cycles();
  return 2 * one_way + 3 * flits + r.run.simulation.memory_latency_cycles + 8;
}

TEST(Messages, AGetInAnIdleNetworkTakesTheCyclesOfTheFormula) {
  for (const unsigned bytes : {1, 16, 17, 40, 64}) {
    for (const unsigned to : {1, 3}) {
      for (const char* memory : {"20", "7"}) {
        SCOPED_TRACE(fmt::format("{} bytes from {}, memory {}", bytes, to, memory));
        const auto r = message_run(
            kMessageTorus,
            {"job.program=custom", fmt::format("job.operations=[0 get 1 {}]", bytes), "job.ranks=2",
             "job.placement=list", fmt::format("job.terminals=[0,{}]", to), "job.iterations=5",
             fmt::format("simulation.memory_latency_cycles={}", memory)});
        const RunResult result = simulated(*r);
        expect_delivered(result);
        EXPECT_EQ(result.messages->sent, 6u);
        EXPECT_EQ(result.messages->interfaces.request_stalled, 0u);
        EXPECT_EQ(result.messages->of_ranks.round_trip(), get_cycles(*r, to == 3 ? 2 : 1, bytes));
      }
    }
  }
}

TEST(Messages, AByteThatIsFlippedOnItsWayToAGetIsReported) {
  const auto r = message_run(kMessageTorus, all_to_all(640));
  r->run.fault = SeededFault{.kind = SeededFault::Kind::kFlippedByte, .ejected_flit = 50};
  const std::string all = all_failures(simulated(*r));
  EXPECT_NE(all.find("of GET "), std::string::npos) << all;
  EXPECT_NE(all.find("are not what was sent"), std::string::npos) << all;
}

/// Requests of one flit, as fast as the responses come, meet one of five at the router that both go
/// through; the terminal of the latter has 5,000 others on their way behind it.
RunResult long_request_among_gets(const char* room, bool reservations) {
  constexpr const char* kCube = R"(
topology: {kind: torus, dims: [2, 2, 2]}
packet: {flit_bits: 128, max_flits: 5}
router: {vcs: 2, vc_depth_flits: 16}
terminal: {interface: messages, outstanding: 64}
routing: {algorithm: dor}
)";
  return simulated(*message_run(
      kCube, {"job.program=custom",
              "job.operations=[5 get 0 400000,6 send 7 20000,7 recv 6,6 send 0 128,0 recv 6,"
              "6 send 7 320000,7 recv 6,all wait]",
              "job.iterations=1", "job.warmup_iterations=0", std::string("router.room=") + room,
              fmt::format("router.allocator.reservations={}", reservations)}));
}

TEST(Messages, ThousandsOfPacketsOfATerminalMayOvertakeOneOfItsPackets) {
  const RunResult result = long_request_among_gets("packet", false);
  expect_delivered(result);
  EXPECT_GT(result.network_latency.max, 5U * 4096);
}

TEST(Messages, RequestsOfOneFlitDoNotPassALongOneForEver) {
  for (const auto& [room, reservations] : std::initializer_list<std::pair<const char*, bool>>{
           {"longest", false}, {"collect", false}, {"packet", true}}) {
    SCOPED_TRACE(room);
    const RunResult result = long_request_among_gets(room, reservations);
    expect_delivered(result);
    EXPECT_LT(result.network_latency.max, 1000U);
  }
}

}  // namespace
}  // namespace hopwise::engine
